// What became of a package: its moves, each of them an event that its tracking page shows.
import { type FulfillmentAction, maxTrackingEvents, type TrackingEvent } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { statusOf } from './fulfillment-status.ts';
import { schedule } from './schedule.ts';
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
  const { created_at, pickup_date, updated_at } = fulfillment;
  const at = timestampAfter(world, created_at, pickup_date, updated_at);
  const moved: Fulfillment = {
    ...fulfillment,
    status_id: statusOf[action],
    pickup_date: pickup_date ?? (action === 'pick_up' ? at : null),
    delivery_date: fulfillment.delivery_date ?? (action === 'deliver' ? at : null),
    updated_at: at,
  };
  world.table('fulfillments').replace(moved);
  noteEvent(world, moved, at);
  const order = world.table('orders').get(moved.order_id);
  // A package that is late is delivered later, too.
  if (order) schedule(world, order, { anew: action === 'delay' });
  return moved;
}

/** A package as its tracking page shows it. */
interface Tracked {
  readonly fulfillment: Fulfillment;
  /** Newest first; none that the sandbox's clock has yet to reach. */
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

const byTime = (one: TrackingEvent, other: TrackingEvent): number =>
  one.at < other.at ? -1 : one.at > other.at ? 1 : 0;

/** What was kept, and what the record itself tells: of packages that the fixtures or a tester made, no more is known. */
function eventsOf(world: World, fulfillment: Fulfillment): TrackingEvent[] {
  const kept = world.table('tracking').get(fulfillment.id)?.events ?? [];
  const { created_at, pickup_date, delivery_date, updated_at, status_id } = fulfillment;
  const dated: readonly (readonly [string, string | null])[] = [
    ['label_created', created_at],
    ['picked_up', pickup_date],
    ['delivered', delivery_date],
  ];
  const isDated = dated.some(([status]) => status === status_id);
  const told = [...dated, [status_id, isDated ? null : updated_at] as const];
  const isKept = (status: string, at: string) => kept.some((one) => one.status_id === status && one.at === at);
  const more = told.flatMap(([status, at]) => (at === null || isKept(status, at) ? [] : [{ status_id: status, at }]));
  const now = new Date(world.now).toISOString();
  return [...more, ...kept]
    .filter(({ at }) => at <= now)
    .sort(byTime)
    .reverse();
}
