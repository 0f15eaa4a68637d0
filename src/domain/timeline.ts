// The steps of the timeline as they are taken: what the operator's actions do by hand (`fulfillment_timeline: automatic`).
import type { DueStep, FulfillmentAction, TimelineStep } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { actionsFrom, firstStatus, statusOf } from './fulfillment-status.ts';
import { moveOrder } from './order-moves.ts';
import { packagesOf, unshippedLines } from './packages.ts';
import { nextStep, schedule } from './schedule.ts';
import { ship } from './shipments.ts';
import { movePackage } from './tracking.ts';
import type { World } from './world.ts';

type Order = RecordOf<'orders'>;

const steps: Readonly<Record<TimelineStep, (world: World, order: Order) => void>> = {
  accepted: (world, order) => void moveOrder(world, order, 'accept'),
  in_production: (world, order) => void moveOrder(world, order, 'start_production'),
  shipped: shipRest,
  picked_up: (world, order) => moveAll(world, order, 'pick_up'),
  delivered: (world, order) => moveAll(world, order, 'deliver'),
};

/** Takes a step that is due; the world's time is the step's. */
export function takeStep(world: World, row: DueStep): void {
  const due = world.table('due_steps');
  const order = world.table('orders').get(row.id);
  if (order && nextStep(world, order) === row.step) steps[row.step](world, order);
  // What was changed past the timeline since has another next step.
  else if (order) schedule(world, order);
  // A step that could not be taken, for want of its order, of a status or of room, ends the timeline: it would be due for ever.
  if (due.get(row.id)?.step === row.step) due.remove(row.id);
}

const hasStatus = (world: World, id: string): boolean => world.table('fulfillment_statuses').get(id) !== undefined;

function shipRest(world: World, order: Order): void {
  if (!hasStatus(world, firstStatus) || world.table('fulfillments').isFull) return;
  ship(world, order, { lines: unshippedLines(order, packagesOf(world, order.id)) });
}

function moveAll(world: World, order: Order, action: FulfillmentAction): void {
  if (!hasStatus(world, statusOf[action])) return;
  for (const one of packagesOf(world, order.id))
    if (actionsFrom(one.status_id).includes(action)) movePackage(world, one, action);
}
