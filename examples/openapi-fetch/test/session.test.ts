// Tokens: one login, one refresh for all that are refused together, a fresh login where the refresh is refused.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const login = { operation: 'authentication.token' } as const;
const refresh = { operation: 'authentication.refresh' } as const;
const products = { operation: 'products.list' } as const;

const tenTimes = <Result>(call: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 10 }, call));

test('first calls that come together share one login', async ({ client, sandbox }) => {
  await tenTimes(() => client.products());
  expect(await sandbox.received(login)).toBe(1);
});

test('an expired token is refreshed, and the order sent again', async ({ client, sandbox, order }) => {
  await client.products(); // logs in
  await sandbox.clock.advance({ by: 'PT24H1M' });
  expect(await client.placeOrder(order)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received({ operation: 'orders.create', status: 401 })).toBe(1);
  expect(await sandbox.received({ operation: 'orders.create', status: 201 })).toBe(1);
  expect(await sandbox.received(refresh)).toBe(1);
  expect(await sandbox.received(login)).toBe(1);
});

test('ten calls with an expired token share one refresh', async ({ client, sandbox }) => {
  await client.products();
  await sandbox.clock.advance({ by: 'PT24H1M' });
  // Slow enough that all ten are refused before it is over.
  await sandbox.switches.set({ latency: { milliseconds: 300, match: refresh } });
  await tenTimes(() => client.products());
  expect(await sandbox.received({ ...products, status: 401 })).toBe(10);
  expect(await sandbox.received(refresh)).toBe(1);
  expect(await sandbox.received(login)).toBe(1);
});

test('a call that is refused after the refresh takes the token that is there', async ({ client, sandbox }) => {
  await client.products();
  await sandbox.clock.advance({ by: 'PT24H1M' });
  await sandbox.switches.set({ latency: { milliseconds: 300, match: products } });
  await Promise.all([client.products(), client.fulfillments().next()]);
  expect(await sandbox.received({ status: 401 })).toBe(2);
  expect(await sandbox.received(refresh)).toBe(1);
});

test('a call that comes during a refresh waits for its token', async ({ client, sandbox }) => {
  await client.products();
  await sandbox.clock.advance({ by: 'PT24H1M' });
  await sandbox.switches.set({ latency: { milliseconds: 300, match: refresh } });
  const refused = client.products();
  await expect.poll(async () => (await sandbox.requests.list(refresh)).requests).toHaveLength(1);
  await Promise.all([refused, client.products()]);
  expect(await sandbox.received({ status: 401 })).toBe(1);
});

test('a refused refresh token leads to a fresh login', async ({ client, sandbox }) => {
  const before = await client.products();
  await sandbox.clock.advance({ by: 'P31D' });
  expect(await tenTimes(() => client.products())).toEqual(Array(10).fill(before));
  expect(await sandbox.received({ ...refresh, status: 401 })).toBe(1);
  expect(await sandbox.received(login)).toBe(2);
});

test('a 401 that stays is told', async ({ client, sandbox }) => {
  await sandbox.faults.create({ status: 401, match: products });
  await expect(client.products()).rejects.toThrow('401');
  expect(await sandbox.received(products)).toBe(2);
});
