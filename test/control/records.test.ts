// Records under control: every collection is listed, read, added to, patched and removed from, and what would not hold is refused whole.
import { describe, expect, test } from 'vitest';
import { cursorAfter, sequenceCursor } from '../../src/contract/control/paging.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../../src/contract/records.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import { getRecord, insertRecord, listRecords, patchRecord, removeRecord } from '../../src/sandbox/records.ts';
import { freshState, TestState, writing } from '../support/drafts.ts';
import { brandOfDemo, fulfillmentRow, orderWithout, otherBrand } from '../support/fulfillment-rows.ts';
import { consumerId, fulfillmentId, orderId, productId, products, unknownId } from '../support/order-requests.ts';
import { fixtures, noon } from '../support/sachet.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const later = { ...writing, now: writing.now + 60_000 };
const address = { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' };
const pouches = [{ contents: [{ client_product_id: products.good }] }];
const order = {
  brand_id: brandOfDemo,
  consumer_id: consumerId(1),
  status: 'Pending',
  shipping_address: address,
  order_lines: [{ pouches }],
};

const insert = (state: TestState, name: CollectionName, given: object) =>
  state.write((draft) => insertRecord(draft, name, given as Record<string, unknown>, writing));
const refusedInsert = (name: CollectionName, given: object) =>
  new TestState().refused((draft) => insertRecord(draft, name, given as Record<string, unknown>, writing));
const refusedPatch = (name: CollectionName, id: string, patch: object) =>
  new TestState().refused((draft) => patchRecord(draft, name, id, patch as Record<string, unknown>, writing));
const read = <Name extends CollectionName>(state: TestState, name: Name, id: string): RecordOf<Name> =>
  state.write((draft) => getRecord(draft, name, id));

describe.each(collectionNames)('%s', (name) => {
  test('are listed whole, oldest first', () => {
    const { records, next_cursor } = new TestState().write((draft) => listRecords(draft, name));
    expect(records).toEqual(fixtures[name]);
    expect(next_cursor).toBeUndefined();
  });

  test('a record is added again under another id, patched by nothing and removed', () => {
    const state = new TestState();
    const [{ id: _, ...given }] = fixtures[name] as unknown as [RecordOf<CollectionName>];
    const unique = { users: { username: 'new' }, pags: { duration: 45 } } as Partial<Record<CollectionName, object>>;
    const named = { ...given, ...unique[name] };
    const made = insert(state, name, named);
    expect(made.id).toMatch(uuid);
    expect(made).toEqual({ ...named, id: made.id });
    expect(listRecords(stateDraft(state), name).records.at(-1)).toEqual(made);
    const stamp = 'updated_at' in made ? { updated_at: noon } : {};
    expect(state.write((draft) => patchRecord(draft, name, made.id, {}, writing))).toEqual({ ...made, ...stamp });
    state.write((draft) => removeRecord(draft, name, made.id, writing));
    expect(listRecords(stateDraft(state), name).records).toEqual(fixtures[name]);
  });

  test('an id that no record has is not there', () => {
    for (const act of [getRecord, removeRecord])
      expect(new TestState().refused((draft) => act(draft, name, unknownId, writing))).toMatchObject({
        status: 404,
        message: `There is no record in ${name} with the id "${unknownId}"`,
      });
    expect(refusedPatch(name, unknownId, {}).status).toBe(404);
  });

  test('a record that is no record of theirs is refused with every field', () => {
    const { status, details } = refusedInsert(name, { id: 5, colour: 'red' });
    expect(status).toBe(422);
    expect(details).toContainEqual({ field: 'id', message: 'found 5, expected a string' });
    expect(details).toContainEqual({
      field: '',
      message: expect.stringMatching(/^found the unknown key "colour", expected one of id, /),
    });
  });

  test('an id that is taken is refused', () => {
    const [first] = fixtures[name];
    expect(refusedInsert(name, first ?? {})).toMatchObject({ status: 409, details: [{ field: 'id' }] });
  });
});

const stateDraft = (state: TestState) => state.write((draft) => draft);

describe('a list', () => {
  test('is paged by limit and cursor, over removed records, to its end', () => {
    const state = new TestState();
    state.write((draft) => removeRecord(draft, 'fulfillments', fulfillmentId(3), writing));
    const ids = fixtures.fulfillments.map(({ id }) => id).filter((id) => id !== fulfillmentId(3));
    const page = (query: object) => state.write((draft) => listRecords(draft, 'fulfillments', query));
    const first = page({ limit: 3 });
    expect(first.records.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.next_cursor).toMatch(/^\w+$/);
    expect(page({ cursor: 3 }).records.map(({ id }) => id)).toEqual(ids.slice(3, 23));
    const exact = page({ limit: ids.length });
    expect([exact.records.length, exact.next_cursor]).toEqual([ids.length, undefined]);
  });

  test('takes the cursors that it gave, and no others', () => {
    expect(sequenceCursor.parse(cursorAfter(3))).toBe(3);
    for (const text of [cursorAfter('NaN'), cursorAfter(-1), cursorAfter(1.5), cursorAfter('Infinity'), 'x', ''])
      expect(sequenceCursor.safeParse(text).success, text).toBe(false);
  });
});

describe('a new record', () => {
  test('of an order needs neither id nor times, and its lines need no ids', () => {
    const state = new TestState();
    const made = insert(state, 'orders', order);
    const line = { id: expect.stringMatching(uuid), pouches };
    expect(made).toEqual({ ...order, id: made.id, order_lines: [line], created_at: noon, updated_at: noon });
    const other = insert(state, 'orders', order);
    expect(other.id).not.toBe(made.id);
  });

  test('has ids by the seed: the same calls make the same record', () => {
    expect(insert(new TestState(), 'orders', order)).toEqual(insert(new TestState(), 'orders', order));
  });

  test('is not given an id that a record has', () => {
    const { id } = insert(new TestState(), 'orders', order);
    const state = new TestState();
    insert(state, 'orders', { ...order, id });
    expect(insert(state, 'orders', order).id).not.toBe(id);
  });

  test('has null where it may be and was left out', () => {
    const made = insert(new TestState(), 'consumers', { brand_id: brandOfDemo });
    const empty = { first_name: null, last_name: null, email: null, phone_number: null };
    expect(made).toEqual({ id: made.id, brand_id: brandOfDemo, ...empty });
  });

  test('is found by its ids in either case; a name keeps its own', () => {
    const state = new TestState();
    const id = 'ABCDEF00-0000-4000-8000-000000000001';
    insert(state, 'consumers', { id, brand_id: brandOfDemo.toUpperCase() });
    insert(state, 'packs', { id: 'ABC', brand_id: brandOfDemo, name: 'Morning' });
    expect(read(state, 'consumers', id).id).toBe(id.toLowerCase());
    expect(read(state, 'packs', 'ABC').id).toBe('ABC');
    expect(state.refused((draft) => getRecord(draft, 'packs', 'abc')).status).toBe(404);
  });

  test('is one more than the sandbox may hold: the refusal of its table', () => {
    const state = new TestState(freshState('stage', writing.now, fixtures.orders.length));
    expect(() => insert(state, 'orders', order)).toThrow(Refusal);
  });
});

describe('a patch', () => {
  test('merges: fields change, null empties or takes away, lists are replaced', () => {
    const state = new TestState();
    const id = orderId(1);
    const patch = { shipping_address: { city: 'Bern', postal_code: null } };
    const { shipping_address } = state.write((draft) => patchRecord(draft, 'orders', id, patch, writing));
    const { postal_code: _, ...rest } = fixtures.orders[0]?.shipping_address ?? { city: '' };
    expect(shipping_address).toEqual({ ...rest, city: 'Bern' });
    const consumer = state.write((draft) => patchRecord(draft, 'consumers', consumerId(1), { email: null }, writing));
    expect(consumer.email).toBeNull();
  });

  test('moves updated_at to now, unless it names it', () => {
    const state = new TestState();
    const patched = (patch: object) =>
      state.write((draft) => patchRecord(draft, 'orders', orderId(1), { ...patch }, later)).updated_at;
    expect(patched({ status: 'Accepted' })).toBe('2026-11-20T12:01:00.000Z');
    expect(patched({ updated_at: '2026-01-01T00:00:00.000Z' })).toBe('2026-01-01T00:00:00.000Z');
  });

  test('gives new order lines their ids', () => {
    const state = new TestState();
    const { order_lines } = state.write((draft) =>
      patchRecord(draft, 'orders', orderWithout, { order_lines: [{ pouches }] }, writing),
    );
    expect(order_lines).toEqual([{ id: expect.stringMatching(uuid), pouches }]);
  });

  test('keeps the place in the list', () => {
    const state = new TestState();
    state.write((draft) => patchRecord(draft, 'orders', orderId(2), { status: 'Canceled' }, writing));
    const ids = listRecords(stateDraft(state), 'orders').records.map(({ id }) => id);
    expect(ids).toEqual(fixtures.orders.map(({ id }) => id));
  });

  test('may name its id, and may not change it', () => {
    const state = new TestState();
    const id = orderId(1);
    state.write((draft) => patchRecord(draft, 'orders', id, { id: id.toUpperCase(), status: 'Canceled' }, writing));
    expect(refusedPatch('orders', id, { id: unknownId })).toMatchObject({ status: 422, details: [{ field: 'id' }] });
    expect(refusedPatch('orders', id, { id: null }).details).toContainEqual({
      field: 'id',
      message: 'found nothing, expected a string',
    });
  });

  test('that leaves no whole record is refused with the field', () => {
    expect(refusedPatch('orders', orderId(1), { status: 'Shipped', order_lines: [] }).details).toEqual([
      { field: 'status', message: expect.stringMatching(/^found "Shipped", expected .*Pending/) },
      { field: 'order_lines', message: expect.stringMatching(/^found \[\], expected/) },
    ]);
  });
});

describe('a username stands once', () => {
  const [, user] = fixtures.users;
  const taken = { status: 409, message: 'Another user has the username "demo"; choose another one' };

  test('when a user is added', () => {
    expect(refusedInsert('users', { ...user, id: unknownId, username: 'demo' })).toMatchObject(taken);
  });

  test('when one is patched, and its own is its own', () => {
    expect(refusedPatch('users', user?.id ?? '', { username: 'demo' })).toMatchObject(taken);
    const [demo] = fixtures.users;
    const patch = { username: 'demo', active: false };
    new TestState().write((draft) => patchRecord(draft, 'users', demo?.id ?? '', patch, writing));
  });
});

describe('a reference holds', () => {
  const content = (id: string) => ({ order_lines: [{ pouches: [{ contents: [{ client_product_id: id }] }] }] });
  const foreign = fixtures.consumers.find(({ brand_id }) => brand_id === otherBrand)?.id;
  const shipped = { order_lines: [{ id: unknownId, name: 'A pack' }] };
  test.each<[CollectionName, object, string, string, string]>([
    ['brands', { account_id: unknownId, name: 'X' }, 'account_id', unknownId, 'the id of a record in accounts'],
    ['packs', { brand_id: unknownId, name: 'X' }, 'brand_id', unknownId, 'the id of a record in brands'],
    ['orders', { ...order, consumer_id: unknownId }, 'consumer_id', unknownId, 'the id of a record in consumers'],
    [
      'orders',
      { ...order, consumer_id: foreign },
      'consumer_id',
      foreign ?? '',
      'a record of consumers of the same brand',
    ],
    [
      'orders',
      { ...order, ...content(unknownId) },
      'order_lines[0].pouches[0].contents[0].client_product_id',
      unknownId,
      'the id of a record in products',
    ],
    [
      'fulfillments',
      fulfillmentRow(1, { status_id: 'x' }),
      'status_id',
      'x',
      'the id of a record in fulfillment_statuses',
    ],
    ['fulfillments', fulfillmentRow(1, shipped), 'order_lines[0].id', unknownId, 'a line of its order'],
  ])('in new %s %#', (name, given, field, found, expected) => {
    const message = `found "${found}", expected ${expected}`;
    expect(refusedInsert(name, given)).toMatchObject({ status: 422, details: [{ field, message }] });
  });

  test('in a patched record', () => {
    expect(refusedPatch('products', productId(1), { operator_product_id: unknownId })).toMatchObject({
      status: 422,
      message: `operator_product_id: found "${unknownId}", expected the id of a record in operator_products`,
    });
  });

  test('of those that name a record which goes over to another brand', () => {
    expect(refusedPatch('consumers', consumerId(1), { brand_id: otherBrand }).details).toEqual([
      {
        field: 'brand_id',
        message: expect.stringMatching(
          /^found "1100.*2", expected one that keeps orders "50.*" valid: its consumer_id must be a record of consumers of the same brand$/,
        ),
      },
    ]);
    const state = new TestState();
    const { id } = insert(state, 'consumers', { brand_id: brandOfDemo });
    state.write((draft) => patchRecord(draft, 'consumers', id, { brand_id: otherBrand }, writing));
  });

  test('of shipped lines, when their order loses them', () => {
    const [{ order_id } = { order_id: '' }] = fixtures.fulfillments;
    expect(refusedPatch('orders', order_id, { order_lines: [{ pouches }] }).details).toEqual([
      {
        field: 'order_lines',
        message: expect.stringMatching(/keeps fulfillments "60.* valid: its order_lines\[\d\]\.id must be a line/),
      },
    ]);
  });
});

describe('a record that others name stays', () => {
  test.each<[CollectionName, string, readonly [id: string, collection: CollectionName]]>([
    ['accounts', fixtures.accounts[0]?.id ?? '', ['11', 'brands']],
    ['brands', brandOfDemo, ['12', 'users']],
    ['operator_products', fixtures.operator_products[0]?.id ?? '', ['20', 'products']],
    ['products', productId(1), ['50', 'orders']],
    ['consumers', consumerId(1), ['50', 'orders']],
    ['orders', orderId(1), ['60', 'fulfillments']],
    ['fulfillment_statuses', fixtures.fulfillments[0]?.status_id ?? '', ['60', 'fulfillments']],
  ])('%s: the first of them is named', (name, id, [start, referrer]) => {
    const { status, message } = new TestState().refused((draft) => removeRecord(draft, name, id, writing));
    expect(status).toBe(422);
    expect(message).toMatch(`The record "${id}" of ${name} cannot be deleted: the record "${start}`);
    expect(message).toMatch(
      new RegExp(` of ${referrer} refers to it in [\\w.[\\]]+; change or delete that record first$`),
    );
  });
});
