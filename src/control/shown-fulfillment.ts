// Fulfillments as people look at them: page by page, and one with its way and its label, seen at one time of the sandbox.
import { baseUrlSlot } from '../contract/addresses.ts';
import type { FulfillmentAction } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { labelUrls } from '../domain/labels.ts';
import { endOf } from '../domain/presign.ts';
import { type ShippingLabel, shippingLabel } from '../domain/shipping-label.ts';
import { packageEvents, statusName, type Tracked } from '../domain/tracking.ts';
import type { Draft } from '../state/draft.ts';
import { backstage, type Writing } from './backstage.ts';
import { consumerName } from './consumer-name.ts';
import { isAutomatic, type NextStep, nextStepOf } from './due.ts';
import { type NewestAsked, newestRecords } from './newest-records.ts';
import { possiblePackageActions } from './operator.ts';
import { getRecord } from './records.ts';

type Fulfillment = RecordOf<'fulfillments'>;

/** A fulfillment among others. */
export interface ListedFulfillment {
  readonly record: Fulfillment;
  /** Its status by name. */
  readonly status: string;
}

/** Newest first. */
export function listedFulfillments(draft: Draft, asked: Pick<NewestAsked<Fulfillment>, 'before' | 'limit'>) {
  const { records, before } = newestRecords(draft, 'fulfillments', asked);
  const names = draft.table('fulfillment_statuses');
  const rows: ListedFulfillment[] = records.map((record) => ({
    record,
    status: names.get(record.status_id)?.name ?? record.status_id,
  }));
  return { rows, total: draft.table('fulfillments').size, before };
}

export interface ShownFulfillment {
  readonly record: Fulfillment;
  /** Its status by name. */
  readonly status: string;
  readonly consumer: string;
  /** Oldest first. */
  readonly events: Tracked['events'];
  readonly next: NextStep | undefined;
  readonly isAutomatic: boolean;
  readonly possible: readonly FulfillmentAction[];
  /** null where it has none. */
  readonly trackingUrl: string | null;
  readonly label: ShippingLabel;
  /** As a client is given it now. */
  readonly labelUrl: string;
  /** Until when that is good, in ISO 8601. */
  readonly labelUntil: string;
}

/**
 * @param baseUrl of the sandbox, absolute
 * @throws ControlRefusal 404
 */
export function shownFulfillment(draft: Draft, id: string, writing: Writing, baseUrl: string): ShownFulfillment {
  const record = getRecord(draft, 'fulfillments', id);
  const world = backstage(draft, writing, baseUrl);
  const url = labelUrls(world)(record.id);
  return {
    record,
    status: statusName(world, record.status_id),
    consumer: consumerName(draft, record.consumer_id),
    events: packageEvents(world, record).toReversed(),
    next: nextStepOf(draft, record.id),
    isAutomatic: isAutomatic(draft.value('readings')),
    possible: possiblePackageActions(record),
    trackingUrl: record.tracking_info?.tracking_url.replace(baseUrlSlot, () => baseUrl) ?? null,
    label: shippingLabel(world, record),
    labelUrl: url,
    labelUntil: new Date(endOf(new URL(url).searchParams)).toISOString(),
  };
}
