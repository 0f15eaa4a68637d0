// Whose turn it is: maintenance, the rate limit, the route, the other faults by age, then the rest of HTTP-4, missing_permission with the permission. What does not get its turn
// uses nothing up. The control API, health and the storage are met by none.
import { describe, expect, test } from 'vitest';
import { bent, unwaited } from '../../support/bent.ts';
import { labelUrlOf, outcomeOf } from '../../support/labels.ts';

const everything = {
  maintenance: { for_seconds: 60 },
  rate_limit: { burst: 1 },
  missing_permission: { permissions: ['products:read'] },
  server_error: { burst: 1 },
  connection: { drop: 'before_processing', burst: 1 },
} as const;

test('of all together each has its turn, and the later ones use nothing up before it', async () => {
  const { sachet, stage, client, elapse } = await bent();
  const waited = await unwaited(sachet);
  await stage.faults.create({ id: 'oldest', status: 404, times: 1 });
  await stage.switches.set({ ...everything, latency: { milliseconds: 5 } });
  const seen: unknown[] = [];
  const call = async () => {
    const { status, headers } = await client.get('/v2/products');
    seen.push([status, headers.get('sandbox-fault')]);
  };
  await call();
  await elapse(60_000);
  for (let n = 0; n < 3; n += 1) await call();
  expect(seen).toEqual([
    [500, 'maintenance'],
    [429, 'rate_limit'],
    [404, 'oldest'],
    [500, 'server_error'],
  ]);
  expect(waited).toEqual([]);
  await expect(client.get('/v2/products')).rejects.toThrow('fetch failed');
  expect(waited).toEqual([5]);
  await call();
  expect(seen.at(-1)).toEqual([403, 'latency, missing_permission']);
  await stage.switches.set({ missing_permission: null });
  await call();
  expect(seen.at(-1)).toEqual([200, 'latency']);
});

describe('a path that is none', () => {
  test('meets maintenance and the rate limit, then it is 404, and no other fault has a hit', async () => {
    const { stage, status, elapse } = await bent();
    await stage.faults.create({ id: 'all', status: 422 });
    await stage.switches.set(everything);
    const seen = [await status('/v2/nothing')];
    await elapse(60_000);
    seen.push(await status('/v2/nothing'), await status('/v2/nothing'));
    expect(seen).toEqual([500, 429, 404]);
    const { server_error, connection, missing_permission } = await stage.switches.get();
    expect([server_error?.hits, connection?.hits, missing_permission?.hits]).toEqual([0, 0, 0]);
    expect((await stage.faults.get('all')).hits).toBe(0);
  });

  test('by a reading that does not offer it is none, too', async () => {
    const { stage, status } = await bent({ assumptions: { order_endpoints: 'absent' } });
    await stage.switches.set({ server_error: {} });
    expect([await status('/v2/orders'), await status()]).toEqual([404, 500]);
    await stage.assumptions.set({ order_endpoints: 'assumed' });
    expect(await status('/v2/orders')).toBe(500);
  });
});

describe('by age', () => {
  test.each([
    ['a fault before a switch', ['fault', 'switch'], 404],
    ['a switch before a fault', ['switch', 'fault'], 500],
    ['a switch that is set anew is the youngest', ['switch', 'fault', 'switch'], 404],
  ])('%s', async (_, order, expected) => {
    const { stage, status } = await bent();
    for (const kind of order)
      if (kind === 'fault') await stage.faults.create({ status: 404 });
      else await stage.switches.set({ server_error: {} });
    expect(await status()).toBe(expected);
  });

  test('a rate limit by a fault of status 429 has its turn after the route, the switch before it', async () => {
    const { stage, status } = await bent();
    await stage.faults.create({ id: 'limit', status: 429 });
    await stage.switches.set({ rate_limit: { burst: 1 } });
    expect([await status('/v2/nothing'), await status('/v2/nothing')]).toEqual([429, 404]);
    expect([await status(), (await stage.faults.get('limit')).hits]).toEqual([429, 1]);
  });
});

test('a fault answers before the token, the body, the permission and the order are looked at', async () => {
  const { sachet, stage, client } = await bent();
  await stage.faults.create({ status: 400 });
  const answers = [
    await sachet.call('GET', '/v2/products'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await client.get('/v2/orders/42'),
    await client.get('/v2/fulfillments?limit=none'),
    await client.post('/v2/orders', {}),
  ];
  for (const { status, body } of answers) expect([status, body.message]).toEqual([400, 'Bad Request']);
});

test('a fault does not go beside a call that it only delays: the rest of HTTP-4 is as ever', async () => {
  const { sachet, stage, client } = await bent();
  await stage.switches.set({ latency: { milliseconds: 1 } });
  const answers = [
    await sachet.call('GET', '/v2/products'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await client.post('/v2/orders', {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 400, 422]);
});

test('health, the control API and the storage go on under all of them', async () => {
  const { sachet, stage, client } = await bent();
  const label = await labelUrlOf(client);
  await stage.switches.set({ ...everything, server_error: {}, latency: { milliseconds: 3_600_000 } });
  await stage.faults.create({ id: 'all', drop: 'before_processing' });
  expect((await sachet.call('GET', '/health')).status).toBe(200);
  expect(outcomeOf(await sachet.call('GET', label))).toBe('200');
  const { maintenance, rate_limit } = await stage.switches.get();
  expect([maintenance?.hits, rate_limit?.hits, (await stage.faults.get('all')).hits]).toEqual([0, 0, 0]);
  await stage.switches.clear();
  expect((await sachet.call('GET', '/_admin/sandboxes')).status).toBe(401);
});
