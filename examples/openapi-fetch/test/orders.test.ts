// Orders from creation to delivery, and failures that must not create a second order.
import { expect } from 'vitest';
import { ServiceError } from '../src/result.ts';
import { all, test } from './client-test.ts';

const orders = { operation: 'orders.create' } as const;

test('places an order and reads its fulfillment', async ({ client, sandbox, order }) => {
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

test('treats Needs Changes as a success', async ({ client, sandbox, order }) => {
  await sandbox.switches.set({ inactive_pags: { all: true } });
  const { id, status } = await client.placeOrder(order);
  expect(status).toBe('Needs Changes');
  expect(await sandbox.orders.approve_packaging(id)).toMatchObject({ status: 'Pending' });
  expect(await sandbox.received(orders)).toBe(1);
});

test.for(['after_processing', 'mid_body'] as const)(
  'finds an order after a lost response (%s), and does not send it again',
  async (drop, { client, sandbox, order }) => {
    const earlier = await client.placeOrder(order);
    await sandbox.switches.set({ connection: { drop, burst: 1, match: orders } });
    const { id, status } = await client.placeOrder(order);
    expect(status).toBe('Pending');
    expect(id).not.toBe(earlier.id);
    expect(await sandbox.orders.accept(id)).toMatchObject({ id, status: 'Accepted' });
    expect(await sandbox.received(orders)).toBe(2);
  },
);

test('throws if it does not find a lost order, and does not send it again', async ({ client, sandbox, order }) => {
  await client.placeOrder(order);
  await sandbox.switches.set({ connection: { drop: 'before_processing', burst: 1, match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('fetch failed');
  expect(await sandbox.received({ operation: 'orders.list' })).toBe(1);
  expect(await sandbox.received(orders)).toBe(2);
});

test('does not send an order again if it cannot list the orders', async ({ client, sandbox, order }) => {
  await sandbox.assumptions.set({ order_endpoints: 'absent' });
  await sandbox.switches.set({ server_error: { burst: 1, match: orders } });
  await expect(client.placeOrder(order)).rejects.toThrow('500');
  expect(await sandbox.received({ path: '/v2/orders', status: 404 })).toBe(1);
  expect(await sandbox.received(orders)).toBe(1);
});

test('reads the fulfillments of an order', async ({ client, sandbox, order }) => {
  const { id } = await client.placeOrder(order);
  expect(await client.orderFulfillments(id)).toEqual([]);
  await sandbox.orders.accept(id);
  await sandbox.orders.start_production(id);
  const shipped = await sandbox.orders.ship(id);
  expect(await client.orderFulfillments(id)).toMatchObject([{ id: shipped.id, order_id: id }]);
});

test('throws the details of an invalid order, and does not send it again', async ({ client, sandbox, order }) => {
  const shipping_address = { ...order.shipping_address, city: '' };
  const rejected = client.placeOrder({ ...order, shipping_address });
  await expect(rejected).rejects.toThrow(ServiceError);
  await expect(rejected).rejects.toMatchObject({
    status: 422,
    body: { details: [{ field: 'shipping_address.city' }] },
  });
  expect(await sandbox.received(orders)).toBe(1);
});
