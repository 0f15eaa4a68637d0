// inactive_pags: PAGs count as Inactive when an order is created or modified (ORD-25); no record changes.
import { expect, test } from 'vitest';
import { addressIn } from '../../support/operator.ts';
import { brandOfDemo, orderId, orderLine, pagId } from '../../support/order-requests.ts';
import { type TestStage, testStage } from '../../support/stage.ts';

/** PAGs of demo's brand: the default one, the one of 30 days. The one of 90 days is In Review. */
const [defaultPag, pag30] = [pagId(1), pagId(2)];
const [pending, onHold] = [orderId(18), orderId(12)];

const lines = (...durations: (number | undefined)[]) => ({
  order_lines: durations.map((duration) => ({ ...(duration && { duration }), pouches: orderLine().pouches })),
});
const created = async ({ order }: TestStage, ...durations: (number | undefined)[]): Promise<string> =>
  (await order(lines(...durations))).body.order.status;
const statusOf = async ({ client }: TestStage, id: string): Promise<string> =>
  (await client.get(`/v2/orders/${id}`)).body.order.status;
const modify = ({ client }: TestStage, id: string, change: object) => client.patch(`/v2/orders/${id}`, change);

async function withInactive(ids: string[]) {
  const world = await testStage();
  await world.stage.switches.set({ inactive_pags: { ids } });
  return world;
}

test('all: new and modified orders need changes; other orders and the PAGs stay as they are', async () => {
  const world = await testStage();
  const { stage } = world;
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
    const answer = await modify(world, id, addressIn('Switzerland'));
    expect([answer.status, answer.body.order.status]).toEqual([200, 'Needs Changes']);
  }
  await stage.switches.set({ inactive_pags: null });
  expect([await created(world, 30), await statusOf(world, body.order.id)]).toEqual(['Pending', 'Needs Changes']);
});

test.each([
  ['of 30 days', [pag30], ['Needs Changes', 'Pending', 'Pending', 'Needs Changes']],
  ['for all other durations', [defaultPag], ['Pending', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
  ['of both', [defaultPag, pag30], ['Needs Changes', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
  ['of another brand', [pagId(4)], ['Pending', 'Pending', 'Pending', 'Needs Changes']],
])('ids: only the PAGs %s count as Inactive', async (_, ids, expected) => {
  const world = await withInactive(ids);
  const statuses = [];
  for (const duration of [30, 60, undefined, 90]) statuses.push(await created(world, duration));
  expect(statuses).toEqual(expected);
});

test('ids: also in a modification; they may be in capitals', async () => {
  const world = await withInactive([pag30]);
  const modified = [await modify(world, pending, lines(60)), await modify(world, pending, lines(30))];
  expect(modified.map(({ body }) => body.order.status)).toEqual(['Pending', 'Needs Changes']);
  const id = 'ABCDEF00-0000-4000-8000-00000000000A';
  const { pags } = world.stage.records;
  await pags.update(pag30, { duration: 31 });
  await pags.create({ id, brand_id: brandOfDemo, name: 'Box', status: 'Active', duration: 30 });
  await world.stage.switches.set({ inactive_pags: { ids: [id] } });
  expect([await created(world, 30), await created(world, 60)]).toEqual(['Needs Changes', 'Pending']);
});

test('match: only the orders that match need changes', async () => {
  const { stage, order } = await testStage();
  const ordered = async (match: object) => {
    await stage.switches.set({ inactive_pags: { all: true, match } });
    return (await order()).body.order.status;
  };
  expect(await ordered({ operation: 'orders.update' })).toBe('Pending');
  expect(await ordered({ method: 'POST', path: '/v2/orders' })).toBe('Needs Changes');
  expect(await ordered({ body: { order_lines: [{ duration: 60 }] } })).toBe('Pending');
  expect(await ordered({ body: { order_lines: [{ duration: 30 }] } })).toBe('Needs Changes');
});
