// inactive_pags: PAGs count as Inactive when an order is created or modified (ORD-25); no record changes.
import { expect, test } from 'vitest';
import { orderId, orderLine } from '../../support/order-requests.ts';
import { type SwitchesSent, type TestStage, testStage } from '../../support/stage.ts';

const pagId = (n: number): string => `30000000-0000-4000-8000-00000000000${n}`;
/** PAGs of demo's brand: the default one, the one of 30 days. The one of 90 days is In Review. */
const [defaultPag, pag30] = [pagId(1), pagId(2)];
const [pending, onHold, needsChanges] = [orderId(18), orderId(12), orderId(10)];
const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };

const lines = (...durations: (number | undefined)[]) => ({
  order_lines: durations.map((duration) => ({ ...(duration && { duration }), pouches: orderLine().pouches })),
});
const created = async ({ order }: TestStage, ...durations: (number | undefined)[]): Promise<string> =>
  (await order(lines(...durations))).body.order.status;
const statusOf = async ({ client }: TestStage, id: string): Promise<string> =>
  (await client.get(`/v2/orders/${id}`)).body.order.status;
const modify = ({ client }: TestStage, id: string, change: object = lines(30)) =>
  client.patch(`/v2/orders/${id}`, change);

async function withSwitch(inactive_pags: SwitchesSent['inactive_pags']) {
  const world = await testStage();
  await world.stage.switches.set({ inactive_pags });
  return world;
}

test('all: new and modified orders need changes; other orders and the PAGs stay as they are', async () => {
  const world = await testStage();
  const { stage, client } = world;
  const records = async () => [await stage.records.orders.list(), await stage.records.pags.list()];
  const before = await records();
  await stage.switches.set({ inactive_pags: { all: true } });
  expect(await records()).toEqual(before);
  expect([await statusOf(world, pending), await statusOf(world, onHold)]).toEqual(['Pending', 'On Hold']);

  const { status, body } = await world.order();
  expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
  expect([await created(world, 60), await created(world, undefined)]).toEqual(['Needs Changes', 'Needs Changes']);
  // A change of the address alone is judged, too.
  for (const id of [pending, onHold]) {
    const answer = await modify(world, id, { shipping_address });
    expect([answer.status, answer.body.order.status]).toEqual([200, 'Needs Changes']);
    expect((await modify(world, id)).body.message).toBe('Order cannot be modified');
  }
  expect((await modify(world, needsChanges)).status).toBe(422);
  expect((await client.post(`/v2/orders/${pending}/cancel`)).body.order.status).toBe('Canceled');

  await stage.switches.set({ inactive_pags: null });
  expect([await created(world, 30), await statusOf(world, body.order.id)]).toEqual(['Pending', 'Needs Changes']);
});

test.each([
  ['of 30 days', [pag30], ['Needs Changes', 'Pending', 'Pending', 'Needs Changes']],
  ['for all other durations', [defaultPag], ['Pending', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
  ['of both', [defaultPag, pag30], ['Needs Changes', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
  ['of another brand', [pagId(4)], ['Pending', 'Pending', 'Pending', 'Needs Changes']],
])('ids: only the PAGs %s count as Inactive', async (_, ids, expected) => {
  const world = await withSwitch({ ids });
  const statuses = [];
  for (const duration of [30, 60, undefined, 90]) statuses.push(await created(world, duration));
  expect(statuses).toEqual(expected);
});

test('ids: one line with such a PAG is enough, also of a modification; ids may be in capitals', async () => {
  const world = await withSwitch({ ids: [pag30] });
  expect([await created(world, 60, 60), await created(world, 60, 30)]).toEqual(['Pending', 'Needs Changes']);
  expect((await modify(world, pending, lines(60))).body.order.status).toBe('Pending');
  expect((await modify(world, pending, lines(30))).body.order.status).toBe('Needs Changes');

  const id = 'ABCDEF00-0000-4000-8000-00000000000A';
  const { pags } = world.stage.records;
  await pags.update(pag30, { duration: 31 });
  const brand_id = '11000000-0000-4000-8000-000000000001';
  await pags.create({ id, brand_id, name: 'Box', status: 'Active', duration: 30 });
  await world.stage.switches.set({ inactive_pags: { ids: [id] } });
  expect([await created(world, 30), await created(world, 60)]).toEqual(['Needs Changes', 'Pending']);
});
