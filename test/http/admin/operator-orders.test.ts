// Operator actions on orders: which are allowed, what they change, and what the partner may do afterwards.
import { describe, expect, test } from 'vitest';
import { mayShip, operatorActions, statusAfter } from '../../../src/domain/orders.ts';
import {
  addressIn,
  type OrderAction,
  operatorStage,
  orderActions,
  orderIn,
  seen,
  statuses,
} from '../../support/operator.ts';
import { orderId, someOrder, unknownId } from '../../support/order-requests.ts';
import { afterNoon, hour } from '../../support/sachet.ts';

// The table of actions and statuses: test/domain/statuses.test.ts.
describe.each(['documented_path', 'any'] as const)('order_transitions: %s', (order_transitions) => {
  test.each(statuses)('an order that is %s', async (status) => {
    const possible = operatorActions(status, order_transitions);
    const canShip = mayShip(status, order_transitions);
    const can = [...(canShip ? ['ship (POST …/fulfillments)'] : []), ...possible].join(', ');
    const rest = can ? `the operator can: ${can}` : 'the operator can do nothing more';
    const rejection = (action: OrderAction | 'ship') => {
      const isAllowedByAny = action === 'ship' || statusAfter[action] !== status;
      const more = isAllowedByAny ? ' (the choice order_transitions=any allows it)' : '';
      return [422, `${action} is impossible: the order is ${status}; ${rest}${more}`];
    };
    const world = await operatorStage({ assumptions: { order_transitions } });
    const id = orderIn[status];
    await world.setTo(hour);
    const before = await world.order(id);
    for (const action of orderActions)
      if (possible.includes(action)) {
        const after = { ...before, status: statusAfter[action], updated_at: afterNoon(hour) };
        const { status: code, body } = await world.act(id, action);
        expect([code, body, await world.order(id)], action).toEqual([200, after, after]);
        await world.stage.records.orders.update(id, before);
      } else expect(await world.expectRefusal(() => world.act(id, action))).toEqual(rejection(action));
    if (canShip) {
      const shipped = await world.ship(id);
      expect([shipped.status, (await world.order(id)).status]).toEqual([201, status]);
      expect(await seen(world, shipped.body.id)).toMatchObject({ order_id: id, status_id: 'label_created' });
    } else expect(await world.expectRefusal(() => world.ship(id))).toEqual(rejection('ship'));
  });
});

test('the details of a rejected action name its field', async () => {
  const world = await operatorStage();
  const delivered = await world.packageIn('delivered');
  const order = orderIn['In Production'];
  for (const [{ status, body }, field] of [
    [await world.act(orderIn.Canceled, 'accept'), 'status'],
    [await world.ship(orderIn.Pending), 'status'],
    [await world.ship(order, { order_lines: [unknownId] }), 'order_lines[0]'],
    [await world.ship(order, { carrier: 'ups', method: '2Day' }), 'method'],
    [await world.move(delivered, 'depart'), 'status_id'],
    [await world.move(delivered, 'depart', { force: 'yes' }), 'force'],
  ] as const) {
    expect([status, body.details]).toEqual([422, [{ field, message: expect.any(String) }]]);
    expect(body.message).toContain(body.details[0].message);
  }
});

test('an action changes one order of any brand, in one sandbox', async () => {
  const { stage, sachet, act } = await operatorStage();
  const others = async () => (await stage.records.orders.list()).orders.filter(({ id }) => id !== orderId(15));
  const [before, production] = [await others(), (await sachet.sandbox('production')).version];
  expect((await act(orderId(15), 'hold')).body).toMatchObject({ id: orderId(15), status: 'On Hold' });
  expect(await others()).toEqual(before);
  expect((await sachet.sandbox('production')).version).toBe(production);
});

test('an order is found by its id in upper case; an unknown order or action is 404', async () => {
  const world = await operatorStage();
  const id = 'abcdefab-0000-4000-8000-00000000000a';
  await world.stage.records.orders.create({ ...(await world.order(orderIn.Pending)), id });
  expect((await world.act(id.toUpperCase(), 'accept')).body).toMatchObject({ id, status: 'Accepted' });
  const message = expect.stringContaining('There is no record in orders');
  for (const missing of [unknownId, '__proto__'])
    for (const action of orderActions)
      expect(await world.expectRefusal(() => world.act(missing, action))).toEqual([404, message]);
  expect((await world.expectRefusal(() => world.act(orderIn.Pending, 'toString')))[0]).toBe(404);
});

test('no switch and no missing permission of the partner stops an action', async () => {
  const { stage, act, order } = await operatorStage();
  await stage.switches.set({ missing_permission: { permissions: ['orders:write'] }, maintenance: { for_seconds: 60 } });
  expect((await act(orderIn.Pending, 'accept')).status).toBe(200);
  expect((await order(orderIn.Pending)).status).toBe('Accepted');
});

test('the partner is bound by the status alone (ORD-22, ORD-23), the operator not even by what is shipped', async () => {
  const world = await operatorStage({ assumptions: { order_transitions: 'any' } });
  const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
  const modify = () => world.client.patch(`/v2/orders/${id}`, addressIn('Switzerland'));
  const cancel = () => world.client.post(`/v2/orders/${id}/cancel`);
  await world.act(id, 'accept');
  expect((await modify()).headers.get('sandbox-rule')).toBe('ORD-22');
  await world.act(id, 'start_production');
  const shipped = (await world.ship(id)).body;
  expect((await cancel()).headers.get('sandbox-rule')).toBe('ORD-23');
  expect((await world.act(id, 'cancel')).body.status).toBe('Canceled');
  expect((await world.client.get(`/v2/orders/${id}`)).body.order.status).toBe('Canceled');
  expect(await world.package(shipped.id)).toEqual(shipped);
  await world.act(id, 'release');
  expect([(await modify()).status, (await cancel()).status]).toEqual([200, 200]);
});
