// A record that the contract rules out is refused, with its place and the reason, wherever records come from: fixture files, state
// documents, writes of single records, and scenarios. Instants are taken in any ISO 8601 form.
import { describe, expect, test } from 'vitest';
import type { StateDocument } from '../../../src/contract/control/state.ts';
import type { CollectionName } from '../../../src/contract/records.ts';
import { scenarioFaults } from '../../../src/sandbox/scenarios.ts';
import { stateOf } from '../../../src/state/persistence.ts';
import { unboundedRecords } from '../../../src/state/state.ts';
import { controlled } from '../../support/control.ts';
import { freshState, shown } from '../../support/drafts.ts';
import { faultsOf } from '../../support/fixture-files.ts';
import { brandOfDemo } from '../../support/fulfillment-rows.ts';
import { consumerId, fulfillmentId, orderId, products } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';

type Loose = Record<string, unknown> & { readonly id: string };
const recordOf = (collection: CollectionName, id: string): Loose => {
  const found = fixtures[collection].find((record) => record.id === id);
  return structuredClone(found) as unknown as Loose;
};

const pagId = (n: number): string => `30000000-0000-4000-8000-00000000000${n}`;
const order = recordOf('orders', orderId(18));
/** The order with this as its only pouch. */
const withPouch = (pouch: object) => {
  const [line] = order.order_lines as object[];
  return { order_lines: [{ ...line, pouches: [pouch] }] };
};
const pouch = 'order_lines[0].pouches[0]';

