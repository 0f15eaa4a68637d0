// The rate limit: waited out as long as Retry-After says.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;

// ky waits by itself, in real time. So the limit is short, and real, too: a call that came back earlier would meet it again.
test('an order waits out the rate limit', async ({ client, sandbox, order }) => {
  await client.products(); // logs in
  await sandbox.switches.set({ rate_limit: { for_seconds: 1, retry_after: 1 } });
  expect(await client.placeOrder(order)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received({ ...orders, status: 429 })).toBe(1);
  expect(await sandbox.received({ ...orders, status: 201 })).toBe(1);
});
