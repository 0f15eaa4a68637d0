// The order of overrides: maintenance, rate limit, route, the other faults by age, then the rest of HTTP-4, with
// missing_permission at the permission. What is not reached uses nothing up.
import { expect, test } from 'vitest';
import { downloadOutcome, labelUrlOf } from '../../support/labels.ts';
import { testStage } from '../../support/stage.ts';

const everything = {
  maintenance: { for_seconds: 60 },
  rate_limit: { burst: 1 },
  missing_permission: { permissions: ['products:read'] },
  server_error: { burst: 1 },
  connection: { drop: 'before_processing', burst: 1 },
} as const;

test('all together apply one after the other, and the later ones use nothing up before', async () => {
  const { stage, client, elapse } = await testStage();
  await stage.faults.create({ id: 'oldest', status: 404, times: 1 });
  await stage.switches.set({ ...everything, latency: { milliseconds: 1 } });
  const call = async () => {
    const { status, headers } = await client.get('/v2/products');
    return [status, headers.get('sandbox-fault')];
  };
  const seen = [await call()];
  await elapse(60_000);
  for (let n = 0; n < 3; n += 1) seen.push(await call());
  expect(seen).toEqual([
    [500, 'maintenance'],
    [429, 'rate_limit'],
    [404, 'oldest'],
    [500, 'server_error'],
  ]);
  expect((await stage.switches.get()).latency?.hits).toBe(0);
  await expect(call()).rejects.toThrow('fetch failed');
  expect((await stage.switches.get()).latency?.hits).toBe(1);
  expect(await call()).toEqual([403, 'latency, missing_permission']);
  await stage.switches.set({ missing_permission: null });
  expect(await call()).toEqual([200, 'latency']);
});

test('an unknown route gets maintenance and the rate limit, then 404; no other fault counts it', async () => {
  const { stage, status, elapse } = await testStage();
  await stage.faults.create({ id: 'all', status: 422 });
  await stage.switches.set(everything);
  const seen = [await status('/v2/nothing')];
  await elapse(60_000);
  seen.push(await status('/v2/nothing'), await status('/v2/nothing'));
  expect(seen).toEqual([500, 429, 404]);
  const { server_error, connection, missing_permission } = await stage.switches.get();
  const all = [server_error, connection, missing_permission, await stage.faults.get('all')];
  expect(all.map((one) => one?.hits)).toEqual([0, 0, 0, 0]);
});

test('of faults and switches the oldest applies; one that is set again is the youngest', async () => {
  const { stage, status } = await testStage();
  await stage.switches.set({ server_error: {} });
  const { id } = await stage.faults.create({ status: 404 });
  expect(await status()).toBe(500);
  await stage.switches.set({ server_error: {} });
  expect(await status()).toBe(404);
  await stage.faults.delete(id);
  await stage.faults.create({ status: 404 });
  expect(await status()).toBe(500);
});

test('a fault comes before token, body, permission and order; a delayed call is judged as ever', async () => {
  const { sachet, stage, client } = await testStage();
  const calls = async () => {
    const answers = [
      await sachet.call('GET', '/v2/products'),
      await client.post('/v2/orders', undefined, { raw: '{' }),
      await client.get('/v2/orders/42'),
      await client.get('/v2/fulfillments?limit=none'),
      await client.post('/v2/orders', {}),
    ];
    return answers.map(({ status }) => status);
  };
  await stage.switches.set({ latency: { milliseconds: 1 } });
  expect(await calls()).toEqual([401, 400, 400, 400, 422]);
  await stage.faults.create({ status: 404 });
  expect(await calls()).toEqual([404, 404, 404, 404, 404]);
});

test('health, the control API and the storage are never affected', async () => {
  const { sachet, stage, client } = await testStage();
  const label = await labelUrlOf(client);
  await stage.switches.set({ ...everything, server_error: {}, latency: { milliseconds: 3_600_000 } });
  await stage.faults.create({ id: 'all', drop: 'before_processing' });
  expect((await sachet.call('GET', '/health')).status).toBe(200);
  expect(downloadOutcome(await sachet.call('GET', label))).toBe('200');
  expect((await sachet.call('GET', '/_admin/sandboxes')).status).toBe(401);
  const { maintenance, rate_limit } = await stage.switches.get();
  expect([maintenance?.hits, rate_limit?.hits, (await stage.faults.get('all')).hits]).toEqual([0, 0, 0]);
});
