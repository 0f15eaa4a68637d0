// What survives in a state folder (docs/explanation/architecture.md): by kill -9, by an orderly end; row by row, each in a sandbox of its own.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlClient } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { call, folder, serving } from '../../support/command.ts';
import { someOrder } from '../../support/order-requests.ts';

const adminKey = 'the-key-of-the-state-folder';
const ownKey = 'the-key-of-one-sandbox';
const clock = '2026-11-20T12:00:00Z';
const quiet = ['--admin-key', adminKey, '--log', 'off'];

type Server = Awaited<ReturnType<typeof started>>;

/** A server over this folder. */
async function started(path: string, args: readonly string[] = []) {
  const server = await serving(['--state', path, ...quiet, ...args]);
  const { url, pid } = server.ready;
  const end = async (signal: NodeJS.Signals) => {
    process.kill(pid, signal);
    return server.ended();
  };
  return { url, end, control: controlClient({ url, adminKey }) };
}

/** One sandbox of a server, and a partner's calls there. */
interface Place extends SandboxControl {
  readonly name: string;
  readonly server: Server;
  ask(method: string, path: string, sent?: { token?: string; body?: unknown }): ReturnType<typeof call>;
  logIn(): Promise<{ readonly access_token: string; readonly refresh_token: string }>;
  /** The statuses of so many GETs, one after the other. */
  statuses(token: string, count: number): Promise<number[]>;
}

function placeIn(server: Server, name: string): Place {
  const ask: Place['ask'] = (method, path, sent) => call(method, `${server.url}/sandboxes/${name}/v2${path}`, sent);
  const logIn = async () => {
    const { status, body } = await ask('POST', '/authentication/token', {
      body: { username: 'demo', password: 'sachet-demo' },
    });
    expect(status).toBe(200);
    return body;
  };
  const statuses = async (token: string, count: number) => {
    const seen: number[] = [];
    for (let n = 0; n < count; n += 1) seen.push((await ask('GET', '/products', { token })).status);
    return seen;
  };
  return { ...server.control.sandbox(name), name, server, ask, logIn, statuses };
}

/** What is done before the end; what it gives looks whether that is there after it. */
type Row = (place: Place) => Promise<(again: Place) => Promise<void>>;

const refreshed = async ({ ask }: Place, refresh_token: string) =>
  (await ask('POST', '/authentication/refresh-token', { body: { refresh_token } })).status;

/** Between which two numbers the sandbox's time is ahead of the machine's, in milliseconds. */
async function aheadOf({ clock }: Place): Promise<{ readonly least: number; readonly most: number }> {
  const from = Date.now();
  const now = Date.parse((await clock.get()).now);
  return { least: now - Date.now() - 1, most: now - from + 1 };
}

const rows: Readonly<Record<string, Row>> = {
  'an order, and the token that it was made with': async ({ ask, logIn }) => {
    const { access_token: token } = await logIn();
    const { body } = await ask('POST', '/orders', { token, body: someOrder() });
    const path = `/orders/${body.order.id}`;
    const before = await ask('GET', path, { token });
    expect(before.status).toBe(200);
    return async (again) => expect(await again.ask('GET', path, { token })).toEqual(before);
  },
  'refresh tokens, and that one is spent': async (place) => {
    const [spent, good] = [(await place.logIn()).refresh_token, (await place.logIn()).refresh_token];
    expect([await refreshed(place, spent), await refreshed(place, spent)]).toEqual([200, 401]);
    return async (again) =>
      expect([await refreshed(again, spent), await refreshed(again, good), await refreshed(again, good)]).toEqual([
        401, 200, 401,
      ]);
  },
  'a clock that stands': async ({ clock }) => {
    const stands = { now: '2027-02-03T04:05:06.789Z', frozen: true, rate: 1 };
    await clock.set({ now: stands.now, frozen: true });
    return async (again) => expect(await again.clock.get()).toEqual(stands);
  },
  'a clock that runs': async (place) => {
    await place.clock.set({ now: '2030-01-01T00:00:00Z', frozen: false });
    const before = await aheadOf(place);
    return async (again) => {
      const after = await aheadOf(again);
      expect(Math.max(before.least, after.least)).toBeLessThanOrEqual(Math.min(before.most, after.most));
    };
  },
  'what is left of a burst': async ({ logIn, statuses, switches }) => {
    const { access_token } = await logIn();
    await switches.set({ rate_limit: { burst: 3 } });
    expect(await statuses(access_token, 1)).toEqual([429]);
    return async (again) => expect(await again.statuses(access_token, 3)).toEqual([429, 429, 200]);
  },
  'a fault and its hits': async ({ logIn, statuses, faults }) => {
    const { access_token } = await logIn();
    await faults.create({ id: 'kept', status: 500, times: 3 });
    expect(await statuses(access_token, 2)).toEqual([500, 500]);
    return async (again) => {
      expect(await again.faults.get('kept')).toMatchObject({ hits: 2, remaining: 1 });
      expect(await again.statuses(access_token, 2)).toEqual([500, 200]);
    };
  },
  'a scenario, which can be taken back': async ({ scenarios, records }) => {
    const before = await records.pags.list();
    await scenarios.apply('no-pag');
    expect(await records.pags.list()).not.toEqual(before);
    return async (again) => {
      await again.scenarios.take_back('no-pag');
      expect(await again.records.pags.list()).toEqual(before);
    };
  },
  'an assumption that was turned': async ({ assumptions }) => {
    expect(await assumptions.set({ next_cursor: 'meta' })).toMatchObject({ next_cursor: 'meta' });
    const before = await assumptions.get();
    return async (again) => expect(await again.assumptions.get()).toEqual(before);
  },
  'a named snapshot, which can be restored': async ({ snapshots, records, singles, clock }) => {
    const before = [await records.consumers.list(), await clock.get()];
    await snapshots.create({ name: 'base' });
    const shown = await snapshots.list();
    const [first] = (await records.consumers.list()).consumers;
    await records.consumers.update(first?.id ?? '', { first_name: 'Another' });
    await clock.advance({ by: 'PT1H' });
    await singles.timeline.update({ shipped: { delay_seconds: 0, spread_seconds: 0 } });
    return async (again) => {
      expect(await again.snapshots.list()).toEqual(shown);
      await again.snapshots.restore('base');
      expect([await again.records.consumers.list(), await again.clock.get()]).toEqual(before);
    };
  },
  'that all tokens were expired once': async ({ logIn, statuses, switches }) => {
    const { access_token } = await logIn();
    await switches.set({ token_expiry: { expire_issued: true } });
    await switches.set({ token_expiry: null });
    expect(await statuses(access_token, 1)).toEqual([401]);
    return async (again) => {
      expect(await again.statuses(access_token, 1)).toEqual([401]);
      expect(await again.statuses((await again.logIn()).access_token, 1)).toEqual([200]);
    };
  },
  'a key of its own, an environment and a time to live': async ({ get }) => {
    const { base_url: _b, last_used_at: _l, ...before } = await get();
    expect(before).toMatchObject({ environment: 'production', has_own_key: true, ttl_seconds: 3600 });
    return async ({ name, server }) => {
      const own = controlClient({ url: server.url, adminKey: ownKey });
      expect(await own.sandbox(name).get()).toMatchObject(before);
      await expect(own.sandbox('stage').get()).rejects.toMatchObject({ name: 'ControlError' });
    };
  },
};

