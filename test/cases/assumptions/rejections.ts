// The choices of how a request is rejected: statuses, messages, and the errors of one field.
import { expect } from 'vitest';
import type { AnswerStatus } from '../../../src/contract/operation.ts';
import {
  consumerId,
  fulfillmentId,
  orderId,
  orderOf,
  productId,
  products,
  someAddress,
  someOrder,
  unknownId,
} from '../../support/order-requests.ts';
import { type TestSachet, testSachet } from '../../support/sachet.ts';
import { orderBusinessCases } from '../table.ts';
import { type Cases, each, errorOf, faultOf, singlePaths } from './choices.ts';

/** The response body to an order; undefined if the order is accepted. */
export async function rejectionOf(sachet: TestSachet, order: unknown): Promise<unknown> {
  const { status, body } = await (await sachet.login()).post('/v2/orders', order);
  return status === 201 ? undefined : body;
}

const withoutCity = someOrder({ shipping_address: { address1: '1 Main Street' } });
const city = ['shipping_address.city', '"city" is required'] as const;
const country = ['shipping_address.country_name', '"country_name" is required'] as const;

/** A rejection without details is the same with each validation_placement. */
async function expectPlaced(sachet: TestSachet, body: object): Promise<void> {
  expect(await rejectionOf(sachet, withoutCity)).toEqual(body);
  const client = await sachet.login();
  const conflict = await client.patch(`/v2/orders/${orderId(17)}`, { shipping_address: someAddress });
  expect(conflict.body).toEqual(errorOf(422, 'Order cannot be modified'));
}

/** The field of a missing key, of a nested one, of an item of a list, of a business rule, and of an id. */
async function expectFields(sachet: TestSachet, written: (dotted: string) => string): Promise<void> {
  const [demo, other] = [await sachet.login(), await sachet.login('no-pag')];
  const cases = [
    [demo, someOrder({ order_lines: [{ duration: 30 }] }), 'order_lines.0.pouches'],
    [demo, orderOf({ pack_id: 'a' }, { contents: [{}] }), 'order_lines.0.pouches.1.contents.0.client_product_id'],
    [other, { ...orderOf({ pack_id: 'a' }), consumer: { last_name: 'Roe' } }, 'order_lines.0'],
    [demo, withProduct(products.foreign), product],
    [demo, someOrder({ consumer: { id: 'x' } }), 'consumer.id'],
  ] as const;
  for (const [client, order, field] of cases)
    expect((await client.post('/v2/orders', order)).body.details[0].field).toBe(written(field));
}

type Kind = 'notFound' | 'foreign' | 'conflict' | 'other';
const kinds = {
  'ORD-11': 'notFound',
  'ORD-17': 'notFound',
  'ORD-18': 'foreign',
  'ORD-19': 'other',
  'ORD-20': 'other',
} as const;

async function expectStatuses(sachet: TestSachet, statuses: Readonly<Record<Kind, AnswerStatus>>): Promise<void> {
  const client = await sachet.login();
  for (const [rule, kind] of Object.entries(kinds)) {
    const { request, rejection } = orderBusinessCases[rule as keyof typeof kinds];
    const [detail = { field: '', message: '' }] = rejection.details ?? [];
    const { body } = await client.post('/v2/orders', request?.body);
    expect(body).toEqual(faultOf(statuses[kind], detail.field, detail.message));
  }
  const noPag = { consumer: { id: consumerId(7) }, order_lines: orderOf({ pack_id: 'x' }).order_lines };
  const { body } = await (await sachet.login('no-pag')).post('/v2/orders', someOrder(noPag));
  expect(body).toEqual(
    faultOf(statuses.other, 'order_lines.0', 'No Packaging Asset Group ID found for the order line'),
  );
  const modified = await client.patch(`/v2/orders/${orderId(17)}`, { shipping_address: someAddress });
  expect(modified.body).toEqual(errorOf(statuses.conflict, 'Order cannot be modified'));
  for (const inProductionOrCanceled of [orderId(1), orderId(5)]) {
    const canceled = await client.post(`/v2/orders/${inProductionOrCanceled}/cancel`);
    expect(canceled.body).toEqual(errorOf(statuses.conflict, 'Order cannot be canceled'));
  }
}

