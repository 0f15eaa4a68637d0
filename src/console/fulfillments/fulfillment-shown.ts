// All that the page of one fulfillment shows, seen at one time of the sandbox.
import { baseUrlSlot } from '../../contract/addresses.ts';
import type { FulfillmentAction } from '../../contract/order-progress.ts';
import type { RecordOf } from '../../contract/records.ts';
import { Terms } from '../../contract/terms.ts';
import { OpenWorld } from '../../control/open-world.ts';
import { possiblePackageActions } from '../../control/operator.ts';
import { getRecord } from '../../control/records.ts';
import type { Hashes } from '../../domain/hashes.ts';
import { labelUrl } from '../../domain/labels.ts';
import { secondsOf } from '../../domain/presign.ts';
import { type ShippingLabel, shippingLabel } from '../../domain/shipping-label.ts';
import { statusName } from '../../domain/tracking.ts';
import type { Draft } from '../../state/draft.ts';
import { consumerName } from '../orders/consumer-name.ts';
import { isAutomatic, type NextStep, nextStepOf } from '../orders/way.tsx';
import { type PackageEvent, packageEvents } from './package-events.ts';

export interface FulfillmentShown {
  readonly record: RecordOf<'fulfillments'>;
  /** Its status by name. */
  readonly status: string;
  readonly consumer: string;
  readonly events: readonly PackageEvent[];
  readonly next: NextStep | undefined;
  readonly automatic: boolean;
  readonly possible: readonly FulfillmentAction[];
  /** null where it has none. */
  readonly trackingUrl: string | null;
  readonly label: ShippingLabel;
  /** As a client is given it now. */
  readonly labelUrl: string;
  /** Until when that is good, in ISO 8601. */
  readonly labelUntil: string;
}

interface Seeing {
  readonly now: number;
  readonly hashes: Hashes;
  /** The absolute base URL of the sandbox. */
  readonly baseUrl: string;
}

/** @throws ControlRefusal 404 */
export function fulfillmentShown(draft: Draft, id: string, { now, hashes, baseUrl }: Seeing): FulfillmentShown {
  const record = getRecord(draft, 'fulfillments', id);
  const terms = new Terms(draft.value('readings'), draft.value('administration_times').values);
  const world = new OpenWorld(draft, { baseUrl, hashes }, now, terms);
  const url = labelUrl(world, record.id);
  return {
    record,
    status: statusName(world, record.status_id),
    consumer: consumerName(draft, record.consumer_id),
    events: packageEvents(world, record),
    next: nextStepOf(draft, record.id),
    automatic: isAutomatic(draft),
    possible: possiblePackageActions(record),
    trackingUrl: record.tracking_info?.tracking_url.replace(baseUrlSlot, () => baseUrl) ?? null,
    label: shippingLabel(world, record),
    labelUrl: url,
    labelUntil: endOf(new URL(url).searchParams),
  };
}

/** When a pre-signed URL ends, as it says itself. */
function endOf(query: URLSearchParams): string {
  const stamp = secondsOf(String(query.get('X-Amz-Date'))) ?? 0;
  return new Date((stamp + Number(query.get('X-Amz-Expires'))) * 1000).toISOString();
}
