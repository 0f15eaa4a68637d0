// Orders as people look at them: page by page, and one with all that hangs on it, seen at one time of the sandbox.
import { baseUrlSlot } from '../../contract/addresses.ts';
import type { FulfillmentAction, OrderStatus, RecordOf } from '../../contract/records.ts';
import { lineName, type OrderLine, packagesOf } from '../../domain/fulfillments.ts';
import { endOf, labelUrls, type ShippingLabel, shippingLabel } from '../../domain/labels.ts';
import { pagFor } from '../../domain/orders.ts';
import { packageEvents, statusName, type Tracked } from '../../domain/tracking.ts';
import type { World } from '../../domain/world.ts';
import { type OrderPossible, possibleActions, possiblePackageActions } from '../../sandbox/operator.ts';
import { getRecord, type NewestAsked, newestRecords } from '../../sandbox/records.ts';
import { consumerName } from '../../sandbox/sample-order.ts';
import { operatorWorld, type Writing } from '../../sandbox/sandbox-world.ts';
import { isAutomatic, type NextStep, nextStepOf } from '../../sandbox/timeline.ts';
import type { State } from '../../state/state.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;
type Pouch = OrderLine['pouches'][number];

/** An order among others. */
export interface ListedOrder {
  readonly order: Order;
  readonly consumer: string;
}

/** Newest first. @param status of those that are wanted; all where it is not said */
export function listedOrders(
  state: State,
  status: OrderStatus | undefined,
  asked: Omit<NewestAsked<Order>, 'isWanted'>,
) {
  const isWanted = (order: Order): boolean => status === undefined || order.status === status;
  const { records, ...page } = newestRecords(state, 'orders', { ...asked, isWanted });
  const rows: ListedOrder[] = records.map((order) => ({ order, consumer: consumerName(state, order.consumer_id) }));
  return { rows, total: state.table('orders').size, before: page.before, isCut: page.isCut };
}

/** A package of the order. */
interface ShownPackage {
  readonly record: Fulfillment;
  /** Its status by name. */
  readonly status: string;
  /** Oldest first. */
  readonly events: Tracked['events'];
  readonly next: NextStep | undefined;
}

/** What a pouch holds, by name. */
export interface PouchView {
  /** When it is taken; undefined where it is not said. */
  readonly time: string | undefined;
  /** Its pack's name, or the id that no pack of the brand has. */
  readonly pack: string | undefined;
  readonly contents: readonly { readonly name: string; readonly size: number | undefined }[];
}

interface ShownLine {
  readonly line: OrderLine;
  /** What it holds, in short. */
  readonly name: string;
  readonly pouches: readonly PouchView[];
  /** The packages it is in. */
  readonly packages: readonly Fulfillment[];
}

export interface OrderView {
  readonly order: Order;
  readonly brand: string;
  /** What the consumer is called. */
  readonly name: string;
  readonly consumer: RecordOf<'consumers'> | undefined;
  readonly lines: readonly ShownLine[];
  readonly packages: readonly ShownPackage[];
  /** Its packaging that is not Active now. */
  readonly notActive: readonly RecordOf<'pags'>[];
  readonly possible: OrderPossible;
  readonly next: NextStep | undefined;
  readonly isAutomatic: boolean;
  readonly carriers: readonly RecordOf<'carriers'>[];
}

/** @throws ControlRefusal 404 */
export function orderView(state: State, id: string, writing: Writing): OrderView {
  const order = getRecord(state, 'orders', id);
  const world = operatorWorld(state, writing);
  const packages = packagesOf(world, order.id);
  return {
    order,
    brand: state.table('brands').get(order.brand_id)?.name ?? order.brand_id,
    name: consumerName(state, order.consumer_id),
    consumer: state.table('consumers').get(order.consumer_id),
    lines: order.order_lines.map((line) => ({
      line,
      name: lineName(world, order.brand_id, line),
      pouches: line.pouches.map((pouch) => shownPouch(state, order.brand_id, pouch)),
      packages: packages.filter(({ order_lines }) => order_lines.some((one) => one.id === line.id)),
    })),
    packages: packages.map((record) => ({
      record,
      status: statusName(world, record.status_id),
      events: packageEvents(world, record).toReversed(),
      next: nextStepOf(state, record.id),
    })),
    notActive: notActivePags(world, order),
    possible: possibleActions(state, order.id, writing),
    next: nextStepOf(state, order.id),
    isAutomatic: isAutomatic(state),
    carriers: Array.from(state.table('carriers').entries(), ([, carrier]) => carrier),
  };
}

function notActivePags(world: World, { brand_id, order_lines }: Order): RecordOf<'pags'>[] {
  const pags = order_lines.flatMap(({ duration }) => pagFor(world, brand_id, duration) ?? []);
  return [...new Set(pags)].filter(({ status }) => status !== 'Active');
}

/** Another brand's pack of the same id is none of this one's. */
function shownPouch(state: State, brandId: string, pouch: Pouch): PouchView {
  const { time_of_administration: time, contents = [], pack_id: id } = pouch;
  const pack = id === undefined ? undefined : state.table('packs').get(String(id));
  return {
    time,
    pack: id === undefined ? undefined : pack?.brand_id === brandId ? pack.name : String(id),
    contents: contents.map(({ client_product_id: product, serving_size: size }) => ({
      name: state.table('products').get(product)?.product_name ?? product,
      size,
    })),
  };
}

// Fulfillments as people look at them: page by page, and one with its way and its label, seen at one time of the sandbox.

/** A fulfillment among others. */
export interface ListedFulfillment {
  readonly record: Fulfillment;
  /** Its status by name. */
  readonly status: string;
}

/** Newest first. */
export function listedFulfillments(state: State, asked: Pick<NewestAsked<Fulfillment>, 'before' | 'limit'>) {
  const { records, before } = newestRecords(state, 'fulfillments', asked);
  const names = state.table('fulfillment_statuses');
  const rows: ListedFulfillment[] = records.map((record) => ({
    record,
    status: names.get(record.status_id)?.name ?? record.status_id,
  }));
  return { rows, total: state.table('fulfillments').size, before };
}

export interface FulfillmentView {
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
export function fulfillmentView(state: State, id: string, writing: Writing, baseUrl: string): FulfillmentView {
  const record = getRecord(state, 'fulfillments', id);
  const world = operatorWorld(state, writing, baseUrl);
  const url = labelUrls(world)(record.id);
  return {
    record,
    status: statusName(world, record.status_id),
    consumer: consumerName(state, record.consumer_id),
    events: packageEvents(world, record).toReversed(),
    next: nextStepOf(state, record.id),
    isAutomatic: isAutomatic(state),
    possible: possiblePackageActions(record),
    trackingUrl: record.tracking_info?.tracking_url.replace(baseUrlSlot, () => baseUrl) ?? null,
    label: shippingLabel(world, record),
    labelUrl: url,
    labelUntil: new Date(endOf(new URL(url).searchParams)).toISOString(),
  };
}
