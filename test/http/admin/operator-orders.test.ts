// Operator actions on orders: which are allowed, what they change, and the packaging that the operator approves.
import { describe, expect, test } from 'vitest';
import { mayShip, operatorActions, statusAfter } from '../../../src/domain/orders.ts';
import {
  addressIn,
  type OperatorStage,
  type OrderAction,
  operatorStage,
  orderActions,
  orderIn,
  type Status,
  seen,
  statuses,
} from '../../support/operator.ts';
import { brandOfDemo, orderId, orderLine, pagId, pouchOf, someOrder, unknownId } from '../../support/order-requests.ts';
import { afterNoon, hour, noon } from '../../support/sachet.ts';

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

/** Of demo's brand: the default and that of 30 days, both Active, and that of 90 days, In Review. */
const [defaultPag, pag30, pag90] = [pagId(1), pagId(2), pagId(3)];
/** An order of 90 days of demo, and one of 30 days of the other brand; both Needs Changes in the fixtures. */
const [ours, theirs] = [orderIn['Needs Changes'], orderId(9)];
const foreignBrand = '11000000-0000-4000-8000-000000000005';

/** A new order with lines of these durations, which needs changes. */
async function waiting({ client }: OperatorStage, ...durations: readonly (number | undefined)[]): Promise<string> {
  const { pouches } = orderLine(pouchOf());
  const order_lines = durations.map((duration) => (duration === undefined ? { pouches } : { duration, pouches }));
  const { order } = (await client.post('/v2/orders', someOrder({ order_lines }))).body;
  expect(order.status).toBe('Needs Changes');
  return order.id;
}
const setPag = ({ stage }: OperatorStage, id: string, status = 'Active') => stage.records.pags.update(id, { status });
const addPag = ({ stage }: OperatorStage, changes: object) =>
  stage.records.pags.create({ brand_id: brandOfDemo, name: 'Box', status: 'Active', duration: null, ...changes });
const statusesOf = ({ order }: OperatorStage, ...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await order(id)).status));
const ordersOf = async ({ stage }: OperatorStage) => (await stage.records.orders.list()).orders;

test.each([
  [orderId(15), 'hold', 'On Hold'],
  [ours, 'approve_packaging', 'Pending'],
])(
  'an action changes this order alone, of any brand, also with maintenance and a missing permission: %s, %s',
  async (id, action, status) => {
    const world = await operatorStage();
    const { stage, sachet, act } = world;
    await waiting(world, 90);
    await stage.switches.set({
      missing_permission: { permissions: ['orders:write'] },
      maintenance: { for_seconds: 60 },
    });
    const others = async () => [
      (await ordersOf(world)).filter((order) => order.id !== id),
      await stage.records.pags.list(),
      (await sachet.sandbox('production')).version,
    ];
    const before = await others();
    expect((await act(id, action)).body).toMatchObject({ id, status });
    expect([await statusesOf(world, id), await others()]).toEqual([[status], before]);
  },
);

describe('a PAG that becomes Active', () => {
  test('makes the orders Pending that wait for it, and changes no other', async () => {
    const world = await operatorStage();
    const more = [await waiting(world, 90), await waiting(world, 90, 30), await waiting(world, 90, 90, undefined)];
    const canceled = await waiting(world, 90);
    await world.client.post(`/v2/orders/${canceled}/cancel`);
    const before = await ordersOf(world);
    await world.setTo(hour);
    await setPag(world, pag90);
    const moved = { status: 'Pending', updated_at: afterNoon(hour) };
    expect(await ordersOf(world)).toEqual(
      before.map((order) => ([ours, ...more].includes(order.id) ? { ...order, ...moved } : order)),
    );
    const order_lines = [{ duration: 90, pouches: orderLine(pouchOf()).pouches }];
    expect((await world.client.patch(`/v2/orders/${ours}`, { order_lines })).body.order.status).toBe('Pending');
  });

  test('leaves an order that waits for a second PAG until that is Active, too', async () => {
    const world = await operatorStage();
    const { id: pag60 } = await addPag(world, { status: 'Inactive', duration: 60 });
    const id = await waiting(world, 90, 60);
    for (const pags of [
      [pag90, pag60],
      [pag60, pag90],
    ] as const) {
      await world.stage.snapshots.create({ name: pags[0] });
      await setPag(world, pags[0]);
      expect(await statusesOf(world, id)).toEqual(['Needs Changes']);
      await setPag(world, pags[1]);
      expect(await statusesOf(world, id)).toEqual(['Pending']);
      await world.stage.snapshots.restore(pags[0]);
    }
  });

  test('must change to Active: another status, another name or a rejected patch moves nothing', async () => {
    const world = await operatorStage();
    await world.stage.switches.set({ inactive_pags: { ids: [pag30] } });
    await waiting(world, 30);
    await world.stage.switches.clear();
    const before = await ordersOf(world);
    for (const status of ['Inactive', 'In Review']) await setPag(world, pag90, status);
    await world.stage.records.pags.update(pag30, { name: 'Another Box' });
    await setPag(world, pag30);
    const path = `/sandboxes/stage/pags/${pag90}`;
    const rejected = await world.expectRefusal(() => world.admin('PATCH', path, { status: 'Active', duration: -1 }));
    expect([rejected[0], await ordersOf(world)]).toEqual([422, before]);
  });
});

