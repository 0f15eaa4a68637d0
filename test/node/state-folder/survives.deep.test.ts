// What a state folder restores (docs/explanation/architecture.md), after a kill -9 and after an orderly end.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
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

/** The control of a sandbox, and calls of a partner there. */
interface Place extends SandboxControl {
  readonly url: string;
  readonly name: string;
  send(method: string, path: string, sent?: { token?: string; body?: unknown }): ReturnType<typeof call>;
  logIn(): Promise<{ readonly access_token: string; readonly refresh_token: string }>;
  refresh(refresh_token: string): Promise<number>;
  /** The statuses of that many GETs. */
  statuses(token: string, count: number): Promise<number[]>;
}

function placeIn({ url, control }: Awaited<ReturnType<typeof started>>, name: string): Place {
  const send: Place['send'] = (method, path, sent) => call(method, `${url}/sandboxes/${name}/v2${path}`, sent);
  const login = { username: 'demo', password: 'sachet-demo' };
  const logIn = async () => (await send('POST', '/authentication/token', { body: login })).body;
  const refresh = async (refresh_token: string) =>
    (await send('POST', '/authentication/refresh-token', { body: { refresh_token } })).status;
  const statuses = async (token: string, count: number) => {
    const seen: number[] = [];
    while (seen.length < count) seen.push((await send('GET', '/products', { token })).status);
    return seen;
  };
  return { ...control.sandbox(name), url, name, send, logIn, refresh, statuses };
}

/** Bounds of how far the sandbox's time is ahead of the machine's, in milliseconds. */
async function aheadOf({ clock }: Place): Promise<{ readonly least: number; readonly most: number }> {
  const from = Date.now();
  const now = Date.parse((await clock.get()).now);
  return { least: now - Date.now() - 1, most: now - from + 1 };
}

/** Changes a sandbox; the returned function expects the change in the restored one. */
type Change = (place: Place) => Promise<(restored: Place) => Promise<void>>;

const changes: Readonly<Record<string, Change>> = {
  'an order and its token': async ({ send, logIn }) => {
    const { access_token: token } = await logIn();
    const { body } = await send('POST', '/orders', { token, body: someOrder() });
    const before = await send('GET', `/orders/${body.order.id}`, { token });
    expect(before.status).toBe(200);
    return async (restored) =>
      expect(await restored.send('GET', `/orders/${body.order.id}`, { token })).toEqual(before);
  },
  'refresh tokens, one of them spent': async ({ logIn, refresh }) => {
    const [spent, good] = [(await logIn()).refresh_token, (await logIn()).refresh_token];
    expect([await refresh(spent), await refresh(spent)]).toEqual([200, 401]);
    return async (restored) => {
      const statuses = [await restored.refresh(spent), await restored.refresh(good), await restored.refresh(good)];
      expect(statuses).toEqual([401, 200, 401]);
    };
  },
  'a running clock': async (place) => {
    await place.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false });
    const before = await aheadOf(place);
    return async (restored) => {
      const after = await aheadOf(restored);
      expect(Math.max(before.least, after.least)).toBeLessThanOrEqual(Math.min(before.most, after.most));
    };
  },
  'the rest of a burst': async ({ logIn, statuses, switches }) => {
    const { access_token } = await logIn();
    await switches.set({ rate_limit: { burst: 3 } });
    expect(await statuses(access_token, 1)).toEqual([429]);
    return async (restored) => expect(await restored.statuses(access_token, 3)).toEqual([429, 429, 200]);
  },
  'a fault and its hits': async ({ logIn, statuses, faults }) => {
    const { access_token } = await logIn();
    await faults.create({ id: 'kept', status: 500, times: 3 });
    expect(await statuses(access_token, 2)).toEqual([500, 500]);
    return async (restored) => {
      expect(await restored.faults.get('kept')).toMatchObject({ hits: 2, remaining: 1 });
      expect(await restored.statuses(access_token, 2)).toEqual([500, 200]);
    };
  },
  'a named snapshot that can be restored': async ({ snapshots, records, singles, clock }) => {
    const before = [await records.consumers.list(), await clock.get()];
    await snapshots.create({ name: 'base' });
    const listed = await snapshots.list();
    const [first] = (await records.consumers.list()).consumers;
    await records.consumers.update(first?.id ?? '', { first_name: 'Another' });
    await clock.advance({ by: 'PT1H' });
    await singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } });
    return async (restored) => {
      expect(await restored.snapshots.list()).toEqual(listed);
      await restored.snapshots.restore('base');
      expect([await restored.records.consumers.list(), await restored.clock.get()]).toEqual(before);
    };
  },
  'an own key, an environment and a time to live': async ({ get }) => {
    const { base_url: _b, last_used_at: _l, ...before } = await get();
    expect(before).toMatchObject({ environment: 'production', has_own_key: true, ttl_seconds: 3600 });
    return async ({ name, url }) => {
      const own = controlClient({ url, adminKey: ownKey });
      expect(await own.sandbox(name).get()).toMatchObject(before);
      await expect(own.sandbox('stage').get()).rejects.toMatchObject({ name: 'ControlError' });
    };
  },
};

