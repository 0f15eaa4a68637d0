// rate_limit, maintenance, server_error and missing_permission: 429, 500 or 403 for the next calls, for a time, or with a probability.
import { describe, expect, test } from 'vitest';
import { permissions } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { allOffered } from '../../cases/common.ts';
import { goodRequests, type TokenOperation } from '../../cases/requests.ts';
import { someOrder } from '../../support/order-requests.ts';
import { type SwitchesSent, testStage, times } from '../../support/stage.ts';
import { logIn, refresh } from '../../support/tokens.ts';

const failure = errorOf(500, 'An internal server error occurred');

async function limited(rate_limit: SwitchesSent['rate_limit']) {
  const world = await testStage();
  await world.stage.switches.set({ rate_limit });
  return { ...world, shown: async () => (await world.stage.switches.get()).rate_limit };
}

test('a burst of rate_limit rejects so many calls of every kind and not one more, however much time passes', async () => {
  const { sachet, client, shown, elapse } = await limited({ burst: 4 });
  expect(await shown()).toEqual({ burst: 4, hits: 0, remaining: 4 });
  await elapse(3_600_000);
  const answers = [
    await logIn(sachet, 'demo', 'sachet-demo'),
    await refresh(sachet, client.refreshToken),
    await sachet.call('GET', '/v2/products'),
    await client.get('/v2/nothing'),
    await client.get('/v2/nothing'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 404]);
  expect(answers[4]?.headers.get('retry-after')).toBeNull();
});

