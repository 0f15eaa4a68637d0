// ORD-27: a refused order changes nothing: no consumer, no order, no identifier used up.
import { expect, test } from 'vitest';
import { Refusal } from '../../src/contract/refusal.ts';
import { dropDefaultPag, orderBusinessCases } from '../cases/order-business.ts';
import { known, newConsumer, orderWith, unknownId, validOrder } from '../cases/requests.ts';
import { rows } from '../cases/table.ts';
import { prepare } from '../support/refused.ts';
import { type Client, testSachet } from '../support/sachet.ts';

const changing = rows.filter(({ id }) => ['orders.create', 'orders.update', 'orders.cancel'].includes(id));

for (const { id, rule, given } of changing) {
  test(`${id} refused by ${rule} leaves the very state it found (ORD-27)`, async () => {
    const { sachet, send } = await prepare(id, given);
    const before = (await sachet.sandbox()).version;
    const { status } = await send();
    expect(status).toBe(given.refused.status);
    expect((await sachet.sandbox()).version).toBe(before);
  });
}

const refusedInBusiness = Object.entries(orderBusinessCases).filter(([rule]) => rule !== 'ORD-11');

test.each(refusedInBusiness)(
  'a new consumer who comes with an order refused by %s is not made (ORD-27)',
  async (_, given) => {
    const { sachet, send } = await prepare('orders.create', given);
    expect(given.request?.body).toMatchObject({ consumer: validOrder.consumer });
    const before = (await sachet.sandbox()).state.table('consumers');
    expect((await send()).status).toBe(422);
    expect((await sachet.sandbox()).state.table('consumers')).toBe(before);
  },
);

/** A client of a brand whose order of 31 days would have no PAG; the order of an answer is told whole. */
async function tellingClient(): Promise<Client> {
  const sachet = testSachet({ assumptions: { order_fields: 'echo', pack_id: 'known' } });
  await dropDefaultPag(sachet);
  return sachet.login();
}

test('the next order after refused ones is the one that would have been without them (ORD-27)', async () => {
  const [undisturbed, disturbed] = [await tellingClient(), await tellingClient()];
  const bodies = [
    orderWith({ 'order_lines.0.pouches.0': {} }),
    ...refusedInBusiness.map(([, { request }]) => request?.body),
  ];
  for (const body of bodies) {
    expect((await disturbed.post('/v2/orders', body)).status).toBe(422);
    expect((await disturbed.patch(`/v2/orders/${known.pendingOrder}`, body)).status).toBe(422);
  }
  const { body } = await disturbed.post('/v2/orders', validOrder);
  expect(body.order.order_lines).toHaveLength(1);
  expect(body).toEqual((await undisturbed.post('/v2/orders', validOrder)).body);
});

test('what was written before the refusal is gone with it (ORD-27)', async () => {
  const sandbox = await testSachet().sandbox();
  const before = sandbox.version;
  const refusing = async () =>
    sandbox.write((draft) => {
      draft.table('consumers').insert({ ...newConsumer, id: unknownId, brand_id: unknownId });
      draft.count('ids of consumers');
      throw new Refusal('ORD-21');
    });
  await expect(refusing()).rejects.toThrow('ORD-21');
  expect(sandbox.version).toBe(before);
});
