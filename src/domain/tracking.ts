// What a package's tracking page shows: what became of it.
import type { TrackingEvent } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import type { World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

interface Tracked {
  readonly fulfillment: Fulfillment;
  /** Newest first. */
  readonly events: readonly { readonly at: string; readonly name: string }[];
}

/** The package with this tracking number; of several the one made last. */
export function trackedPackage(world: World, trackingNumber: string): Tracked | undefined {
  const found = world.table('fulfillments').walk('tracking_number', trackingNumber, { newestFirst: true });
  for (const [, fulfillment] of found) {
    const events = eventsOf(world, fulfillment).map(({ at, status_id }) => ({
      at,
      name: statusName(world, status_id),
    }));
    return { fulfillment, events };
  }
  return undefined;
}

/** The name of a fulfillment status, as the fixtures have it. */
export const statusName = (world: World, id: string): string => world.table('fulfillment_statuses').get(id)?.name ?? id;

/** What was kept, and where nothing was, what the record tells: of packages that the fixtures or a tester made, no more is known. */
function eventsOf(world: World, fulfillment: Fulfillment): TrackingEvent[] {
  const kept = world.table('tracking').get(fulfillment.id)?.events ?? [];
  const { created_at, pickup_date, delivery_date, updated_at, status_id } = fulfillment;
  const told: readonly (readonly [status: string, at: string | null])[] = [
    ['label_created', created_at],
    ['picked_up', pickup_date],
    ['delivered', delivery_date],
    [status_id, updated_at],
  ];
  const events = [...kept];
  for (const [status, at] of told)
    if (at !== null && !events.some((event) => event.status_id === status)) events.push({ status_id: status, at });
  return events.sort(byTime).reverse();
}

const byTime = (one: TrackingEvent, other: TrackingEvent): number =>
  one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
