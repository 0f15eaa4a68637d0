// Servers over a database that goes away, servers that are killed, and many writers: no acknowledged order is lost or stored twice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/engine.ts';
import { plain } from '../../support/chaos-store.ts';
import { serving } from '../../support/command.ts';
import { type Place, writeDuring, writeOrders } from '../../support/marked-orders.ts';
import { ask } from './support/replica-stores.ts';
import {
  adminKey,
  call,
  databaseOfTest,
  enginesAt,
  expectStored,
  logIn,
  placeOf,
  type Three,
  three,
  versionsIn,
} from './support/replicas.ts';
import { type PostgresServer, postgresMissing, startPostgres } from './support/server.ts';

describe.skipIf(postgresMissing())('a database that goes away', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  const ways = {
    stopped: { leave: () => server.stop(), comeBack: () => server.start(), milliseconds: 10_000 },
    killed: { leave: () => server.kill(), comeBack: () => server.start(), milliseconds: 10_000 },
    frozen: { leave: () => server.freeze(), comeBack: async () => server.thaw(), milliseconds: 15_000 },
  };

  test.each(Object.entries(ways))('%s: calls get 500, /health is degraded, and then all goes on', async (_, way) => {
    const places = (await enginesAt(await databaseOfTest(server), 3)).map(placeOf) as Three<Place>;
    const token = await logIn(places[0]);
    const health = async (place: Place) => {
      const { status, body } = await call(place, 'GET', '/health');
      return [status, body.status, body.why];
    };
    const written = await writeDuring(places, token, 50, async ({ others }) => {
      const before = others.length;
      await way.leave();
      try {
        const from = performance.now();
        const reads = await Promise.all(places.map((place) => call(place, 'GET', '/v2/orders', { token })));
        const failure = {
          statusCode: 500,
          error: 'Internal Server Error',
          message: 'An internal server error occurred',
        };
        for (const response of reads) expect(response).toMatchObject({ status: 500, body: failure });
        expect(performance.now() - from).toBeLessThan(way.milliseconds);
        await expect.poll(() => others.length, { timeout: way.milliseconds }).toBeGreaterThan(before);
        for (const place of places)
          expect(await health(place)).toEqual([
            200,
            'degraded',
            expect.stringMatching(/^the database does not answer: ./),
          ]);
      } finally {
        await way.comeBack();
      }
      for (const place of places) await expect.poll(() => health(place)).toEqual([200, 'ok', undefined]);
    });
    expect(written.others.filter((response) => !response.startsWith('500'))).toEqual([]);
    const counts = await Promise.all(places.map((place) => expectStored(place, written)));
    expect(new Set(counts).size).toBe(1);
  });
});

test('the orders of a server that is killed are there through the others', async () => {
  const args = ['--store', await databaseOfTest(), '--admin-key', adminKey, '--log', 'off'];
  // All of them may create the tables.
  const servers = await Promise.all([serving(args), serving(args), serving(args)]);
  const places = servers.map(({ ready: { url } }): Place => ({ url, fetch })) as Three<Place>;
  const written = await writeDuring(places, await logIn(places[0]), 100, async () => {
    servers[0].child.kill('SIGKILL');
    await servers[0].ended();
  });
  // Only the killed server broke connections, and none rejected a call.
  expect(written.others.filter((response) => !response.startsWith('0 TypeError: '))).toEqual([]);
  expect(written.others.length).toBeGreaterThan(0);
  expect(await expectStored(places[1], written)).toBe(await expectStored(places[2], written));
  for (const { stderr } of servers) expect(stderr).toBe('');
});

test('after 1,200 orders of eight writers, three servers are equal and saw each version once', async () => {
  const { url, engines, places } = await three();
  const seen = await Promise.all(
    engines.map(async ({ sandboxes }: Engine) => {
      const versions: number[] = [];
      (await sandboxes.stage()).observe((version) => void versions.push(version));
      return versions;
    }),
  );
  let left = 1200;
  const written = await writeOrders(places, await logIn(places[0]), () => left-- > 0);
  expect(written.others).toEqual([]);
  for (const place of places) expect(await expectStored(place, written)).toBe(1200);
  const [{ version } = { version: 0 }] = await ask(url, `select version::int from sandboxes where name = 'stage'`);
  const versions = await versionsIn(url);
  expect(versions).toEqual(versions.map((_, index) => version - versions.length + 1 + index));
  expect(versions.length).toBeGreaterThanOrEqual(1000);
  for (const one of seen) expect(one).toEqual(Array.from({ length: version - 1 }, (_, index) => index + 2));
  const [first, ...others] = await Promise.all(engines.map(({ sandboxes }) => sandboxes.stage()));
  expect(first?.version).toBe(version);
  for (const other of others) expect(plain(other)).toEqual(first && plain(first));
});
