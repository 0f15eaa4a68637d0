// Shipping: packages of an order's lines with carrier and tracking number, their actions, and the steps of the
// timeline.
import { trackingNumberSlot } from '../contract/addresses.ts';
import type { DueStep, FulfillmentAction, RecordOf } from '../contract/records.ts';
import {
  firstStatus,
  hasStatus,
  lineName,
  type OrderLine,
  packagesOf,
  statusOf,
  unshippedLines,
} from './fulfillments.ts';
import { moveOrder } from './orders.ts';
import { orderStep, packageStep, scheduleOrderAlone, schedulePackage } from './schedule.ts';
import { addStatusEvent, serialsOf, trackingNumber } from './tracking.ts';
import { drawFor, pickFor, timestampAfter, type World } from './world.ts';

type Order = RecordOf<'orders'>;
type Carrier = RecordOf<'carriers'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** A new package. Missing values are drawn or computed. */
export interface Shipment {
  readonly lines: readonly OrderLine[];
  /** null assigns no carrier yet. */
  readonly carrier?: Carrier | null | undefined;
  /** One of the carrier's methods. */
  readonly method?: string | undefined;
  readonly weight?: number | undefined;
  readonly shippingNetCharge?: number | undefined;
}

/** Ships lines of an order as one package, not picked up yet. @throws Refusal max_records */
export function ship(world: World, order: Order, shipment: Shipment): Fulfillment {
  const fulfillment = newFulfillment(world, order, shipment);
  world.table('fulfillments').insert(fulfillment);
  addStatusEvent(world, fulfillment.id, { status_id: firstStatus, at: fulfillment.created_at });
  schedulePackage(world, fulfillment);
  scheduleOrderAlone(world, order);
  return fulfillment;
}

/** The package after an action. Existing dates stay, also if the action is forced. */
export function movePackage(world: World, fulfillment: Fulfillment, action: FulfillmentAction): Fulfillment {
  const { created_at, pickup_date, delivery_date, updated_at } = fulfillment;
  const at = timestampAfter(world, created_at, pickup_date, delivery_date, updated_at);
  const moved: Fulfillment = {
    ...fulfillment,
    status_id: statusOf[action],
    // Only a forced pickup comes after the delivery; no package is delivered before its pickup.
    pickup_date: pickup_date ?? (action === 'pick_up' ? (delivery_date ?? at) : null),
    delivery_date: delivery_date ?? (action === 'deliver' ? at : null),
    updated_at: at,
  };
  world.table('fulfillments').replace(moved);
  addStatusEvent(world, moved.id, { status_id: moved.status_id, at });
  schedulePackage(world, moved);
  return moved;
}

/** Takes a due step of the timeline, as an action of the operator would. `world.now` is the time of the step. */
export function takeStep(world: World, step: DueStep): void {
  const order = world.table('orders').get(step.id);
  const fulfillment = order ? undefined : world.table('fulfillments').get(step.id);
  if (order) takeOrderStep(world, order, step);
  else if (fulfillment) takePackageStep(world, fulfillment, step);
  // A step may be impossible: its record or status is missing, or the table is full. It must not stay due forever.
  const row = world.table('due_steps').get(step.id);
  if (row?.step === step.step && row.due_at === step.due_at) world.table('due_steps').remove(step.id);
}

function takeOrderStep(world: World, order: Order, step: DueStep): void {
  // The record may have changed without the timeline: then its next step is another one.
  if (orderStep(world, order) !== step.step) scheduleOrderAlone(world, order);
  else if (step.step === 'accepted') moveOrder(world, order, 'accept');
  else if (step.step === 'in_production') moveOrder(world, order, 'start_production');
  else if (hasStatus(world, firstStatus) && !world.table('fulfillments').isFull)
    ship(world, order, { lines: unshippedLines(order, packagesOf(world, order.id)) });
}

