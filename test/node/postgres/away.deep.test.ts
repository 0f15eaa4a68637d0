// A database that is away: calls are refused within bounds, /health tells why, and when it is back all goes on, with all that was acknowledged.
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectThere, postMarked, type Written, writeOrders } from '../../support/postgres/marked.ts';
import { type Answer, call, logIn, type Place, placeOf } from '../../support/postgres/partner.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../../support/postgres/server.ts';
import { databaseOfTest, enginesAt } from '../../support/postgres/stores.ts';

/** Three servers over a database that can be stopped. */
async function begun() {
  const server = await startPostgres();
  onTestFinished(() => server.close());
  const url = await databaseOfTest(server);
  const places = (await enginesAt(url, 3)).map(placeOf) as [Place, Place, Place];
  // What was stopped or frozen by a test that failed has to run for its database to go.
  onTestFinished(() => (server.pid === undefined ? server.start() : server.thaw()));
  return { server, places, token: await logIn(places[0]) };
}

const read = (place: Place, token: string): Promise<Answer> => call(place, 'GET', '/v2/orders', { token });
const write = (place: Place, token: string): Promise<Answer> => postMarked(place, token, 'mark that is refused');

async function health(place: Place): Promise<unknown> {
  const { status, body } = await call(place, 'GET', '/health');
  return [status, body.status, body.why];
}

const well = [200, 'ok', undefined];
const degraded = [200, 'degraded', expect.stringMatching(/^the database does not answer: ./)];
const refused = {
  status: 500,
  body: { statusCode: 500, error: 'Internal Server Error', message: 'An internal server error occurred' },
};

const ways = {
  stopped: { go: (server: PostgresServer) => server.stop(), comeBack: (server: PostgresServer) => server.start() },
  frozen: {
    go: (server: PostgresServer) => server.freeze(),
    comeBack: async (server: PostgresServer) => server.thaw(),
  },
};
type Way = keyof typeof ways;

/** How long a call may take at most, in milliseconds. */
const timeouts = { stopped: 10_000, frozen: 15_000 } as const;

describe.skipIf(postgresMissing())('while the database is', () => {
  test.each(Object.keys(ways) as Way[])('%s, calls are refused, and go on when it is back', async (way) => {
    const { server, places, token } = await begun();
    expect((await postMarked(places[0], token, 'mark before')).status).toBe(201);
    await ways[way].go(server);
    const from = performance.now();
    for (const answer of await Promise.all(places.flatMap((place) => [read(place, token), write(place, token)])))
      expect(answer).toMatchObject(refused);
    expect(performance.now() - from).toBeLessThan(timeouts[way]);
    for (const place of places) expect(await health(place)).toEqual(degraded);
    await ways[way].comeBack(server);
    for (const place of places) await expect.poll(() => health(place)).toEqual(well);
    const { body } = await postMarked(places[1], token, 'mark after');
    expect((await call(places[2], 'GET', `/v2/orders/${body.order.id}`, { token })).status).toBe(200);
  });
});

/** What happens to the database under load; over when it is back. */
const happenings: Readonly<Record<string, (server: PostgresServer, soFar: () => Written) => Promise<void>>> = {
  'is restarted': (server) => server.restart('fast'),
  'is restarted without a checkpoint': (server) => server.restart('immediate'),
  'is killed, and started': async (server) => {
    await server.kill();
    await server.start();
  },
  'is frozen until calls are refused': async (server, soFar) => {
    const before = soFar().others.length;
    await server.freeze();
    await expect.poll(() => soFar().others.length, { timeout: timeouts.frozen }).toBeGreaterThan(before);
    server.thaw();
  },
};

/** So many orders are acknowledged before it happens, and after it. */
const orders = 100;

describe.skipIf(postgresMissing())('of the orders of eight writers none is lost, and none there twice, where', () => {
  test.each(Object.entries(happenings))('the database %s', async (_, happen) => {
    const { server, places, token } = await begun();
    let written: Written = { acknowledged: new Map(), others: [] };
    let enough = Number.POSITIVE_INFINITY;
    onTestFinished(() => {
      enough = 0;
    });
    const writing = writeOrders({
      places,
      token,
      writers: 8,
      goesOn: (soFar) => {
        written = soFar;
        return soFar.acknowledged.size < enough;
      },
    });
    await expect.poll(() => written.acknowledged.size).toBeGreaterThan(orders);
    await happen(server, () => written);
    enough = written.acknowledged.size + orders;
    await writing;
    expect(written.others.filter((answer) => !answer.startsWith('500'))).toEqual([]);
    const counts = await Promise.all(places.map((place) => expectThere(place, written)));
    expect(new Set(counts).size).toBe(1);
  });
});
