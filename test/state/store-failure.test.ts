// A store that fails, as a client meets it: the service's own 500 in the contract's error body, and nothing has happened.
import { describe, expect, test } from 'vitest';
import { StoreFailure } from '../../src/state/store-failure.ts';
import { errorOf } from '../support/assumption-cases.ts';
import { plain } from '../support/harsh-sandboxes.ts';
import { createHarshStore } from '../support/harsh-store.ts';
import { consumerId, orderId, someOrder } from '../support/order-requests.ts';
import { testSachet } from '../support/sachet.ts';

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const broken = errorOf(500, 'An internal server error occurred');

async function failing({ isTold = true } = {}) {
  const store = createHarshStore({ everyThird: false });
  const told: unknown[] = [];
  const onFailure = (error: unknown, requestId: string) => told.push([error, requestId]);
  const sachet = testSachet({ store, ...(isTold ? { onFailure } : {}) });
  return { store, told, sachet, client: await sachet.login(), sandbox: await sachet.sandbox() };
}

describe('an order that the store did not keep', () => {
  test('is answered by 500, and changed nothing', async () => {
    const { store, client, sandbox } = await failing();
    const before = plain(sandbox);
    store.failNext(1);
    const answer = await client.post('/v2/orders', someOrder({ consumer: ada }));
    expect([answer.status, answer.body]).toEqual([500, broken]);
    await client.get('/v2/orders');
    expect(plain(sandbox)).toEqual(before);
  });

  test('gives its ids back to the next one', async () => {
    const [{ store, client }, other] = [await failing(), await failing()];
    store.failNext(1);
    await client.post('/v2/orders', someOrder({ consumer: ada }));
    const next = await client.post('/v2/orders', someOrder({ consumer: ada }));
    const undisturbed = await other.client.post('/v2/orders', someOrder({ consumer: ada }));
    expect([next.status, next.body]).toEqual([201, undisturbed.body]);
  });

  test('is told to the owner with the id of the request, as a failure of the store', async () => {
    const { store, client, told } = await failing();
    store.failNext(1);
    await client.post('/v2/orders', someOrder());
    expect(told).toEqual([[expect.any(StoreFailure), expect.stringMatching(/\S/)]]);
    const [[failure]] = told as [[StoreFailure]];
    expect(String(failure.cause)).toContain('the disk is on fire');
  });

  test('is answered by 500 also where nobody asked to be told', async () => {
    const { store, client } = await failing({ isTold: false });
    store.failNext(1);
    expect((await client.post('/v2/orders', someOrder())).body).toEqual(broken);
  });
});

test('an order that the store kept although it failed is there with the next read', async () => {
  const { store, client } = await failing();
  const { length } = (await client.get('/v2/orders?limit=100')).body.orders;
  store.failNext(1, true);
  expect((await client.post('/v2/orders', someOrder())).status).toBe(500);
  expect((await client.get('/v2/orders?limit=100')).body.orders).toHaveLength(length + 1);
});

test('a refused order asks nothing of the store', async () => {
  const { store, client } = await failing();
  store.failNext(1);
  expect((await client.post('/v2/orders', someOrder({ consumer: { id: consumerId(5) } }))).status).toBe(422);
  expect((await client.post('/v2/orders', someOrder())).status).toBe(500);
});

test('logging in, modifying and canceling fail alike, and only while the store does', async () => {
  const { store, sachet, client } = await failing();
  const credentials = { username: 'demo', password: 'sachet-demo' };
  const calls = [
    () => sachet.call('POST', '/v2/authentication/token', { body: credentials }),
    () => client.patch(`/v2/orders/${orderId(18)}`, { consumer: { id: consumerId(2) } }),
    () => client.post(`/v2/orders/${orderId(18)}/cancel`),
  ];
  for (const call of calls) {
    store.failNext(1);
    expect((await call()).body).toEqual(broken);
    expect((await call()).status).toBe(200);
  }
});

test('a store that tells nothing is answered by 500 for reads, too, and read from again when it is back', async () => {
  const store = createHarshStore({ everyThird: false });
  let isDown = false;
  const since: typeof store.since = (...asked) => {
    if (isDown) throw new Error('no connection');
    return store.since(...asked);
  };
  const sachet = testSachet({ store: { ...store, since } });
  const client = await sachet.login();
  isDown = true;
  expect((await client.get('/v2/products')).body).toEqual(broken);
  isDown = false;
  expect((await client.get('/v2/products')).status).toBe(200);
});

test('a sandbox that could not be loaded is there once the store is back', async () => {
  const store = createHarshStore({ everyThird: false });
  let isDown = true;
  const load: typeof store.load = (name) => {
    if (isDown) return Promise.reject(new Error('no connection'));
    return store.load(name);
  };
  const sachet = testSachet({ store: { ...store, load }, onFailure: () => undefined });
  expect((await sachet.call('GET', '/v2/products')).body).toEqual(broken);
  isDown = false;
  expect((await sachet.call('GET', '/v2/products')).status).toBe(401);
});