test.each([
  ['SIGKILL', 'always'],
  ['SIGTERM', 'interval'],
] as const)('after %s, with --sync %s, everything is there but the journal and the report', async (signal, sync) => {
  const path = folder();
  const server = await started(path, ['--sync', sync, '--assume', 'refresh_token_lifetime=single_use']);
  const settings = { clock: '2026-11-20T12:00:00Z', own_key: ownKey, ttl_seconds: 3600, environment: 'production' };
  const checks = await Promise.all(
    Object.entries(changes).map(async ([what, change], index) => {
      const name = `sandbox-${index}`;
      await server.control.create({ name, ...settings } as { name: string });
      const place = placeIn(server, name);
      await place.send('GET', '/products', { token: 'none' });
      const check = await change(place);
      const { exported_at: _e, ...before } = await place.state.get();
      return async (next: typeof server) => {
        const restored = placeIn(next, name);
        const { exported_at: _a, ...after } = await restored.state.get();
        expect(after, what).toEqual(before);
        expect((await restored.requests.list()).requests).toEqual([]);
        const outcomes = (await restored.report.get()).rules.map(({ outcome }) => outcome);
        expect(new Set(outcomes)).toEqual(new Set(['not_exercised']));
        await check(restored);
      };
    }),
  );
  // A sandbox that a login created, with an order.
  const login = { username: 'demo+w1', password: 'sachet-demo' };
  const { body } = await call('POST', `${server.url}/v2/authentication/token`, { body: login });
  const token = body.access_token;
  const order = await call('POST', `${server.url}/v2/orders`, { token, body: someOrder() });
  expect(existsSync(join(path, 'lock'))).toBe(true);

  expect(await server.end(signal)).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 0);
  expect(readdirSync(path).includes('lock')).toBe(signal === 'SIGKILL');
  const next = await started(path, ['--sync', sync]);
  for (const check of checks) await check(next);
  expect(await next.control.sandbox('w1').get()).toMatchObject({ made_by_login: true });
  const read = await call('GET', `${next.url}/v2/orders/${order.body.order.id}`, { token });
  expect([read.status, read.body]).toEqual([200, order.body]);
});

test('a time to live starts again with the server, and then ends the sandbox', async () => {
  const path = folder();
  const server = await started(path);
  await server.control.create({ name: 'short', ttl_seconds: 1 });
  await server.end('SIGKILL');
  const isKept = () => existsSync(join(path, 'sandboxes/short.json')) || undefined;
  const next = await started(path);
  const names = async () => (await next.control.list()).sandboxes.map(({ name }) => name);
  await expect.poll(names).toEqual(['production', 'stage']);
  await next.end('SIGTERM');
  expect(isKept()).toBeUndefined();
});
