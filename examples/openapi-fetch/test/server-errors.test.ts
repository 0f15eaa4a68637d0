// Failures of the service: the client retries with growing delays, and an order only if it is not stored.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;
const products = { operation: 'products.list' } as const;

test('retries a failed request with growing delays', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { burst: 2, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  expect(slept).toEqual([0.2, 0.4]);
  expect(await sandbox.received({ ...products, status: 500 })).toBe(2);
});

test('retries a request after a lost response', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ connection: { drop: 'after_processing', burst: 1, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  expect(slept).toEqual([0.2]);
});

test('retries a failed login', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { burst: 1 } });
  await client.products();
  expect(slept).toEqual([0.2]);
  expect(await sandbox.received({ operation: 'authentication.token' })).toBe(2);
});

test('throws after three retries', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { match: products } });
  await expect(client.products()).rejects.toThrow('500');
  expect(slept).toEqual([0.2, 0.4, 0.8]);
  expect(await sandbox.received(products)).toBe(4);
});

test('retries a failed page with the same cursor', async ({ client, sandbox }) => {
  const list = { operation: 'fulfillments.list' } as const;
  await sandbox.faults.create({ status: 500, match: list, after: 1, times: 1 });
  const ids: string[] = [];
  for await (const { id } of client.fulfillments({ limit: 10 })) ids.push(id);
  expect(new Set(ids).size).toBe(ids.length);
  const pages = (await sandbox.requests.list(list)).requests.map(({ query }) => query);
  expect(pages).toHaveLength(4);
  expect(pages[2]).toBe(pages[1]);
});

test('looks for a failed order, and sends it again if it is not stored', async ({ client, sandbox, order }) => {
  const earlier = await client.placeOrder(order);
  await sandbox.switches.set({ server_error: { burst: 2, match: orders } });
  expect((await client.placeOrder(order)).id).not.toBe(earlier.id);
  expect(await sandbox.received({ operation: 'orders.list' })).toBe(2);
  expect(await sandbox.received({ ...orders, status: 201 })).toBe(2);
});

test('throws if an order keeps failing', async ({ client, sandbox, order, slept }) => {
  await sandbox.switches.set({ server_error: { match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('500');
  expect(slept).toEqual([0.2, 0.4, 0.8]);
  expect(await sandbox.received(orders)).toBe(3);
});
