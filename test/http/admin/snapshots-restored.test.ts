// What a restore brings back, and what it keeps (docs/explanation/architecture.md, "State").
import { describe, expect, test } from 'vitest';
import { machineAt } from '../../support/control.ts';
import { orderId, someOrder } from '../../support/order-requests.ts';
import { fixtures, noon } from '../../support/sachet.ts';
import { snapshots } from '../../support/snapshots.ts';
import { present, refresh } from '../../support/tokens.ts';

describe('a restore', () => {
  test('brings data and counters back: the next order is the same, byte by byte, however often', async () => {
    const { sachet, take, restore } = snapshots();
    const client = await sachet.login();
    await client.post('/v2/orders', someOrder());
    await take('one');
    const first = await client.post('/v2/orders', someOrder());
    const list = (await client.get('/v2/orders?limit=100')).text;
    for (let round = 0; round < 3; round += 1) {
      await client.post(`/v2/orders/${orderId(18)}/cancel`);
      expect((await restore('one')).body).toEqual({ name: 'one', created_at: noon });
      const { state } = await sachet.sandbox();
      expect(state.table('orders').size).toBe(fixtures.orders.length + 1);
      expect((await client.post('/v2/orders', someOrder())).text).toBe(first.text);
      expect((await client.get('/v2/orders?limit=100')).text).toBe(list);
    }
  });

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

  test('brings faults, scenarios and assumptions back', async () => {
    const { admin, take, restore } = snapshots();
    const paths = ['faults', 'scenarios', 'assumptions', 'switches'].map((name) => `/sandboxes/stage/${name}`);
    const shown = () => Promise.all(paths.map(async (path) => (await admin('GET', path)).body));
    await admin('POST', '/sandboxes/stage/faults', { id: 'one', status: 500, times: 2 });
    await admin('POST', '/sandboxes/stage/scenarios/no-pag');
    await admin('PATCH', '/sandboxes/stage/assumptions', { next_cursor: 'meta' });
    const before = await shown();
    await take('one');
    await admin('DELETE', '/sandboxes/stage/faults/one');
    await admin('DELETE', '/sandboxes/stage/scenarios/no-pag');
    await admin('POST', '/sandboxes/stage/scenarios/maintenance');
    await admin('PATCH', '/sandboxes/stage/assumptions', { profile: 'strict' });
    await restore('one');
    expect(await shown()).toEqual(before);
    expect((await admin('DELETE', '/sandboxes/stage/scenarios/no-pag')).status).toBe(204);
  });

  test('of a frozen clock brings its instant back', async () => {
    const { admin, take, restore, advance } = snapshots();
    await take('one');
    await advance(3600);
    await admin('PATCH', '/sandboxes/stage/clock', { frozen: false, rate: 60 });
    await restore('one');
    const { body } = await admin('GET', '/sandboxes/stage/clock');
    expect(body).toEqual({ now: noon, frozen: true, rate: 1 });
  });

  test('of a running clock brings its distance from real time back', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { admin, take, restore, advance } = snapshots({ clock: `${noon}+` });
    const now = async () => (await admin('GET', '/sandboxes/stage/clock')).body.now;
    expect(await now()).toBe(noon);
    await take('one');
    await advance(86_400);
    move(5000);
    expect(await now()).toBe('2026-11-21T12:00:05.000Z');
    await restore('one');
    expect(await now()).toBe('2026-11-20T12:00:05.000Z');
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

  test('makes good again what was expired since, and what is expired later is expired for good', async () => {
    const { sachet, take, restore, switches } = snapshots();
    const early = await sachet.login();
    await take('one');
    await switches({ token_expiry: { expire_issued: true } });
    const late = await sachet.login();
    const statuses = () => Promise.all([early, late].map(async ({ token }) => (await present(sachet, token)).status));
    expect(await statuses()).toEqual([401, 200]);
    await restore('one');
    expect(await statuses()).toEqual([200, 200]);
    await switches({ token_expiry: { expire_issued: true } });
    expect(await statuses()).toEqual([401, 401]);
    const { token } = await sachet.login();
    expect((await present(sachet, token)).status).toBe(200);
  });

  test('makes a refresh token that was spent since good again', async () => {
    const { sachet, take, restore } = snapshots({ assumptions: { refresh_token_lifetime: 'single_use' } });
    const { refreshToken } = await sachet.login();
    await take('one');
    const status = async () => (await refresh(sachet, refreshToken)).status;
    expect([await status(), await status()]).toEqual([200, 401]);
    await restore('one');
    expect([await status(), await status()]).toEqual([200, 401]);
  });
});
