// Records as scenarios bring them: changed or new, all of them or none, each fault told with its place.
import { describe, expect, test } from 'vitest';
import { putRecords, type RecordPatches } from '../../src/sandbox/scenarios.ts';
import { TestState, writing } from '../support/drafts.ts';
import { brandOfDemo, fulfillmentRow, orderWithout, otherBrand } from '../support/fulfillment-rows.ts';
import { consumerId, orderId, unknownId } from '../support/order-requests.ts';
import { fixtures, noon, scenarios } from '../support/sachet.ts';

const put = (state: TestState, data: RecordPatches) => state.write((draft) => putRecords(draft, data, writing));
const refused = (data: RecordPatches) => new TestState().refused((draft) => putRecords(draft, data, writing));
const pag = fixtures.pags[0]?.id ?? '';

test('gives what each record was and became', () => {
  const state = new TestState();
  const fresh = fulfillmentRow(1);
  const changed = put(state, { orders: [{ id: orderId(1), status: 'Canceled' }], fulfillments: [fresh] });
  const [order] = fixtures.orders;
  const after = { ...order, status: 'Canceled', updated_at: noon };
  expect(changed).toEqual([
    { collection: 'orders', before: order, after },
    { collection: 'fulfillments', before: null, after: fresh },
  ]);
  expect(state.state.table('orders').get(orderId(1))).toBe(changed[0]?.after);
  expect(state.state.table('fulfillments').get(fresh.id)).toEqual(fresh);
});

test('new records may name one another, and a record may follow one that moves', () => {
  const state = new TestState();
  const pouches = [{ pack_id: 'PACK-1' }];
  put(state, {
    accounts: [{ id: unknownId, name: 'New', active: true }],
    brands: [{ id: unknownId, account_id: unknownId, name: 'New' }],
    consumers: [{ id: unknownId.toUpperCase(), brand_id: unknownId }],
  });
  const line = { id: unknownId, pouches };
  const order = { id: unknownId, brand_id: unknownId, consumer_id: unknownId, status: 'Pending', order_lines: [line] };
  put(state, { orders: [{ ...order, shipping_address: { address1: '1', city: 'Bern', country_name: 'CH' } }] });
  put(state, {
    consumers: [{ id: unknownId, brand_id: otherBrand }],
    orders: [{ id: unknownId, brand_id: otherBrand }],
  });
  expect(state.state.table('orders').get(unknownId)?.brand_id).toBe(otherBrand);
});

test('two users may trade their usernames', () => {
  const [one, other] = fixtures.users.map(({ id }) => id) as [string, string];
  const state = new TestState();
  put(state, {
    users: [
      { id: one, username: 'x' },
      { id: other, username: 'demo' },
    ],
  });
  expect(state.state.table('users').get(other)?.username).toBe('demo');
});

test.each(scenarios)('the shipped scenario $name puts its records', ({ data = {} }) => {
  const changed = put(new TestState(), data);
  expect(changed).toHaveLength(Object.values(data).flat().length);
});

describe('what does not hold is refused whole, with its place', () => {
  test.each<[RecordPatches, string, string]>([
    [
      { pags: [{ id: pag }, { id: pag }] },
      'data.pags[1].id',
      `found "${pag}", expected an id not used before in data.pags`,
    ],
    [{ orders: [{ id: orderId(1), status: 'x' }] }, 'data.orders[0].status', 'found "x", expected'],
    [{ pags: [{ id: unknownId }] }, 'data.pags[0].id', 'expected the id of a record in pags, or a whole new record'],
    [{ pags: [{ id: pag, brand_id: unknownId }] }, 'data.pags[0].brand_id', 'expected the id of a record in brands'],
    [{ users: [{ id: fixtures.users[1]?.id ?? '', username: 'demo' }] }, 'data.users[0].username', 'no other user has'],
    [
      { consumers: [{ id: consumerId(1), brand_id: otherBrand }] },
      'data.consumers[0].brand_id',
      'expected one that keeps orders "50',
    ],
    [
      { fulfillments: [fulfillmentRow(1, { order_id: orderWithout, brand_id: otherBrand })] },
      'data.fulfillments[0].order_id',
      'expected a record of orders of the same brand',
    ],
  ])('%j', (data, field, message) => {
    const good = { id: pag, name: 'Else' };
    const { status, details = [] } = refused({ ...data, packs: [{ id: 'NEW', brand_id: brandOfDemo, name: 'New' }] });
    expect([status, details[0]?.field, details[0]?.message]).toEqual([422, field, expect.stringContaining(message)]);
    put(new TestState(), { pags: [good] });
  });

  test('every fault, of each record that is not whole', () => {
    const { details = [] } = refused({ pags: [{ id: pag, duration: 0 }], orders: [{ id: orderId(1), status: 'x' }] });
    expect(details.map(({ field }) => field)).toEqual(['data.pags[0].duration', 'data.orders[0].status']);
  });
});
