// Records that the contract rules out are rejected from every source: fixture files, imports, writes of single records, scenarios.
// A collection has a maximum size (--max-records).
import { describe, expect, test } from 'vitest';
import type { CollectionName } from '../../../src/contract/records.ts';
import { scenarioFaults } from '../../../src/sandbox/scenarios.ts';
import { stateOf } from '../../../src/state/persistence.ts';
import { unboundedRecords } from '../../../src/state/state.ts';
import { newConsumer } from '../../cases/requests.ts';
import { controlled, everything } from '../../support/control.ts';
import { faultsOf } from '../../support/fixture-files.ts';
import {
  brandOfDemo,
  consumerId,
  fulfillmentId,
  orderId,
  pagId,
  products,
  someOrder,
} from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';
import { freshState, storedDocument } from '../../support/test-state.ts';

const recordOf = (collection: CollectionName, id: string) =>
  structuredClone(fixtures[collection].find((record) => record.id === id)) as unknown as Record<string, unknown>;

const order = recordOf('orders', orderId(18));
const pack1 = fulfillmentId(1);
const { foreign } = products;
const contents = [{ client_product_id: foreign }];

/** A merge patch of one field that makes the record invalid. */
const row = (collection: CollectionName, id: string, field: string, value: unknown, expected: string) => ({
  ...{ collection, id, set: { [field]: value } as object, field, found: JSON.stringify(value), expected },
});
/** The order with this as its only pouch. */
const pouchRow = (pouch: object, field: string, found: string, expected: string) => ({
  ...row('orders', orderId(18), 'order_lines', [{ ...(order.order_lines as object[])[0], pouches: [pouch] }], expected),
  ...{ field: `order_lines[0].pouches[0]${field}`, found },
});
const invalid = [
  row('pags', pagId(2), 'status', 'active', 'one of "Active", "In Review", "Inactive". Did you mean "Active"?'),
  row('pags', pagId(2), 'duration', null, `a number: the brand's default PAG (duration null) is "${pagId(1)}"`),
  row('fulfillments', pack1, 'consumer_id', consumerId(2), `the consumer of its order, "${consumerId(1)}"`),
  row('fulfillments', pack1, 'delivery_date', '2026-08-06T19:42:53.976Z', 'a time that is not before pickup_date'),
  row('consumers', consumerId(1), 'email', 'amelia at example.com', 'a valid e-mail address, or null'),
  row('orders', orderId(18), 'updated_at', '9999-12-31T23:59:59-01:00', 'an instant from the year 0 to 9999, in UTC'),
  pouchRow({ contents }, '.contents[0].client_product_id', `"${foreign}"`, 'a product of the same brand'),
  pouchRow(
    { contents, pack_id: 1 },
    '',
    `{"contents":[{"client_product_id":"${foreign}"}],"p…`,
    'either pack_id or contents, never both',
  ),
];
const changed = (collection: CollectionName, id: string, patch: object) => ({
  [collection]: fixtures[collection].map((record) => (record.id === id ? { ...record, ...patch } : record)),
});
const scenario = { name: 'mine', intent: 'A test.', right_client: 'Goes on.' };

test.each(invalid)('$collection with $set is rejected from every source', async (one) => {
  const { collection, id, set, field, found, expected } = one;
  const index = fixtures[collection].findIndex((record) => record.id === id);
  const place = `${collection}[${index}].${field}`;
  const message = `found ${found}, expected ${expected}`;

  const content = { ...fixtures, ...changed(collection, id, set) };
  const inFile = { file: 'mine.json', found, expected };
  expect(faultsOf([{ name: 'mine.json', content }])).toEqual([{ ...inFile, path: `$.${place}` }]);
  const data = { [collection]: [{ id, ...set }] };
  const inScenario = { ...inFile, path: `$.data.${collection}[0].${field}` };
  expect(scenarioFaults([{ ...scenario, data }], { fixtures })).toEqual([inScenario]);

  const { admin } = controlled();
  const state = (await admin('GET', '/sandboxes/stage/state')).body;
  const changedData = { ...state.data, ...changed(collection, id, set) };
  const imported = await admin('PUT', '/sandboxes/stage/state', { ...state, data: changedData });
  expect([imported.status, imported.body.details]).toEqual([422, [{ field: `data.${place}`, message }]]);
  const patched = await admin('PATCH', `/sandboxes/stage/${collection}/${id}`, set);
  const record = { ...recordOf(collection, id), ...set, id: undefined };
  const added = await admin('POST', `/sandboxes/stage/${collection}`, record);
  for (const { status, body } of [patched, added]) expect([status, body.details]).toEqual([422, [{ field, message }]]);
  expect((await admin('GET', '/sandboxes/stage/state')).body).toEqual(state);
});

test('a change that makes another record invalid is rejected', async () => {
  const { admin } = controlled();
  const patched = async (path: string, body: object) => (await admin('PATCH', `/sandboxes/stage/${path}`, body)).body;
  const message =
    `found "${consumerId(2)}", expected one that keeps fulfillments "${fulfillmentId(1)}" valid: its ` +
    `consumer_id must be the consumer of its order, "${consumerId(2)}"`;
  const order = await patched(`orders/${orderId(1)}`, { consumer_id: consumerId(2) });
  expect([order.statusCode, order.details]).toEqual([422, [{ field: 'consumer_id', message }]]);
  const product = await patched(`products/${products.good}`, { brand_id: '11000000-0000-4000-8000-000000000002' });
  const sameBrand = expect.stringContaining('must be a product of the same brand');
  expect([product.statusCode, product.details[0]]).toEqual([422, { field: 'brand_id', message: sameBrand }]);
});

