// The effect of each switch on a call that matches, and none on another, and the order in which overrides apply.
// Sandbox-Fault and the journal name the switch that affected the response. What matches: test/http/faults.test.ts.
import { expect, test } from 'vitest';
import type { SwitchName } from '../../../src/contract/control/switch-names.ts';
import { downloadOutcome, element, labelUrlOf } from '../../support/labels.ts';
import type { Answer } from '../../support/sachet.ts';
import { broken, outcomeOf, recordDelays, type SwitchesSent, type TestStage, testStage } from '../../support/stage.ts';
import { logIn } from '../../support/tokens.ts';

type Ask = (world: TestStage) => Promise<Answer>;
const login: Ask = ({ sachet }) => logIn(sachet, 'demo', 'sachet-demo');
const products: Ask = ({ client }) => client.get('/v2/products');
const orders: Ask = ({ client }) => client.get('/v2/orders');
const order: Ask = ({ order: send }) => send();
const label: Ask = ({ client }) => client.get('/v2/fulfillments?limit=1');
const match = { operation: 'products.list' } as const;

type Effect = readonly [settings: object, affected: Ask, outcome: number | string, plain: Ask];
/** For each switch: settings, a call that they affect with its outcome, and one that they do not. */
const effects: Readonly<Record<SwitchName, readonly Effect[]>> = {
  token_expiry: [
    [{ expire_issued: true }, products, 401, login],
    [{ expire_issued: true, match }, products, 401, orders],
    [{ lifetime_seconds: 60 }, login, 200, products],
  ],
  rate_limit: [
    [{ burst: 1 }, products, 429, products],
    [{ burst: 9, match }, products, 429, orders],
    [{ for_seconds: 60, match }, products, 429, orders],
    [{ limit: 0, window_seconds: 60, match }, products, 429, orders],
  ],
  inactive_pags: [[{ all: true }, order, 201, products]],
  label_expiry: [[{ lifetime_seconds: 60 }, label, 200, products]],
  missing_permission: [
    [{ permissions: ['orders:write'] }, order, 403, products],
    [{ permissions: ['products:read', 'orders:read'], match }, products, 403, orders],
  ],
  server_error: [
    [{ burst: 1 }, products, 500, products],
    [{ match }, products, 500, orders],
  ],
  latency: [[{ milliseconds: 5, match }, products, 200, orders]],
  connection: [
    [{ drop: 'mid_body', burst: 1 }, products, broken.body, products],
    [{ drop: 'before_processing', match }, products, broken.whole, orders],
  ],
  maintenance: [[{ for_seconds: 60, match }, products, 500, orders]],
};

const rows = Object.entries(effects).flatMap(([name, some]) => some.map((effect) => [name, ...effect] as const));
test.each(rows)('%s: %j', async (name, settings, affected, expected, plain) => {
  const world = await testStage();
  await recordDelays(world.sachet);
  // It is on without any effect, and named by no response.
  await world.stage.switches.set({ connection: { drop: 'mid_body', probability: 0 } });
  await world.stage.switches.set({ [name]: settings } as SwitchesSent);
  const effectOn = async (ask: Ask) => {
    const call = ask(world);
    const outcome = await outcomeOf(call);
    const answer = await call.catch(() => undefined);
    const { requests } = await world.stage.requests.list();
    const faults = (await world.stage.requests.get(requests.at(-1)?.id ?? '')).decision?.faults.join(', ');
    if (answer) expect(faults).toBe(answer.headers.get('sandbox-fault') ?? '');
    return [outcome, faults];
  };
  expect(await effectOn(affected)).toEqual([expected, name]);
  expect(await effectOn(plain)).toEqual([200, '']);
});

test('the storage names the switch that expired a label', async () => {
  const { sachet, stage, client } = await testStage();
  const url = await labelUrlOf(client);
  await stage.switches.set({ label_expiry: { expire_issued: true } });
  const answer = await sachet.call('GET', url);
  expect([answer.status, answer.headers.get('sandbox-fault')]).toEqual([403, 'label_expiry']);
  expect(element(answer, 'ServerTime')).toBe('2026-11-20T12:00:00Z');
});

const everything = {
  maintenance: { for_seconds: 60 },
  rate_limit: { burst: 1 },
  missing_permission: { permissions: ['products:read'] },
  server_error: { burst: 1 },
  connection: { drop: 'before_processing', burst: 1 },
} as const;

test('maintenance, the rate limit, faults and missing_permission apply in this order, and the later ones use nothing up before', async () => {
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
