// Operator actions on orders: which are allowed, what they change, and what the partner may do afterwards.
import { describe, expect, test } from 'vitest';
import {
  afterNoon,
  hour,
  type OrderAction,
  operatorStage,
  orderActions,
  orderIn,
  type Status,
  seen,
  statuses,
} from '../../support/operator.ts';
import { orderId, someOrder, unknownId } from '../../support/order-requests.ts';

type Table = Readonly<Record<Status, Readonly<Partial<Record<OrderAction, Status>>>>>;

const documented: Table = {
  Pending: { accept: 'Accepted', hold: 'On Hold', cancel: 'Canceled' },
  'On Hold': { release: 'Pending', cancel: 'Canceled' },
  'Needs Changes': { cancel: 'Canceled', approve_packaging: 'Pending' },
  Accepted: { start_production: 'In Production', cancel: 'Canceled' },
  'In Production': { cancel: 'Canceled' },
  Canceled: {},
};
const leads: Readonly<Record<OrderAction, Status>> = {
  accept: 'Accepted',
  hold: 'On Hold',
  release: 'Pending',
  approve_packaging: 'Pending',
  start_production: 'In Production',
  cancel: 'Canceled',
};
/** Each action is possible in each other status, as long as it changes the status. */
const any = Object.fromEntries(
  statuses.map((status) => [status, Object.fromEntries(Object.entries(leads).filter(([, to]) => to !== status))]),
) as unknown as Table;
const tables = { documented_path: documented, any } as const;

const canShip = (choice: keyof typeof tables, status: Status) => choice === 'any' || status === 'In Production';
function refusalOf(choice: keyof typeof tables, status: Status, action: OrderAction | 'ship'): string {
  const possible = [
    ...(canShip(choice, status) ? ['ship (POST …/fulfillments)'] : []),
    ...(Object.keys(leads) as OrderAction[]).filter((one) => tables[choice][status][one]),
  ].join(', ');
  const rest = possible ? `the operator can: ${possible}` : 'the operator can do nothing more';
  const more = action === 'ship' || any[status][action] ? ' (the choice order_transitions=any allows it)' : '';
  return `${action} is impossible: the order is ${status}; ${rest}${more}`;
}

describe.each(['documented_path', 'any'] as const)('order_transitions: %s', (choice) => {
  test.each(statuses)('an order that is %s', async (status) => {
    const world = await operatorStage({ assumptions: { order_transitions: choice } });
    const id = orderIn[status];
    await world.setTo(hour);
    const before = await world.order(id);
    for (const action of orderActions) {
      const to = tables[choice][status][action];
      if (to) {
        const { status: code, body } = await world.act(id, action);
        expect([code, body], action).toEqual([200, { ...before, status: to, updated_at: afterNoon(hour) }]);
        expect(await world.order(id)).toEqual(body);
        await world.stage.records.orders.update(id, before);
      } else
        expect(await world.expectRefusal(() => world.act(id, action))).toEqual([
          422,
          refusalOf(choice, status, action),
        ]);
    }
    if (canShip(choice, status)) {
      const shipped = await world.ship(id);
      expect([shipped.status, (await world.order(id)).status]).toEqual([201, status]);
      expect(await seen(world, shipped.body.id)).toMatchObject({ order_id: id, status_id: 'label_created' });
    } else expect(await world.expectRefusal(() => world.ship(id))).toEqual([422, refusalOf(choice, status, 'ship')]);
  });
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

const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };

describe('the partner (ORD-22, ORD-23)', () => {
  test('cannot cancel in production; the operator can, also once it is shipped', async () => {
    const world = await operatorStage();
    const id = await world.inProduction();
    const shipped = (await world.ship(id)).body;
    expect((await world.client.post(`/v2/orders/${id}/cancel`)).body.message).toBe('Order cannot be canceled');
    expect((await world.act(id, 'cancel')).body.status).toBe('Canceled');
    expect((await world.client.get(`/v2/orders/${id}`)).body.order.status).toBe('Canceled');
    expect((await world.client.get(`/v2/orders/${id}/fulfillments`)).body.fulfillments).toHaveLength(1);
    expect(await world.package(shipped.id)).toEqual(shipped);
  });

  test('is bound by the status alone, also under order_transitions=any', async () => {
    const world = await operatorStage({ assumptions: { order_transitions: 'any' } });
    const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
    await world.act(id, 'accept');
    const modify = () => world.client.patch(`/v2/orders/${id}`, { shipping_address });
    const cancelIt = () => world.client.post(`/v2/orders/${id}/cancel`);
    expect((await modify()).headers.get('sandbox-rule')).toBe('ORD-22');
    await world.act(id, 'start_production');
    expect((await cancelIt()).headers.get('sandbox-rule')).toBe('ORD-23');
    await world.act(id, 'cancel');
    await world.act(id, 'release');
    expect([(await modify()).status, (await cancelIt()).status]).toEqual([200, 200]);
  });
});