interface Case {
  readonly collection: CollectionName;
  readonly id: string;
  /** What a merge patch of the record sets. */
  readonly set: object;
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

const statuses = 'one of "Active", "In Review", "Inactive"';
const cases: Readonly<Record<string, Case>> = {
  'a PAG status that is misspelled': {
    collection: 'pags',
    id: pagId(2),
    set: { status: 'Activ' },
    field: 'status',
    found: '"Activ"',
    expected: `${statuses}. Did you mean "Active"?`,
  },
  'a PAG status in lower case': {
    collection: 'pags',
    id: pagId(2),
    set: { status: 'active' },
    field: 'status',
    found: '"active"',
    expected: `${statuses}. Did you mean "Active"?`,
  },
  'a PAG status that resembles none': {
    collection: 'pags',
    id: pagId(2),
    set: { status: 'Archived by 2029' },
    field: 'status',
    found: '"Archived by 2029"',
    expected: statuses,
  },
  'a second default PAG of a brand': {
    collection: 'pags',
    id: pagId(2),
    set: { duration: null },
    field: 'duration',
    found: 'null',
    expected: `a number: the brand's default PAG (duration null) is "${pagId(1)}"`,
  },
  'a content of a foreign product': {
    collection: 'orders',
    id: order.id,
    set: withPouch({ contents: [{ client_product_id: products.foreign }] }),
    field: `${pouch}.contents[0].client_product_id`,
    found: JSON.stringify(products.foreign),
    expected: 'a product of the same brand',
  },
  'a pouch with pack_id and contents': {
    collection: 'orders',
    id: order.id,
    set: withPouch({ contents: [{ client_product_id: products.foreign }], pack_id: 1 }),
    field: pouch,
    found: `{"contents":[{"client_product_id":"${products.foreign}"}],"p…`,
    expected: 'either pack_id or contents, never both',
  },
  'a pouch with empty contents': {
    collection: 'orders',
    id: order.id,
    set: withPouch({ contents: [] }),
    field: `${pouch}.contents`,
    found: '[]',
    expected: 'a list with at least 1 item',
  },
  'a pouch with neither': {
    collection: 'orders',
    id: order.id,
    set: withPouch({ time_of_administration: 'Morning' }),
    field: pouch,
    found: '{"time_of_administration":"Morning"}',
    expected: 'either pack_id or contents, never both',
  },
  "a package for another consumer than its order's": {
    collection: 'fulfillments',
    id: fulfillmentId(1),
    set: { consumer_id: consumerId(2) },
    field: 'consumer_id',
    found: `"${consumerId(2)}"`,
    expected: `the consumer of its order, "${consumerId(1)}"`,
  },
  'a delivery before the pickup': {
    collection: 'fulfillments',
    id: fulfillmentId(1),
    set: { delivery_date: '2026-08-06T19:42:53.976Z' },
    field: 'delivery_date',
    found: '"2026-08-06T19:42:53.976Z"',
    expected: 'a time that is not before pickup_date',
  },
  'an e-mail address that is none': {
    collection: 'consumers',
    id: consumerId(1),
    set: { email: 'amelia at example.com' },
    field: 'email',
    found: '"amelia at example.com"',
    expected: 'a valid e-mail address, or null',
  },
  'an instant after the year 9999': {
    collection: 'orders',
    id: order.id,
    set: { updated_at: '9999-12-31T23:59:59-01:00' },
    field: 'updated_at',
    found: '"9999-12-31T23:59:59-01:00"',
    expected: 'an instant from the year 0 to 9999, in UTC',
  },
};

const list = Object.entries(cases);
const placeOf = ({ collection, id }: Case): string =>
  `${collection}[${fixtures[collection].findIndex((record) => record.id === id)}]`;
const changed = ({ collection, id, set }: Case) => ({
  [collection]: fixtures[collection].map((record) => (record.id === id ? { ...record, ...set } : record)),
});

const mine = { name: 'mine', intent: 'A test.', right_client: 'Goes on.' };

describe('refused with its place and the reason', () => {
  test.each(list)('%s in a fixture file', (_, fault) => {
    const { field, found, expected } = fault;
    const files = [{ name: 'mine.json', content: { ...fixtures, ...changed(fault) } }];
    expect(faultsOf(files)).toEqual([{ file: 'mine.json', path: `$.${placeOf(fault)}.${field}`, found, expected }]);
  });

  test.each(list)('%s in an import', async (_, fault) => {
    const { admin } = controlled();
    const document = (await admin('GET', '/sandboxes/stage/state')).body as StateDocument;
    const data = { ...document.data, ...changed(fault) };
    const { status, body } = await admin('PUT', '/sandboxes/stage/state', { ...document, data });
    const field = `data.${placeOf(fault)}.${fault.field}`;
    const message = `found ${fault.found}, expected ${fault.expected}`;
    expect([status, body.details]).toEqual([422, [{ field, message }]]);
    expect((await admin('GET', '/sandboxes/stage/state')).body).toEqual(document);
  });

  test.each(list)('%s in a record that is patched, or added', async (_, fault) => {
    const { admin } = controlled();
    const { collection, id, set, field } = fault;
    const details = [{ field, message: `found ${fault.found}, expected ${fault.expected}` }];
    const patched = await admin('PATCH', `/sandboxes/stage/${collection}/${id}`, set);
    expect([patched.status, patched.body.details]).toEqual([422, details]);
    const record = { ...recordOf(collection, id), ...set, id: undefined };
    const added = await admin('POST', `/sandboxes/stage/${collection}`, record);
    expect([added.status, added.body.details]).toEqual([422, details]);
  });

  test.each(list)('%s in a scenario', (_, { collection, id, set, field, found, expected }) => {
    const data = { [collection]: [{ id, ...set }] };
    expect(scenarioFaults([{ ...mine, data }], { fixtures })).toEqual([
      { file: 'mine.json', path: `$.data.${collection}[0].${field}`, found, expected },
    ]);
  });
});

describe('a change that would leave another record in such a shape is refused', () => {
  const patched = async (path: string, patch: object) => {
    const { admin } = controlled();
    const { status, body } = await admin('PATCH', `/sandboxes/stage/${path}`, patch);
    return [status, body.details?.[0].field, body.message];
  };

  test('another consumer of an order with packages', async () => {
    const message =
      `consumer_id: found "${consumerId(2)}", expected one that keeps fulfillments "${fulfillmentId(1)}" valid: its ` +
      `consumer_id must be the consumer of its order, "${consumerId(2)}"`;
    const answer = await patched(`orders/${orderId(1)}`, { consumer_id: consumerId(2) });
    expect(answer).toEqual([422, 'consumer_id', message]);
  });

  test('another brand of a product that is ordered', async () => {
    const answer = await patched(`products/${products.good}`, { brand_id: '11000000-0000-4000-8000-000000000002' });
    expect(answer).toEqual([422, 'brand_id', expect.stringContaining('must be a product of the same brand')]);
  });
});

test('a scenario may exchange the default PAG of a brand, and an order with its package may change the consumer', () => {
  const data = {
    pags: [
      { id: pagId(1), duration: 31 },
      { id: pagId(2), duration: null },
    ],
    orders: [{ id: orderId(1), consumer_id: consumerId(2) }],
    fulfillments: fixtures.fulfillments
      .filter(({ order_id }) => order_id === orderId(1))
      .map(({ id }) => ({ id, consumer_id: consumerId(2) })),
  };
  expect(scenarioFaults([{ ...mine, data }], { fixtures })).toEqual([]);
});

test('two new default PAGs of a brand, each without the other, are refused', () => {
  const pag = { brand_id: brandOfDemo, name: 'New', status: 'Active', duration: null };
  const data = { pags: [{ id: pagId(1), duration: 31 }, ...[8, 9].map((n) => ({ ...pag, id: pagId(n) }))] };
  const faults = scenarioFaults([{ ...mine, data }], { fixtures });
  expect(faults.map(({ path }) => path)).toEqual(['$.data.pags[1].duration', '$.data.pags[2].duration']);
});

describe('an instant with other decimals, or an offset, is normalized to UTC with milliseconds', () => {
  const spellings = [
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T00:00:00+02:00', '2029-12-31T22:00:00.000Z'],
    ['2030-01-01T00:00:00.123456Z', '2030-01-01T00:00:00.123Z'],
    ['2030-01-01T00:00:00.5-03:30', '2030-01-01T03:30:00.500Z'],
  ] as const;

  test.each(spellings)('%s in fixtures and in an import', async (spelled, created_at) => {
    const data = changed({ ...(cases['a pouch with neither'] as Case), set: { created_at: spelled } });
    const { admin, sachet } = controlled();
    await admin('POST', '/sandboxes', { name: 'mine', fixtures: data });
    expect((await admin('GET', `/sandboxes/mine/orders/${order.id}`)).body).toEqual({ ...order, created_at });
    const document = (await admin('GET', '/sandboxes/stage/state')).body;
    const imported = { ...document, exported_at: spelled, data: { ...document.data, ...data } };
    expect((await admin('PUT', '/sandboxes/stage/state', imported)).status).toBe(200);
    const kept = await sachet.control.sandbox('stage').records.orders.get(order.id);
    expect(kept).toEqual({ ...order, created_at });
  });

  test.each(spellings)('%s in a record that is added or patched, and in a scenario', async (spelled, created_at) => {
    const data = { orders: [{ id: order.id, created_at: spelled }] };
    const scenario = { name: 'mine', intent: 'To see.', right_client: 'Looks.', data };
    const { admin } = controlled({ scenarios: [scenario] });
    const path = '/sandboxes/stage/orders';
    const added = await admin('POST', path, { ...order, id: undefined, created_at: spelled });
    expect([added.status, added.body.created_at]).toEqual([201, created_at]);
    const patched = await admin('PATCH', `${path}/${added.body.id}`, { updated_at: spelled });
    expect([patched.status, patched.body.updated_at]).toEqual([200, created_at]);
    await admin('POST', '/sandboxes/stage/scenarios/mine');
    expect((await admin('GET', `${path}/${order.id}`)).body.created_at).toBe(created_at);
  });

  test.each(spellings)('%s as the clock and as `since`', async (spelled, now) => {
    const { admin } = controlled();
    expect((await admin('PATCH', '/sandboxes/stage/clock', { now: spelled, frozen: true })).body.now).toBe(now);
    expect((await admin('POST', '/sandboxes', { name: 'mine', clock: spelled })).status).toBe(201);
    expect((await admin('GET', '/sandboxes/mine/clock')).body.now).toBe(now);
    const listed = await admin('GET', `/sandboxes/stage/requests?since=${encodeURIComponent(spelled)}`);
    expect([listed.status, listed.body.requests]).toEqual([200, []]);
    const verified = await admin('POST', '/sandboxes/stage/requests/verify', { match: {}, count: 0, since: spelled });
    expect(verified.body.satisfied).toBe(true);
  });
});

test('a stored sandbox with such records still opens, and its records are read as they are', () => {
  const state = freshState();
  for (const { collection, id, set } of Object.values(cases))
    state.transaction(() => state.table(collection).replace({ ...recordOf(collection, id), ...set } as never));
  const opened = stateOf(shown(state), state.seed, unboundedRecords);
  expect(shown(opened)).toEqual(shown(state));
  expect(opened.table('pags').get(pagId(2))?.duration).toBeNull();
});
