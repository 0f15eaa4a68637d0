// Assumptions whose choices affect each other's responses, or those of an option.
import { expect, test } from 'vitest';
import { assumptionRegister } from '../../src/contract/assumptions.ts';
import { errorOf, faultOf } from '../cases/assumptions/choices.ts';
import {
  brandOfDemo,
  consumerId,
  fulfillmentRow,
  insertFulfillments,
  orderId,
  orderOf,
  pouchOf,
  productId,
  someOrder,
} from '../support/order-requests.ts';
import { linkOf } from '../support/pages.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

type Options = NonNullable<Parameters<typeof testSachet>[0]>['assumptions'];
const clientWith = (assumptions: Options) => testSachet({ assumptions }).login();

test('a rejected limit names the largest accepted one, with the status of a malformed parameter', async () => {
  const client = await clientWith({ max_limit: '50', over_max_limit: 'reject' });
  expect((await client.get('/v2/fulfillments?limit=50')).status).toBe(200);
  const message = '"limit" must be less than or equal to 50';
  expect((await client.get('/v2/fulfillments?limit=51')).body).toEqual(faultOf(400, 'limit', message));
  const with422 = await clientWith({ malformed_parameter: '422', over_max_limit: 'reject' });
  const rejected = faultOf(422, 'limit', '"limit" must be less than or equal to 100');
  expect((await with422.get('/v2/fulfillments?limit=101')).body).toEqual(rejected);
});

test('validation_placement goes together with validation_report and field_path', async () => {
  const joined = await clientWith({ validation_placement: 'joined', validation_report: 'first' });
  expect((await joined.post('/v2/orders', {})).body).toEqual(errorOf(422, '"consumer" is required'));
  const details = await clientWith({ validation_placement: 'details', field_path: 'brackets' });
  expect((await details.post('/v2/orders', someOrder({ order_lines: [{}] }))).body).toEqual(
    errorOf(422, 'Validation failed', [['order_lines[0].pouches', '"pouches" is required']]),
  );
});

test('an id in upper case is the same id, in a path by each malformed_path_id and in an order', async () => {
  const id = 'abcdef00-0000-4000-8000-000000000001';
  for (const [choice] of assumptionRegister.malformed_path_id.choices) {
    const sachet = testSachet({ assumptions: { malformed_path_id: choice } });
    await insertFulfillments(await sachet.sandbox(), [fulfillmentRow(1, { id })]);
    const { body } = await (await sachet.login()).get(`/v2/fulfillments/${id.toUpperCase()}`);
    expect(body.fulfillment?.id, choice).toBe(id);
  }
  const sachet = testSachet();
  await (await sachet.sandbox()).write((draft) => {
    const product = draft.table('products').get(productId(1));
    const consumer = draft.table('consumers').get(consumerId(1));
    if (product) draft.table('products').insert({ ...product, id });
    if (consumer) draft.table('consumers').insert({ ...consumer, id });
  });
  const order = { ...orderOf(pouchOf(id.toUpperCase())), consumer: { id: id.toUpperCase() } };
  expect((await (await sachet.login()).post('/v2/orders', order)).body.order.consumer.id).toBe(id);
});

test('the link to the next page keeps the query, the base URL and the public URL', async () => {
  const assumptions = { next_cursor: 'link_header' } as const;
  const rows = Array.from({ length: 5 }, (_, n) => fulfillmentRow(n, { order_id: orderId(1), brand_id: brandOfDemo }));
  const firstPage = async (sachet: TestSachet, base = '') => {
    await insertFulfillments(await sachet.sandbox(base.split('/').at(-1) || 'stage'), rows);
    return (await sachet.login('demo', { base })).get(`/v2/fulfillments?limit=3&order_id=${orderId(1)}`);
  };
  const sachet = testSachet({ assumptions });
  const client = await sachet.login();
  const second = await client.get(linkOf(await firstPage(sachet)) ?? '');
  const third = await client.get(linkOf(second) ?? '');
  expect([second.body.fulfillments.length, third.body.fulfillments.length]).toEqual([3, 1]);
  expect(linkOf(third)).toBeUndefined();
  expect(linkOf(await firstPage(testSachet({ assumptions }), '/sandboxes/production'))).toMatch(
    /^http:\/\/localhost:4010\/sandboxes\/production\/v2\/fulfillments\?limit=3&order_id=/,
  );
  expect(linkOf(await firstPage(testSachet({ assumptions, publicUrl: 'https://demo.example.com/orders/' })))).toMatch(
    /^https:\/\/demo\.example\.com\/orders\/v2\/fulfillments\?limit=3&order_id=/,
  );
});

test('ignored fields of an order are not stored, accepted numeric strings are stored as numbers', async () => {
  const sachet = testSachet({ assumptions: { unknown_fields: 'ignore', numeric_strings: 'accept' } });
  const content = { client_product_id: productId(1), serving_size: '1', note: 'x' };
  const line = { duration: '30', pouches: [{ contents: [content] }], x: 1 };
  const { body } = await (await sachet.login()).post('/v2/orders', someOrder({ order_lines: [line], y: 2 }));
  const stored = (await sachet.sandbox()).state.table('orders').get(body.order.id);
  const pouches = [{ contents: [{ client_product_id: productId(1), serving_size: 1 }] }];
  expect(stored?.order_lines).toEqual([{ id: expect.any(String), duration: 30, pouches }]);
});
