// Shipping: a package of some lines of an order, with its carrier and tracking number.
import { trackingNumberSlot } from '../contract/addresses.ts';
import type { RecordOf } from '../contract/records.ts';
import { firstStatus } from './fulfillment-status.ts';
import { noteEvent } from './package-moves.ts';
import { lineName, type OrderLine } from './packages.ts';
import { scheduleOrderAlone, schedulePackage } from './schedule.ts';
import { serialsOf, trackingNumber } from './tracking.ts';
import { drawFor, pickFor, type Reach, timestampAfter, type World } from './world.ts';

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

const shipmentNumber = (n: number): string => `SO-${firstShipment.number + n}`;

/** The next shipment whose number no package has. */
function freshShipment(world: World): number {
  for (;;) {
    const n = world.count('shipments');
    if (isFree(world, 'shipment_number', shipmentNumber(n))) return n;
  }
}

/** Ships lines of an order as one package, its label made, not picked up yet. @throws Refusal max_records */
export function ship(world: World, order: Order, shipment: Shipment): Fulfillment {
  const fulfillment = packed(world, order, shipment);
  world.table('fulfillments').insert(fulfillment);
  noteEvent(world, fulfillment, fulfillment.created_at);
  schedulePackage(world, fulfillment);
  scheduleOrderAlone(world, order);
  return fulfillment;
}

function packed(world: World, order: Order, shipment: Shipment): Fulfillment {
  const { lines, weight = weightGrams(lines) } = shipment;
  const id = world.newId('fulfillments');
  const at = timestampAfter(world, order.created_at, order.updated_at);
  const n = freshShipment(world);
  return {
    id,
    brand_id: order.brand_id,
    order_id: order.id,
    consumer_id: order.consumer_id,
    status_id: firstStatus,
    delivery_date: null,
    pickup_date: null,
    tracking_info: trackingInfo(world, order, id, shipment),
    shipment_order_id: String(firstShipment.id + n),
    shipment_order_number: shipmentNumber(n),
    shipping_net_charge: shipment.shippingNetCharge ?? netCharge(world, order, id, weight),
    weight,
    created_at: at,
    updated_at: at,
    order_lines: lines.map((line) => ({ id: line.id, name: lineName(world, order.brand_id, line) })),
  };
}

function trackingInfo(world: World, order: Order, id: string, shipment: Shipment): Fulfillment['tracking_info'] {
  const carrier = shipment.carrier === undefined ? drawCarrier(world, order, id) : shipment.carrier;
  if (!carrier) return null;
  const number = freshNumber(world, carrier);
  return {
    shipping_carrier: carrier.name,
    shipping_method: shipment.method ?? pickFor(world, 'methods', id, carrier.methods) ?? carrier.name,
    tracking_number: number,
    tracking_url: carrier.tracking_url.replaceAll(trackingNumberSlot, encodeURIComponent(number)),
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
    if (isFree(world, 'tracking_number', number)) return number;
  }
}

const isFree = (world: World, index: 'tracking_number' | 'shipment_number', number: string): boolean =>
  world.table('fulfillments').firstOf(index, number) === undefined;

// What a package weighs and costs, and who carries it: plausible, and always the same for the same package. The contract shows no units;
// the fixtures have grams and US dollars.

const grams = { box: 90, pouch: 3, most: 31_500 } as const;
const usualDuration = 30;

/** A box, and a pouch for each day of a line's duration. */
function weightGrams(lines: readonly OrderLine[]): number {
  const pouches = lines.map(({ duration = usualDuration, pouches }) => Math.max(0, duration) * pouches.length);
  const weight = pouches.reduce((sum, count) => sum + count * grams.pouch, grams.box);
  return Math.min(Math.round(weight), grams.most);
}

const dollars = { least: 4.5, perGram: 0.014, abroad: 18, spread: 2 } as const;

/** Dearer by weight and abroad. */
function netCharge(world: World, order: Order, fulfillmentId: string, weight: number): number {
  const draw = drawFor(world, 'charges', fulfillmentId);
  const abroad = isAbroad(order) ? dollars.abroad : 0;
  return Math.round((dollars.least + weight * dollars.perGram + abroad + draw * dollars.spread) * 100) / 100;
}

/** The operator ships from the United States, as its carriers do. */
const home = /^(?:us|usa|u\.s\.|u\.s\.a\.|united states(?: of america)?)$/i;
const isAbroad = ({ shipping_address }: Order): boolean => !home.test(shipping_address.country_name.trim());

/** One of the carriers that go where the order goes; any where none does; null where there is none at all. */
function drawCarrier(world: World, order: Order, fulfillmentId: string): Carrier | null {
  const going = (reach: Reach) => Array.from(world.table('carriers').walk('reach', reach), ([, carrier]) => carrier);
  const [reach, other] = isAbroad(order) ? (['abroad', 'home'] as const) : (['home', 'abroad'] as const);
  const fitting = going(reach);
  const among = fitting.length > 0 ? fitting : going(other);
  return pickFor(world, 'carriers', fulfillmentId, among) ?? null;
}
