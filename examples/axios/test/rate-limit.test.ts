// Rate limits: the client waits for Retry-After.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;

test('retries an order after Retry-After', async ({ client, sandbox, order, slept }) => {
  await client.products(); // logs in
  await sandbox.switches.set({ rate_limit: { for_seconds: 60 } });
  expect(await client.placeOrder(order)).toMatchObject({ status: 'Pending' });
  expect(slept).toEqual([60]);
  expect(await sandbox.received({ ...orders, status: 429 })).toBe(1);
  expect(await sandbox.received({ ...orders, status: 201, body: order })).toBe(1);
});

test('retries a login after Retry-After', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ rate_limit: { for_seconds: 60 } });
  await client.products();
  expect(slept).toEqual([60]);
  expect(await sandbox.received({ operation: 'authentication.token' })).toBe(2);
});

test('throws after five waits', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({
    rate_limit: { for_seconds: 3600, retry_after: 60, match: { operation: 'products.list' } },
  });
  await expect(client.products()).rejects.toThrow('429');
  expect(slept).toEqual(Array(5).fill(60));
  expect(await sandbox.received({ operation: 'products.list' })).toBe(6);
});
