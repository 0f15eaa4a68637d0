// Packaging that the operator approves: of one order, or of all that wait for a PAG, by making it Active.
import { describe, expect, test } from 'vitest';
import { type OperatorStage, operatorStage, orderIn } from '../../support/operator.ts';
import { brandOfDemo, orderId, orderLine, pagId, pouchOf, someOrder } from '../../support/order-requests.ts';
import { afterNoon, hour, noon } from '../../support/sachet.ts';

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

test('the action approve_packaging makes one order Pending, and leaves its PAG', async () => {
  const world = await operatorStage();
  const other = await waiting(world, 90);
  expect((await world.act(ours, 'approve_packaging')).body.status).toBe('Pending');
  expect(await statusesOf(world, ours, other, theirs)).toEqual(['Pending', 'Needs Changes', 'Needs Changes']);
  expect((await world.stage.records.pags.get(pag90)).status).toBe('In Review');
});

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

test('a PAG takes back no order that went on already, and no time', async () => {
  const world = await operatorStage({ assumptions: { order_transitions: 'any' } });
  const [id, accepted] = [await waiting(world, 90), await waiting(world, 90)];
  for (const action of ['approve_packaging', 'accept']) expect((await world.act(accepted, action)).status).toBe(200);
  await world.setTo(-24 * hour);
  await setPag(world, pag90);
  expect(await world.order(id)).toMatchObject({ status: 'Pending', created_at: noon, updated_at: noon });
  expect(await statusesOf(world, accepted)).toEqual(['Accepted']);
});