const told = { clock, own_key: ownKey, ttl_seconds: 3600, environment: 'production' } as const;

async function begin(server: Server, name: string, row: Row) {
  await server.control.create({ name, ...told });
  const place = placeIn(server, name);
  await place.ask('GET', '/products', { token: 'none' });
  expect((await place.requests.list()).requests).not.toEqual([]);
  const look = await row(place);
  const { exported_at: _e, ...before } = await place.state.get();
  return async (next: Server) => {
    const again = placeIn(next, name);
    const { exported_at: _a, ...after } = await again.state.get();
    expect(after).toEqual(before);
    expect((await again.requests.list()).requests).toEqual([]);
    const outcomes = (await again.report.get()).rules.map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['not_exercised']));
    await look(again);
  };
}

/** Choices by which a refresh token can be spent; only the first start is told so. */
const first = ['--assume', 'refresh_token_lifetime=single_use'];

test.each(Object.entries(rows))('kill -9 leaves %s', async (_, row) => {
  const path = folder();
  const server = await started(path, first);
  const look = await begin(server, 'one', row);
  expect(await server.end('SIGKILL')).toBe('SIGKILL');
  await look(await started(path));
});

test('SIGTERM leaves all of that with --sync interval, too, and gives the folder back', async () => {
  const path = folder();
  const server = await started(path, ['--sync', 'interval', ...first]);
  const looks: [string, Awaited<ReturnType<typeof begin>>][] = [];
  for (const [index, [what, row]] of Object.entries(rows).entries())
    looks.push([what, await begin(server, `row-${index}`, row)]);
  expect(existsSync(join(path, 'lock'))).toBe(true);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(readdirSync(path)).not.toContain('lock');
  const next = await started(path, ['--sync', 'interval']);
  for (const [, look] of looks) await look(next);
});

test('a sandbox made by a login is there again, and the login’s token leads to it', async () => {
  const path = folder();
  const server = await started(path);
  const login = { username: 'demo+w1', password: 'sachet-demo' };
  const { body } = await call('POST', `${server.url}/v2/authentication/token`, { body: login });
  const sent = { token: body.access_token };
  const made = await call('POST', `${server.url}/v2/orders`, { ...sent, body: someOrder() });
  await server.end('SIGKILL');
  const next = await started(path);
  expect(await next.control.sandbox('w1').get()).toMatchObject({ made_by_login: true });
  const order = `/v2/orders/${made.body.order.id}`;
  expect((await call('GET', `${next.url}${order}`, sent)).body).toEqual(made.body);
});

test('a time to live begins anew with the start, and ends by itself', async () => {
  const path = folder();
  const server = await started(path);
  await server.control.create({ name: 'short', ttl_seconds: 10 });
  await server.end('SIGKILL');
  const isKept = () => existsSync(join(path, 'sandboxes/short.json'));
  const next = await started(path);
  expect(isKept()).toBe(true);
  const names = async () => (await next.control.list()).sandboxes.map(({ name }) => name);
  await expect.poll(names, { timeout: 60_000, interval: 100 }).toEqual(['production', 'stage']);
  await next.end('SIGTERM');
  expect(isKept()).toBe(false);
});
