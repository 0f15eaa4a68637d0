// Named snapshots: created, listed, deleted; what a restore brings back and what it keeps (docs/explanation/architecture.md, "State").
// Scenarios: test/http/scenarios.test.ts. Expired tokens: test/http/switches/expiry.test.ts.
import { describe, expect, test } from 'vitest';
import { controlled, everything, failureOf, machineAt } from '../../support/control.ts';
import { noon } from '../../support/sachet.ts';
import { present, refresh } from '../../support/tokens.ts';

function snapshots(options: Parameters<typeof controlled>[0] = {}) {
  const server = controlled(options);
  const path = '/sandboxes/stage/snapshots';
  return {
    ...server,
    take: (name: unknown) => server.admin('POST', path, { name }),
    list: async () => (await server.admin('GET', path)).body.snapshots,
    get: (name: string) => server.admin('GET', `${path}/${name}`),
    drop: (name: string) => server.admin('DELETE', `${path}/${name}`),
    restore: (name: string) => server.admin('POST', `${path}/${name}/restore`),
    switches: async (patch: object = {}) => (await server.admin('PATCH', '/sandboxes/stage/switches', patch)).body,
    advance: (seconds: number) => server.admin('POST', '/sandboxes/stage/clock/advance', { seconds }),
  };
}

describe('a snapshot', () => {
  test('is created, listed, read and deleted, with the time of its own sandbox', async () => {
    const { take, list, get, drop, advance, admin } = snapshots();
    expect(await list()).toEqual([]);
    const one = { name: 'one', created_at: noon };
    const created = await take('one');
    expect([created.status, created.body]).toEqual([201, one]);
    await advance(1);
    const two = { name: 'two', created_at: '2026-11-20T12:00:01.000Z' };
    expect((await take('two')).body).toEqual(two);
    expect(failureOf(await take('one'))).toEqual([409, expect.stringContaining('"one"')]);
    expect([await list(), (await get('two')).body]).toEqual([[one, two], two]);
    expect((await admin('GET', '/sandboxes/production/snapshots')).body.snapshots).toEqual([]);
    expect((await admin('POST', '/sandboxes/production/snapshots/one/restore')).status).toBe(404);
    expect((await drop('one')).status).toBe(204);
    expect([await list(), (await get('one')).status]).toEqual([[two], 404]);
    expect((await take('one')).status).toBe(201);
  });

  test('has a valid name', async () => {
    const { take, list } = snapshots();
    for (const name of ['A', 'a/b', 'x'.repeat(64), undefined]) {
      const { status, body } = await take(name);
      expect([status, body.details[0].field], String(name)).toEqual([422, 'name']);
    }
    expect(await list()).toEqual([]);
    expect((await take('x'.repeat(63))).status).toBe(201);
  });

  test('that does not exist is 404 with those that do', async () => {
    const server = snapshots();
    await server.take('one');
    await server.take('two');
    const { versions } = await everything(server);
    for (const name of ['three', '__proto__'])
      for (const ask of [server.get, server.drop, server.restore])
        expect(failureOf(await ask(name))).toEqual([404, expect.stringContaining('available: one, two')]);
    expect((await everything(server)).versions).toEqual(versions);
  });

  test('is one of at most a hundred', async () => {
    const { take, list, drop } = snapshots();
    for (let n = 0; n < 100; n += 1) expect((await take(`s${n}`)).status).toBe(201);
    expect(failureOf(await take('one-more'))).toEqual([422, expect.stringContaining('100 snapshots')]);
    expect(await list()).toHaveLength(100);
    await drop('s50');
    expect((await take('one-more')).status).toBe(201);
  });
});

describe('a restore', () => {
  test('brings switches back with what remained of them', async () => {
    const { sachet, take, restore, switches } = snapshots();
    const client = await sachet.login();
    await switches({ rate_limit: { burst: 3 } });
    const call = async () => (await client.get('/v2/products')).status;
    expect(await call()).toBe(429);
    await take('one');
    const kept = await switches();
    expect(kept.rate_limit).toMatchObject({ hits: 1, remaining: 2 });
    expect([await call(), await call(), await call()]).toEqual([429, 429, 200]);
    await switches({ rate_limit: null, server_error: {} });
    await restore('one');
    expect(await switches()).toEqual(kept);
    expect([await call(), await call(), await call()]).toEqual([429, 429, 200]);
  });

  test('brings the instant of a frozen clock back, and the difference of a running one from real time', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    for (const [clock, expected] of [
      [noon, { now: noon, frozen: true, rate: 1 }],
      [`${noon}+`, { now: '2026-11-20T12:00:05.000Z', frozen: false, rate: 1 }],
    ] as const) {
      const { admin, take, restore, advance } = snapshots({ clock });
      await take('one');
      await advance(86_400);
      move(5000);
      await admin('PATCH', '/sandboxes/stage/clock', { frozen: false, rate: 60 });
      await restore('one');
      expect((await admin('GET', '/sandboxes/stage/clock')).body).toEqual(expected);
    }
  });

  test('keeps the journal, the other snapshots and the tokens', async () => {
    const { admin, sachet, take, restore, list } = snapshots();
    const { token } = await sachet.login();
    await take('one');
    await take('two');
    await present(sachet, token);
    const journal = (await admin('GET', '/sandboxes/stage/requests')).text;
    await restore('one');
    expect((await admin('GET', '/sandboxes/stage/requests')).text).toBe(journal);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['one', 'two']);
    expect((await present(sachet, token)).status).toBe(200);
    expect((await restore('two')).status).toBe(200);
  });

  test('makes a refresh token valid again that was used since', async () => {
    const { sachet, take, restore } = snapshots({ assumptions: { refresh_token_lifetime: 'single_use' } });
    const { refreshToken } = await sachet.login();
    await take('one');
    const spend = async () => (await refresh(sachet, refreshToken)).status;
    expect([await spend(), await spend()]).toEqual([200, 401]);
    await restore('one');
    expect([await spend(), await spend()]).toEqual([200, 401]);
  });
});
