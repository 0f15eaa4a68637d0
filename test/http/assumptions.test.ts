// Every choice of every assumption, as a client sees it, and choices that affect each other's responses. The cases are in
// test/cases/assumptions; a missing case does not compile.
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import { accessCases } from '../cases/assumptions/access.ts';
import { type Case, type Cases, errorOf, faultOf } from '../cases/assumptions/choices.ts';
import { orderRequestCases } from '../cases/assumptions/order-requests.ts';
import { rejectionCases } from '../cases/assumptions/rejections.ts';
import { responseCases } from '../cases/assumptions/responses.ts';
import { roundsOfChoices } from '../cases/common.ts';
import { newConsumer, validOrder } from '../cases/requests.ts';
import { expectImportable } from '../support/control.ts';
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

const cases: Cases = { ...accessCases, ...orderRequestCases, ...rejectionCases, ...responseCases };

for (const id of assumptionIds) {
  const { question, choices }: Assumption = assumptionRegister[id];
  const ofChoice: Readonly<Record<string, Case | undefined>> = cases[id];
  describe(`${id}: ${question}`, () => {
    test.each(choices)('%s: %s', (choice) => ofChoice[choice]?.(testSachet({ assumptions: { [id]: choice } })));
  });
}

test('the state with each choice can be imported', async () => {
  for (const assumptions of roundsOfChoices) {
    const sachet = testSachet({ assumptions });
    const order = { ...validOrder, consumer: newConsumer };
    expect((await (await sachet.login()).post('/v2/orders', order)).status).toBeLessThan(300);
    await expectImportable(sachet);
  }
});

type Options = NonNullable<Parameters<typeof testSachet>[0]>['assumptions'];
const clientWith = (assumptions: Options) => testSachet({ assumptions }).login();

test('a rejected limit names the largest accepted one, with the status of a malformed parameter', async () => {
  const client = await clientWith({ max_limit: '50', over_max_limit: 'reject', malformed_parameter: '422' });
  expect((await client.get('/v2/fulfillments?limit=50')).status).toBe(200);
  const rejected = faultOf(422, 'limit', '"limit" must be less than or equal to 50');
  expect((await client.get('/v2/fulfillments?limit=51')).body).toEqual(rejected);
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
  const { products, consumers } = sachet.control.sandbox('stage').records;
  await products.create({ ...(await products.get(productId(1))), id });
  await consumers.create({ ...(await consumers.get(consumerId(1))), id });
  const order = { ...orderOf(pouchOf(id.toUpperCase())), consumer: { id: id.toUpperCase() } };
  expect((await (await sachet.login()).post('/v2/orders', order)).body.order.consumer.id).toBe(id);
});

test('the link to the next page keeps the query, the base URL and the public URL', async () => {
  const assumptions = { next_cursor: 'link_header' } as const;
  const rows = Array.from({ length: 5 }, (_, n) => fulfillmentRow(n, { order_id: orderId(1), brand_id: brandOfDemo }));
  const path = `/v2/fulfillments?limit=3&order_id=${orderId(1)}`;
  const read = async (sachet: TestSachet, base = '') => {
    await insertFulfillments(await sachet.sandbox(base.split('/').at(-1) || 'stage'), rows);
    const client = await sachet.login('demo', { base });
    return { client, link: linkOf(await client.get(path)) ?? '' };
  };
  const { client, link } = await read(testSachet({ assumptions }));
  const second = await client.get(link);
  const third = await client.get(linkOf(second) ?? '');
  expect([second.body.fulfillments.length, third.body.fulfillments.length, linkOf(third)]).toEqual([3, 1, undefined]);
  const production = await read(testSachet({ assumptions }), '/sandboxes/production');
  expect(production.link.startsWith(`http://localhost:4010/sandboxes/production${path}`)).toBe(true);
  const published = await read(testSachet({ assumptions, publicUrl: 'https://demo.example.com/orders/' }));
  expect(published.link.startsWith(`https://demo.example.com/orders${path}`)).toBe(true);
});
