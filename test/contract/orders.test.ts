// Orders: the business rules in their order, the boundaries of the request, and the status of an order when it is created
// (ORD-24, ORD-25), modified (ORD-22) and canceled (ORD-23).
import { describe, expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../src/contract/records.ts';
import { mayCancel, mayModify } from '../../src/domain/orders.ts';
import { type Case, invalid, type Rejection } from '../cases/case.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { known, lineWith, newConsumer, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { dropDefaultPag, orderBusinessCases } from '../cases/table.ts';
import { fixtures, noon, testSachet } from '../support/sachet.ts';

async function expectRejected(lines: readonly unknown[], rejection: Rejection, changed = fixtures): Promise<void> {
  const client = await testSachet({ fixtures: changed }).login();
  const { body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
  expect(body).toEqual(errorBodyOf(rejection));
}
/** The response body to an order or its modification. */
const bodyFor = async (id: 'orders.create' | 'orders.update', given: Omit<Case, 'rejection'>) =>
  (await (await prepare(id, given)).send()).body;

describe('the names in a message are unique, in the order of the first use', () => {
  const ids = [1, 2, 3].map((n) => `20000000-0000-4000-8000-00000000000${n}`) as [string, string, string];
  const [d3, magnesium, omega] = ids;
  const lines = [lineWith(omega), lineWith(magnesium, omega), lineWith(d3, magnesium, d3)];

  test('of inactive client products (ORD-19)', async () => {
    const products = fixtures.products.map((one) => ({ ...one, active: one.active && !ids.includes(one.id) }));
    const names = 'Clear Omega-3, Calm Magnesium, Sunrise Vitamin D3';
    const message = `The following client products are inactive and cannot be ordered: ${names}`;
    await expectRejected(lines, invalid('order_lines', message), { ...fixtures, products });
  });

  test("of the operator's discontinued products (ORD-20)", async () => {
    const shared = fixtures.products.find(({ id }) => id === d3)?.operator_product_id ?? '';
    const changed = {
      ...fixtures,
      products: fixtures.products.map((one) => (one.id === omega ? { ...one, operator_product_id: shared } : one)),
      operator: { name: 'Lowland' },
      operator_products: fixtures.operator_products.map((one) => ({ ...one, discontinued: true })),
    };
    const names = 'Vitamin D3 2000 IU Softgel, Magnesium Glycinate 120 mg Capsule';
    const message = `The following Lowland products are inactive and cannot be ordered: ${names}`;
    await expectRejected(lines, invalid('order_lines', message), changed);
  });
});

test('ORD-21 names the first line without a PAG, also for a brand without any', async () => {
  const { message } = orderBusinessCases['ORD-21'].rejection;
  const lines = [30, 31, 32].map((duration) => ({ ...lineWith(known.product), duration }));
  const request = { body: orderWith({ order_lines: lines }) };
  const expected = (field: string) => errorBodyOf(invalid(field, message));
  expect(await bodyFor('orders.create', { meanwhile: dropDefaultPag, request })).toEqual(expected('order_lines.1'));
  const ofNoPag = { body: orderWith({ order_lines: [lineWith(known.noPagProduct)] }) };
  const other = await bodyFor('orders.create', { user: 'no-pag', request: ofNoPag });
  expect(other).toEqual(expected('order_lines.0'));
});

test.each(['orders.create', 'orders.update'] as const)(
  '%s checks the rules in their order, not in that of the lines',
  async (id) => {
    const breaks = [
      ['ORD-11', {}],
      ['ORD-17', lineWith(unknownId)],
      ['ORD-18', lineWith(known.foreignProduct)],
      ['pack_id', { duration: 30, pouches: [{ pack_id: known.foreignPack }] }],
      ['ORD-19', lineWith(known.inactiveProduct)],
      ['ORD-20', lineWith(known.discontinuedProduct)],
      ['ORD-21', { ...lineWith(known.product), duration: 31 }],
    ] as const;
    for (const [index, [rule]] of breaks.entries()) {
      // Lines that break later rules come first.
      const lines = breaks.slice(Math.max(index, 1)).map(([, line]) => line);
      const consumer = { id: index === 0 ? unknownId : known.consumer };
      const body = orderWith({ consumer, order_lines: lines.reverse() });
      const given = { assumptions: { pack_id: 'known' }, meanwhile: dropDefaultPag, request: { body } } as const;
      expect([rule, (await bodyFor(id, given)).message]).toEqual([rule, orderBusinessCases[rule].rejection.message]);
    }
  },
);

test('a consumer with an id has no other field (ORD-26), whatever unknown_fields is', async () => {
  for (const unknown_fields of ['reject', 'ignore'] as const)
    for (const [field, value] of Object.entries(newConsumer)) {
      const body = orderWith({ consumer: { id: known.consumer, [field]: value } });
      const rejected = await bodyFor('orders.create', { assumptions: { unknown_fields }, request: { body } });
      expect(rejected).toEqual(errorBodyOf(invalid(`consumer.${field}`, `"${field}" is not allowed`)));
    }
});

test('a number beyond the range of doubles (OPEN-5) and a modification without fields (OPEN-2) are rejected', async () => {
  const raw = JSON.stringify(validOrder).replace('"duration":30', '"duration":1e999');
  const infinite = invalid('order_lines.0.duration', '"duration" cannot be infinity');
  expect(await bodyFor('orders.create', { request: { raw } })).toEqual(errorBodyOf(infinite));
  const empty = invalid('', '"value" must have at least 1 key');
  expect(await bodyFor('orders.update', { request: { body: {} } })).toEqual(errorBodyOf(empty));
});

const address = { shipping_address: { ...validOrder.shipping_address, city: 'Portland' } };
const brand = '11000000-0000-4000-8000-000000000001';
const orderIn = (status: OrderStatus): string =>
  fixtures.orders.find((order) => order.brand_id === brand && order.status === status)?.id ?? 'no order';

test.each(orderStatuses)(
  'an order that is %s is modified before production (ORD-22), and canceled once (ORD-23)',
  async (status) => {
    const isModifiable = ['Pending', 'On Hold'].includes(status);
    const isCancelable = !['In Production', 'Canceled'].includes(status);
    expect([mayModify(status), mayCancel(status)]).toEqual([isModifiable, isCancelable]);
    const client = await testSachet({ assumptions: { order_fields: 'echo' } }).login();
    const path = `/v2/orders/${orderIn(status)}`;
    const modified = await client.patch(path, address);
    const { order } = (await client.get(path)).body;
    const rejection = errorBodyOf({ status: 422, message: 'Order cannot be modified' });
    expect(modified.body).toEqual(isModifiable ? { order } : rejection);
    expect([order.status, order.shipping_address.city === 'Portland']).toEqual([status, isModifiable]);

    const cancel = async () => (await client.post(`${path}/cancel`)).body;
    const notCanceled = errorBodyOf({ status: 422, message: 'Order cannot be canceled' });
    const canceled = { order: { ...order, status: 'Canceled', updated_at: noon } };
    expect([await cancel(), await cancel()]).toEqual([isCancelable ? canceled : notCanceled, notCanceled]);
    expect((await client.get(path)).body.order.status).toBe(isCancelable ? 'Canceled' : status);
  },
);

test('an order needs changes with one PAG that is not Active (ORD-25), also when it is modified without new lines', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const lines = (...durations: number[]) => durations.map((duration) => ({ ...lineWith(known.product), duration }));
  for (const order_lines of [lines(30, 90), lines(90, 30)]) {
    const { status, body } = await client.post('/v2/orders', orderWith({ order_lines }));
    expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
  }
  const modified = async (status: OrderStatus, changes: object) =>
    (await client.patch(`/v2/orders/${orderIn(status)}`, changes)).body.order.status;
  expect(await modified('On Hold', { order_lines: lines(90) })).toBe('Needs Changes');
  for (const { id } of fixtures.pags)
    await sachet.control.sandbox('stage').records.pags.update(id, { status: 'Inactive' });
  expect(await modified('Pending', address)).toBe('Needs Changes');
});
