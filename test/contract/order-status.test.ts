import { describe, expect, test } from 'vitest';
import { type OrderStatus, orderStatuses } from '../../src/contract/records.ts';
import { known, lineOf, newConsumer, orderWith, validOrder } from '../cases/requests.ts';
import { errorBodyOf } from '../support/refused.ts';
import { fixtures, type TestSachet, testSachet } from '../support/sachet.ts';

const brand = '11000000-0000-4000-8000-000000000001';
const address = { shipping_address: { ...validOrder.shipping_address, city: 'Portland' } };

/** An order of `demo` in this status. */
function orderIn(status: OrderStatus): string {
  const found = fixtures.orders.find((order) => order.brand_id === brand && order.status === status);
  if (!found) throw new Error(`the fixtures have no order that is ${status}`);
  return found.id;
}

describe.each(orderStatuses)('an order that is %s', (status) => {
  const mayBeModified = ['Pending', 'On Hold'].includes(status);
  const mayBeCanceled = !['In Production', 'Canceled'].includes(status);

  test(`${mayBeModified ? 'is modified and stays so' : 'is not modified'} (ORD-22)`, async () => {
    const client = await testSachet({ assumptions: { order_fields: 'echo' } }).login();
    const answer = await client.patch(`/v2/orders/${orderIn(status)}`, address);
    const { order } = (await client.get(`/v2/orders/${orderIn(status)}`)).body;
    expect(order.status).toBe(status);
    expect(order.shipping_address.city === 'Portland').toBe(mayBeModified);
    const refused = errorBodyOf({ status: 422, message: 'Order cannot be modified' });
    expect(answer.body).toEqual(mayBeModified ? { order } : refused);
  });

  test(`${mayBeCanceled ? 'is canceled once' : 'is not canceled'} (ORD-23)`, async () => {
    const client = await testSachet().login();
    const cancel = () => client.post(`/v2/orders/${orderIn(status)}/cancel`);
    const refused = errorBodyOf({ status: 422, message: 'Order cannot be canceled' });
    const first = (await cancel()).body;
    if (mayBeCanceled) expect(first.order.status).toBe('Canceled');
    else expect(first).toEqual(refused);
    expect((await cancel()).body).toEqual(refused);
    const { order } = (await client.get(`/v2/orders/${orderIn(status)}`)).body;
    expect(order.status).toBe(mayBeCanceled ? 'Canceled' : status);
  });
});

describe('a valid order (ORD-24)', () => {
  test('is Pending, and its new consumer exists from then on', async () => {
    const client = await testSachet().login();
    const { status, body } = await client.post('/v2/orders', validOrder);
    const { id } = body.order.consumer;
    const consumer = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), first_name: 'Ada', last_name: 'Lovelace' };
    const order = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'Pending', consumer };
    expect([status, body]).toEqual([201, { order }]);
    expect((await client.get(`/v2/consumers/${id}`)).body).toEqual({ consumer: { id, ...newConsumer } });
    const again = await client.post('/v2/orders', { ...validOrder, consumer: { id } });
    expect(again.body.order.consumer).toEqual(body.order.consumer);
    expect(again.body.order.id).not.toBe(body.order.id);
  });

  test('of an existing consumer makes no new one', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const { body } = await client.post('/v2/orders', { ...validOrder, consumer: { id: known.consumer } });
    expect(body.order.consumer).toEqual({ id: known.consumer, first_name: 'Amelia', last_name: 'Hartwell' });
    expect((await sachet.sandbox()).state.table('consumers').size).toBe(fixtures.consumers.length);
  });
});

async function statusOf(durations: readonly number[]): Promise<string> {
  const client = await testSachet().login();
  const lines = durations.map((duration) => ({ ...lineOf(known.product), duration }));
  const { status, body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
  expect(status).toBe(201);
  return body.order.status;
}

describe('packaging that is not Active (ORD-25)', () => {
  test.each([
    [[90], 'Needs Changes'],
    [[30, 90], 'Needs Changes'],
    [[90, 30], 'Needs Changes'],
    [[30], 'Pending'],
    [[45], 'Pending'],
  ])('lines of %j days make the order %s', async (durations, status) => {
    expect(await statusOf(durations)).toBe(status);
  });

  test('of the whole brand makes the order need changes', async () => {
    const client = await testSachet().login('inactive-pag');
    const lines = [lineOf(known.inactivePagProduct)];
    const { status, body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
    expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
  });

  test.each(['Pending', 'On Hold'] as const)('is judged anew when a %s order is modified', async (status) => {
    const client = await testSachet().login();
    const lines = [{ ...lineOf(known.product), duration: 90 }];
    const { body } = await client.patch(`/v2/orders/${orderIn(status)}`, { order_lines: lines });
    expect(body.order.status).toBe('Needs Changes');
  });

  test('is judged anew also where the modification brings no lines', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    await switchPackagingOff(sachet);
    const { body } = await client.patch(`/v2/orders/${known.pendingOrder}`, address);
    expect(body.order.status).toBe('Needs Changes');
  });
});

async function switchPackagingOff(sachet: TestSachet): Promise<void> {
  const sandbox = await sachet.sandbox();
  await sandbox.write((draft) => {
    for (const pag of fixtures.pags) draft.table('pags').replace({ ...pag, status: 'Inactive' });
  });
}
