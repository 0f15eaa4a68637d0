// The steps of the timeline as they are taken: what the operator's actions do by hand (`fulfillment_timeline: automatic`).
import type { DueStep, RecordOf } from '../contract/records.ts';
import { firstStatus, hasStatus, statusOf } from './fulfillment-status.ts';
import { moveOrder } from './order-status.ts';
import { movePackage } from './package-moves.ts';
import { packagesOf, unshippedLines } from './packages.ts';
import { orderStep, packageStep, scheduleOrderAlone, schedulePackage } from './schedule.ts';
import { ship } from './shipments.ts';
import type { World } from './world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** Takes a step that is due; the world's time is the step's. */
export function takeStep(world: World, step: DueStep): void {
  const order = world.table('orders').get(step.id);
  const fulfillment = order ? undefined : world.table('fulfillments').get(step.id);
  if (order) takeOrderStep(world, order, step);
  else if (fulfillment) takePackageStep(world, fulfillment, step);
  // A step that could not be taken, for want of its record, of a status or of room, ends the timeline: it would be due for ever.
  const row = world.table('due_steps').get(step.id);
  if (row?.step === step.step && row.due_at === step.due_at) world.table('due_steps').remove(step.id);
}

function takeOrderStep(world: World, order: Order, step: DueStep): void {
  // What was changed past the timeline since has another next step.
  if (orderStep(world, order) !== step.step) scheduleOrderAlone(world, order);
  else if (step.step === 'accepted') moveOrder(world, order, 'accept');
  else if (step.step === 'in_production') moveOrder(world, order, 'start_production');
  else shipRest(world, order);
}

function shipRest(world: World, order: Order): void {
  if (!hasStatus(world, firstStatus) || world.table('fulfillments').isFull) return;
  ship(world, order, { lines: unshippedLines(order, packagesOf(world, order.id)) });
}

function takePackageStep(world: World, fulfillment: Fulfillment, step: DueStep): void {
  const action = step.step === 'picked_up' ? 'pick_up' : 'deliver';
  if (packageStep(world, fulfillment) !== step.step) schedulePackage(world, fulfillment);
  else if (hasStatus(world, statusOf[action])) movePackage(world, fulfillment, action);
}
