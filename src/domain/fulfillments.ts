// Fulfillments (packages): get and list, their statuses, and the order lines in them.
import { baseUrlSlot } from '../contract/addresses.ts';
import {
  type FulfillmentAction,
  type FulfillmentStatus,
  fulfillmentStatuses,
  type RecordOf,
} from '../contract/records.ts';
import { labelUrls } from './labels.ts';
import { applyAbsentValues, emptyPage, findOwned, getOwned, type Page, type PageQuery, pageOf } from './reads.ts';
import type { World } from './world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;
export type OrderLine = Order['order_lines'][number];

export function getFulfillment(world: World, id: string) {
  const fulfillment = getOwned(world, 'fulfillments', id);
  return presenter(world)(fulfillment);
}

/** All fulfillments of one of the caller's orders, in the order of `list_order`. */
export function fulfillmentsOfOrder(world: World, orderId: string) {
  const order = getOwned(world, 'orders', orderId);
  const newestFirst = world.assumptions.get('list_order') === 'newest_first';
  return presentAll(world, packagesOf(world, order.id, newestFirst));
}

type FulfillmentsQuery = PageQuery & { readonly order_id?: string | undefined };

export function listFulfillments(world: World, query: FulfillmentsQuery) {
  const { rows, next } = fulfillmentPage(world, query);
  return { fulfillments: presentAll(world, rows), next };
}

/** An order_id that is not one of the caller's orders matches nothing. */
function fulfillmentPage(world: World, query: FulfillmentsQuery): Page<Fulfillment> {
  const { order_id: orderId } = query;
  if (orderId === undefined) return pageOf(world, 'fulfillments', 'brand', world.caller.brandId, query);
  if (!findOwned(world, 'orders', orderId)) return emptyPage(world, 'fulfillments', orderId, query);
  return pageOf(world, 'fulfillments', 'order', orderId, query);
}

// The statuses of a package. The contract does not show them.

/** The status of a new package. */
export const firstStatus: FulfillmentStatus = 'label_created';

export const statusOf: Readonly<Record<FulfillmentAction, FulfillmentStatus>> = {
  pick_up: 'picked_up',
  depart: 'in_transit',
  delay: 'delayed',
  deliver: 'delivered',
  lose: 'lost',
  return: 'returned',
};

/** A lost package may turn up again; a delivered one may be sent back. `deliver` is possible while it is on its way. */
const actionsByStatus: Readonly<Record<FulfillmentStatus, readonly FulfillmentAction[]>> = {
  label_created: ['pick_up'],
  picked_up: ['depart', 'delay', 'deliver', 'lose', 'return'],
  in_transit: ['delay', 'deliver', 'lose', 'return'],
  delayed: ['depart', 'deliver', 'lose', 'return'],
  delivered: ['return'],
  lost: ['depart', 'return'],
  returned: [],
};

/** Whether the sandbox's records define this status: fixtures may leave some of the service's statuses out. */
export const hasStatus = (world: World, id: string): boolean =>
  world.table('fulfillment_statuses').get(id) !== undefined;

export const isServiceStatus = (status: string): status is FulfillmentStatus =>
  (fulfillmentStatuses as readonly string[]).includes(status);

/** The actions possible in this status; empty for a status that only the fixtures define. */
export const actionsFrom = (status: string): readonly FulfillmentAction[] =>
  isServiceStatus(status) ? actionsByStatus[status] : [];

// The packages of an order: the lines that are shipped, and the rest.

export const packagesOf = (world: World, orderId: string, newestFirst = false): Fulfillment[] =>
  Array.from(world.table('fulfillments').walk('order', orderId, { newestFirst }), ([, fulfillment]) => fulfillment);

/** The lines of the order that are not in these packages. */
export function unshippedLines({ order_lines }: Order, packages: readonly Fulfillment[]): OrderLine[] {
  const shipped = new Set(packages.flatMap((one) => one.order_lines.map(({ id }) => id)));
  return order_lines.filter(({ id }) => !shipped.has(id));
}

/** The lines that may be shipped: not shipped yet, or only in packages that were lost or returned. */
export function shippableLines(order: Order, packages: readonly Fulfillment[]): OrderLine[] {
  const arriving = packages.filter(({ status_id: status }) => status !== 'lost' && status !== 'returned');
  return unshippedLines(order, arriving);
}

/** A line's name lists what its pouches hold, each product once (FUL-1). A pack counts only if the brand owns it. */
export function lineName(world: World, brandId: string, { pouches }: OrderLine): string {
  const packName = (id: string) => {
    const pack = world.table('packs').get(id);
    return pack?.brand_id === brandId ? pack.name : id;
  };
  const names = pouches.flatMap(({ contents = [], pack_id: pack }) => [
    ...(pack === undefined ? [] : [packName(String(pack))]),
    ...contents.flatMap(({ client_product_id: id }) => world.table('products').get(id)?.product_name ?? []),
  ]);
  return [...new Set(names)].join(' + ') || 'Empty pouches';
}

/** Presents fulfillments with their 15 fields and a new label URL (FUL-5). */
function presenter(world: World) {
  const { assumptions, baseUrl } = world;
  const labelUrl = labelUrls(world);
  const absentValues = assumptions.get('absent_values');
  const statusId = assumptions.get('status_id');
  return (fulfillment: RecordOf<'fulfillments'>) => {
    const { id, order_id, consumer_id, status_id, delivery_date, pickup_date, tracking_info } = fulfillment;
    return applyAbsentValues(absentValues, {
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

/** An empty list depends on no assumption, so it is not presented. */
const presentAll = (world: World, rows: readonly Fulfillment[]) =>
  rows.length === 0 ? [] : rows.map(presenter(world));

const uuidOf = (world: World, status: string): string =>
  world.table('fulfillment_statuses').get(status)?.uuid ?? status;
