// Servers behind the balancer of deploy/haproxy.cfg: clients get the contract's responses, also while servers end.
import { describe, expect, test } from 'vitest';
import { failureResponse } from '../../../src/http/response.ts';
import { call, logIn, serving } from '../../support/command.ts';
import { followerOf } from '../../support/follower.ts';
import { writeDuring } from '../../support/marked-orders.ts';
import { someOrder } from '../../support/order-requests.ts';
import { balancing, haproxyMissing } from '../balancer.ts';
import { adminKey, databaseOfTest, expectStored } from './support/replicas.ts';
import { postgresMissing } from './support/server.ts';

const missing = postgresMissing() ?? haproxyMissing();
const stage = '/_admin/sandboxes/stage';
const failure = failureResponse().body as string;

/** Servers over a new database, and a balancer before them. */
async function deployed(count: number) {
  const args = ['--store', await databaseOfTest(), '--admin-key', adminKey];
  const replicas = await Promise.all(Array.from({ length: count }, () => serving(args)));
  const url = await balancing(replicas.map(({ ready }) => ready.url));
  const token = await logIn({ url, username: 'demo', password: 'sachet-demo' });
  return { replicas, url, token };
}

describe.skipIf(missing)('servers behind the balancer', () => {
  test('get calls in turn, stream events, and lose no order while one is killed and one ends', async () => {
    const { replicas, url, token } = await deployed(3);
    for (let n = 0; n < 9; n += 1) expect((await call('GET', `${url}/v2/products`, { token })).status).toBe(200);
    const counts = () => replicas.map(({ stderr }) => stderr.match(/GET \/v2\/products/g)?.length);
    await expect.poll(counts).toEqual([3, 3, 3]);
    const headers = { authorization: `Bearer ${adminKey}` };
    const events = followerOf(await fetch(`${url}${stage}/events`, { headers }));
    await call('GET', `${url}/v2/products`, { token });
    expect(await events.next()).toMatchObject({ type: 'request', data: { path: '/v2/products', status: 200 } });
    await events.leave();

    const [killed, stopped] = replicas;
    const written = await writeDuring([{ url, fetch }], token, 30, async (writes) => {
      const reach = (orders: number) => expect.poll(() => writes.count, { interval: 1 }).toBeGreaterThan(orders);
      killed?.child.kill('SIGKILL');
      await reach(writes.count + 60);
      stopped?.child.kill('SIGTERM');
      expect(await stopped?.ended()).toBe(0);
      for (let n = 0; n < 20; n += 1) expect((await call('GET', `${url}/v2/products`, { token })).status).toBe(200);
      await reach(writes.count + 60);
    });
    for (const response of written.others) expect(response).toBe(`500 ${failure}`);
    await expectStored({ url, fetch }, written);
  });

  test('a broken connection, and a server that is killed, are the contract’s 500 over the service', async () => {
    const { replicas, url, token } = await deployed(1);
    const newest = async () => (await call('GET', `${url}/v2/orders`, { token })).body.orders[0]?.id;
    const set = (body: object) => call('PATCH', `${url}${stage}/switches`, { token: adminKey, body });
    const before = await newest();
    await set({ connection: { drop: 'after_processing', burst: 1 } });
    const { status, text } = await call('POST', `${url}/v2/orders`, { token, body: someOrder() });
    expect([status, text]).toEqual([500, failure]);
    expect(await newest()).not.toBe(before);

    await set({ latency: { milliseconds: 60_000, match: { operation: 'orders.create' } } });
    const ordered = fetch(`${url}/v2/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(someOrder()),
    });
    const hits = async () => (await call('GET', `${url}${stage}/switches`, { token: adminKey })).body.latency.hits;
    await expect.poll(hits).toBe(1);
    replicas[0]?.child.kill('SIGKILL');
    const response = await ordered;
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
    expect(await response.text()).toBe(failure);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');

    const [service, control] = await Promise.all(['/v2/products', stage].map((path) => fetch(url + path)));
    expect([service?.status, await service?.text()]).toEqual([500, failure]);
    expect([control?.status, control?.headers.get('content-type')]).toEqual([503, 'text/plain']);
  });
});
