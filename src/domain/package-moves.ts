// What becomes of packages on their way: statuses, dates, and the events that are kept of them.

import type { RecordOf } from '../contract/records.ts';
import { type FulfillmentAction, maxTrackingEvents } from '../contract/records.ts';
import { statusOf } from './fulfillment-status.ts';
import { schedulePackage } from './schedule.ts';
import { timestampAfter, type World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

/** Keeps an event of a package: that it came into its status then. */
export function noteEvent(world: World, { id, status_id }: Fulfillment, at: string): void {
  const table = world.table('tracking');
  const former = table.get(id);
  const events = [...(former?.events ?? []), { status_id, at }].slice(-maxTrackingEvents);
  if (former) table.replace({ id, events });
  else table.insert({ id, events });
}

/** The package after an action. Dates that it has stay, also where the action is forced upon it. */
export function movePackage(world: World, fulfillment: Fulfillment, action: FulfillmentAction): Fulfillment {
  const { created_at, pickup_date, delivery_date, updated_at } = fulfillment;
  const at = timestampAfter(world, created_at, pickup_date, delivery_date, updated_at);
  const moved: Fulfillment = {
    ...fulfillment,
    status_id: statusOf[action],
    pickup_date: pickup_date ?? (action === 'pick_up' ? at : null),
    delivery_date: delivery_date ?? (action === 'deliver' ? at : null),
    updated_at: at,
  };
  world.table('fulfillments').replace(moved);
  noteEvent(world, moved, at);
  schedulePackage(world, moved);
  return moved;
}