describe('Retry-After (LIM-1)', () => {
  test.each([
    [{ burst: 1 }, '60'],
    [{ for_seconds: 5 }, '5'],
    [{ limit: 0, window_seconds: 3 }, '3'],
    [{ burst: 1, retry_after: 0 }, '0'],
    [{ for_seconds: 5, retry_after: 315_360_000 }, '315360000'],
  ])('of %j is %s', async (rate_limit, expected) => {
    const { client } = await limited(rate_limit);
    const { status, body, headers } = await client.get('/v2/products');
    expect([status, body, headers.get('retry-after')]).toEqual([429, errorOf(429, 'Too Many Requests'), expected]);
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['LIM-1', 'rate_limit']);
  });

  test.each([
    [{ for_seconds: 90 }, 0],
    [{ limit: 1, window_seconds: 90 }, 1],
  ])('of %j is the time that is left, rounded up; then a call passes', async (rate_limit, passing) => {
    const { client, elapse, statuses } = await limited(rate_limit);
    expect(await statuses(passing)).toEqual(times(passing, 200));
    const left = [];
    for (const passed of [0, 1, 998, 1, 88_000, 999]) {
      await elapse(passed);
      left.push((await client.get('/v2/products')).headers.get('retry-after'));
    }
    expect(left).toEqual(['90', '90', '90', '89', '1', '1']);
    await elapse(1);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe('rate_limit: limit in window_seconds', () => {
  test('lets so many calls of a window pass, which begins with its first call', async () => {
    const { statuses, elapse, shown } = await limited({ limit: 2, window_seconds: 60 });
    expect(await shown()).toEqual({ limit: 2, window_seconds: 60, hits: 0, remaining: 2 });
    await elapse(45_000);
    expect(await statuses(1)).toEqual([200]);
    const ends_at = '2026-11-20T12:01:45.000Z';
    expect(await shown()).toMatchObject({ hits: 0, remaining: 1, ends_at });
    expect(await statuses(3)).toEqual([200, 429, 429]);
    await elapse(59_999);
    expect(await statuses(1)).toEqual([429]);
    expect(await shown()).toMatchObject({ hits: 3, remaining: 0, ends_at });
    await elapse(1);
    expect(await shown()).toMatchObject({ hits: 3, remaining: 2 });
    await elapse(1000);
    expect(await statuses(1)).toEqual([200]);
    expect(await shown()).toMatchObject({ remaining: 1, ends_at: '2026-11-20T12:02:46.000Z' });
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test('counts calls that are rejected for another reason, and only those that match', async () => {
    const { client } = await limited({ limit: 3, window_seconds: 60 });
    const answers = [
      await client.get('/v2/products/7'),
      await client.get('/v2/nothing'),
      await client.post('/v2/orders', {}),
      await client.get('/v2/products'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 422, 429]);
    const { status, order } = await limited({ limit: 1, window_seconds: 60, match: { operation: 'orders.create' } });
    const seen = [await status(), await status(), (await order()).status, await status(), (await order()).status];
    expect(seen).toEqual([200, 200, 201, 200, 429]);
  });

  test('goes on if the clock is set back within the window, and begins anew if it is set before it', async () => {
    const { status, setTo } = await limited({ limit: 2, window_seconds: 60 });
    const seen = [];
    for (const at of [1000, 50_000, 1000, 60_999, 61_000, 61_000, 60_999, 60_999, 60_999, 120_998, 120_999]) {
      await setTo(at);
      seen.push(await status());
    }
    expect(seen).toEqual([200, 200, 429, 429, 200, 200, 200, 200, 429, 429, 200]);
  });
});

test('maintenance fails every call: logins, refreshes, orders, calls without a token, unknown routes', async () => {
  const { sachet, stage, client, order, stored } = await testStage();
  const before = await stored();
  await stage.switches.set({ maintenance: { for_seconds: 300 } });
  const answers = [
    await logIn(sachet, 'demo', 'sachet-demo'),
    await refresh(sachet, client.refreshToken),
    await client.get('/v2/products'),
    await sachet.call('GET', '/sandboxes/stage/v2/products'),
    await client.get('/v2/nothing'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await order(),
  ];
  for (const { status, body, headers } of answers) {
    expect([status, body]).toEqual([500, failure]);
    expect([headers.get('sandbox-fault'), headers.get('sandbox-rule')]).toEqual(['maintenance', 'HTTP-3']);
  }
  expect((await stage.switches.get()).maintenance).toMatchObject({ hits: answers.length });
  await stage.reset();
  expect([await stored(), (await sachet.call('GET', '/v2/products')).status]).toEqual([before, 401]);
});

test('maintenance ends at one instant, to the millisecond, however the clock is set, and with a running clock', async () => {
  const { stage, status, setTo } = await testStage();
  await setTo(250);
  await stage.switches.set({ maintenance: { for_seconds: 3 } });
  const ends_at = '2026-11-20T12:00:03.250Z';
  expect((await stage.switches.get()).maintenance).toEqual({ for_seconds: 3, hits: 0, ends_at });
  const seen = [];
  for (const at of [250, 3249, 3250, 3249, -1]) {
    await setTo(at);
    seen.push(await status());
  }
  expect(seen).toEqual([500, 500, 200, 500, 500]);
  await stage.clock.set({ frozen: false, rate: 100 });
  await expect.poll(status, { interval: 1 }).toBe(200);
});

test('server_error affects every call of an operation, logins too, and shows its hits', async () => {
  const { sachet, stage, client, statuses, order, stored } = await testStage();
  const before = await stored();
  await stage.switches.set({ server_error: {} });
  expect((await client.get('/v2/products')).body).toEqual(failure);
  expect(await statuses(3)).toEqual(times(3, 500));
  const login = await sachet.call('POST', '/v2/authentication/token', { body: {} });
  expect([(await order()).body, login.body]).toEqual([failure, failure]);
  expect((await stage.switches.get()).server_error).toEqual({ hits: 6 });
  await stage.switches.set({ server_error: null });
  expect([await statuses(1), await stored()]).toEqual([[200], before]);
});

test('a burst of server_error affects so many calls and not one more, without unknown routes and calls that do not match', async () => {
  const { stage, status, statuses, order } = await testStage();
  const shown = async () => (await stage.switches.get()).server_error;
  await stage.switches.set({ server_error: { burst: 3 } });
  expect(await shown()).toEqual({ burst: 3, hits: 0, remaining: 3 });
  expect([await status('/v2/nothing'), ...(await statuses(2))]).toEqual([404, 500, 500]);
  expect(await shown()).toEqual({ burst: 3, hits: 2, remaining: 1 });
  expect(await statuses(3)).toEqual([500, 200, 200]);
  expect(await shown()).toEqual({ burst: 3, hits: 3, remaining: 0 });
  await stage.switches.set({ server_error: { burst: 1, match: { operation: 'orders.create' } } });
  expect([await status(), (await order()).status, (await order()).status]).toEqual([200, 500, 201]);
});

test('a probability of server_error affects the same calls for the same seed, more of them if it is larger, none that do not match', async () => {
  /** The statuses of 40 calls that list products, between others. */
  async function seen(probability: number) {
    const { stage, status, order } = await testStage();
    await stage.switches.set({ server_error: { probability, match: { operation: 'products.list' } } });
    const statuses = [];
    for (let n = 0; n < 40; n += 1) {
      statuses.push(await status());
      expect(await status('/v2/orders')).toBe(200);
    }
    return { statuses, order: (await order()).text };
  }
  const [often, again, rare] = [await seen(0.5), await seen(0.5), await seen(0.2)];
  expect(again).toEqual(often);
  expect(rare.statuses).toContain(500);
  expect(rare.statuses.every((status, index) => status === 200 || often.statuses[index] === 500)).toBe(true);
  expect(rare.statuses).not.toEqual(often.statuses);
  // It draws nothing from the ids of orders.
  expect(often.order).toBe((await (await testStage()).order()).text);
});

const forbidden = errorOf(403, 'Insufficient permissions');

test('each missing_permission affects the endpoints that need it, under permissions=all, too; logins need none', async () => {
  const { sachet, stage, client } = await testStage({ assumptions: { ...allOffered, permissions: 'all' } });
  const headers = { authorization: `Bearer ${client.token}` };
  const wrong: unknown[] = [];
  for (const permission of permissions) {
    await stage.switches.set({ missing_permission: { permissions: [permission] } });
    for (const id of Object.keys(goodRequests) as TokenOperation[]) {
      const { path, body } = goodRequests[id];
      const isAffected = operations[id].permission === permission;
      // The good requests change the same records.
      if (!isAffected && operations[id].method !== 'GET') continue;
      const { status } = await sachet.call(operations[id].method, path, { body, headers });
      if (isAffected ? status !== 403 : status !== 200) wrong.push([permission, id, status]);
    }
  }
  expect(wrong).toEqual([]);
  await stage.switches.set({ missing_permission: { permissions: [...permissions] } });
  await sachet.login();
  expect((await refresh(sachet, client.refreshToken)).status).toBe(200);
});

test('with missing_permission nothing is stored, the user keeps the permission, and the journal names switch, stage and rule', async () => {
  const { stage, client, order, stored } = await testStage();
  const before = [await stored(), await stage.records.users.list()];
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] } });
  expect((await order()).body).toEqual(forbidden);
  expect([await stored(), await stage.records.users.list()]).toEqual(before);
  const { requests } = await stage.requests.list();
  const { decision } = await stage.requests.get(requests.at(-1)?.id ?? '');
  expect(decision).toMatchObject({
    stage: 'permission',
    faults: ['missing_permission'],
    details: [{ rule: 'AUTH-5' }],
    sentence: expect.stringContaining('Affected by the missing_permission switch. Rejected by AUTH-5:'),
  });
  const match = { path: '/v2/orders/{orderId}/cancel' };
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'], match } });
  const { id } = (await order()).body.order;
  expect((await client.patch(`/v2/orders/${id}`, someOrder())).status).toBe(200);
  expect((await client.post(`/v2/orders/${id}/cancel`)).body).toEqual(forbidden);
});

test('missing_permission is checked between the body format and the path (HTTP-4), and counts only what it rejects', async () => {
  const { sachet, stage, client } = await testStage();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write', 'orders:read'] } });
  const authorization = `Bearer ${client.token}`;
  const create = (raw: string, headers: Record<string, string> = { authorization }) =>
    sachet.call('POST', '/v2/orders', { raw, headers: { 'content-type': 'application/json', ...headers } });
  const answers = [
    await create('{', {}),
    await create('{}', { authorization: 'Bearer no-token' }),
    await create('{'),
    await create('{}', { authorization, 'content-type': 'text/plain' }),
    // A user without the permission anyway.
    await (await sachet.login('read-only')).post('/v2/orders', someOrder()),
    await create('{}'),
    await client.get('/v2/orders/no-uuid'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 400, 403, 403, 403]);
  const affected = answers.map(({ headers }) => headers.get('sandbox-fault'));
  expect(affected).toEqual([null, null, null, null, null, 'missing_permission', 'missing_permission']);
  expect((await stage.switches.get()).missing_permission?.hits).toBe(2);
});