test('a scenario is judged as a whole: it may exchange default PAGs and consumers, but not add two default PAGs', () => {
  const oldDefault = { id: pagId(1), duration: 31 };
  const exchanged = {
    pags: [oldDefault, { id: pagId(2), duration: null }],
    orders: [{ id: orderId(1), consumer_id: consumerId(2) }],
    fulfillments: fixtures.fulfillments
      .filter(({ order_id }) => order_id === orderId(1))
      .map(({ id }) => ({ id, consumer_id: consumerId(2) })),
  };
  expect(scenarioFaults([{ ...scenario, data: exchanged }], { fixtures })).toEqual([]);
  const pag = { brand_id: brandOfDemo, name: 'New', status: 'Active', duration: null };
  const data = { pags: [oldDefault, { ...pag, id: pagId(8) }, { ...pag, id: pagId(9) }] };
  const faults = scenarioFaults([{ ...scenario, data }], { fixtures });
  expect(faults.map(({ path }) => path)).toEqual(['$.data.pags[1].duration', '$.data.pags[2].duration']);
});

test('an instant is stored in UTC with milliseconds, wherever it comes from', async () => {
  const [written, stored] = ['2030-01-01T00:00:00.123456+02:00', '2029-12-31T22:00:00.123Z'];
  const data = changed('orders', orderId(18), { created_at: written });
  const own = { ...scenario, data: { orders: [{ id: orderId(18), created_at: written }] } };
  const { admin } = controlled({ scenarios: [own] });
  const createdAt = async (sandbox: string) =>
    (await admin('GET', `/sandboxes/${sandbox}/orders/${orderId(18)}`)).body.created_at;
  await admin('POST', '/sandboxes', { name: 'mine', fixtures: data, clock: written });
  expect(await createdAt('mine')).toBe(stored);
  expect((await admin('GET', '/sandboxes/mine/clock')).body.now).toBe(stored);

  const state = (await admin('GET', '/sandboxes/stage/state')).body;
  const imported = { ...state, exported_at: written, data: { ...state.data, ...data } };
  expect((await admin('PUT', '/sandboxes/stage/state', imported)).status).toBe(200);
  expect(await createdAt('stage')).toBe(stored);
  await admin('POST', '/sandboxes/stage/reset');
  const added = await admin('POST', '/sandboxes/stage/orders', { ...order, id: undefined, created_at: written });
  expect([added.status, added.body.created_at]).toEqual([201, stored]);
  const patched = await admin('PATCH', `/sandboxes/stage/orders/${added.body.id}`, { updated_at: written });
  expect([patched.status, patched.body.updated_at]).toEqual([200, stored]);
  await admin('POST', '/sandboxes/stage/scenarios/mine');
  expect(await createdAt('stage')).toBe(stored);

  const listed = await admin('GET', `/sandboxes/stage/requests?since=${encodeURIComponent(written)}`);
  expect([listed.status, listed.body.requests]).toEqual([200, []]);
  const verified = await admin('POST', '/sandboxes/stage/requests/verify', { match: {}, count: 0, since: written });
  expect(verified.body.satisfied).toBe(true);
  expect((await admin('PATCH', '/sandboxes/stage/clock', { now: written })).body.now).toBe(stored);
});

test('a stored sandbox with invalid records opens, and shows its records as they are', () => {
  const state = freshState();
  for (const { collection, id, set } of invalid)
    state.transaction(() => state.table(collection).replace({ ...recordOf(collection, id), ...set } as never));
  const opened = stateOf(storedDocument(state), state.seed, unboundedRecords);
  expect(storedDocument(opened)).toEqual(storedDocument(state));
  expect(opened.table('pags').get(pagId(2))?.duration).toBeNull();
});

describe('at the maximum size of a collection', () => {
  test('an order is answered with 500 and nothing is stored, until a reset', async () => {
    const { sachet, admin } = controlled({ maxRecords: fixtures.orders.length + 1 });
    const client = await sachet.login();
    expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
    const { version } = await sachet.sandbox();
    const { status, body, headers } = await client.post('/v2/orders', someOrder());
    const message = 'An internal server error occurred';
    expect([status, body.message, headers.get('sandbox-rule')]).toEqual([500, message, 'max_records']);
    expect((await sachet.sandbox()).version).toBe(version);
    expect((await client.get('/v2/orders')).status).toBe(200);
    await admin('POST', '/sandboxes/stage/reset');
    expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
  });

  test('no order is stored without its consumer', async () => {
    const few = { ...fixtures, orders: [], fulfillments: [] };
    const maxRecords = Math.max(...Object.values(few).map((rows) => (Array.isArray(rows) ? rows.length : 0)));
    const room = maxRecords - few.consumers.length;
    const { sachet } = controlled({ fixtures: few, maxRecords });
    const client = await sachet.login();
    const statuses: number[] = [];
    for (let n = 0; n <= room; n += 1) {
      const consumer = { ...newConsumer, email: `ada-${n}@example.com` };
      statuses.push((await client.post('/v2/orders', someOrder({ consumer }))).status);
    }
    expect(statuses).toEqual([...Array<number>(room).fill(201), 500]);
    const { state } = await sachet.sandbox();
    expect([state.table('consumers').size, state.table('orders').size]).toEqual([maxRecords, room]);
  });

  test('a scenario that adds more is not applied', async () => {
    const server = controlled({ maxRecords: fixtures.fulfillments.length + 1 });
    const { versions } = await everything(server);
    expect((await server.admin('POST', '/sandboxes/stage/scenarios/paging-under-change')).status).toBe(422);
    expect((await server.admin('POST', '/sandboxes', { scenario: 'paging-under-change' })).status).toBe(422);
    expect((await everything(server)).versions).toEqual(versions);
  });
});