async function expectMalformedBody(sachet: TestSachet, code: string): Promise<void> {
  const status = Number(code) as AnswerStatus;
  const client = await sachet.login();
  const cut = await client.post('/v2/orders', undefined, { raw: '{"consumer":' });
  expect(cut.body).toEqual(errorOf(status, 'Invalid request payload JSON format'));
  const text = await client.post('/v2/orders', someOrder(), { headers: { 'content-type': 'text/plain' } });
  expect(text.body).toEqual(errorOf(status, 'Unsupported Media Type'));
  expect((await client.post('/v2/orders')).body).toEqual(faultOf(422, '', '"value" must be of type object'));
}

async function expectMalformedParameter(sachet: TestSachet, code: string): Promise<void> {
  const status = Number(code) as AnswerStatus;
  const client = await sachet.login();
  const rejections = [
    ['/v2/fulfillments?limit=abc', 'limit', '"limit" must be a number'],
    ['/v2/fulfillments?order_id=abc', 'order_id', '"order_id" must be a valid GUID'],
    ['/v2/orders?cursor=abc', 'cursor', '"cursor" contains an invalid value'],
  ] as const;
  for (const [path, field, message] of rejections)
    expect((await client.get(path)).body).toEqual(faultOf(status, field, message));
}

/** For each path with an id: the parameter's name, and the responses to malformed ids and to an unknown id. */
async function malformedIds(sachet: TestSachet) {
  const client = await sachet.login();
  const ids = ['x', '1', fulfillmentId(1).replaceAll('-', ''), `${productId(1)}0`];
  return Promise.all(
    singlePaths.map(async ([path, name]) => {
      const get = (id: string) => client.get(path.replace('$', id));
      return { name, malformed: await Promise.all(ids.map(get)), unknown: await get(unknownId) };
    }),
  );
}
async function expectMalformedId(sachet: TestSachet, code: string): Promise<void> {
  const status = Number(code) as AnswerStatus;
  for (const { name, malformed } of await malformedIds(sachet))
    for (const { body } of malformed) expect(body).toEqual(faultOf(status, name, `"${name}" must be a valid GUID`));
}

const blank = ' \t\u00a0';
const isEmpty = (field: string) => [field, `"${field.split('.').at(-1)}" is not allowed to be empty`] as const;
const blankOrder = someOrder({
  consumer: { first_name: blank, last_name: ' ' },
  shipping_address: { address1: ' '.repeat(200), city: blank, province_name: ' ', country_name: ' ', postal_code: ' ' },
});
const blankFields = Object.entries(blankOrder)
  .filter(([key]) => key !== 'order_lines')
  .flatMap(([key, fields]) => Object.keys(fields).map((name) => `${key}.${name}`));

const product = 'order_lines.0.pouches.0.contents.0.client_product_id';
const withProduct = (client_product_id: unknown) => orderOf({ contents: [{ client_product_id }] });
/** Null, a number, an object and an empty string as each id and as the email have these messages. */
async function expectTypeMessages(
  sachet: TestSachet,
  messageOf: (field: string, value: unknown) => string,
): Promise<void> {
  for (const value of [null, 7, {}, '']) {
    const orders: [field: string, order: object][] = [
      ['consumer.id', someOrder({ consumer: { id: value } })],
      ['consumer.email', someOrder({ consumer: { email: value } })],
      [product, withProduct(value)],
    ];
    for (const [field, order] of orders) {
      const message = `"${field.split('.').at(-1)}" ${messageOf(field, value)}`;
      expect(await rejectionOf(sachet, order)).toEqual(faultOf(422, field, message));
    }
  }
}

const phone = '1'.repeat(16);
const wrongTwice = someOrder({ consumer: { first_name: 'Ada', phone_number: phone } });
const noLastName = ['consumer.last_name', '"last_name" is required'] as const;
const phoneField = 'consumer.phone_number';
const tooLong = [phoneField, '"phone_number" length must be less than or equal to 15'] as const;
const noPhone = `"phone_number" with value "${phone}" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`;

