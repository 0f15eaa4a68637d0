// Which step of the timeline an order takes next, and when. Each order under way has one row for it, whatever `fulfillment_timeline` says:
// turned to automatic, the steps that are due are taken as if it had always been.
import { latestInstant } from '../contract/instant.ts';
import type { DueStep, TimelineStep } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { actionsFrom } from './fulfillment-status.ts';
import { statusAfter } from './order-status.ts';
import { packagesOf, unshippedLines } from './packages.ts';
import type { World } from './world.ts';

type Order = RecordOf<'orders'>;

/** The step that an order takes next, if any: what its status and its packages leave to be done. */
export function nextStep(world: World, order: Order): TimelineStep | undefined {
  if (statusAfter(order.status, 'accept', 'documented_path')) return 'accepted';
  if (statusAfter(order.status, 'start_production', 'documented_path')) return 'in_production';
  const packages = packagesOf(world, order.id);
  if (order.status === 'In Production' && unshippedLines(order, packages).length > 0) return 'shipped';
  const can = packages.map(({ status_id }) => actionsFrom(status_id));
  if (can.some((actions) => actions.includes('pick_up'))) return 'picked_up';
  return can.some((actions) => actions.includes('deliver')) ? 'delivered' : undefined;
}

/** Keeps the order's next step in step with what became of it. One that is still the next keeps its time, unless it is timed `anew`. */
export function schedule(world: World, order: Order, { anew = false } = {}): void {
  const due = world.table('due_steps');
  const former = due.get(order.id);
  const step = nextStep(world, order);
  if (former?.step === step && !anew) return;
  const row = step && dueStep(world, order, step);
  if (row && former) due.replace(row);
  else if (row) due.insert(row);
  else if (former) due.remove(order.id);
}

/** The step with its time; undefined where that is beyond the last year of the clock. */
function dueStep(world: World, order: Order, step: TimelineStep): DueStep | undefined {
  const { delay_seconds, spread_seconds } = world.single('timeline')[step];
  const seconds = delay_seconds + spread_seconds * world.draw(`spread of ${step}`, numberOf(order.id));
  const at = Math.round(world.now + seconds * 1000);
  return at <= latestInstant ? { id: order.id, step, due_at: new Date(at).toISOString() } : undefined;
}

/** A number of 32 bits that an id stands for. */
export const numberOf = (id: string): number => Number.parseInt(id.slice(-8), 16);
