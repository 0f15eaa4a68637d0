// Shipping: a package of some lines of an order, with its carrier and tracking number.
import type { RecordOf } from '../contract/records.ts';
import { firstStatus } from './fulfillment-status.ts';
import { drawCarrier, netCharge, weightGrams } from './package-data.ts';
import { lineName, type OrderLine } from './packages.ts';
import { numberOf, schedule } from './schedule.ts';
import { noteEvent } from './tracking.ts';
import { serialsOf, trackingNumber } from './tracking-number.ts';
import { timestampAfter, type World } from './world.ts';

type Order = RecordOf<'orders'>;
type Carrier = RecordOf<'carriers'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** What goes into a package, and how it goes. */
export interface Shipment {
  readonly lines: readonly OrderLine[];
  /** Left out, one is drawn; null: none is assigned yet. */
  readonly carrier?: Carrier | null | undefined;
  /** One of the carrier's methods; left out, one is drawn. */
  readonly method?: string | undefined;
  readonly weight?: number | undefined;
  readonly shippingNetCharge?: number | undefined;
}

/** The numbers of shipment orders go on behind those of the shipped fixtures. */
const firstShipment = { id: 920_000, number: 50_000 };

/** Ships lines of an order as one package, its label made, not picked up yet. @throws Refusal max_records */
export function ship(world: World, order: Order, shipment: Shipment): Fulfillment {
  const { lines, weight = weightGrams(lines) } = shipment;
  const id = freshId(world, order);
  const at = timestampAfter(world, order.created_at, order.updated_at);
  const n = world.count('shipments');
  const fulfillment: Fulfillment = {
    id,
    brand_id: order.brand_id,
    order_id: order.id,
    consumer_id: order.consumer_id,
    status_id: firstStatus,
    delivery_date: null,
    pickup_date: null,
    tracking_info: trackingInfo(world, order, id, shipment),
    shipment_order_id: String(firstShipment.id + n),
    shipment_order_number: `SO-${firstShipment.number + n}`,
    shipping_net_charge: shipment.shippingNetCharge ?? netCharge(world, order, id, weight),
    weight,
    created_at: at,
    updated_at: at,
    order_lines: lines.map((line) => ({ id: line.id, name: lineName(world, order.brand_id, line) })),
  };
  world.table('fulfillments').insert(fulfillment);
  noteEvent(world, fulfillment, at);
  schedule(world, order);
  return fulfillment;
}

/** The next id of the order's packages, by the order: the same however many other orders there are. */
function freshId(world: World, { id }: Order): string {
  for (let n = 0; ; n += 1) {
    const fresh = world.idOf(`fulfillments of ${id}`, n);
    if (!world.table('fulfillments').get(fresh)) return fresh;
  }
}

function trackingInfo(world: World, order: Order, id: string, shipment: Shipment): Fulfillment['tracking_info'] {
  const carrier = shipment.carrier === undefined ? drawCarrier(world, order, id) : shipment.carrier;
  if (!carrier) return null;
  const drawn = carrier.methods[Math.floor(world.draw('methods', numberOf(id)) * carrier.methods.length)];
  const number = freshNumber(world, carrier);
  return {
    shipping_carrier: carrier.name,
    shipping_method: shipment.method ?? drawn ?? carrier.name,
    tracking_number: number,
    tracking_url: carrier.tracking_url.replaceAll('{tracking_number}', encodeURIComponent(number)),
  };
}

/** A step that shares no factor with the powers of ten, so that serial numbers go through all before one comes again. */
const stride = 7_368_787;

/** A tracking number that no package has. */
function freshNumber(world: World, { tracking_number: format }: Carrier): string {
  const serials = serialsOf[format];
  const start = Math.floor(world.draw(`serials of ${format}`, 0) * serials);
  for (;;) {
    const serial = (start + world.count(`serials of ${format}`) * stride) % serials;
    const number = trackingNumber(format, serial);
    if (isFree(world, number)) return number;
  }
}

function isFree(world: World, number: string): boolean {
  for (const _ of world.table('fulfillments').walk('tracking_number', number)) return false;
  return true;
}
