// What became of a package, by the tracking events that are kept of it; of what the fixtures or a tester made, by its record.
import type { RecordOf } from '../contract/records.ts';
import { statusName } from '../domain/tracking.ts';
import type { World } from '../domain/world.ts';

export interface PackageEvent {
  /** ISO 8601. */
  readonly at: string;
  /** The status by its name. */
  readonly name: string;
}

/** In the order in which they were noted; what the record alone tells stands first. */
export function packageEvents(world: World, fulfillment: RecordOf<'fulfillments'>): PackageEvent[] {
  const { id, status_id, created_at, pickup_date, delivery_date, updated_at } = fulfillment;
  const kept = world.table('tracking').get(id)?.events ?? [];
  const dated: [status: string, at: string | null][] = [
    ['label_created', created_at],
    ['picked_up', pickup_date],
    ['delivered', delivery_date],
    [status_id, updated_at],
  ];
  const seen = new Set(kept.map((event) => event.status_id));
  const missing = dated.flatMap(([status, at]) => {
    if (at === null || seen.has(status)) return [];
    seen.add(status);
    return [{ status_id: status, at }];
  });
  return [...missing, ...kept].map(({ status_id, at }) => ({ at, name: statusName(world, status_id) }));
}
