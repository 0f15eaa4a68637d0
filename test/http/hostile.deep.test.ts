// Whatever is sent, the response is one that the contract declares: HTTP-2, HTTP-3.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { allOffered } from '../cases/common.ts';
import { validOrder } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';
import { hostileRequest } from './hostile-requests.ts';

const sachet = testSachet({ assumptions: { ...allOffered, order_fields: 'echo' } });
const client = await sachet.login();

test('strings come back as they were sent, lone surrogates and control characters too', async () => {
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

test('any request is answered with a declared status and body (HTTP-2, HTTP-3)', async () => {
  const seen = new Set<number>();
  const property = fc.asyncProperty(hostileRequest, async ({ method, url, authorization, headers, body }) => {
    const token = authorization === 'good' ? `Bearer ${client.token}` : authorization;
    const raw = method === 'GET' || method === 'HEAD' ? {} : { raw: body as BodyInit };
    const sent = authorization === 'none' ? headers : { ...headers, authorization: token };
    const { status } = await sachet.call(method, url, { ...raw, headers: sent });
    expect(Object.keys(statusNames)).toContain(String(status));
    seen.add(status);
  });
  await fc.assert(property, { numRuns: 500 });
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 422]));
});
