import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';

test('a partner logs in, lists products, orders, and sees the consumer of the order (ORD-24)', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const { body: list } = await client.get('/v2/products');
  const [product] = list.client_products;
  const answer = await client.post('/v2/orders', {
    consumer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
    shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
    order_lines: [{ duration: 30, pouches: [{ contents: [{ client_product_id: product.id, serving_size: 1 }] }] }],
  });
  expect(answer.status).toBe(201);
  expect(answer.body.order).toMatchObject({
    status: 'Pending',
    consumer: { first_name: 'Ada', last_name: 'Lovelace' },
  });
  const { body: read } = await client.get(`/v2/consumers/${answer.body.order.consumer.id}`);
  expect(read.consumer.email).toBe('ada@example.com');
  const { body: order } = await client.get(`/v2/orders/${answer.body.order.id}`);
  expect(order.order).toEqual(answer.body.order);
});