function takePackageStep(world: World, fulfillment: Fulfillment, step: DueStep): void {
  const action = step.step === 'picked_up' ? 'pick_up' : 'deliver';
  if (packageStep(world, fulfillment) !== step.step) schedulePackage(world, fulfillment);
  else if (hasStatus(world, statusOf[action])) movePackage(world, fulfillment, action);
}

/** Above the numbers that the shipped fixtures use. */
const firstShipment = { id: 920_000, number: 50_000 };

const shipmentNumber = (n: number): string => `SO-${firstShipment.number + n}`;

function nextShipment(world: World): number {
  for (;;) {
    const n = world.count('shipments');
    if (isFree(world, 'shipment_number', shipmentNumber(n))) return n;
  }
}

function newFulfillment(world: World, order: Order, shipment: Shipment): Fulfillment {
  const { lines, weight = weightGrams(lines) } = shipment;
  const id = world.newId('fulfillments');
  const at = timestampAfter(world, order.created_at, order.updated_at);
  const n = nextShipment(world);
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
  const number = nextTrackingNumber(world, carrier);
  return {
    shipping_carrier: carrier.name,
    shipping_method: shipment.method ?? pickFor(world, 'methods', id, carrier.methods) ?? carrier.name,
    tracking_number: number,
    tracking_url: carrier.tracking_url.replaceAll(trackingNumberSlot, encodeURIComponent(number)),
  };
}

/** Coprime to powers of ten, so that every serial number is used before one repeats. */
const stride = 7_368_787;

function nextTrackingNumber(world: World, { tracking_number: format }: Carrier): string {
  const serials = serialsOf(format);
  const start = Math.floor(world.draw(`serials of ${format}`, 0) * serials);
  for (;;) {
    const serial = (start + world.count(`serials of ${format}`) * stride) % serials;
    const number = trackingNumber(format, serial);
    if (isFree(world, 'tracking_number', number)) return number;
  }
}

const isFree = (world: World, index: 'tracking_number' | 'shipment_number', number: string): boolean =>
  world.table('fulfillments').firstOf(index, number) === undefined;

// What a package weighs and costs, and who carries it: plausible, and always the same for the same package. The
// fixtures use grams and US dollars; the contract names no units.

const grams = { box: 90, pouch: 3, most: 31_500 } as const;
const usualDuration = 30;

/** A box, and a pouch for each day of a line's duration. */
function weightGrams(lines: readonly OrderLine[]): number {
  const pouches = lines.map(({ duration = usualDuration, pouches }) => Math.max(0, duration) * pouches.length);
  const weight = pouches.reduce((sum, count) => sum + count * grams.pouch, grams.box);
  return Math.min(Math.round(weight), grams.most);
}

const dollars = { least: 4.5, perGram: 0.014, abroad: 18, spread: 2 } as const;

/** Grows with the weight; higher abroad. */
function netCharge(world: World, order: Order, fulfillmentId: string, weight: number): number {
  const draw = drawFor(world, 'charges', fulfillmentId);
  const abroad = isAbroad(order) ? dollars.abroad : 0;
  return Math.round((dollars.least + weight * dollars.perGram + abroad + draw * dollars.spread) * 100) / 100;
}

/** The operator ships from the United States, as its carriers do. */
const home = /^(?:us|usa|u\.s\.|u\.s\.a\.|united states(?: of america)?)$/i;
const isAbroad = ({ shipping_address }: Order): boolean => !home.test(shipping_address.country_name.trim());

/** A carrier that ships to the order's country, or else any carrier; null without carriers. */
function drawCarrier(world: World, order: Order, fulfillmentId: string): Carrier | null {
  const [destination, other] = isAbroad(order) ? ['abroad', 'home'] : ['home', 'abroad'];
  const fitting = carriersTo(world, destination);
  const among = fitting.length > 0 ? fitting : carriersTo(world, other);
  return pickFor(world, 'carriers', fulfillmentId, among) ?? null;
}

const carriersTo = (world: World, destination: string): Carrier[] =>
  Array.from(world.table('carriers').walk('destination', destination), ([, carrier]) => carrier);
