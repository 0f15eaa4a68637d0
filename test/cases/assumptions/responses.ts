// The choices of what responses have: orders, reads, lists, labels, and how orders and packages change.
import { expect } from 'vitest';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { downloadOutcome, element, labelUrlOf } from '../../support/labels.ts';
import {
  consumerId,
  fulfillmentId,
  fulfillmentRow,
  insertFulfillments,
  orderId,
  orderLine,
  productId,
  someAddress,
  someOrder,
  visibleIds,
} from '../../support/order-requests.ts';
import { type CursorPlace, cursorIn, linkOf, readAll } from '../../support/pages.ts';
import { type Answer, day, noon, type TestSachet, testSachet } from '../../support/sachet.ts';
import { type Cases, each, errorOf } from './choices.ts';

type Records = readonly { readonly id: string; readonly status_id?: string }[];
const idsOf = (records: Records): string[] => records.map(({ id }) => id);
const read = async (sachet: TestSachet, path: string) => (await (await sachet.login()).get(path)).body;
const order = async (sachet: TestSachet, changes: object = {}): Promise<Answer> =>
  (await sachet.login()).post('/v2/orders', someOrder(changes));

const amelia = { id: consumerId(1), first_name: 'Amelia', last_name: 'Hartwell' };
const ameliaRead = { ...amelia, email: 'amelia.hartwell@example.com', phone_number: '+12065550143' };
const documentedOrder = { id: expect.any(String), status: 'Pending', consumer: amelia };
const echoedOrder = {
  ...documentedOrder,
  shipping_address: someAddress,
  order_lines: [{ id: expect.any(String), ...orderLine() }],
  created_at: noon,
  updated_at: noon,
};
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+12025550123' };
const vitaminD = { id: productId(1), product_name: 'Sunrise Vitamin D3', active: true, serving_size: 1 };
const lindenTree = { id: consumerId(4), email: 'linden.tree@example.net', phone_number: '+493023125042' };

/** A new order in three responses: its creation, its read and its list. */
async function expectOrder(sachet: TestSachet, expected: object): Promise<void> {
  const created = (await order(sachet)).body.order;
  const single = (await read(sachet, `/v2/orders/${created.id}`)).order;
  const [listed] = (await read(sachet, '/v2/orders?limit=1')).orders;
  expect(created).toEqual(expected);
  expect([single, listed]).toEqual([created, created]);
}

/** The responses of the endpoints of orders that the contract does not name. */
async function orderEndpoints(sachet: TestSachet): Promise<Answer[]> {
  const client = await sachet.login();
  const path = `/v2/orders/${orderId(18)}`;
  const responses = [await client.get('/v2/orders'), await client.get(path)];
  responses.push(await client.patch(path, { shipping_address: someAddress }));
  return [...responses, await client.post(`${path}/cancel`)];
}
async function expectDocumentedEndpoints(sachet: TestSachet): Promise<void> {
  const client = await sachet.login();
  expect((await client.get(`/v2/orders/${orderId(1)}/fulfillments`)).status).toBe(200);
  expect((await client.get(`/v2/consumers/${consumerId(1)}`)).status).toBe(200);
  expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
}

async function expectSingles(sachet: TestSachet, product: object, consumer: object): Promise<void> {
  expect(await read(sachet, `/v2/products/${productId(1)}`)).toEqual(product);
  expect(await read(sachet, `/v2/consumers/${consumerId(1)}`)).toEqual(consumer);
}

/** A consumer without names, read and in an order, and the number of fields of a package without dates. */
async function expectAbsent(sachet: TestSachet, names: object, fields: number): Promise<void> {
  expect(await read(sachet, `/v2/consumers/${consumerId(4)}`)).toEqual({ consumer: { ...lindenTree, ...names } });
  const { body } = await order(sachet, { consumer: { id: consumerId(4) } });
  expect(body.order.consumer).toEqual({ id: consumerId(4), ...names });
  const { fulfillment } = await read(sachet, `/v2/fulfillments/${fulfillmentId(28)}`);
  expect(Object.keys(fulfillment)).toHaveLength(fields);
  const absent = Array(3).fill(fields === 15 ? null : undefined);
  expect(['delivery_date', 'pickup_date', 'tracking_info'].map((field) => fulfillment[field])).toEqual(absent);
}

