// Tokens: one login, one refresh for concurrent requests, and a new login if the refresh token is rejected.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const login = { operation: 'authentication.token' } as const;
const refresh = { operation: 'authentication.refresh' } as const;
const products = { operation: 'products.list' } as const;

const tenTimes = <Result>(call: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: 10 }, call));

test('shares one login between concurrent requests', async ({ client, sandbox }) => {
  await tenTimes(() => client.products());
  expect(await sandbox.received(login)).toBe(1);
});

test('refreshes an expired token and retries the order', async ({ client, sandbox, order }) => {
  await client.products(); // logs in
  await sandbox.clock.advance({ by: 'P1D' });
  expect(await client.placeOrder(order)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received({ operation: 'orders.create', status: 401 })).toBe(1);
  expect(await sandbox.received({ operation: 'orders.create', status: 201 })).toBe(1);
  expect(await sandbox.received(refresh)).toBe(1);
  expect(await sandbox.received(login)).toBe(1);
});

test('shares one refresh between ten concurrent requests', async ({ client, sandbox }) => {
  await client.products();
  await sandbox.clock.advance({ by: 'P1D' });
  // Slow, so that all ten get their 401 before the refresh ends.
  await sandbox.switches.set({ latency: { milliseconds: 300, match: refresh } });
  await tenTimes(() => client.products());
  expect(await sandbox.received({ ...products, status: 401 })).toBe(10);
  expect(await sandbox.received(refresh)).toBe(1);
  expect(await sandbox.received(login)).toBe(1);
});

test('uses the new token for a request that gets its 401 after the refresh', async ({ client, sandbox }) => {
  await client.products();
  await sandbox.clock.advance({ by: 'P1D' });
  await sandbox.switches.set({ latency: { milliseconds: 300, match: products } });
  await Promise.all([client.products(), client.fulfillments().next()]);
  expect(await sandbox.received({ status: 401 })).toBe(2);
  expect(await sandbox.received(refresh)).toBe(1);
});

test('logs in again if the refresh token is rejected', async ({ client, sandbox }) => {
  const before = await client.products();
  await sandbox.clock.advance({ by: 'P30D' });
  expect(await tenTimes(() => client.products())).toEqual(Array(10).fill(before));
  expect(await sandbox.received({ ...refresh, status: 401 })).toBe(1);
  expect(await sandbox.received(login)).toBe(2);
});

test('throws if the retry gets a 401, too', async ({ client, sandbox }) => {
  await sandbox.faults.create({ status: 401, match: products });
  await expect(client.products()).rejects.toThrow('401');
  expect(await sandbox.received(products)).toBe(2);
});
