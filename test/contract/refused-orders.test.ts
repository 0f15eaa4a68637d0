// ORD-27: a refused order changes nothing: no consumer, no order, no identifier used up.
import { expect, test } from 'vitest';
import { orderBusinessCases } from '../cases/order-business.ts';
import { known, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { rows } from '../cases/table.ts';
import { prepare } from '../support/refused.ts';
import { testSachet } from '../support/sachet.ts';

const changing = rows.filter(({ id }) => ['orders.create', 'orders.update', 'orders.cancel'].includes(id));

for (const { id, rule, given } of changing) {
  test(`${id} refused by ${rule} leaves the very state it found`, async () => {
    const { sachet, send } = await prepare(id, given);
    const before = (await sachet.sandbox()).root;
    const { status } = await send();
    expect(status).toBe(given.refused.status);
    expect((await sachet.sandbox()).root).toBe(before);
  });
}

const refusedInBusiness = Object.entries(orderBusinessCases).filter(([rule]) => rule !== 'ORD-11');

test.each(refusedInBusiness)('a new consumer who comes with an order refused by %s is not made', async (_, given) => {
  const { sachet, send } = await prepare('orders.create', given);
  expect(given.request?.body).toMatchObject({ consumer: validOrder.consumer });
  const before = (await sachet.sandbox()).root.tables.consumers;
  expect((await send()).status).toBe(422);
  expect((await sachet.sandbox()).root.tables.consumers).toBe(before);
});

test('the next order after refused ones is the one that would have been without them', async () => {
  const bodies = [
    orderWith({ 'order_lines.0.pouches.0': {} }),
    ...refusedInBusiness.map(([, { request }]) => request?.body),
  ];
  const assumptions = { order_fields: 'echo', pack_id: 'known' } as const;
  const [undisturbed, disturbed] = [
    await testSachet({ assumptions }).login(),
    await testSachet({ assumptions }).login(),
  ];
  const refusals = [];
  for (const body of bodies) {
    refusals.push((await disturbed.post('/v2/orders', body)).status);
    refusals.push((await disturbed.patch(`/v2/orders/${known.pendingOrder}`, body)).status);
  }
  refusals.push((await disturbed.patch(`/v2/orders/${unknownId}`, validOrder)).status);
  const made = (await disturbed.post('/v2/orders', validOrder)).body;
  expect(new Set(refusals)).toEqual(new Set([422, 404]));
  expect(made).toEqual((await undisturbed.post('/v2/orders', validOrder)).body);
});