test('the switch inactive_pags, turned off, releases no order; a PAG releases those that wait for it alone', async () => {
  const world = await operatorStage();
  await world.stage.switches.set({ inactive_pags: { all: true } });
  const ids = [await waiting(world, 30), await waiting(world, undefined), await waiting(world, 30, 90)];
  await world.stage.switches.set({ inactive_pags: null });
  expect(await statusesOf(world, ...ids, ours)).toEqual(Array(4).fill('Needs Changes'));
  await setPag(world, pag90);
  expect(await statusesOf(world, ...ids, ours)).toEqual(['Needs Changes', 'Needs Changes', 'Pending', 'Pending']);
});

describe('a new PAG', () => {
  test('that is Active for a duration releases the orders of that duration', async () => {
    const world = await operatorStage();
    await setPag(world, defaultPag, 'Inactive');
    const ids = [await waiting(world, 45), await waiting(world, 60), await waiting(world, 45, 60)];
    await addPag(world, { duration: 45 });
    expect(await statusesOf(world, ...ids)).toEqual(['Pending', 'Needs Changes', 'Needs Changes']);
    await addPag(world, { duration: 60 });
    expect(await statusesOf(world, ...ids)).toEqual(['Pending', 'Pending', 'Pending']);
  });

  test('releases nothing while it is not Active, or not the first of its duration', async () => {
    const world = await operatorStage();
    const { id } = await addPag(world, { brand_id: foreignBrand, duration: 30, status: 'In Review' });
    await addPag(world, { duration: 90 });
    expect(await statusesOf(world, ours, theirs)).toEqual(['Needs Changes', 'Needs Changes']);
    await setPag(world, id);
    expect(await statusesOf(world, ours, theirs)).toEqual(['Needs Changes', 'Pending']);
  });
});

test('pag_lookup: brand: the default of the brand releases orders of every duration, another PAG none', async () => {
  const world = await operatorStage({ assumptions: { pag_lookup: 'brand' } });
  await setPag(world, pag90);
  expect(await statusesOf(world, ours)).toEqual(['Needs Changes']);
  await setPag(world, defaultPag, 'Inactive');
  const ids = [await waiting(world, 30), await waiting(world, undefined, 60), ours];
  await setPag(world, defaultPag);
  expect(await statusesOf(world, ...ids)).toEqual(['Pending', 'Pending', 'Pending']);
});

test('pag_lookup: brand_duration: the default releases only lines without a PAG of their duration', async () => {
  const world = await operatorStage();
  await setPag(world, defaultPag, 'Inactive');
  const ids = [await waiting(world, undefined), await waiting(world, 60, 30), ours, await waiting(world, 60, 90)];
  await setPag(world, defaultPag);
  expect(await statusesOf(world, ...ids)).toEqual(['Pending', 'Pending', 'Needs Changes', 'Needs Changes']);
});

test('an order keeps its last 100 changes of status, by operator, client or tester; a new one has no history', async () => {
  const world = await operatorStage();
  const { client, stage } = world;
  const historyOf = async (id: string) => (await stage.state.get()).tracking?.find((row) => row.id === id)?.events;
  const { id } = (await client.post('/v2/orders', someOrder())).body.order;
  await client.patch(`/v2/orders/${id}`, { shipping_address: someOrder().shipping_address });
  expect(await historyOf(id)).toBeUndefined();
  const expected: unknown[] = [];
  const change = async (status_id: Status, run: () => Promise<unknown>) => {
    const time = (expected.length + 1) * hour;
    await world.setTo(time);
    await run();
    expected.push({ status_id, at: afterNoon(time) });
  };
  await change('On Hold', () => world.act(id, 'hold'));
  await change('Pending', () => world.act(id, 'release'));
  await stage.switches.set({ inactive_pags: { all: true } });
  await change('Needs Changes', () => client.patch(`/v2/orders/${id}`, { order_lines: someOrder().order_lines }));
  await change('Canceled', () => client.post(`/v2/orders/${id}/cancel`));
  expect(await historyOf(id)).toEqual(expected);
  for (const status of ['Pending', 'Accepted'])
    for (let n = 0; n < 50; n += 1) await stage.records.orders.update(id, { status: n % 2 ? 'On Hold' : status });
  const last = await historyOf(id);
  expect([last?.length, last?.[0]?.status_id, last?.at(-1)?.status_id]).toEqual([100, 'Pending', 'On Hold']);
});

test('a PAG takes back no order that went on already, and no time', async () => {
  const world = await operatorStage({ assumptions: { order_transitions: 'any' } });
  const [id, accepted] = [await waiting(world, 90), await waiting(world, 90)];
  for (const action of ['approve_packaging', 'accept']) expect((await world.act(accepted, action)).status).toBe(200);
  await world.setTo(-24 * hour);
  await setPag(world, pag90);
  expect(await world.order(id)).toMatchObject({ status: 'Pending', created_at: noon, updated_at: noon });
  expect(await statusesOf(world, accepted)).toEqual(['Accepted']);
});
