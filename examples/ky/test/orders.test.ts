// From an order to its package, and what must not become two orders.
import { expect } from 'vitest';
import { all, test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;

test('from login over an order to its package', async ({ client, sandbox, order }) => {
  const { id, status } = await client.placeOrder(order);
  expect(status).toBe('Pending');

  await sandbox.orders.accept(id);
  await sandbox.orders.start_production(id);
  const shipped = await sandbox.orders.ship(id);
  await sandbox.fulfillments.pick_up(shipped.id);
  await sandbox.fulfillments.deliver(shipped.id);

  expect(await all(client.fulfillments({ order_id: id }))).toMatchObject([
    { id: shipped.id, order_id: id, status_id: 'delivered' },
  ]);
  expect(await sandbox.received({ operation: 'authentication.token' })).toBe(1);
  expect(await sandbox.received(orders)).toBe(1);
});

test('Needs Changes is a success', async ({ client, sandbox, order }) => {
  await sandbox.switches.set({ inactive_pags: { all: true } });
  const { id, status } = await client.placeOrder(order);
  expect(status).toBe('Needs Changes');
  expect(await sandbox.orders.approve_packaging(id)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received(orders)).toBe(1);
});

test.for(['after_processing', 'mid_body'] as const)(
  'an order whose answer is lost %s is looked for, and not sent again',
  async (drop, { client, sandbox, order }) => {
    const former = await client.placeOrder(order);
    await sandbox.switches.set({ connection: { drop, burst: 1, match: orders } });
    const { id, status } = await client.placeOrder(order);
    expect(status).toBe('Pending');
    expect(id).not.toBe(former.id);
    expect(await sandbox.orders.accept(id)).toMatchObject({ id, status: 'Accepted' });
    expect(await sandbox.received(orders)).toBe(2);
  },
);

test('an order that is lost and not found is told, and not sent again', async ({ client, sandbox, order }) => {
  await client.placeOrder(order);
  await sandbox.switches.set({ connection: { drop: 'before_processing', burst: 1, match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('fetch failed');
  expect(await sandbox.received({ operation: 'orders.list' })).toBe(1);
  expect(await sandbox.received(orders)).toBe(2);
});

test('an order that cannot be looked for is not sent again', async ({ client, sandbox, order }) => {
  await sandbox.assumptions.set({ order_endpoints: 'absent' });
  await sandbox.switches.set({ server_error: { burst: 1, match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('500');
  expect(await sandbox.received({ path: '/v2/orders', status: 404 })).toBe(1);
  expect(await sandbox.received(orders)).toBe(1);
});

test("an order's own fulfillments are read", async ({ client, sandbox, order }) => {
  const { id } = await client.placeOrder(order);
  expect(await client.orderFulfillments(id)).toEqual([]);
  await sandbox.orders.accept(id);
  await sandbox.orders.start_production(id);
  const shipped = await sandbox.orders.ship(id);
  expect(await client.orderFulfillments(id)).toMatchObject([{ id: shipped.id, order_id: id }]);
});
