// Which step of the timeline an order or a package takes next, and when: so long after its last change. Each that was made or changed here
// has one row for it while it is under way, whatever `fulfillment_timeline` says: turned to automatic, the steps that are due are taken as
// if it had always been.
import { latestInstant } from '../contract/instant.ts';
import type { DueStep, TimelineStep } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { drawFor } from './draws.ts';
import { actionsFrom } from './fulfillment-status.ts';
import { packagesOf, unshippedLines } from './packages.ts';
import { timestamp, type World } from './world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** The step that an order takes next, if any. */
export function orderStep(world: World, order: Order): TimelineStep | undefined {
  if (order.status === 'Pending') return 'accepted';
  if (order.status === 'Accepted') return 'in_production';
  const isLeft = order.status === 'In Production' && unshippedLines(order, packagesOf(world, order.id)).length > 0;
  return isLeft ? 'shipped' : undefined;
}

/** The step that a package takes next, if any. Of an order that waits or is canceled nothing leaves the house; what has left it arrives. */
export function packageStep(world: World, fulfillment: Fulfillment): TimelineStep | undefined {
  const can = actionsFrom(fulfillment.status_id);
  if (can.includes('deliver')) return 'delivered';
  const status = world.table('orders').get(fulfillment.order_id)?.status;
  const isKept = status === 'On Hold' || status === 'Canceled';
  return can.includes('pick_up') && !isKept ? 'picked_up' : undefined;
}

/** Keeps the row of an order's next step, and of its packages' where its status lets them go or keeps them. */
export function scheduleOrder(world: World, order: Order): void {
  scheduleOrderAlone(world, order);
  for (const fulfillment of packagesOf(world, order.id)) schedulePackage(world, fulfillment);
}

/** Keeps the row of an order whose packages stay as they are. */
export const scheduleOrderAlone = (world: World, order: Order): void => keep(world, order, orderStep(world, order));

export const schedulePackage = (world: World, fulfillment: Fulfillment): void =>
  keep(world, fulfillment, packageStep(world, fulfillment));

/** A step whose time is past by now, because the delays or its record were changed, is due now: what was seen so far stays true. */
function keep(world: World, record: Order | Fulfillment, step: TimelineStep | undefined): void {
  const due = world.table('due_steps');
  const former = due.get(record.id);
  const now = timestamp(world);
  const next = step && timed(world, step, record);
  const row = next && next.due_at < now ? { ...next, due_at: now } : next;
  const isDue = former !== undefined && former.due_at <= now && row?.due_at === now;
  if (former?.step === row?.step && (isDue || former?.due_at === row?.due_at)) return;
  if (row && former) due.replace(row);
  else if (row) due.insert(row);
  else due.remove(record.id);
}

/** The step with its time; undefined where that is beyond the last year of the clock. */
function timed(world: World, step: TimelineStep, { id, updated_at }: Order | Fulfillment): DueStep | undefined {
  const { delay_seconds, spread_seconds } = world.single('timeline')[step];
  const seconds = delay_seconds + spread_seconds * drawFor(world, `spread of ${step}`, id);
  const at = Math.round(Date.parse(updated_at) + seconds * 1000);
  return at <= latestInstant ? { id, step, due_at: new Date(at).toISOString() } : undefined;
}
