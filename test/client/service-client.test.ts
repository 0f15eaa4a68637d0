// The client that a sandbox gives: it logs in once, refreshes once however many calls meet an expired token, and tells a login that fails.
import { describe, expect, test } from 'vitest';
import { type Sandbox, ServiceClient } from '../../src/client/sandbox.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts, thrownBy } from '../library/starts.ts';

const ten = Array.from({ length: 10 }, (_, n) => n);
const token = '/v2/authentication/token';
const refresh = '/v2/authentication/refresh-token';

/** How often the sandbox was called there, in all. */
async function callsTo(sandbox: Sandbox, path: string): Promise<number> {
  const { requests } = await sandbox.requests.list();
  return requests.filter((request) => request.path === path).length;
}

describe.each(starts)('%s', (_, open) => {
  test('logs in with its first call, and once', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    expect(await callsTo(sandbox, token)).toBe(0);
    const answers = await Promise.all(ten.map(() => client.get('/v2/products')));
    await client.get('/v2/products');
    expect(answers.map(({ status }) => status)).toEqual(ten.map(() => 200));
    expect(await callsTo(sandbox, token)).toBe(1);
  });

  test('sends a body as JSON, and gives answers as they are', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    const created = await client.post('/v2/orders', sampleOrder());
    const { order } = await created.json();
    expect([created.status, order.status]).toEqual([201, 'Pending']);
    const address = { address1: '2 Main Street', city: 'Springfield', country_name: 'United States' };
    expect((await client.patch(`/v2/orders/${order.id}`, { shipping_address: address })).status).toBe(200);
    expect((await sandbox.records.orders.get(order.id)).shipping_address).toMatchObject(address);
    expect((await client.post('/v2/orders', {})).status).toBe(422);
    expect((await client.post('/v2/orders')).status).toBe(422);
    expect((await client.call('DELETE', '/v2/products')).status).toBe(404);
  });

  test('downloads a label without the token (FUL-4)', async () => {
    const client = (await (await open()).createSandbox()).client();
    const { fulfillments } = await (await client.get('/v2/fulfillments')).json();
    const label = await client.get(fulfillments[0].label_url);
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  test('refreshes an expired token and repeats the call', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.switches.set({ token_expiry: { expire_issued: true } });
    expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
    expect([await callsTo(sandbox, token), await callsTo(sandbox, refresh)]).toEqual([1, 1]);
  });

  test('refreshes once for ten calls side by side', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.clock.advance({ by: 'P2D' });
    const answers = await Promise.all(ten.map(() => client.get('/v2/products')));
    expect(answers.map(({ status }) => status)).toEqual(ten.map(() => 200));
    expect([await callsTo(sandbox, token), await callsTo(sandbox, refresh)]).toEqual([1, 1]);
  });

  test('logs in anew, once, when the refresh token is refused', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    await client.get('/v2/products');
    await sandbox.switches.set({ token_expiry: { expire_issued: true } });
    const match = { operation: 'authentication.refresh' } as const;
    await sandbox.faults.create({ status: 401, match });
    const answers = await Promise.all(ten.map(() => client.get('/v2/products')));
    expect(answers.map(({ status }) => status)).toEqual(ten.map(() => 200));
    expect([await callsTo(sandbox, token), await callsTo(sandbox, refresh)]).toEqual([2, 1]);
  });

  test('gives the answer of the second try, and tries no third time', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client();
    await sandbox.faults.create({ status: 401, match: { operation: 'products.list' } });
    expect((await client.get('/v2/products')).status).toBe(401);
    expect(await callsTo(sandbox, '/v2/products')).toBe(2);
  });

  test('tells that a login is wrong, to every call that waits for it, and tries again with the next', async () => {
    const sandbox = await (await open()).createSandbox();
    const client = sandbox.client({ username: 'demo', password: 'wrong' });
    const refused = await Promise.all(ten.map(() => thrownBy(() => client.get('/v2/products'))));
    for (const { message } of refused)
      expect(message).toMatch(/^the login of "demo" failed with 401: .*Invalid username or password/);
    expect(await callsTo(sandbox, token)).toBe(1);
    const [demo] = (await sandbox.records.users.list()).users;
    await sandbox.records.users.update(String(demo?.id), { password: 'wrong' });
    expect((await client.get('/v2/products')).status).toBe(200);
    expect(await callsTo(sandbox, token)).toBe(2);
  });

  test('each client has tokens of its own', async () => {
    const sandbox = await (await open()).createSandbox();
    await sandbox.client().get('/v2/products');
    await sandbox.client().get('/v2/products');
    expect(await callsTo(sandbox, token)).toBe(2);
  });
});

/** A service whose tokens are good or expired, and of which a path may be out of reach. */
function serviceOf() {
  const state = { unreachable: '', isExpired: false };
  const fetch = async (path: string) => {
    if (path === state.unreachable) throw new TypeError('fetch failed');
    if (path === token) return Response.json({ access_token: 'a', refresh_token: 'r' });
    if (path === refresh) state.isExpired = false;
    return Response.json({ access_token: 'b' }, { status: state.isExpired ? 401 : 200 });
  };
  return { state, client: new ServiceClient(fetch, { username: 'demo', password: 'sachet-demo' }) };
}

test('a login that meets no server is told, and tried again', async () => {
  const { state, client } = serviceOf();
  state.unreachable = token;
  await expect(client.get('/v2/products')).rejects.toThrow('fetch failed');
  state.unreachable = '';
  expect((await client.get('/v2/products')).status).toBe(200);
});

test('so is a refresh', async () => {
  const { state, client } = serviceOf();
  await client.get('/v2/products');
  Object.assign(state, { isExpired: true, unreachable: refresh });
  await expect(client.get('/v2/products')).rejects.toThrow('fetch failed');
  state.unreachable = '';
  state.isExpired = false;
  expect((await client.get('/v2/products')).status).toBe(200);
});
