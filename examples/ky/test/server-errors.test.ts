// Failures of the service: the client retries with growing delays, and an order only if it is not stored. ky waits in real time, so the tests run concurrently.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;
const products = { operation: 'products.list' } as const;

test.concurrent('retries a failed request with growing delays', async ({ client, sandbox }) => {
  await sandbox.switches.set({ server_error: { burst: 2, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  const times = (await sandbox.requests.list(products)).requests.map(({ received_at }) => Date.parse(received_at));
  const [first = 0, second = 0, third = 0] = times;
  expect(times).toHaveLength(3);
  // At least 0.3 s, then 0.6 s: a busy machine waits longer. 10 ms are for rounding.
  expect(second - first).toBeGreaterThanOrEqual(290);
  expect(third - second).toBeGreaterThanOrEqual(590);
});

test.concurrent('retries a request after a lost response', async ({ client, sandbox }) => {
  await sandbox.switches.set({ connection: { drop: 'after_processing', burst: 1, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  expect(await sandbox.received(products)).toBe(2);
});

test.concurrent('retries a failed login', async ({ client, sandbox }) => {
  await sandbox.switches.set({ server_error: { burst: 1 } });
  await client.products();
  expect(await sandbox.received({ operation: 'authentication.token' })).toBe(2);
});

test.concurrent('throws after three retries', async ({ client, sandbox }) => {
  await sandbox.switches.set({ server_error: { match: products } });
  await expect(client.products()).rejects.toThrow('500');
  expect(await sandbox.received(products)).toBe(4);
});

test.concurrent('retries a failed page with the same cursor', async ({ client, sandbox }) => {
  const list = { operation: 'fulfillments.list' } as const;
  await sandbox.faults.create({ status: 500, match: list, after: 1, times: 1 });
  const ids: string[] = [];
  for await (const { id } of client.fulfillments({ limit: 10 })) ids.push(id);
  expect(new Set(ids).size).toBe(ids.length);
  const pages = (await sandbox.requests.list(list)).requests.map(({ query }) => query);
  expect(pages).toHaveLength(4);
  expect(pages[2]).toBe(pages[1]);
});

test.concurrent('looks for a failed order, and sends it again if it is not stored', async ({
  client,
  sandbox,
  order,
}) => {
  const earlier = await client.placeOrder(order);
  await sandbox.switches.set({ server_error: { burst: 2, match: orders } });
  expect((await client.placeOrder(order)).id).not.toBe(earlier.id);
  expect(await sandbox.received({ operation: 'orders.list' })).toBe(2);
  expect(await sandbox.received({ ...orders, status: 201 })).toBe(2);
});

test.concurrent('throws if an order keeps failing', async ({ client, sandbox, order }) => {
  await sandbox.switches.set({ server_error: { match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('500');
  expect(await sandbox.received(orders)).toBe(3);
});
