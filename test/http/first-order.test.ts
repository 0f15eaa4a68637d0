import { expect, onTestFinished, test, vi } from 'vitest';
import { linesOf, operatorStage, seen } from '../support/operator.ts';
import { testSachet } from '../support/sachet.ts';

test('a partner logs in, lists products, orders, and sees the consumer of the order (ORD-24)', async () => {
  const client = await testSachet().login();
  const [product] = (await client.get('/v2/products')).body.client_products;
  const answer = await client.post('/v2/orders', {
    consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration: 30, pouches: [{ contents: [{ client_product_id: product.id, serving_size: 1 }] }] }],
  });
  expect(answer.status).toBe(201);
  const { order } = answer.body;
  expect(order).toMatchObject({ status: 'Pending', consumer: { first_name: 'Ada', last_name: 'Lovelace' } });
  const { body } = await client.get(`/v2/consumers/${order.consumer.id}`);
  expect(body.consumer.email).toBe('ada@example.com');
  expect((await client.get(`/v2/orders/${order.id}`)).body.order).toEqual(order);
});

test('weight, shipping_net_charge and duration are plain numbers, and nothing names their unit (`units`)', async () => {
  const world = await operatorStage({ assumptions: { order_fields: 'echo' } });
  const id = await world.inProduction(linesOf(1));
  const fulfillment = await seen(world, (await world.ship(id)).body.id);
  const { order } = (await world.client.get(`/v2/orders/${id}`)).body;
  const { weight, shipping_net_charge } = fulfillment;
  expect([weight, shipping_net_charge, order.order_lines[0].duration]).toEqual([
    expect.any(Number),
    expect.any(Number),
    30,
  ]);
  expect(JSON.stringify([fulfillment, order])).not.toMatch(/"[^"]*(?:unit|currency)[^"]*":|"(?:g|grams|USD|days)"/i);
});

test('an order is placed, shipped and delivered without a call to anybody (`events`)', async () => {
  const outgoing = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => outgoing.mockRestore());
  const world = await operatorStage();
  const id = await world.packageIn('delivered');
  expect((await seen(world, id)).status_id).toBe('delivered');
  expect(outgoing.mock.calls).toEqual([]);
});
