// PostgreSQL keeps what every store keeps, and tells servers that are behind what others have written.
import { describe, expect, test } from 'vitest';
import { mark, marks } from '../../support/chaos-sandboxes.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { versionsIn } from '../../support/postgres/tables.ts';
import { storeSuite } from '../../support/store-suite.ts';
import { allOf, expectKept, make, open } from '../../support/stored-sandboxes.ts';

describe.skipIf(postgresMissing())('a database', () => {
  storeSuite('PostgreSQL', async () => {
    const url = await databaseOfTest();
    return { store: await storeAt(url), reopen: () => storeAt(url) };
  });

  test('tells two servers what each of them writes by turns', async () => {
    const url = await databaseOfTest();
    const servers = [await make(await storeAt(url)), await open(await storeAt(url))];
    for (let n = 0; n < 20; n += 1) {
      await Promise.all(servers.map((sandbox, index) => mark(sandbox, `${n} of ${index}`)));
      for (const sandbox of servers) await expectKept(sandbox, await storeAt(url));
    }
    expect(await marks(servers[0] as (typeof servers)[0])).toHaveLength(40);
  });

  test('gives a sandbox whole to a server that is farther behind than changes are kept', async () => {
    const url = await databaseOfTest();
    const sandbox = await make(await storeAt(url));
    const behind = await open(await storeAt(url));
    const told: number[] = [];
    behind.observe((version) => void told.push(version));
    for (let n = 0; n < 2200; n += 1) await mark(sandbox, `m${n}`);
    await expect.poll(async () => (await versionsIn(url))[0]).toBeGreaterThan(2);
    await behind.catchUp();
    expect(told[0]).toBeGreaterThan(2);
    expect(told.at(-1)).toBe(2201);
    expect(allOf(behind)).toEqual(allOf(sandbox));
    const kept = (await versionsIn(url)).length;
    expect(kept).toBeGreaterThanOrEqual(1000);
    expect(kept).toBeLessThan(2200);
    await mark(behind, 'after');
    await expectKept(sandbox, await storeAt(url));
  });

  test('gives sandboxes whole to as many servers at once as have something to write', async () => {
    const url = await databaseOfTest();
    const [store, other] = [await storeAt(url), await storeAt(url)];
    // More than a server has connections.
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const ahead = await Promise.all(names.map((name) => make(store, name)));
    const behind = await Promise.all(names.map((name) => open(other, name)));
    await Promise.all(ahead.map((sandbox) => mark(sandbox, 'theirs')));
    for (const { name, version, state } of await Promise.all(ahead.map((one) => open(store, one.name)))) {
      expect([version, state.table('spent_refresh_tokens').size]).toEqual([2, 1]);
      const [{ id } = { id: 0 }] = await ask(url, 'select id from sandboxes where name = $1', [name]);
      const { document } = ahead.find((one) => one.name === name)?.whole(2) ?? {};
      await ask(url, 'update documents set version = 2, document = $2 where sandbox = $1', [
        id,
        JSON.stringify(document),
      ]);
    }
    await ask(url, 'delete from changes');
    // They do not look first, and so meet a conflict.
    await Promise.all(behind.map((sandbox) => sandbox.write((state) => state.count('ours'))));
    for (const sandbox of behind) expect(await marks(sandbox)).toEqual(['theirs']);
  });
});
