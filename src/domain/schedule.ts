// Which step of the timeline an order or a package takes next, and when: so long after its last change. Each that was made or changed here
// has one row for it while it is under way, whatever `fulfillment_timeline` says: turned to automatic, the steps that are due are taken as
// if it had always been.

import type { DueStep, RecordOf, TimelineStep } from '../contract/records.ts';
import { latestInstant } from '../contract/records.ts';

import { actionsFrom } from './fulfillment-status.ts';
import { packagesOf, unshippedLines } from './packages.ts';
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

/** The step that a package takes next, if any. Of an order that waits or is canceled nothing leaves the house; what has left it arrives. */
export function packageStep(world: World, fulfillment: Fulfillment): TimelineStep | undefined {
  const can = actionsFrom(fulfillment.status_id);
  if (can.includes('deliver')) return 'delivered';
  const status = world.table('orders').get(fulfillment.order_id)?.status;
  const isHeld = status === 'On Hold' || status === 'Canceled';
  return can.includes('pick_up') && !isHeld ? 'picked_up' : undefined;
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
  // In milliseconds since 1970, also beyond the last year of the clock, at which no step is due any more.
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
  else if (!isKept(world, former, row, at)) due.replace(row);
}

/** Whether a row stays as it is: the same step at the same time, or due already under both. */
const isKept = ({ now }: World, former: DueStep, row: DueStep, at: number): boolean =>
  former.step === row.step && (former.due_at === row.due_at || (at <= now && Date.parse(former.due_at) <= now));