async function expectStatusIds(sachet: TestSachet, labelCreated: string, delivered: string): Promise<void> {
  const { fulfillment } = await read(sachet, `/v2/fulfillments/${fulfillmentId(28)}`);
  expect(fulfillment.status_id).toBe(labelCreated);
  for (const path of [`/v2/orders/${orderId(1)}/fulfillments`, `/v2/fulfillments?order_id=${orderId(1)}`]) {
    const listed: Records = (await read(sachet, path)).fulfillments;
    expect(new Set(listed.map(({ status_id }) => status_id))).toEqual(new Set([delivered]));
  }
}

/** The 27 fulfillments of `demo` have two pages, with these keys and these headers of their cursors. */
async function expectPages(sachet: TestSachet, place: CursorPlace, ...shapes: readonly (readonly string[])[]) {
  const client = await sachet.login();
  const first = await client.get('/v2/fulfillments');
  const last = await client.get(`/v2/fulfillments?cursor=${cursorIn[place](first)}`);
  expect([first.body.fulfillments.length, last.body.fulfillments.length]).toEqual([20, 7]);
  const shapeOf = ({ body, headers }: Answer) => [
    ...Object.keys(body),
    ...[...headers.keys()].filter((name) => /link|cursor/.test(name)),
  ];
  expect([shapeOf(first), shapeOf(last)]).toEqual(shapes);
  return { first, last };
}

async function expectPageSizes(sachet: TestSachet, max: number): Promise<void> {
  const rows = Array.from({ length: 120 }, (_, n) => fulfillmentRow(n));
  await insertFulfillments(await sachet.sandbox(), rows);
  const client = await sachet.login();
  for (const limit of [max - 1, max, max + 1, 1000]) {
    const { body } = await client.get(`/v2/fulfillments?limit=${limit}`);
    expect(body.fulfillments).toHaveLength(Math.min(limit, max));
  }
}

/** The ids of each ordered list of `demo`. */
async function orderedLists(list_order: Choices['list_order']): Promise<string[][]> {
  const client = await testSachet({ assumptions: { list_order, consumer_endpoints: 'assumed' } }).login();
  const { orders } = (await client.get('/v2/orders?limit=100')).body;
  const { consumers } = (await client.get('/v2/consumers')).body;
  const { fulfillments } = (await client.get(`/v2/orders/${orderId(7)}/fulfillments`)).body;
  const lists = [...[orders, consumers, fulfillments].map(idsOf), await readAll(client)];
  expect(lists.map(({ length }) => length)).toEqual([15, 4, 5, 27]);
  return lists;
}
/** The ids of the fixtures count from the oldest on. */
const numbersOf = (ids: readonly string[]): number[] => ids.map((id) => Number(id.slice(-2)));
const ascending = (ids: readonly string[]): number[] => numbersOf(ids).toSorted((a, b) => a - b);

/** The URL of a label, and its download with an Authorization header. */
async function label(sachet: TestSachet) {
  const client = await sachet.login();
  const download = (from: string, authorization: string) => sachet.call('GET', from, { headers: { authorization } });
  return { token: client.token, url: await labelUrlOf(client), download };
}

/** The statuses of an order's packages, ten days after it was created. */
async function statusesAfterTenDays(sachet: TestSachet): Promise<unknown[]> {
  const { id } = (await order(sachet)).body.order;
  await sachet.advance(10 * day);
  const { fulfillments } = await read(sachet, `/v2/orders/${id}/fulfillments`);
  return (fulfillments as Records).map(({ status_id }) => status_id);
}
const acceptInProduction = ({ control }: TestSachet) => control.sandbox('stage').orders.accept(orderId(16));

