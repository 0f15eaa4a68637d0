// How an order gets on: what the operator may do to it and its packages, and what a sandbox keeps of that beside the records.
import { z } from 'zod';
import { once } from './lazily.ts';

/** What the operator does to an order. */
export const orderActions = ['accept', 'hold', 'release', 'approve_packaging', 'start_production', 'cancel'] as const;
export type OrderAction = (typeof orderActions)[number];

/** What becomes of a package. */
export const fulfillmentActions = ['pick_up', 'depart', 'delay', 'deliver', 'lose', 'return'] as const;
export type FulfillmentAction = (typeof fulfillmentActions)[number];

/** The fulfillment statuses that the service itself gives, by the ids that the fixtures name and describe them under. */
export const fulfillmentStatuses = [
  'label_created',
  'picked_up',
  'in_transit',
  'delayed',
  'delivered',
  'lost',
  'returned',
] as const;
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number];

/** The steps of the timeline, in their order (`fulfillment_timeline: automatic`). */
export const timelineSteps = ['accepted', 'in_production', 'shipped', 'picked_up', 'delivered'] as const;
export type TimelineStep = (typeof timelineSteps)[number];

const id = once(() => z.guid().lowercase());
const time = once(() => z.iso.datetime({ precision: 3 }));

/** The next step of an order or of a package, by the id of its record: taken when the sandbox's clock passes `due_at`. */
export const dueStep = once(() => z.strictObject({ id: id(), step: z.enum(timelineSteps), due_at: time() }));
export type DueStep = Readonly<z.output<ReturnType<typeof dueStep>>>;

/** How many events of a package are kept. */
export const maxTrackingEvents = 100;

/** What became of a package and when, by the fulfillment's id, oldest first. */
export const trackingHistory = once(() =>
  z.strictObject({
    id: id(),
    events: z.array(z.strictObject({ status_id: z.string().min(1), at: time() })).max(maxTrackingEvents),
  }),
);
export type TrackingEvent = Readonly<z.output<ReturnType<typeof trackingHistory>>['events'][number]>;
export interface TrackingHistory {
  readonly id: string;
  readonly events: readonly TrackingEvent[];
}
