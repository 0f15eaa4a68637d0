// The readings of which status a refusal has.
import { expect } from 'vitest';
import type { Status } from '../../../src/contract/operation.ts';
import { type Cases, errorOf, faultOf } from '../assumption-cases.ts';
import {
  consumerId,
  fulfillmentId,
  orderId,
  orderOf,
  pouchOf,
  productId,
  products,
  someAddress,
  someOrder,
  unknownId,
} from '../order-requests.ts';
import type { TestSachet } from '../sachet.ts';

type Kind = 'notFound' | 'foreign' | 'conflict' | 'other';
const first = 'order_lines.0.pouches.0.contents.0.client_product_id';
const inactive = 'The following client products are inactive and cannot be ordered: Ashwagandha Balance';
const discontinued =
  'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule';

/** A refused order for each of the business rules, and what is said of it. */
const refused: readonly (readonly [kind: Kind, body: object, field: string, words: string, user?: string])[] = [
  ['notFound', someOrder({ consumer: { id: unknownId } }), 'consumer.id', 'Consumer not found'],
  ['notFound', someOrder({ consumer: { id: consumerId(5) } }), 'consumer.id', 'Consumer not found'],
  ['notFound', orderOf(pouchOf(unknownId)), first, 'Product not found'],
  ['foreign', orderOf(pouchOf(products.foreign)), first, 'Product does not belong to client'],
  ['other', orderOf(pouchOf(products.inactive)), 'order_lines', inactive],
  ['other', orderOf(pouchOf(products.discontinued)), 'order_lines', discontinued],
  [
    'other',
    { ...orderOf(pouchOf(products.ofNoPag)), consumer: { id: consumerId(7) } },
    'order_lines.0',
    'No Packaging Asset Group ID found for the order line',
    'no-pag',
  ],
];

async function expectStatuses(sachet: TestSachet, statuses: Readonly<Record<Kind, Status>>): Promise<void> {
  for (const [kind, body, field, words, user] of refused) {
    const client = await sachet.login(user);
    const answer = await client.post('/v2/orders', body);
    expect(answer.body).toEqual(faultOf(statuses[kind], field, words));
  }
  const client = await sachet.login();
  const modified = await client.patch(`/v2/orders/${orderId(17)}`, { shipping_address: someAddress });
  expect(modified.body).toEqual(errorOf(statuses.conflict, 'Order cannot be modified'));
  for (const inProductionOrCanceled of [orderId(1), orderId(5)]) {
    const canceled = await client.post(`/v2/orders/${inProductionOrCanceled}/cancel`);
    expect(canceled.body).toEqual(errorOf(statuses.conflict, 'Order cannot be canceled'));
  }
}

async function expectMalformedBody(sachet: TestSachet, status: Status): Promise<void> {
  const client = await sachet.login();
  const cut = await client.post('/v2/orders', undefined, { raw: '{"consumer":' });
  expect(cut.body).toEqual(errorOf(status, 'Invalid request payload JSON format'));
  const headers = { 'content-type': 'text/plain' };
  const text = await client.post('/v2/orders', someOrder(), { headers });
  expect(text.body).toEqual(errorOf(status, 'Unsupported Media Type'));
  const empty = await client.post('/v2/orders', undefined);
  expect(empty.body).toEqual(faultOf(422, '', '"value" must be of type object'));
}

async function expectMalformedParameter(sachet: TestSachet, status: Status): Promise<void> {
  const client = await sachet.login();
  const limit = await client.get('/v2/fulfillments?limit=abc');
  expect(limit.body).toEqual(faultOf(status, 'limit', '"limit" must be a number'));
  const order = await client.get('/v2/fulfillments?order_id=abc');
  expect(order.body).toEqual(faultOf(status, 'order_id', '"order_id" must be a valid GUID'));
  const cursor = await client.get('/v2/orders?cursor=abc');
  expect(cursor.body).toEqual(faultOf(status, 'cursor', '"cursor" contains an invalid value'));
}

/** Every path that has an id: the parameter's name, and the path with an id in it. */
const pathsWithId: readonly (readonly [name: string, path: (id: string) => string])[] = [
  ['id', (id) => `/v2/products/${id}`],
  ['id', (id) => `/v2/consumers/${id}`],
  ['orderId', (id) => `/v2/orders/${id}`],
  ['orderId', (id) => `/v2/orders/${id}/fulfillments`],
  ['fulfillmentId', (id) => `/v2/fulfillments/${id}`],
];
const malformedIds = ['x', '1', fulfillmentId(1).replaceAll('-', ''), `${productId(1)}0`];

async function expectMalformedId(sachet: TestSachet, status: Status): Promise<void> {
  const client = await sachet.login();
  for (const [name, path] of pathsWithId) {
    for (const id of malformedIds) {
      const answer = await client.get(path(id));
      expect(answer.body).toEqual(faultOf(status, name, `"${name}" must be a valid GUID`));
    }
  }
}

export const statusCases: Cases<
  'business_rule_status' | 'malformed_body' | 'malformed_parameter' | 'malformed_path_id'
> = {
  business_rule_status: {
    422: (sachet) => expectStatuses(sachet, { notFound: 422, foreign: 422, conflict: 422, other: 422 }),
    400: (sachet) => expectStatuses(sachet, { notFound: 400, foreign: 400, conflict: 400, other: 400 }),
    per_kind: (sachet) => expectStatuses(sachet, { notFound: 404, foreign: 403, conflict: 400, other: 422 }),
  },
  malformed_body: {
    400: (sachet) => expectMalformedBody(sachet, 400),
    422: (sachet) => expectMalformedBody(sachet, 422),
  },
  malformed_parameter: {
    400: (sachet) => expectMalformedParameter(sachet, 400),
    422: (sachet) => expectMalformedParameter(sachet, 422),
  },
  malformed_path_id: {
    400: (sachet) => expectMalformedId(sachet, 400),
    422: (sachet) => expectMalformedId(sachet, 422),
    404: async (sachet) => {
      const client = await sachet.login();
      for (const [, path] of pathsWithId) {
        const unknown = await client.get(path(unknownId));
        expect(unknown.status).toBe(404);
        for (const id of malformedIds) {
          const malformed = await client.get(path(id));
          expect([malformed.status, malformed.text]).toEqual([404, unknown.text]);
        }
      }
    },
  },
};
