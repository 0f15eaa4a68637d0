// The client of a sandbox logs in once, refreshes once however many calls meet an expired token, and reports a login that fails.
import { describe, expect, test } from 'vitest';
import { type Sandbox, ServiceClient } from '../../src/client/sandbox.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts, thrownBy } from '../library/starts.ts';

const tenTimes = <T>(value: T): T[] => Array<T>(10).fill(value);
const [token, refresh, products] = ['/v2/authentication/token', '/v2/authentication/refresh-token', '/v2/products'];

/** How many logins, refreshes and product lists the sandbox has seen. */
async function callsTo(sandbox: Sandbox): Promise<number[]> {
  const { requests } = await sandbox.requests.list();
  return [token, refresh, products].map((path) => requests.filter((request) => request.path === path).length);
}
/** The statuses of ten calls at once. */
const tenCalls = async (client: ServiceClient) =>
  (await Promise.all(tenTimes(products).map((path) => client.get(path)))).map(({ status }) => status);

describe.each(starts)('%s', (_, open) => {
  const opened = async (login?: { username: string; password: string }) => {
    const sandbox = await (await open()).createSandbox();
    return { sandbox, client: sandbox.client(login) };
  };

  test('a client logs in with its first call, and once', async () => {
    const { sandbox, client } = await opened();
    expect(await callsTo(sandbox)).toEqual([0, 0, 0]);
    expect(await tenCalls(client)).toEqual(tenTimes(200));
    await client.get(products);
    expect(await callsTo(sandbox)).toEqual([1, 0, 11]);
    await sandbox.client().get(products);
    expect(await callsTo(sandbox)).toEqual([2, 0, 12]);
  });

  test('a body is sent as JSON, and responses are returned as they are', async () => {
    const { sandbox, client } = await opened();
    const created = await client.post('/v2/orders', sampleOrder());
    const { order } = await created.json();
    expect([created.status, order.status]).toEqual([201, 'Pending']);
    const shipping_address = { address1: '2 Main Street', city: 'Springfield', country_name: 'United States' };
    expect((await client.patch(`/v2/orders/${order.id}`, { shipping_address })).status).toBe(200);
    expect((await sandbox.records.orders.get(order.id)).shipping_address).toMatchObject(shipping_address);
    for (const body of [{}, undefined]) expect((await client.post('/v2/orders', body)).status).toBe(422);
    expect((await client.call('DELETE', products)).status).toBe(404);
  });

  test('a label is downloaded without the token (FUL-4)', async () => {
    const { client } = await opened();
    const { fulfillments } = await (await client.get('/v2/fulfillments')).json();
    const label = await client.get(fulfillments[0].label_url);
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  test('an expired token is refreshed once for ten calls, which are repeated', async () => {
    const { sandbox, client } = await opened();
    await client.get(products);
    await sandbox.switches.set({ token_expiry: { expire_issued: true } });
    expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
    expect((await callsTo(sandbox)).slice(0, 2)).toEqual([1, 1]);
    await sandbox.clock.advance({ by: 'P2D' });
    expect(await tenCalls(client)).toEqual(tenTimes(200));
    expect((await callsTo(sandbox)).slice(0, 2)).toEqual([1, 2]);
  });

  test('a rejected refresh token leads to one new login', async () => {
    const { sandbox, client } = await opened();
    await client.get(products);
    await sandbox.switches.set({ token_expiry: { expire_issued: true } });
    await sandbox.faults.create({ status: 401, match: { operation: 'authentication.refresh' } });
    expect(await tenCalls(client)).toEqual(tenTimes(200));
    expect((await callsTo(sandbox)).slice(0, 2)).toEqual([2, 1]);
  });

  test('the response of the second try is returned; there is no third', async () => {
    const { sandbox, client } = await opened();
    await sandbox.faults.create({ status: 401, match: { operation: 'products.list' } });
    expect((await client.get(products)).status).toBe(401);
    expect((await callsTo(sandbox))[2]).toBe(2);
  });

  test('a failed login is reported to every call that waits for it; the next call tries again', async () => {
    const { sandbox, client } = await opened({ username: 'demo', password: 'wrong' });
    for (const { message } of await Promise.all(tenTimes(products).map((path) => thrownBy(() => client.get(path)))))
      expect(message).toMatch(/^the login of "demo" failed with 401: .*Invalid username or password/);
    expect(await callsTo(sandbox)).toEqual([1, 0, 0]);
    const [demo] = (await sandbox.records.users.list()).users;
    await sandbox.records.users.update(String(demo?.id), { password: 'wrong' });
    expect((await client.get(products)).status).toBe(200);
    expect(await callsTo(sandbox)).toEqual([2, 0, 1]);
  });
});

test('a login or a refresh that reaches no server is reported, and tried again', async () => {
  const state = { unreachable: token, isExpired: false };
  const fetch = async (path: string) => {
    if (path === state.unreachable) throw new TypeError('fetch failed');
    if (path === token) return Response.json({ access_token: 'a', refresh_token: 'r' });
    return Response.json({ access_token: 'b' }, { status: state.isExpired ? 401 : 200 });
  };
  const client = new ServiceClient(fetch, { username: 'demo', password: 'sachet-demo' });
  await expect(client.get(products)).rejects.toThrow('fetch failed');
  state.unreachable = '';
  expect((await client.get(products)).status).toBe(200);
  Object.assign(state, { isExpired: true, unreachable: refresh });
  await expect(client.get(products)).rejects.toThrow('fetch failed');
  Object.assign(state, { isExpired: false, unreachable: '' });
  expect((await client.get(products)).status).toBe(200);
});
