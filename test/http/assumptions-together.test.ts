// Assumptions that meet: one reading's answer where another one, or an option, has a say in it too.
import { describe, expect, test } from 'vitest';
import { assumptionRegister } from '../../src/contract/assumptions.ts';
import { errorOf, faultOf } from '../support/assumption-cases.ts';
import { brandOfDemo, fulfillmentRow, insertFulfillments } from '../support/fulfillment-rows.ts';
import { consumerId, orderId, orderOf, pouchOf, productId, someOrder } from '../support/order-requests.ts';
import { linkOf } from '../support/pages.ts';
import { type Answer, type TestSachet, testSachet } from '../support/sachet.ts';

test('a refused limit names the largest accepted one', async () => {
  const client = await testSachet({ assumptions: { max_limit: '50', over_max_limit: 'reject' } }).login();
  expect((await client.get('/v2/fulfillments?limit=50')).status).toBe(200);
  const refused = faultOf(400, 'limit', '"limit" must be less than or equal to 50');
  expect((await client.get('/v2/fulfillments?limit=51')).body).toEqual(refused);
});

test('a refused limit has the status of a malformed parameter', async () => {
  const client = await testSachet({ assumptions: { malformed_parameter: '422', over_max_limit: 'reject' } }).login();
  const refused = faultOf(422, 'limit', '"limit" must be less than or equal to 100');
  expect((await client.get('/v2/fulfillments?limit=101')).body).toEqual(refused);
});

test('where only the first fault is reported, only that one is joined into the message', async () => {
  const client = await testSachet({
    assumptions: { validation_placement: 'joined', validation_report: 'first' },
  }).login();
  expect((await client.post('/v2/orders', {})).body).toEqual(errorOf(422, '"consumer" is required'));
});

test('brackets are written where the message stands alone, too', async () => {
  const client = await testSachet({ assumptions: { validation_placement: 'details', field_path: 'brackets' } }).login();
  expect((await client.post('/v2/orders', someOrder({ order_lines: [{}] }))).body).toEqual(
    errorOf(422, 'Validation failed', [['order_lines[0].pouches', '"pouches" is required']]),
  );
});

test('a bad refresh token is told in the words of an invalid token', async () => {
  const sachet = testSachet({ assumptions: { bad_refresh_token: '400', unauthorized_message: 'Invalid token' } });
  const answer = await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: 'x' } });
  expect(answer.body).toEqual(errorOf(400, 'Invalid token'));
});

test('the profile strict offers no endpoint of orders but the documented ones', async () => {
  const client = await testSachet({ profile: 'strict' }).login();
  expect((await client.get('/v2/orders')).body).toEqual(errorOf(404, 'Not Found'));
  expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
});

describe('an id in upper case is the same id', () => {
  const id = 'abcdef00-0000-4000-8000-000000000001';

  test.each(assumptionRegister.malformed_path_id.choices)(
    'in a path, where malformed_path_id is %s',
    async (choice) => {
      const sachet = testSachet({ assumptions: { malformed_path_id: choice } });
      await insertFulfillments(await sachet.sandbox(), [fulfillmentRow(1, { id })]);
      const answer = await (await sachet.login()).get(`/v2/fulfillments/${id.toUpperCase()}`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.fulfillment.id).toBe(id);
    },
  );

  test('in an order', async () => {
    const sachet = testSachet();
    await (await sachet.sandbox()).write((draft) => {
      const [product, consumer] = [
        draft.table('products').get(productId(1)),
        draft.table('consumers').get(consumerId(1)),
      ];
      if (product) draft.table('products').insert({ ...product, id });
      if (consumer) draft.table('consumers').insert({ ...consumer, id });
    });
    const body = { ...orderOf(pouchOf(id.toUpperCase())), consumer: { id: id.toUpperCase() } };
    const answer = await (await sachet.login()).post('/v2/orders', body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.order.consumer.id).toBe(id);
  });
});

describe('the link to the next page', () => {
  const linking = { assumptions: { next_cursor: 'link_header' } } as const;
  const five = Array.from({ length: 5 }, (_, n) => fulfillmentRow(n, { order_id: orderId(1), brand_id: brandOfDemo }));

  async function firstPage(sachet: TestSachet, base = ''): Promise<Answer> {
    await insertFulfillments(await sachet.sandbox(base.split('/').at(-1) || 'stage'), five);
    const client = await sachet.login('demo', { base });
    return client.get(`/v2/fulfillments?limit=3&order_id=${orderId(1)}`);
  }

  test('keeps the rest of the query', async () => {
    const sachet = testSachet(linking);
    const link = linkOf(await firstPage(sachet)) ?? '';
    const second = await (await sachet.login()).get(link);
    const third = await (await sachet.login()).get(linkOf(second) ?? '');
    expect([second.body.fulfillments.length, third.body.fulfillments.length]).toEqual([3, 1]);
    expect(linkOf(third)).toBeUndefined();
  });

  test('stays in the sandbox that the path names', async () => {
    const link = linkOf(await firstPage(testSachet(linking), '/sandboxes/production'));
    expect(link).toMatch(/^http:\/\/localhost:4010\/sandboxes\/production\/v2\/fulfillments\?limit=3&order_id=/);
  });

  test('begins with the public URL where there is one', async () => {
    const answer = await firstPage(testSachet({ ...linking, publicUrl: 'https://demo.example.com/orders/' }));
    expect(linkOf(answer)).toMatch(/^https:\/\/demo\.example\.com\/orders\/v2\/fulfillments\?limit=3&order_id=/);
  });
});

test('what is ignored in an order is not kept', async () => {
  const sachet = testSachet({ assumptions: { unknown_fields: 'ignore', numeric_strings: 'accept' } });
  const client = await sachet.login();
  const content = { client_product_id: productId(1), serving_size: '1', note: 'x' };
  const line = { duration: '30', pouches: [{ contents: [content] }], x: 1 };
  const { body } = await client.post('/v2/orders', someOrder({ order_lines: [line], y: 2 }));
  const kept = (await sachet.sandbox()).state.table('orders').get(body.order.id);
  const pouches = [{ contents: [{ client_product_id: productId(1), serving_size: 1 }] }];
  expect(kept?.order_lines).toEqual([{ id: expect.any(String), duration: 30, pouches }]);
});
