// Record → wire shape. `absent_values` decides how a value that is not there looks.
import { baseUrlSlot } from '../contract/addresses.ts';
import { nextCursorHeaders } from '../contract/paging.ts';
import type { RecordOf } from '../contract/records.ts';
import type { Terms } from '../contract/terms.ts';
import { labelUrl } from './labels.ts';
import type { Page } from './paging.ts';
import type { World } from './world.ts';

/** Leaves out what is null where absent values are omitted. */
function told<T extends object>(terms: Terms, body: T): { [K in keyof T]: T[K] } {
  if (terms.get('absent_values') === 'null') return body;
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

/** A fulfillment with its 15 fields; the label URL is made at every read (FUL-5). */
export function presentFulfillment(world: World, fulfillment: RecordOf<'fulfillments'>) {
  const { brand_id: _, id, order_id, consumer_id, status_id, ...rest } = fulfillment;
  const { delivery_date, pickup_date, tracking_info, shipment_order_id, shipment_order_number, ...last } = rest;
  const byUuid = world.terms.get('status_id') === 'uuid';
  return told(world.terms, {
    id,
    order_id,
    consumer_id,
    status_id: byUuid ? (world.table('fulfillment_statuses').get(status_id)?.uuid ?? status_id) : status_id,
    delivery_date,
    pickup_date,
    tracking_info: tracking_info && {
      ...tracking_info,
      tracking_url: tracking_info.tracking_url.replace(baseUrlSlot, () => world.baseUrl),
    },
    shipment_order_id,
    shipment_order_number,
    label_url: labelUrl(world, id),
    ...last,
  });
}

/** Where the next cursor stands (`next_cursor`): in the body, or in a header. */
export function presentPage<Key extends string, Row, Item>(
  world: World,
  key: Key,
  page: Page<Row>,
  item: (row: Row) => Item,
  requestUrl: () => URL,
) {
  const items = { [key]: page.rows.map(item) } as { [K in Key]: Item[] };
  const place = world.terms.get('next_cursor');
  if (place === 'body') return { body: { ...items, next_cursor: page.next } };
  if (place === 'meta') return { body: { ...items, meta: { next_cursor: page.next } } };
  if (page.next === null) return { body: items };
  if (place === 'header') return { body: items, headers: { [nextCursorHeaders.header]: page.next } };
  const next = requestUrl();
  next.searchParams.set('cursor', page.next);
  return { body: items, headers: { [nextCursorHeaders.link_header]: `<${next}>; rel="next"` } };
}
