// The timeline: which step an order or a package takes next, and when: a delay after its last change. Each record in
// progress has one row for its next step, also while `fulfillment_timeline` is manual: after a change to automatic, the
// steps that are due by then are taken.
import { type DueStep, latestInstant, type RecordOf, type TimelineStep } from '../contract/records.ts';
import { actionsFrom, packagesOf, unshippedLines } from './fulfillments.ts';
import { drawFor, type World } from './world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** The step that an order takes next, if any. */
export function orderStep(world: World, order: Order): TimelineStep | undefined {
  if (order.status === 'Pending') return 'accepted';
  if (order.status === 'Accepted') return 'in_production';
  const isLeft = order.status === 'In Production' && unshippedLines(order, packagesOf(world, order.id)).length > 0;
  return isLeft ? 'shipped' : undefined;
}

/** The step that a package takes next, if any. While its order is on hold or canceled, no package is picked up. */
export function packageStep(world: World, fulfillment: Fulfillment): TimelineStep | undefined {
  const can = actionsFrom(fulfillment.status_id);
  if (can.includes('deliver')) return 'delivered';
  const status = world.table('orders').get(fulfillment.order_id)?.status;
  const isHeld = status === 'On Hold' || status === 'Canceled';
  return can.includes('pick_up') && !isHeld ? 'picked_up' : undefined;
}

/** Schedules the next step of an order and of its packages, which may depend on the order's status. */
export function scheduleOrder(world: World, order: Order): void {
  scheduleOrderAlone(world, order);
  for (const fulfillment of packagesOf(world, order.id)) schedulePackage(world, fulfillment);
}

/** Schedules the next step of an order whose packages do not change. */
export const scheduleOrderAlone = (world: World, order: Order): void =>
  scheduleStep(world, order, orderStep(world, order));

export const schedulePackage = (world: World, fulfillment: Fulfillment): void =>
  scheduleStep(world, fulfillment, packageStep(world, fulfillment));

/** A step is never due in the past, even if the delays or the record changed: earlier reads did not see it taken. */
function scheduleStep(world: World, record: Order | Fulfillment, step: TimelineStep | undefined): void {
  const due = world.table('due_steps');
  const former = due.get(record.id);
  // In milliseconds since 1970. No step is due after the last instant of the clock.
  let at = Number.POSITIVE_INFINITY;
  if (step) {
    const { delay_seconds, spread_seconds } = world.single('timeline')[step];
    const seconds = delay_seconds + spread_seconds * drawFor(world, `spread of ${step}`, record.id);
    at = Math.round(Date.parse(record.updated_at) + seconds * 1000);
  }
  if (!step || at > latestInstant) {
    if (former) due.remove(record.id);
    return;
  }
  const row = { id: record.id, step, due_at: new Date(Math.max(at, world.now)).toISOString() };
  if (!former) due.insert(row);
  else if (!isUnchanged(world, former, row, at)) due.replace(row);
}

/** The same step at the same time, or due already at both times. */
const isUnchanged = ({ now }: World, former: DueStep, row: DueStep, at: number): boolean =>
  former.step === row.step && (former.due_at === row.due_at || (at <= now && Date.parse(former.due_at) <= now));
