// Records under control: every collection is listed, read, added to, patched and deleted from, and what would be invalid is rejected whole.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cursorAfter, sequenceCursor } from '../../src/contract/control/paging.ts';
import { type CollectionName, collectionNames, type RecordOf, singleNames } from '../../src/contract/records.ts';
import {
  consumerName,
  getRecord,
  getSingle,
  insertRecord,
  listRecords,
  type NewestQuery,
  newestRecords,
  patchRecord,
  patchSingle,
  removeRecord,
} from '../../src/sandbox/records.ts';
import {
  brandOfDemo,
  consumerId,
  type Fulfillment,
  fulfillmentId,
  fulfillmentRow,
  orderId,
  orderWithout,
  otherBrand,
  productId,
  products,
  unknownId,
} from '../support/order-requests.ts';
import { fixtures, noon } from '../support/sachet.ts';
import { TestState, writeContext } from '../support/test-state.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const pouches = [{ contents: [{ client_product_id: products.good }] }];
const order = {
  brand_id: brandOfDemo,
  consumer_id: consumerId(1),
  status: 'Pending',
  shipping_address: { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' },
  order_lines: [{ pouches }],
};

type Fields = Record<string, unknown>;
const insert = (state: TestState, name: CollectionName, fields: object) =>
  state.write((draft) => insertRecord(draft, name, fields as Fields, writeContext));
const patch = <Name extends CollectionName>(
  state: TestState,
  name: Name,
  id: string,
  fields: object,
  at = writeContext,
) => state.write((draft) => patchRecord(draft, name, id, fields as Fields, at));
const list = <Name extends CollectionName>(state: TestState, name: Name, query: object = {}) =>
  state.write((draft) => listRecords(draft, name, query));
const rejectedInsert = (name: CollectionName, fields: object) =>
  new TestState().expectRefusal((draft) => insertRecord(draft, name, fields as Fields, writeContext));
const rejectedPatch = (name: CollectionName, id: string, fields: object) =>
  new TestState().expectRefusal((draft) => patchRecord(draft, name, id, fields as Fields, writeContext));

test.each(collectionNames)('%s are listed, added, patched and deleted', (name) => {
  const state = new TestState();
  expect(list(state, name)).toEqual({ records: fixtures[name] });
  const [{ id, ...fields }] = fixtures[name] as unknown as [RecordOf<CollectionName>];
  const unique = { users: { username: 'new' }, pags: { duration: 45 } } as Partial<Record<CollectionName, object>>;
  const added = { ...fields, ...unique[name] };
  const record = insert(state, name, added);
  expect(record).toEqual({ ...added, id: expect.stringMatching(uuid) });
  expect(list(state, name).records).toEqual([...fixtures[name], record]);
  const updated = 'updated_at' in record ? { updated_at: noon } : {};
  expect(patch(state, name, record.id, {})).toEqual({ ...record, ...updated });
  state.write((draft) => removeRecord(draft, name, record.id, writeContext));
  expect(list(state, name).records).toEqual(fixtures[name]);

  const missing = { status: 404, message: `There is no record in ${name} with the id "${unknownId}"` };
  for (const act of [getRecord, removeRecord])
    expect(state.expectRefusal((draft) => act(draft, name, unknownId, writeContext))).toMatchObject(missing);
  expect(rejectedPatch(name, unknownId, {})).toMatchObject(missing);
  expect(rejectedInsert(name, { ...fields, id })).toMatchObject({ status: 409, details: [{ field: 'id' }] });
  const { status, details } = rejectedInsert(name, { id: 5, colour: 'red' });
  expect(status).toBe(422);
  expect(details).toContainEqual({ field: 'id', message: 'found 5, expected a string' });
  const unknownKey = expect.stringMatching(/^found the unknown key "colour", expected one of id, /);
  expect(details).toContainEqual({ field: '', message: unknownKey });
});

test('a list has pages, over removed records, to its end', () => {
  const state = new TestState();
  state.write((draft) => removeRecord(draft, 'fulfillments', fulfillmentId(3), writeContext));
  const ids = fixtures.fulfillments.map(({ id }) => id).filter((id) => id !== fulfillmentId(3));
  const first = list(state, 'fulfillments', { limit: 3 });
  expect(first.records.map(({ id }) => id)).toEqual(ids.slice(0, 3));
  expect(sequenceCursor.parse(first.next_cursor)).toBe(3);
  expect(list(state, 'fulfillments', { cursor: 3 }).records.map(({ id }) => id)).toEqual(ids.slice(3, 23));
  const exact = list(state, 'fulfillments', { limit: ids.length });
  expect([exact.records.length, exact.next_cursor]).toEqual([ids.length, undefined]);
  for (const text of [cursorAfter('NaN'), cursorAfter(-1), cursorAfter(1.5), cursorAfter('Infinity'), 'x', ''])
    expect(sequenceCursor.safeParse(text).success, text).toBe(false);
});

describe('a new record', () => {
  test('needs neither ids nor times, which follow from the seed; a field that is left out may be null', () => {
    const [state, taken] = [new TestState(), new TestState()];
    const added = insert(state, 'orders', order);
    const line = { id: expect.stringMatching(uuid), pouches };
    expect(added).toEqual({ ...order, id: added.id, order_lines: [line], created_at: noon, updated_at: noon });
    expect(insert(state, 'orders', order).id).not.toBe(added.id);
    expect(insert(new TestState(), 'orders', order)).toEqual(added);
    insert(taken, 'orders', { ...order, id: added.id });
    expect(insert(taken, 'orders', order).id).not.toBe(added.id);
    const consumer = insert(state, 'consumers', { brand_id: brandOfDemo });
    const empty = { first_name: null, last_name: null, email: null, phone_number: null };
    expect(consumer).toEqual({ id: consumer.id, brand_id: brandOfDemo, ...empty });
  });

  test('is found by a GUID in either case, by a name in its own', () => {
    const state = new TestState();
    const id = 'ABCDEF00-0000-4000-8000-000000000001';
    insert(state, 'consumers', { id, brand_id: brandOfDemo.toUpperCase() });
    insert(state, 'packs', { id: 'ABC', brand_id: brandOfDemo, name: 'Morning' });
    expect(state.write((draft) => getRecord(draft, 'consumers', id)).id).toBe(id.toLowerCase());
    expect(state.write((draft) => getRecord(draft, 'packs', 'ABC')).id).toBe('ABC');
    expect(state.expectRefusal((draft) => getRecord(draft, 'packs', 'abc')).status).toBe(404);
  });
});

describe('a patch', () => {
  test('merges, keeps the place in the list, and gives new lines their ids', () => {
    const state = new TestState();
    const { shipping_address } = patch(state, 'orders', orderId(2), {
      shipping_address: { city: 'Bern', postal_code: null },
    });
    const { postal_code: _, ...rest } = fixtures.orders[1]?.shipping_address ?? { city: '' };
    expect(shipping_address).toEqual({ ...rest, city: 'Bern' });
    expect(patch(state, 'consumers', consumerId(1), { email: null }).email).toBeNull();
    const { order_lines } = patch(state, 'orders', orderWithout, { order_lines: [{ pouches }] });
    expect(order_lines).toEqual([{ id: expect.stringMatching(uuid), pouches }]);
    expect(list(state, 'orders').records.map(({ id }) => id)).toEqual(fixtures.orders.map(({ id }) => id));
  });

  test('sets updated_at to now, unless it contains it', () => {
    const later = { ...writeContext, now: writeContext.now + 60_000 };
    const updatedAt = (fields: object) => patch(new TestState(), 'orders', orderId(1), fields, later).updated_at;
    expect(updatedAt({ status: 'Accepted' })).toBe('2026-11-20T12:01:00.000Z');
    expect(updatedAt({ updated_at: '2026-01-01T00:00:00.000Z' })).toBe('2026-01-01T00:00:00.000Z');
  });

  test('may contain the id, and not change it', () => {
    patch(new TestState(), 'orders', orderId(1), { id: orderId(1).toUpperCase(), status: 'Canceled' });
    const rejected = rejectedPatch('orders', orderId(1), { id: unknownId });
    expect(rejected).toMatchObject({ status: 422, details: [{ field: 'id' }] });
    const message = 'found nothing, expected a string';
    expect(rejectedPatch('orders', orderId(1), { id: null }).details).toContainEqual({ field: 'id', message });
  });
});

test('a username is unique', () => {
  const [demo, user] = fixtures.users;
  const taken = { status: 409, message: 'Another user has the username "demo"; choose another one' };
  expect(rejectedInsert('users', { ...user, id: unknownId, username: 'demo' })).toMatchObject(taken);
  expect(rejectedPatch('users', user?.id ?? '', { username: 'demo' })).toMatchObject(taken);
  patch(new TestState(), 'users', demo?.id ?? '', { username: 'demo', active: false });
});

describe('a reference', () => {
  test('of a patched record must exist, and a record must stay valid for those that refer to it', () => {
    expect(rejectedPatch('products', productId(1), { operator_product_id: unknownId })).toMatchObject({
      status: 422,
      message: `operator_product_id: found "${unknownId}", expected the id of a record in operator_products`,
    });
    const lines = rejectedPatch('orders', fixtures.fulfillments[0]?.order_id ?? '', { order_lines: [{ pouches }] });
    const lost = /keeps fulfillments "60.* valid: its order_lines\[\d\]\.id must be a line/;
    expect(lines.details).toEqual([{ field: 'order_lines', message: expect.stringMatching(lost) }]);
    const state = new TestState();
    const { id } = insert(state, 'consumers', { brand_id: brandOfDemo });
    patch(state, 'consumers', id, { brand_id: otherBrand });
  });

  test('keeps the record from being deleted', () => {
    for (const [name, id, referrer] of [
      ['brands', brandOfDemo, 'record "12.*" of users'],
      ['products', productId(1), 'record "50.*" of orders'],
      ['orders', orderId(1), 'record "60.*" of fulfillments'],
    ] as const) {
      const { status, message } = new TestState().expectRefusal((draft) => removeRecord(draft, name, id, writeContext));
      const start = `The record "${id}" of ${name} cannot be deleted: the`;
      const end = 'refers to it in [\\w.[\\]]+; change or delete that record first';
      expect([status, message]).toEqual([422, expect.stringMatching(`^${start} ${referrer} ${end}$`)]);
    }
  });
});

describe('operator, timeline and administration times', () => {
  const patchOne = (state: TestState, name: (typeof singleNames)[number], fields: object) =>
    state.write((draft) => patchSingle(draft, name, fields as Fields));

  test('are those of the fixtures, and are merge-patched', () => {
    const state = new TestState();
    for (const name of singleNames) expect(state.write((draft) => getSingle(draft, name))).toEqual(fixtures[name]);
    const timeline = { ...fixtures.timeline, accepted: { ...fixtures.timeline.accepted, delay_seconds: 5 } };
    expect(patchOne(state, 'timeline', { accepted: { delay_seconds: 5 } })).toEqual(timeline);
    expect(patchOne(state, 'operator', { name: 'Else' })).toEqual({ name: 'Else' });
    expect(state.state.value('timeline')).toEqual(timeline);
    // Equal times are one object in every sandbox, so that they share their schemas.
    const values = Array.from({ length: 100 }, (_, at) => `Time ${at}`);
    const times = patchOne(state, 'administration_times', { values });
    expect(times).toEqual({ values });
    expect(patchOne(new TestState(), 'administration_times', { values: [...values] })).toBe(times);
  });

  test('are rejected at the wrong field', () => {
    for (const [name, fields, field, message] of [
      ['operator', { name: null }, 'name', 'found nothing, expected a string'],
      ['administration_times', { values: ['x'.repeat(61)] }, 'values[0]', 'expected a text of at most 60 characters'],
      ['administration_times', { values: Array(101).fill('x') }, 'values', 'expected a list with at most 100 items'],
      ['timeline', { shipped: { delay_seconds: -1 } }, 'shipped.delay_seconds', 'expected a number of at least 0'],
    ] as const) {
      const { status, details } = new TestState().expectRefusal((draft) => patchSingle(draft, name, fields as Fields));
      expect(status).toBe(422);
      expect(details).toContainEqual({ field, message: expect.stringContaining(message) });
    }
  });
});

test('a consumer has a name, else an e-mail address, else an id', () => {
  const none = { first_name: null, last_name: null, email: null };
  for (const [fields, name] of [
    [{ first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace'],
    [{ last_name: 'Lovelace', email: 'ada@example.com' }, 'Lovelace'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    [{}, consumerId(1)],
  ] as const) {
    const state = new TestState();
    patch(state, 'consumers', consumerId(1), { ...none, ...fields });
    expect(state.write((draft) => consumerName(draft, consumerId(1)))).toBe(name);
  }
});

describe('the newest records', () => {
  /** A sandbox with so many fulfillments, every third of another brand. */
  function stateOf(count: number): TestState {
    const state = new TestState();
    state.write((draft) => {
      const table = draft.table('fulfillments');
      for (const [, { id }] of [...table.entries()]) table.remove(id);
      for (let n = 0; n < count; n += 1)
        table.insert(fulfillmentRow(n, { brand_id: n % 3 === 0 ? otherBrand : brandOfDemo }));
    });
    return state;
  }
  const isOther = ({ brand_id }: Fulfillment): boolean => brand_id === otherBrand;
  const numberOf = ({ id }: Fulfillment): number => Number(id.slice(-12));
  const pageOf = (state: TestState, query: NewestQuery<Fulfillment>) => {
    const { records, ...rest } = state.write((draft) => newestRecords(draft, 'fulfillments', query));
    return { numbers: records.map(numberOf), ...rest };
  };
  function pagesOf(state: TestState, query: Omit<NewestQuery<Fulfillment>, 'before'>) {
    const pages = [pageOf(state, query)];
    for (let before = pages[0]?.before; before !== undefined; before = pages.at(-1)?.before) {
      expect(pages.length).toBeLessThan(500);
      pages.push(pageOf(state, { ...query, before }));
    }
    return pages;
  }

  test('that are added or removed move no older one; those of a kind are searched up to a maximum', () => {
    const state = stateOf(10);
    const first = pageOf(state, { limit: 4 });
    const wanted = { limit: 9, maxExamined: 5, isWanted: isOther };
    const ofKind = pageOf(state, wanted);
    expect(ofKind).toMatchObject({ numbers: [9, 6], isCut: true });
    expect(pageOf(state, { ...wanted, before: ofKind.before })).toEqual({ numbers: [3, 0], isCut: false });
    state.write((draft) => {
      draft.table('fulfillments').insert(fulfillmentRow(10));
      for (const n of [6, 5]) draft.table('fulfillments').remove(fulfillmentRow(n).id);
    });
    expect(first.numbers).toEqual([9, 8, 7, 6]);
    expect(pageOf(state, { limit: 4, before: first.before }).numbers).toEqual([4, 3, 2, 1]);
    expect(pageOf(state, { limit: 2 }).numbers).toEqual([10, 9]);
    // A full last page leads to no empty one.
    const pages = pagesOf(stateOf(12), { limit: 2, isWanted: (record) => numberOf(record) % 3 === 2 });
    expect(pages.map(({ numbers }) => numbers.join())).toEqual(['11,8', '5,2']);
  });

  test('each come once, newest first, whatever the page and the maximum', () => {
    const numbers = [fc.nat(40), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 })] as const;
    const property = fc.property(...numbers, fc.boolean(), (count, limit, maxExamined, isFiltered) => {
      const pages = pagesOf(stateOf(count), { limit, maxExamined, ...(isFiltered && { isWanted: isOther }) });
      const all = Array.from({ length: count }, (_, n) => count - 1 - n);
      expect(pages.flatMap((page) => page.numbers)).toEqual(all.filter((n) => !isFiltered || n % 3 === 0));
      for (const page of pages) expect(page.numbers.length).toBeLessThanOrEqual(Math.min(limit, maxExamined));
    });
    fc.assert(property, { numRuns: 40 });
  });
});
