// Three servers over one database behave as one: every change through one of them applies to the next response of each.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { followerOf } from '../../support/follower.ts';
import { type Place, postOrder } from '../../support/marked-orders.ts';
import { ask } from './support/replica-stores.ts';
import {
  adminKey,
  loggedIn,
  logIn,
  namesOf,
  postLogin,
  products,
  rowCounts,
  storeAt,
  three,
} from './support/replicas.ts';

/** Random seeds, so that two sandboxes have different signing keys. */
const unseeded = { randomSeed: undefined };
const onAll = <T>(value: T): T[] => [value, value, value];

describe('settings of one server apply to all', () => {
  test('a burst counts calls of all at the same time; so do the clock and expired tokens', async () => {
    const { places, stages, each } = await three();
    const token = await logIn(places[0]);
    await stages[1].switches.set({ rate_limit: { burst: 7 } });
    const together = Array.from({ length: 30 }, (_, n) => products(token)(places[n % 3] as Place));
    expect((await Promise.all(together)).filter((status) => status === 429)).toHaveLength(7);
    await stages[2].clock.advance({ by: 'PT12H' });
    for (const stage of stages) expect((await stage.clock.get()).now).toBe('2026-11-21T00:00:00.000Z');
    expect(await each(products(token))).toEqual(onAll(200));
    await stages[1].switches.set({ token_expiry: { expire_issued: true } });
    expect(await each(products(token))).toEqual(onAll(401));
  });

  test.each([
    ['a reset', ({ reset }: SandboxControl) => reset()],
    ['an import', async ({ state }: SandboxControl, other: SandboxControl) => state.put(await other.state.get())],
  ])('a call that is in progress during %s on another server changes nothing', async (_, begin) => {
    const { places, controls, stages } = await three();
    const token = await logIn(places[1]);
    await stages[1].faults.create({ id: 'slow', match: { operation: 'orders.create' }, delay: { milliseconds: 300 } });
    const posted = postOrder({ ...places[1], token }, 'mark');
    await expect.poll(() => stages[2].faults.get('slow')).toMatchObject({ hits: 1 });
    await begin(stages[0], controls[0].sandbox('production'));
    const orders = await stages[2].records.orders.list();
    expect((await posted).status).toBe(500);
    for (const stage of stages) expect(await stage.records.orders.list()).toEqual(orders);
  });
});

test('a sandbox that all create at once is created by one of them, also by logins', async () => {
  const { places, controls, each } = await three(unseeded);
  for (let n = 0; n < 5; n += 1) {
    const created = await Promise.allSettled(controls.map((control) => control.create({ name: `w${n}` })));
    const rejected = created.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []));
    expect(rejected).toEqual([409, 409]);
    for (const token of await each((place) => logIn(place, `demo+login${n}`)))
      expect(await each(products(token))).toEqual(onAll(200));
  }
  expect(await namesOf(places[0])).toHaveLength(12);
});

describe('--max-sandboxes', () => {
  test('counts the sandboxes of all: the least recently used one of a login is deleted', async () => {
    const { url, places, each } = await three({ maxSandboxes: 5 });
    for (const [n, name] of ['w1', 'w2', 'w3'].entries()) await logIn(places[n] as Place, `demo+${name}`);
    const leastRecent = async () =>
      (await ask(url, 'select name from sandboxes where made_by_login order by used_at'))[0]?.name;
    // A server writes its uses down a moment later: that of `w2` together with these, or before.
    await vi.waitFor(
      async () => {
        for (const name of ['w3', 'w1']) await loggedIn('demo', `/sandboxes/${name}`)(places[1]);
        expect(await leastRecent()).toBe('w2');
      },
      { timeout: 20_000 },
    );
    await logIn(places[0], 'demo+w4');
    expect(await each(namesOf)).toEqual(onAll(['production', 'stage', 'w1', 'w3', 'w4']));
    expect(await each(loggedIn('demo', '/sandboxes/w2'))).toEqual(onAll(404));
  });

  test('rejects a sandbox too many on all; after many logins at once, the next one restores the limit', async () => {
    const { places, controls, each } = await three({ maxSandboxes: 3 });
    await controls[0].create({ name: 'w1' });
    for (const control of controls) await expect(control.create({ name: 'w2' })).rejects.toMatchObject({ status: 422 });
    await controls[1].sandbox('w1').delete();
    await Promise.all(Array.from({ length: 9 }, (_, n) => postLogin(places[n % 3] as Place, `demo+w${n}`)));
    expect(await each(products(await logIn(places[0], 'demo+last')))).toEqual(onAll(200));
    expect(await each(namesOf)).toEqual(onAll(['last', 'production', 'stage']));
  });
});

