import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';

test('strings come back as they were sent, lone surrogates and control characters too', async () => {
  const client = await testSachet({ assumptions: { order_fields: 'echo' } }).login();
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }));
  const text = fc.array(unit, { minLength: 1, maxLength: 49 }).map((units) => String.fromCharCode(...units));
  const property = fc.asyncProperty(text, text, async (city, first_name) => {
    const consumer = { first_name, last_name: 'x' };
    const order = { ...validOrder, consumer, shipping_address: { ...validOrder.shipping_address, city } };
    const { body } = await client.post('/v2/orders', order);
    expect([body.order.shipping_address.city, body.order.consumer.first_name]).toEqual([city, first_name]);
    expect((await client.get(`/v2/orders/${body.order.id}`)).body).toEqual(body);
  });
  await fc.assert(property, { numRuns: 50 });
});