export const responseCases = {
  order_created_status: each(
    async (sachet, choice) => {
      const { status, body } = await order(sachet);
      expect([String(status), body]).toEqual([choice, { order: documentedOrder }]);
    },
    '201',
    '200',
  ),
  order_fields: {
    documented: (sachet) => expectOrder(sachet, documentedOrder),
    echo: (sachet) => expectOrder(sachet, echoedOrder),
  },
  order_endpoints: {
    assumed: async (sachet) => {
      const [list, ...singles] = await orderEndpoints(sachet);
      expect(list?.body.orders).toHaveLength(15);
      expect(singles.map(({ body }) => body.order.status)).toEqual(['Pending', 'Pending', 'Canceled']);
    },
    absent: async (sachet) => {
      for (const { body } of await orderEndpoints(sachet)) expect(body).toEqual(errorOf(404, 'Not Found'));
      expect((await sachet.call('GET', '/v2/orders')).status).toBe(404);
      await expectDocumentedEndpoints(sachet);
    },
  },
  consumer_endpoints: {
    absent: async (sachet) => {
      const client = await sachet.login();
      const responses = [await client.get('/v2/consumers'), await client.post('/v2/consumers', ada)];
      for (const { body } of responses) expect(body).toEqual(errorOf(404, 'Not Found'));
      expect((await sachet.call('GET', '/v2/consumers')).status).toBe(404);
      await expectDocumentedEndpoints(sachet);
    },
    assumed: async (sachet) => {
      const client = await sachet.login();
      const { status, body } = await client.post('/v2/consumers', ada);
      expect([status, body]).toEqual([201, { consumer: { id: expect.any(String), ...ada } }]);
      const { consumers } = (await client.get('/v2/consumers')).body;
      expect([consumers.length, consumers.at(0), consumers.at(-1)]).toEqual([5, body.consumer, ameliaRead]);
    },
  },
  single_read_body: {
    wrapped: (sachet) => expectSingles(sachet, { client_product: vitaminD }, { consumer: ameliaRead }),
    bare: (sachet) => expectSingles(sachet, vitaminD, ameliaRead),
  },
  product_list: {
    all: async (sachet) => {
      const { client_products } = await read(sachet, '/v2/products');
      expect(idsOf(client_products)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(productId));
    },
    active_only: async (sachet) => {
      const { client_products } = await read(sachet, '/v2/products');
      expect(idsOf(client_products)).toEqual([1, 2, 3, 4, 5, 6, 8].map(productId));
      expect((await read(sachet, `/v2/products/${productId(7)}`)).client_product.active).toBe(false);
    },
  },
  absent_values: {
    null: (sachet) => expectAbsent(sachet, { first_name: null, last_name: null }, 15),
    omitted: (sachet) => expectAbsent(sachet, {}, 12),
  },
  status_id: {
    slug: (sachet) => expectStatusIds(sachet, 'label_created', 'delivered'),
    uuid: (sachet) =>
      expectStatusIds(sachet, '61000000-0000-4000-8000-000000000001', '61000000-0000-4000-8000-000000000004'),
  },
  next_cursor: {
    body: async (sachet) => {
      const keys = ['fulfillments', 'next_cursor'];
      const { first, last } = await expectPages(sachet, 'body', keys, keys);
      expect([first.body.next_cursor, last.body.next_cursor]).toEqual([expect.any(String), null]);
    },
    meta: async (sachet) => {
      const { first, last } = await expectPages(sachet, 'meta', ['fulfillments', 'meta'], ['fulfillments', 'meta']);
      expect([first.body.meta, last.body.meta]).toEqual([{ next_cursor: expect.any(String) }, { next_cursor: null }]);
    },
    link_header: async (sachet) => {
      const { first, last } = await expectPages(sachet, 'link_header', ['fulfillments', 'link'], ['fulfillments']);
      const link = linkOf(first) ?? '';
      expect(link).toMatch(/^http:\/\/localhost:4010\/v2\/fulfillments\?cursor=[^&]+$/);
      expect(idsOf((await read(sachet, link)).fulfillments)).toEqual(idsOf(last.body.fulfillments));
    },
    header: async (sachet) => {
      await expectPages(sachet, 'header', ['fulfillments', 'x-next-cursor'], ['fulfillments']);
    },
  },
  max_limit: { 100: (sachet) => expectPageSizes(sachet, 100), 50: (sachet) => expectPageSizes(sachet, 50) },
  over_max_limit: {
    clamp: (sachet) => expectPageSizes(sachet, 100),
    // The case table has the body of the rejection.
    reject: async (sachet) => {
      const { get } = await sachet.login();
      const [at, over] = [await get('/v2/fulfillments?limit=100'), await get('/v2/fulfillments?limit=101')];
      expect([at.status, over.status]).toEqual([200, 400]);
    },
  },
  list_order: {
    newest_first: async () => {
      for (const ids of await orderedLists('newest_first')) expect(numbersOf(ids)).toEqual(ascending(ids).reverse());
    },
    oldest_first: async () => {
      const lists = await orderedLists('oldest_first');
      for (const ids of lists) expect(numbersOf(ids)).toEqual(ascending(ids));
      expect(lists.at(-1)).toEqual(visibleIds(await testSachet().sandbox()));
    },
  },
  storage_auth: {
    reject: async (sachet) => {
      const { token, url, download } = await label(sachet);
      const leaked = await download(url, `Bearer ${token}`);
      expect(downloadOutcome(leaked)).toBe('400 InvalidArgument');
      expect(element(leaked, 'ArgumentValue')).toBe('Bearer [redacted]');
      expect(element(await download(url, token), 'ArgumentValue')).toBe('[redacted]');
      expect(leaked.headers.get('sandbox-rule')).toBe('storage_auth');
      expect(leaked.headers.get('sandbox-assumption')).toContain('storage_auth=reject');
      const { requests } = await sachet.control.sandbox('stage').requests.list();
      expect(JSON.stringify(requests)).not.toContain(token);
      expect(requests.at(-1)?.decision?.sentence).toContain('auth mechanism allowed; only the X-Amz-Algorithm');
      // With any header, and with any other problem of the URL.
      for (const header of ['', token, 'Basic eDp5'])
        expect(downloadOutcome(await download(url, header)), header).toBe('400 InvalidArgument');
      expect((await download(url, token)).text).not.toContain(token);
      await sachet.advance(900_000);
      expect(downloadOutcome(await download(url, 'Bearer x'))).toBe('400 InvalidArgument');
      // Without a signature there is only one mechanism.
      expect(downloadOutcome(await download(url.replace(/\?.*/, ''), 'Bearer x'))).toBe('403 AccessDenied');
    },
    ignore: async (sachet) => {
      const { token, url, download } = await label(sachet);
      const { status, headers } = await download(url, `Bearer ${token}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(headers.get('sandbox-assumption')).toContain('storage_auth=ignore');
      await sachet.advance(900_000);
      expect(downloadOutcome(await download(url, `Bearer ${token}`))).toBe('403 AccessDenied');
    },
  },
  fulfillment_timeline: {
    manual: async (sachet) => expect(await statusesAfterTenDays(sachet)).toEqual([]),
    automatic: async (sachet) => expect(await statusesAfterTenDays(sachet)).toEqual(['delivered']),
  },
  order_transitions: {
    documented_path: (sachet) =>
      expect(acceptInProduction(sachet)).rejects.toThrow('accept is impossible: the order is In Production'),
    any: async (sachet) => expect((await acceptInProduction(sachet)).status).toBe('Accepted'),
  },
} satisfies Partial<Cases>;
