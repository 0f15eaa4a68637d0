// What the partner sees of the operator's actions, and may still do after them (ORD-22, ORD-23).
import { describe, expect, test } from 'vitest';
import { type Operated, type OrderAction, operated, type Status } from '../../support/operator.ts';
import { someOrder } from '../../support/order-requests.ts';

/** By which actions a new order gets into each status, and whether the partner may modify and cancel it there. */
const ways: readonly (readonly [Status, readonly OrderAction[], { modify: boolean; cancel: boolean }])[] = [
  ['Pending', [], { modify: true, cancel: true }],
  ['On Hold', ['hold'], { modify: true, cancel: true }],
  ['Pending', ['hold', 'release'], { modify: true, cancel: true }],
  ['Accepted', ['accept'], { modify: false, cancel: true }],
  ['In Production', ['accept', 'start_production'], { modify: false, cancel: false }],
  ['Canceled', ['accept', 'start_production', 'cancel'], { modify: false, cancel: false }],
  ['Canceled', ['hold', 'cancel'], { modify: false, cancel: false }],
];

/** A new order after these actions. */
async function orderAfter({ client, act }: Operated, actions: readonly OrderAction[]): Promise<string> {
  const { id } = (await client.post('/v2/orders', someOrder())).body.order;
  for (const action of actions) expect((await act(id, action)).status).toBe(200);
  return id;
}

const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };

describe.each(ways)('an order that is %s after %j', (status, actions, { modify, cancel }) => {
  test('is seen so at once, alone and in the list', async () => {
    const world = await operated();
    const id = await orderAfter(world, actions);
    expect((await world.client.get(`/v2/orders/${id}`)).body.order.status).toBe(status);
    const { orders } = (await world.client.get('/v2/orders?limit=1')).body;
    expect(orders).toEqual([expect.objectContaining({ id, status })]);
  });

  test(`is ${modify ? '' : 'not '}modified by the partner (ORD-22)`, async () => {
    const world = await operated({ assumptions: { order_fields: 'echo' } });
    const id = await orderAfter(world, actions);
    const before = (await world.client.get(`/v2/orders/${id}`)).body.order;
    const answer = await world.client.patch(`/v2/orders/${id}`, { shipping_address });
    const after = (await world.client.get(`/v2/orders/${id}`)).body.order;
    if (modify)
      expect([answer.status, answer.body.order, after.shipping_address]).toEqual([200, after, shipping_address]);
    else expect([answer.status, answer.body.message, after]).toEqual([422, 'Order cannot be modified', before]);
    expect(answer.headers.get('sandbox-rule')).toBe(modify ? null : 'ORD-22');
    expect(after.status).toBe(status);
  });

  test(`is ${cancel ? '' : 'not '}canceled by the partner (ORD-23)`, async () => {
    const world = await operated();
    const id = await orderAfter(world, actions);
    const answer = await world.client.post(`/v2/orders/${id}/cancel`);
    expect([answer.status, answer.headers.get('sandbox-rule')]).toEqual(cancel ? [200, null] : [422, 'ORD-23']);
    expect((await world.order(id)).status).toBe(cancel ? 'Canceled' : status);
    if (cancel) expect((await world.refused(() => world.act(id, 'accept')))[0]).toBe(422);
  });
});

test('the operator cancels in production what the partner cannot, also once it is shipped', async () => {
  const world = await operated();
  const id = await world.inProduction();
  const shipped = (await world.ship(id)).body;
  expect((await world.client.post(`/v2/orders/${id}/cancel`)).body.message).toBe('Order cannot be canceled');
  expect((await world.act(id, 'cancel')).body.status).toBe('Canceled');
  expect((await world.client.get(`/v2/orders/${id}`)).body.order.status).toBe('Canceled');
  expect((await world.client.get(`/v2/orders/${id}/fulfillments`)).body.fulfillments).toHaveLength(1);
  expect(await world.package(shipped.id)).toEqual(shipped);
});

test.each(['documented_path', 'any'] as const)(
  'what the partner may do hangs on the status alone, not on order_transitions (%s)',
  async (order_transitions) => {
    const world = await operated({ assumptions: { order_transitions } });
    const id = await orderAfter(world, ['accept']);
    expect((await world.client.patch(`/v2/orders/${id}`, { shipping_address })).status).toBe(422);
    await world.act(id, 'start_production');
    expect((await world.client.post(`/v2/orders/${id}/cancel`)).status).toBe(422);
  },
);

test('an order is released to the partner again under any: what was canceled is modified and canceled once more', async () => {
  const world = await operated({ assumptions: { order_transitions: 'any' } });
  const id = await orderAfter(world, ['cancel', 'release']);
  expect((await world.client.patch(`/v2/orders/${id}`, { shipping_address })).status).toBe(200);
  expect((await world.client.post(`/v2/orders/${id}/cancel`)).status).toBe(200);
});

test('an operator action waits for no permission of the partner’s, and no switch of theirs', async () => {
  const { stage, act, order } = await operated();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] }, maintenance: { for_seconds: 60 } });
  const { orders } = await stage.records.orders.list();
  const pending = orders.find(({ status }) => status === 'Pending')?.id ?? '';
  expect((await act(pending, 'accept')).status).toBe(200);
  expect((await order(pending)).status).toBe('Accepted');
});