describe('a time to live', () => {
  const base = '/sandboxes/short';
  const ttl_seconds = 60;

  /** A sandbox with a time to live, loaded by all servers and not used yet. */
  async function begun() {
    const servers = await three(unseeded);
    const { url } = servers;
    const before = await rowCounts(url);
    await servers.controls[0].create({ name: 'short', ttl_seconds });
    for (const { sandboxes } of servers.engines) expect(await sandboxes.get('short')).toBeDefined();
    /** Moves its last use to so many seconds ago. */
    const age = (seconds: number) =>
      ask(
        url,
        `update sandboxes set used_at = clock_timestamp() - make_interval(secs => ${seconds}) where name = 'short'`,
      );
    return { ...servers, before, age };
  }

  test('counts from the last use on any server, and then ends the sandbox on all without a trace', async () => {
    const { url, places, each, before, age } = await begun();
    await age(ttl_seconds - 20);
    expect(await loggedIn('demo', base)(places[1])).toBe(200);
    const isUsed = `select clock_timestamp() - used_at < '20 s' as yes from sandboxes where name = 'short'`;
    await expect.poll(() => ask(url, isUsed)).toEqual([{ yes: true }]);
    expect(await each(loggedIn('demo', base))).toEqual(onAll(200));
    await age(ttl_seconds * 2);
    expect(await each(loggedIn('demo', base))).toEqual(onAll(404));
    expect(await each(namesOf)).toEqual(onAll(['production', 'stage']));
    await expect.poll(() => rowCounts(url)).toEqual(before);
  });

  test('also ends a sandbox that nobody requests', async () => {
    const { url, before, age } = await begun();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await storeAt(url);
    await age(ttl_seconds * 2);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => rowCounts(url)).toEqual(before);
  });
});

test('a control call that all get at once with one Idempotency-Key is done once', async () => {
  const headers = {
    authorization: `Bearer ${adminKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'together',
  };
  const { places, stages } = await three(unseeded);
  const advance = async ({ url, fetch }: Place) => {
    const init = { method: 'POST', headers, body: JSON.stringify({ seconds: 60 }) };
    const response = await fetch(`${url}/_admin/sandboxes/stage/clock/advance`, init);
    return `${response.status} ${await response.text()}`;
  };
  expect(new Set(await Promise.all([...places, ...places].map(advance))).size).toBe(1);
  expect((await stages[1].clock.get()).now).toBe('2026-11-20T12:01:00.000Z');
});

describe('the journal', () => {
  /** Three servers, and calls to them with one token. */
  async function journals() {
    const servers = await three();
    const token = await logIn(servers.places[0]);
    const get = (n: number, path = '/v2/products') => {
      const place = servers.places[n % 3] as Place;
      return place.fetch(place.url + path, { headers: { authorization: `Bearer ${token}` } });
    };
    return { ...servers, get };
  }

  test('has a call as soon as it has its response: verify, wait and events on another server see it', async () => {
    const { places, stages, get } = await journals();
    for (let n = 1; n <= 30; n += 1) {
      await get(n);
      const verified = await stages[(n + 1) % 3]?.requests.verify({ match: { path: '/v2/products' }, count: n });
      expect(verified).toMatchObject({ satisfied: true, count: n });
    }
    const waiting = stages[0].requests.wait({ match: { path: '/v2/fulfillments' }, timeout_ms: 60_000 });
    const headers = { authorization: `Bearer ${adminKey}` };
    const url = `${places[2].url}/_admin/sandboxes/stage/events`;
    const events = followerOf(await places[2].fetch(url, { headers }));
    await get(1, '/v2/fulfillments');
    expect(await waiting).toMatchObject({ satisfied: true, count: 1 });
    await stages[1].switches.set({ rate_limit: { burst: 1 } });
    const seen = new Set<string | undefined>();
    while (!seen.has('state') || !seen.has('/v2/fulfillments'))
      for (const { type, data } of await events.take(1)) seen.add(data.path ?? type);
    expect(seen).not.toContain('/v2/authentication/token');
    await stages[1].reset();
    for (const stage of stages) expect((await stage.requests.list()).requests).toEqual([]);
  });

  test('is limited, in memory and in the database', async () => {
    const { url, stages, get } = await journals();
    // The third server answers none of them.
    for (let n = 0; n < 52; n += 1) await Promise.all(Array.from({ length: 50 }, (_, one) => get(one % 2)));
    for (const stage of stages) {
      const { requests, dropped } = await stage.requests.list();
      expect([requests.length, dropped]).toEqual([1000, 1601]);
    }
    const rows = async () => Number((await ask(url, 'select count(*) from journal_rows'))[0]?.count);
    await expect.poll(rows).toBeLessThanOrEqual(2500);
  });
});
