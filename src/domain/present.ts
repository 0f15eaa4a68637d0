// Record → wire. `absent_values` decides between null and leaving a member out.
import { baseUrlSlot } from '../contract/addresses.ts';
import type { Choice } from '../contract/assumptions.ts';
import { nextCursorHeaders } from '../contract/paging.ts';
import type { RecordOf } from '../contract/records.ts';
import { labelUrls } from './labels.ts';
import type { World } from './world.ts';

/** If absent values are omitted, null becomes undefined, which JSON leaves out. Changes the body. */
function withAbsent<T extends object>(absentValues: Choice<'absent_values'>, body: T): { [K in keyof T]: T[K] } {
  if (absentValues === 'null') return body;
  for (const name in body) if (body[name] === null) body[name] = undefined as T[typeof name];
  return body;
}

export function presentProduct({ id, product_name, active, serving_size }: RecordOf<'products'>) {
  return { id, product_name, active, serving_size };
}

export function presentConsumer({ assumptions }: World, consumer: RecordOf<'consumers'>) {
  const { id, first_name, last_name, email, phone_number } = consumer;
  return withAbsent(assumptions.get('absent_values'), { id, first_name, last_name, email, phone_number });
}

/** The order: id, status and consumer, or more (`order_fields`). */
export function presentOrder(world: World, order: RecordOf<'orders'>) {
  const consumer = world.table('consumers').get(order.consumer_id);
  const { first_name = null, last_name = null } = consumer ?? {};
  const absentValues = world.assumptions.get('absent_values');
  const documented = {
    id: order.id,
    status: order.status,
    consumer: withAbsent(absentValues, { id: order.consumer_id, first_name, last_name }),
  };
  if (world.assumptions.get('order_fields') === 'documented') return documented;
  const { shipping_address, order_lines, created_at, updated_at } = order;
  return { ...documented, shipping_address, order_lines, created_at, updated_at };
}

/** Presents fulfillments with their 15 fields and a new label URL (FUL-5). */
export function fulfillmentPresenter(world: World) {
  const { assumptions, baseUrl } = world;
  const labelUrl = labelUrls(world);
  const absentValues = assumptions.get('absent_values');
  const statusId = assumptions.get('status_id');
  return (fulfillment: RecordOf<'fulfillments'>) => {
    const { id, order_id, consumer_id, status_id, delivery_date, pickup_date, tracking_info } = fulfillment;
    return withAbsent(absentValues, {
      id,
      order_id,
      consumer_id,
      status_id: statusId === 'uuid' ? uuidOf(world, status_id) : status_id,
      delivery_date,
      pickup_date,
      tracking_info: tracking_info && {
        ...tracking_info,
        tracking_url: tracking_info.tracking_url.replace(baseUrlSlot, () => baseUrl),
      },
      shipment_order_id: fulfillment.shipment_order_id,
      shipment_order_number: fulfillment.shipment_order_number,
      label_url: labelUrl(id),
      shipping_net_charge: fulfillment.shipping_net_charge,
      weight: fulfillment.weight,
      created_at: fulfillment.created_at,
      updated_at: fulfillment.updated_at,
      order_lines: fulfillment.order_lines,
    });
  };
}

const uuidOf = (world: World, status: string): string =>
  world.table('fulfillment_statuses').get(status)?.uuid ?? status;

/** Puts the next cursor beside the items in the body, or into a header (`next_cursor`). */
export function presentCursor({ assumptions }: World, cursor: string | null, requestUrl: () => URL): CursorPlace {
  const place = assumptions.get('next_cursor');
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
