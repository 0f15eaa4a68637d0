// What a state folder restores (docs/explanation/architecture.md), after a kill -9 and after an orderly end.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import { call, folder, serving } from '../../support/command.ts';
import { someOrder } from '../../support/order-requests.ts';

const adminKey = 'the-key-of-the-state-folder';
const ownKey = 'the-key-of-one-sandbox';

/** Starts a server over a folder. */
async function started(path: string, args: readonly string[] = []) {
  const server = await serving(['--state', path, '--admin-key', adminKey, '--log', 'off', ...args]);
  const { url } = server.ready;
  const end = (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    return server.ended();
  };
  return { url, end, control: controlClient({ url, adminKey }) };
}

type Started = Awaited<ReturnType<typeof started>>;

/** The control of a sandbox, and calls of a partner there. */
function placeIn({ url, control }: Started, name: string) {
  const send = (method: string, path: string, sent?: Parameters<typeof call>[2]) =>
    call(method, `${url}/sandboxes/${name}/v2${path}`, sent);
  const login = { username: 'demo', password: 'sachet-demo' };
  const logIn = async () => (await send('POST', '/authentication/token', { body: login })).body;
  const refresh = async (refresh_token: string) =>
    (await send('POST', '/authentication/refresh-token', { body: { refresh_token } })).status;
  /** The statuses of that many GETs. */
  const statuses = async (token: string, path: string, count: number) => {
    const seen: number[] = [];
    while (seen.length < count) seen.push((await send('GET', path, { token })).status);
    return seen;
  };
  return { ...control.sandbox(name), send, logIn, refresh, statuses };
}

type Place = ReturnType<typeof placeIn>;

const stateOf = async ({ state }: Place) => ({ ...(await state.get()), exported_at: '' });

/** Bounds of how far the sandbox's time is ahead of the machine's, in milliseconds. */
async function aheadOf({ clock }: Place): Promise<{ readonly least: number; readonly most: number }> {
  const from = Date.now();
  const now = Date.parse((await clock.get()).now);
  return { least: now - Date.now() - 1, most: now - from + 1 };
}

/** Changes all that a sandbox keeps; the returned function expects it in the restored one. */
async function changed(place: Place): Promise<(restored: Place) => Promise<void>> {
  const { send, logIn, refresh, statuses, snapshots, records, singles, clock } = place;
  const [spent, { access_token: token, refresh_token: good }] = [(await logIn()).refresh_token, await logIn()];
  expect([await refresh(spent), await refresh(spent)]).toEqual([200, 401]);
  const { body } = await send('POST', '/orders', { token, body: someOrder() });
  const order = await send('GET', `/orders/${body.order.id}`, { token });
  expect(order.status).toBe(200);

  const atSnapshot = [await records.consumers.list(), await clock.get()];
  await snapshots.create({ name: 'base' });
  const listed = await snapshots.list();
  const last = (await records.consumers.list()).consumers.at(-1);
  await records.consumers.update(last?.id ?? '', { first_name: 'Another' });
  await clock.advance({ by: 'PT1H' });
  await singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } });

  await place.switches.set({ rate_limit: { burst: 3, match: { operation: 'fulfillments.list' } } });
  expect(await statuses(token, '/fulfillments', 1)).toEqual([429]);
  await place.faults.create({ id: 'kept', status: 500, times: 3, match: { operation: 'products.list' } });
  expect(await statuses(token, '/products', 2)).toEqual([500, 500]);
  const before = await stateOf(place);
  return async (restored) => {
    expect(await stateOf(restored)).toEqual(before);
    expect((await restored.requests.list()).requests).toEqual([]);
    const outcomes = (await restored.report.get()).rules.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['not_exercised']));
    expect(await restored.send('GET', `/orders/${body.order.id}`, { token })).toEqual(order);
    expect([await restored.refresh(spent), await restored.refresh(good), await restored.refresh(good)]).toEqual([
      401, 200, 401,
    ]);
    expect(await restored.statuses(token, '/fulfillments', 3)).toEqual([429, 429, 200]);
    expect(await restored.faults.get('kept')).toMatchObject({ hits: 2, remaining: 1 });
    expect(await restored.statuses(token, '/products', 2)).toEqual([500, 200]);
    expect(await restored.snapshots.list()).toEqual(listed);
    await restored.snapshots.restore('base');
    expect([await restored.records.consumers.list(), await restored.clock.get()]).toEqual(atSnapshot);
  };
}

test.each([
  ['SIGKILL', 'always'],
  ['SIGTERM', 'interval'],
] as const)('after %s, with --sync %s, everything is there but the journal and the report', async (signal, sync) => {
  const path = folder();
  const server = await started(path, ['--sync', sync, '--assume', 'refresh_token_lifetime=single_use']);
  const settings = { clock: '2026-11-20T12:00:00Z', own_key: ownKey, ttl_seconds: 3600, environment: 'production' };
  await server.control.create({ name: 'kept', ...settings } as { name: string });
  const kept = placeIn(server, 'kept');
  await kept.send('GET', '/products', { token: 'none' });
  const expectKept = await changed(kept);
  const { base_url: _b, last_used_at: _l, ...sandbox } = await kept.get();
  expect(sandbox).toMatchObject({ environment: 'production', has_own_key: true, ttl_seconds: 3600 });
  await server.control.create({ name: 'running' });
  const running = placeIn(server, 'running');
  await running.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false });
  const ahead = await aheadOf(running);
  // A sandbox that a login created.
  const login = { username: 'demo+w1', password: 'sachet-demo' };
  const { body } = await call('POST', `${server.url}/v2/authentication/token`, { body: login });
  expect(existsSync(join(path, 'lock'))).toBe(true);

  expect(await server.end(signal)).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
  expect(readdirSync(path).includes('lock')).toBe(signal === 'SIGKILL');
  const next = await started(path, ['--sync', sync]);
  await expectKept(placeIn(next, 'kept'));
  const own = controlClient({ url: next.url, adminKey: ownKey });
  expect(await own.sandbox('kept').get()).toMatchObject(sandbox);
  await expect(own.sandbox('stage').get()).rejects.toMatchObject({ name: 'ControlError' });
  const after = await aheadOf(placeIn(next, 'running'));
  expect(Math.max(ahead.least, after.least)).toBeLessThanOrEqual(Math.min(ahead.most, after.most));
  expect(await next.control.sandbox('w1').get()).toMatchObject({ made_by_login: true });
  expect((await call('GET', `${next.url}/v2/products`, { token: body.access_token })).status).toBe(200);
});

test('a time to live starts again with the server, and then ends the sandbox', async () => {
  const path = folder();
  const server = await started(path);
  await server.control.create({ name: 'short', ttl_seconds: 1 });
  await server.end('SIGKILL');
  const next = await started(path);
  const names = async () => (await next.control.list()).sandboxes.map(({ name }) => name);
  await expect.poll(names).toEqual(['production', 'stage']);
  await next.end('SIGTERM');
  expect(existsSync(join(path, 'sandboxes/short.json'))).toBe(false);
});
