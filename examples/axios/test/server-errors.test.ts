// A service that fails: tried again after growing pauses, an order only where it was not stored.
import { expect } from 'vitest';
import { test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;
const products = { operation: 'products.list' } as const;

test('a call that failed is made again after growing pauses', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { burst: 2, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  expect(slept).toEqual([0.2, 0.4]);
  expect(await sandbox.received({ ...products, status: 500 })).toBe(2);
});

test('a call whose answer is lost is made again', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ connection: { drop: 'mid_body', burst: 1, match: products } });
  expect(await client.products()).not.toHaveLength(0);
  expect(slept).toEqual([0.2]);
});

test('a login that failed is made again', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { burst: 1 } });
  await client.products();
  expect(slept).toEqual([0.2]);
  expect(await sandbox.received({ operation: 'authentication.token' })).toBe(2);
});

test('a service that stays down is told', async ({ client, sandbox, slept }) => {
  await sandbox.switches.set({ server_error: { match: products } });
  await expect(client.products()).rejects.toThrow('500');
  expect(slept).toEqual([0.2, 0.4, 0.8]);
  expect(await sandbox.received(products)).toBe(4);
});

test('a page that failed is asked for again by the same cursor', async ({ client, sandbox }) => {
  const list = { operation: 'fulfillments.list' } as const;
  await sandbox.faults.create({ status: 500, match: list, after: 1, times: 1 });
  const ids: string[] = [];
  for await (const { id } of client.fulfillments({ limit: 10 })) ids.push(id);
  expect(new Set(ids).size).toBe(ids.length);
  const pages = (await sandbox.requests.list(list)).requests.map(({ query }) => query);
  expect(pages).toHaveLength(4);
  expect(pages[2]).toBe(pages[1]);
});

test('an order that failed is looked for, and sent again where it is not stored', async ({
  client,
  sandbox,
  order,
}) => {
  const former = await client.placeOrder(order);
  await sandbox.switches.set({ server_error: { burst: 2, match: orders } });
  expect((await client.placeOrder(order)).id).not.toBe(former.id);
  expect(await sandbox.received({ operation: 'orders.list' })).toBe(2);
  expect(await sandbox.received({ ...orders, status: 201 })).toBe(2);
});

test('an order that stays failing is told', async ({ client, sandbox, order, slept }) => {
  await sandbox.switches.set({ server_error: { match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('500');
  expect(slept).toEqual([0.2, 0.4, 0.8]);
  expect(await sandbox.received(orders)).toBe(3);
});
