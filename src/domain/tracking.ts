// What a package's tracking page shows: what became of it.
import type { TrackingEvent } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import type { World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

export interface Tracked {
  readonly fulfillment: Fulfillment;
  /** Newest first. */
  readonly events: readonly { readonly at: string; readonly name: string }[];
}

/** The package with this tracking number; of several the one made last. */
export function trackedPackage(world: World, trackingNumber: string): Tracked | undefined {
  const found = world.table('fulfillments').walk('tracking_number', trackingNumber, { newestFirst: true });
  for (const [, fulfillment] of found) {
    return { fulfillment, events: packageEvents(world, fulfillment) };
  }
  return undefined;
}

/** The name of a fulfillment status, as the fixtures have it. */
export const statusName = (world: World, id: string): string => world.table('fulfillment_statuses').get(id)?.name ?? id;

/** What became of a package, newest first, each by its name. */
export const packageEvents = (world: World, fulfillment: Fulfillment): Tracked['events'] =>
  eventsOf(world, fulfillment).map(({ at, status_id }) => ({ at, name: statusName(world, status_id) }));

/** What was kept, and where nothing was, what the record tells: of packages that the fixtures or a tester made, no more is known. */
function eventsOf(world: World, fulfillment: Fulfillment): TrackingEvent[] {
  const kept = world.table('tracking').get(fulfillment.id)?.events ?? [];
  const { created_at, pickup_date, delivery_date, updated_at, status_id } = fulfillment;
  const missing = (status: string, at: string | null, among: readonly TrackingEvent[]): TrackingEvent[] =>
    at === null || among.some((event) => event.status_id === status) ? [] : [{ status_id: status, at }];
  const dated = [
    ...missing('label_created', created_at, kept),
    ...missing('picked_up', pickup_date, kept),
    ...missing('delivered', delivery_date, kept),
    ...kept,
  ];
  // Of one instant, what stands last is the newest.
  return [...dated, ...missing(status_id, updated_at, dated)].sort(byTime).reverse();
}

const byTime = (one: TrackingEvent, other: TrackingEvent): number =>
  one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
