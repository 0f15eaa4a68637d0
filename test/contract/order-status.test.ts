// The status of an order: when it is created (ORD-24, ORD-25), modified (ORD-22) and canceled (ORD-23).
import { expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../src/contract/records.ts';
import { errorBodyOf } from '../cases/rejected.ts';
import { known, lineOf, orderWith, validOrder } from '../cases/requests.ts';
import { fixtures, noon, testSachet } from '../support/sachet.ts';

const brand = '11000000-0000-4000-8000-000000000001';
const address = { shipping_address: { ...validOrder.shipping_address, city: 'Portland' } };
const orderIn = (status: OrderStatus): string =>
  fixtures.orders.find((order) => order.brand_id === brand && order.status === status)?.id ?? 'no order';

test.each(orderStatuses)(
  'an order that is %s is modified before production (ORD-22), and canceled once (ORD-23)',
  async (status) => {
    const isModifiable = ['Pending', 'On Hold'].includes(status);
    const isCancelable = !['In Production', 'Canceled'].includes(status);
    const client = await testSachet({ assumptions: { order_fields: 'echo' } }).login();
    const path = `/v2/orders/${orderIn(status)}`;
    const modified = await client.patch(path, address);
    const { order } = (await client.get(path)).body;
    const rejection = errorBodyOf({ status: 422, message: 'Order cannot be modified' });
    expect(modified.body).toEqual(isModifiable ? { order } : rejection);
    expect([order.status, order.shipping_address.city === 'Portland']).toEqual([status, isModifiable]);

    const cancel = async () => (await client.post(`${path}/cancel`)).body;
    const notCanceled = errorBodyOf({ status: 422, message: 'Order cannot be canceled' });
    expect(await cancel()).toEqual(
      isCancelable ? { order: { ...order, status: 'Canceled', updated_at: noon } } : notCanceled,
    );
    expect(await cancel()).toEqual(notCanceled);
    expect((await client.get(path)).body.order.status).toBe(isCancelable ? 'Canceled' : status);
  },
);

test('an order with a PAG that is not Active needs changes (ORD-25)', async () => {
  const client = await testSachet().login();
  const statuses: unknown[] = [];
  for (const durations of [[90], [30, 90], [90, 30], [30], [45]]) {
    const lines = durations.map((duration) => ({ ...lineOf(known.product), duration }));
    const { status, body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
    statuses.push([durations, status, body.order.status]);
  }
  expect(statuses).toEqual([
    [[90], 201, 'Needs Changes'],
    [[30, 90], 201, 'Needs Changes'],
    [[90, 30], 201, 'Needs Changes'],
    [[30], 201, 'Pending'],
    [[45], 201, 'Pending'],
  ]);
  const inactive = await testSachet().login('inactive-pag');
  const lines = [lineOf(known.inactivePagProduct)];
  const { status, body } = await inactive.post('/v2/orders', orderWith({ order_lines: lines }));
  expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
});

test('the PAGs are checked again when an order is modified, also without new lines (ORD-25)', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  for (const status of ['Pending', 'On Hold'] as const) {
    const lines = [{ ...lineOf(known.product), duration: 90 }];
    const { body } = await client.patch(`/v2/orders/${orderIn(status)}`, { order_lines: lines });
    expect(body.order.status).toBe('Needs Changes');
  }
  const other = testSachet();
  const { pags } = other.control.sandbox('stage').records;
  for (const { id } of fixtures.pags) await pags.update(id, { status: 'Inactive' });
  const { body } = await (await other.login()).patch(`/v2/orders/${known.pendingOrder}`, address);
  expect(body.order.status).toBe('Needs Changes');
});
