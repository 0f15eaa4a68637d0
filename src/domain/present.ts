// Record → wire shape. `absent_values` decides how a value that is not there looks.
import { baseUrlSlot } from '../contract/addresses.ts';
import type { Reading } from '../contract/assumptions.ts';
import { nextCursorHeaders } from '../contract/paging.ts';
import type { RecordOf } from '../contract/records.ts';
import type { Terms } from '../contract/terms.ts';
import { type LabelIssue, labelIssue, labelUrl } from './labels.ts';
import type { World } from './world.ts';

/** Leaves out what is null where absent values are omitted. */
const told = <T extends object>(terms: Terms, body: T) => toldBy(terms.get('absent_values'), body);

function toldBy<T extends object>(absentValues: Reading<'absent_values'>, body: T): { [K in keyof T]: T[K] } {
  if (absentValues === 'null') return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as T;
}

export function presentProduct({ id, product_name, active, serving_size }: RecordOf<'products'>) {
  return { id, product_name, active, serving_size };
}

export function presentConsumer({ terms }: World, consumer: RecordOf<'consumers'>) {
  const { id, first_name, last_name, email, phone_number } = consumer;
  return told(terms, { id, first_name, last_name, email, phone_number });
}

/** The order as `order_fields` tells it: id, status and consumer, or more. */
export function presentOrder(world: World, order: RecordOf<'orders'>) {
  const consumer = world.table('consumers').get(order.consumer_id);
  const { first_name = null, last_name = null } = consumer ?? {};
  const documented = {
    id: order.id,
    status: order.status,
    consumer: told(world.terms, { id: order.consumer_id, first_name, last_name }),
  };
  if (world.terms.get('order_fields') === 'documented') return documented;
  const { shipping_address, order_lines, created_at, updated_at } = order;
  return { ...documented, shipping_address, order_lines, created_at, updated_at };
}

/** All that a fulfillment's look hangs on beside its record, and by `uuid` the record of its status. */
export interface FulfillmentView {
  readonly issue: LabelIssue;
  readonly absentValues: Reading<'absent_values'>;
  readonly statusId: Reading<'status_id'>;
}

export const fulfillmentView = (world: World): FulfillmentView => ({
  issue: labelIssue(world),
  absentValues: world.terms.get('absent_values'),
  statusId: world.terms.get('status_id'),
});

/** A fulfillment with its 15 fields; the label URL is made at every read (FUL-5). */
export function presentFulfillment(
  { issue, absentValues }: FulfillmentView,
  fulfillment: RecordOf<'fulfillments'>,
  statusId: string,
) {
  const { brand_id: _, id, order_id, consumer_id, status_id: __, ...rest } = fulfillment;
  const { delivery_date, pickup_date, tracking_info, shipment_order_id, shipment_order_number, ...last } = rest;
  return toldBy(absentValues, {
    id,
    order_id,
    consumer_id,
    status_id: statusId,
    delivery_date,
    pickup_date,
    tracking_info: tracking_info && {
      ...tracking_info,
      tracking_url: tracking_info.tracking_url.replace(baseUrlSlot, () => issue.baseUrl),
    },
    shipment_order_id,
    shipment_order_number,
    label_url: labelUrl(issue, id),
    ...last,
  });
}

/** The status as `status_id` tells it. */
export const statusIdOf = (world: World, { status_id }: RecordOf<'fulfillments'>, by: Reading<'status_id'>): string =>
  by === 'uuid' ? (world.table('fulfillment_statuses').get(status_id)?.uuid ?? status_id) : status_id;

/** Where the next cursor stands (`next_cursor`): beside the items in the body, or in a header. */
export function presentCursor({ terms }: World, cursor: string | null, requestUrl: () => URL): CursorPlace {
  const place = terms.get('next_cursor');
  if (place === 'body') return { beside: { next_cursor: cursor } };
  if (place === 'meta') return { beside: { meta: { next_cursor: cursor } } };
  if (cursor === null) return {};
  if (place === 'header') return { headers: { [nextCursorHeaders.header]: cursor } };
  const next = requestUrl();
  next.searchParams.set('cursor', cursor);
  return { headers: { [nextCursorHeaders.link_header]: `<${next}>; rel="next"` } };
}

interface CursorPlace {
  readonly beside?: object;
  readonly headers?: Readonly<Record<string, string>>;
}