export const rejectionCases = {
  validation_placement: {
    both: (sachet) => expectPlaced(sachet, errorOf(422, city[1], [city, country])),
    details: (sachet) => expectPlaced(sachet, errorOf(422, 'Validation failed', [city, country])),
    message: (sachet) => expectPlaced(sachet, errorOf(422, city[1])),
    joined: (sachet) => expectPlaced(sachet, errorOf(422, `${city[1]}. ${country[1]}`)),
  },
  validation_report: {
    all: async (sachet) => {
      const order = { consumer: { id: '' }, shipping_address: { address1: '1 Main Street', city: '' } };
      const lines = ['order_lines', '"order_lines" is required'] as const;
      const details = [isEmpty('consumer.id'), isEmpty('shipping_address.city'), country, lines];
      expect(await rejectionOf(sachet, order)).toEqual(errorOf(422, isEmpty('id')[1], details));
    },
    first: async (sachet) => {
      expect(await rejectionOf(sachet, withoutCity)).toEqual(faultOf(422, ...city));
      const order = someOrder({ consumer: { id: consumerId(1), email: 'a@example.com' }, x: 1 });
      expect(await rejectionOf(sachet, order)).toEqual(faultOf(422, 'consumer.email', '"email" is not allowed'));
    },
  },
  field_path: {
    dotted: (sachet) => expectFields(sachet, (field) => field),
    brackets: (sachet) => expectFields(sachet, (field) => field.replace(/\.(\d+)/g, '[$1]')),
  },
  business_rule_status: {
    422: (sachet) => expectStatuses(sachet, { notFound: 422, foreign: 422, conflict: 422, other: 422 }),
    400: (sachet) => expectStatuses(sachet, { notFound: 400, foreign: 400, conflict: 400, other: 400 }),
    per_kind: (sachet) => expectStatuses(sachet, { notFound: 404, foreign: 403, conflict: 400, other: 422 }),
  },
  malformed_body: each(expectMalformedBody, '400', '422'),
  malformed_parameter: each(expectMalformedParameter, '400', '422'),
  malformed_path_id: {
    ...each(expectMalformedId, '400', '422'),
    404: async (sachet) => {
      for (const { malformed, unknown } of await malformedIds(sachet))
        for (const { status, text } of [unknown, ...malformed]) expect([status, text]).toEqual([404, unknown.text]);
    },
  },
  blank_strings: {
    accept: async () => {
      const sachet = testSachet({ assumptions: { blank_strings: 'accept', order_fields: 'echo' } });
      const shipping_address = { ...blankOrder.shipping_address, address1: blank };
      const { status, body } = await (await sachet.login()).post('/v2/orders', { ...blankOrder, shipping_address });
      expect([status, body.order.shipping_address]).toEqual([201, shipping_address]);
    },
    reject: async (sachet) => {
      const [first = ''] = blankFields;
      expect(await rejectionOf(sachet, blankOrder)).toEqual(errorOf(422, isEmpty(first)[1], blankFields.map(isEmpty)));
      const padded = { ...someAddress, city: ' Prague ', address1: '\u200b' };
      expect(await rejectionOf(sachet, someOrder({ shipping_address: padded }))).toBeUndefined();
      expect(await rejectionOf(sachet, orderOf({ pack_id: ' ', time_of_administration: ' ' }))).toBeUndefined();
    },
  },
  wrong_type_words: {
    joi: (sachet) =>
      expectTypeMessages(sachet, (_, value) => (value === '' ? 'is not allowed to be empty' : 'must be a string')),
    documented: async (sachet) => {
      await expectTypeMessages(sachet, (field) => `must be a valid ${field === 'consumer.email' ? 'email' : 'GUID'}`);
      const missing = faultOf(422, product, '"client_product_id" is required');
      expect(await rejectionOf(sachet, withProduct(undefined))).toEqual(missing);
      const client = await sachet.login();
      const { headers } = await client.post('/v2/orders', someOrder({ consumer: { id: null } }));
      expect(headers.get('sandbox-rule')).toBe('ORD-10');
    },
  },
  faults_per_field: {
    first: async (sachet) =>
      expect(await rejectionOf(sachet, wrongTwice)).toEqual(errorOf(422, noLastName[1], [noLastName, tooLong])),
    all: async (sachet) => {
      const client = await sachet.login();
      const { body, headers } = await client.post('/v2/orders', wrongTwice);
      expect(body).toEqual(errorOf(422, noLastName[1], [noLastName, tooLong, [phoneField, noPhone]]));
      expect(headers.get('sandbox-rule')).toBe('ORD-9, ORD-13, phone_format');
      expect(headers.get('sandbox-assumption')).toContain('faults_per_field=all');
      const page = await client.get('/v2/fulfillments?limit=-1.5');
      expect(page.body.details.map(({ message }: { message: string }) => message)).toEqual([
        '"limit" must be an integer',
        '"limit" must be greater than or equal to 1',
      ]);
    },
  },
} satisfies Partial<Cases>;
