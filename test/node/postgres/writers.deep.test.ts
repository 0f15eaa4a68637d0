// Many writers at once of one sandbox, through three servers: nothing is lost, nothing happens twice, all servers end equal.
import { expect, test } from 'vitest';
import type { Engine } from '../../../src/engine.ts';
import { plain } from '../../support/chaos-sandboxes.ts';
import { expectThere, writeOrders } from '../../support/postgres/marked.ts';
import { logIn, placeOf } from '../../support/postgres/partner.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, enginesAt } from '../../support/postgres/stores.ts';
import { versionsIn } from '../../support/postgres/tables.ts';

const orders = 5000;

/** The versions that a server is told of from here on. */
async function commitsOf({ sandboxes }: Engine): Promise<number[]> {
  const versions: number[] = [];
  (await sandboxes.stage()).observe((version) => void versions.push(version));
  return versions;
}

test.skipIf(postgresMissing())(`8 writers of ${orders} orders over three servers`, async () => {
  const url = await databaseOfTest();
  const engines = await enginesAt(url, 3);
  const places = engines.map(placeOf);
  const told = await Promise.all(engines.map(commitsOf));
  const token = await logIn(places[0] as (typeof places)[0]);
  let left = orders;
  const written = await writeOrders({ places, token, writers: 8, goesOn: () => left-- > 0 });
  expect(written.others).toEqual([]);
  for (const place of places) expect(await expectThere(place, written)).toBe(orders);

  const [{ version } = { version: 0 }] = await ask(url, `select version::int from sandboxes where name = 'stage'`);
  const versions = await versionsIn(url);
  expect(versions.at(-1)).toBe(version);
  expect(versions).toEqual(versions.map((_, index) => version - versions.length + 1 + index));
  expect(versions.length).toBeGreaterThanOrEqual(1000);
  // Each server is told of every commit once, whoever made it.
  for (const seen of told) expect(seen).toEqual(Array.from({ length: version - 1 }, (_, index) => index + 2));
  const [first, ...others] = await Promise.all(engines.map(({ sandboxes }) => sandboxes.stage()));
  expect(first?.version).toBe(version);
  for (const other of others) expect(plain(other)).toEqual(first && plain(first));
});
