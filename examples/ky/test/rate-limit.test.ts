// Rate limits: the client waits for Retry-After.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;

// ky waits in real time, so the limit lasts one second. An earlier retry would get another 429.
test('retries an order after Retry-After', async ({ client, sandbox, order }) => {
  await client.products(); // logs in
  await sandbox.switches.set({ rate_limit: { for_seconds: 1, retry_after: 1 } });
  expect(await client.placeOrder(order)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received({ ...orders, status: 429 })).toBe(1);
  expect(await sandbox.received({ ...orders, status: 201 })).toBe(1);
});
