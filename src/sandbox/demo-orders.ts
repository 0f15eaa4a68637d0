// The orders of a demo: who orders what, and when the operator and the carriers act. No step of an order is overdue at
// the end: the time before an action is never longer than the timeline's delay of its step.
import type { OrderLineRequest, OrderRequest } from '../contract/order-request.ts';
import type { FulfillmentAction, OrderAction, RecordOf, SingleOf, TimelineStep } from '../contract/records.ts';
import { actionsFrom, firstStatus, hasStatus, packagesOf, statusOf, unshippedLines } from '../domain/fulfillments.ts';
import type { Hashes } from '../domain/hashes.ts';
import { createOrder, mayShip, moveOrder } from '../domain/orders.ts';
import { movePackage, ship } from '../domain/shipments.ts';
import type { Caller, World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { type Course, countries, durationInReview, type Persona } from './personas.ts';
import { drawFraction } from './seeded-random.ts';

/** The random numbers and the counters of one demo. */
export class Draws {
  readonly seed: string;
  readonly #hashes: Hashes;
  readonly #counts = new Map<string, number>();

  constructor(hashes: Hashes, seed: string) {
    this.#hashes = hashes;
    this.seed = seed;
  }

  /** The next number of a purpose, from 0. */
  count(purpose: string): number {
    const n = this.#counts.get(purpose) ?? 0;
    this.#counts.set(purpose, n + 1);
    return n;
  }

  /** At least 0, under 1. */
  fraction(): number {
    return drawFraction(this.#hashes, this.seed, 'choices', this.count('choices'));
  }

  /** At least 0, under `bound`. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

export interface Catalog {
  /** The name of the brand. */
  readonly brand: string;
  readonly caller: Caller;
  /** Those that can be ordered. */
  readonly products: readonly RecordOf<'products'>[];
  readonly packs: readonly RecordOf<'packs'>[];
}

/** Times in milliseconds since 1970, and the number of orders. */
interface Span {
  readonly start: number;
  readonly now: number;
  readonly orders: number;
}

interface Move {
  /** The sandbox's time. */
  readonly at: number;
  readonly run: (world: World) => void;
}

/** All that happens to the orders until now, oldest first. */
export function historyOf(state: State, persona: Persona, catalog: Catalog, draws: Draws, span: Span): Move[] {
  const { start, now, orders } = span;
  const gap = gapsOf(state.value('timeline'), draws);
  const times = state.value('administration_times').values;
  const buyers = buyersOf(Math.ceil(orders / persona.ordersPerConsumer), draws);
  const deck: Course[] = [];
  const moves: Move[] = [];
  for (let n = 0; n < orders; n += 1) {
    const open = openOrders[n];
    const course = open?.course ?? nextCourse(deck, persona, draws);
    const buyer = draws.pick(buyers);
    const lines = linesFor(course, persona, catalog, times, draws);
    const steps = stepsOf(course, gap, (world) => place(world, buyer, lines));
    // The brand grows: most orders are young.
    const part = (n - openOrders.length + draws.fraction()) / (orders - openOrders.length);
    const age = open ? ageAfter(steps, open.taken, draws) : (now - start) * (1 - Math.sqrt(part));
    const placed = Math.max(start, Math.round(now - age));
    for (const { at, run } of steps) if (placed + at <= now) moves.push({ at: placed + at, run });
  }
  return moves.sort((one, other) => one.at - other.at);
}

// The actions on an order and its packages, in their order.

interface CourseSteps {
  readonly order: readonly (OrderAction | 'ship')[];
  /** The actions on the package of each shipment. */
  readonly packages: readonly (readonly FulfillmentAction[])[];
}

const produce = ['accept', 'start_production', 'ship'] as const;
const deliver = ['pick_up', 'depart', 'deliver'] as const;

const courses: Readonly<Record<Course, CourseSteps>> = {
  usual: { order: produce, packages: [deliver] },
  split: { order: [...produce, 'ship'], packages: [deliver, deliver] },
  delayed: { order: produce, packages: [['pick_up', 'depart', 'delay', 'depart', 'deliver']] },
  returned: { order: produce, packages: [[...deliver, 'return']] },
  undeliverable: { order: produce, packages: [['pick_up', 'depart', 'delay', 'return']] },
  lost: { order: produce, packages: [['pick_up', 'depart', 'lose']] },
  held: { order: ['hold', 'release', ...produce], packages: [deliver] },
  canceled: { order: ['cancel'], packages: [] },
  needs_changes: { order: ['approve_packaging', ...produce], packages: [deliver] },
};

/** The newest orders: each is in progress, after this number of steps. Together they are in every status. */
const openOrders: readonly { readonly course: Course; readonly taken: number }[] = [
  { course: 'usual', taken: 0 },
  { course: 'held', taken: 1 },
  { course: 'needs_changes', taken: 0 },
  { course: 'usual', taken: 1 },
  { course: 'usual', taken: 2 },
  { course: 'split', taken: 3 },
  { course: 'usual', taken: 4 },
  { course: 'usual', taken: 5 },
  { course: 'delayed', taken: 6 },
];

/** The courses of twenty orders at a time, shuffled. */
function nextCourse(deck: Course[], { mix }: Persona, draws: Draws): Course {
  if (deck.length === 0)
    for (const [course, orders] of Object.entries(mix)) deck.push(...Array<Course>(orders).fill(course as Course));
  const [course = 'usual'] = deck.splice(draws.below(deck.length), 1);
  return course;
}

const hour = 3_600_000;
/** A timeline may be slower; a demo is not. */
const maxGap = 96 * hour;

type Action = OrderAction | 'ship' | FulfillmentAction;

/** Draws the time before an action. On hold, or while it needs changes, an order is not due. */
function gapsOf(timeline: SingleOf<'timeline'>, draws: Draws): (action: Action) => number {
  const delay = (step: TimelineStep): number => Math.min(timeline[step].delay_seconds * 1000, maxGap);
  const longest: Readonly<Record<Action, number>> = {
    hold: delay('accepted'),
    cancel: delay('accepted'),
    accept: delay('accepted'),
    release: 48 * hour,
    approve_packaging: 48 * hour,
    start_production: delay('in_production'),
    // Both packages of an order are shipped in time.
    ship: delay('shipped') / 2,
    pick_up: delay('picked_up'),
    depart: delay('delivered') / 3,
    delay: delay('delivered') / 3,
    deliver: delay('delivered'),
    lose: delay('delivered'),
    return: delay('delivered'),
  };
  return (action) => Math.floor(longest[action] * (0.4 + 0.6 * draws.fraction()));
}

/** In milliseconds after the order is placed, oldest first; the first step places it. */
function stepsOf(name: Course, gap: (action: Action) => number, place: (world: World) => string): Move[] {
  const { order, packages } = courses[name];
  let id = '';
  const placed = (world: World) => {
    id = place(world);
  };
  const steps: Move[] = [{ at: 0, run: placed }];
  let at = 0;
  let shipped = 0;
  for (const action of order) {
    at += gap(action);
    if (action === 'ship') {
      shipped += 1;
      const isLast = shipped === packages.length;
      steps.push(...packageSteps(at, packages[shipped - 1] ?? [], gap, (world) => shipLines(world, id, isLast)));
    } else steps.push({ at, run: (world) => void moveOrder(world, orderOf(world, id), action) });
  }
  return steps.sort((one, other) => one.at - other.at);
}

function packageSteps(
  shippedAt: number,
  actions: readonly FulfillmentAction[],
  gap: (action: Action) => number,
  shipLines: (world: World) => string | undefined,
): Move[] {
  let id: string | undefined;
  const shipped = (world: World) => {
    id = shipLines(world);
  };
  let at = shippedAt;
  const moved = actions.map((action): Move => {
    at += gap(action);
    return { at, run: (world) => id !== undefined && actOn(world, id, action) };
  });
  return [{ at: shippedAt, run: shipped }, ...moved];
}

/** The age of an order that has taken this number of steps, and waits for the next one. */
function ageAfter(steps: readonly Move[], taken: number, draws: Draws): number {
  const [last = 0, next = last] = [steps[taken]?.at, steps[taken + 1]?.at];
  return last + (next - last) * (0.2 + 0.6 * draws.fraction());
}

// Actions that the sandbox's switches, assumptions or records make impossible are left out.

const orderOf = (world: World, id: string) => world.table('orders').get(id) as RecordOf<'orders'>;

/** Ships the rest of an order, or its first line. */
function shipLines(world: World, id: string, isRest: boolean): string | undefined {
  const order = orderOf(world, id);
  const left = unshippedLines(order, packagesOf(world, id));
  const isPossible = mayShip(order.status, world.assumptions.get('order_transitions')) && hasStatus(world, firstStatus);
  return isPossible && left.length > 0 ? ship(world, order, { lines: isRest ? left : left.slice(0, 1) }).id : undefined;
}

function actOn(world: World, id: string, action: FulfillmentAction): void {
  const fulfillment = world.table('fulfillments').get(id);
  if (fulfillment && actionsFrom(fulfillment.status_id).includes(action) && hasStatus(world, statusOf[action]))
    movePackage(world, fulfillment, action);
}

// Consumers and the contents of their orders.

interface Buyer {
  readonly consumer: Omit<RecordOf<'consumers'>, 'id' | 'brand_id'>;
  readonly address: RecordOf<'orders'>['shipping_address'];
  /** Of the consumer, once the first order is placed. */
  id?: string;
}

const areaCodes = [206, 303, 415, 512, 617, 718];

/** Most of them live at home. */
function buyersOf(number: number, draws: Draws): Buyer[] {
  const emails = new Set<string>();
  return Array.from({ length: number }, () => {
    const country = draws.pick(draws.fraction() < 0.55 ? countries.slice(0, 1) : countries);
    const [first_name, last_name] = [draws.pick(country.firstNames), draws.pick(country.lastNames)];
    const [street = '', city = '', province_name, postal_code] = draws.pick(country.places);
    const name = `${first_name}.${last_name}`
      .normalize('NFD')
      .replaceAll(/[^a-z.]/gi, '')
      .toLowerCase();
    const isTaken = emails.has(name);
    const email = `${name}${isTaken ? emails.size : ''}@example.com`;
    emails.add(isTaken ? email : name);
    const phone = `+1${draws.pick(areaCodes)}55501${10 + draws.below(90)}`;
    return {
      consumer: { first_name, last_name, email, phone_number: draws.fraction() < 0.8 ? phone : null },
      address: {
        address1: street.replace('#', String(1 + draws.below(280))),
        city,
        ...(province_name && { province_name }),
        country_name: country.name,
        ...(postal_code && { postal_code }),
      },
    };
  });
}

/** Creates the order, and the consumer before its first one. @returns the id of the order */
function place(world: World, buyer: Buyer, order_lines: OrderLineRequest[]): string {
  if (buyer.id === undefined) {
    buyer.id = world.newId('consumers');
    world.table('consumers').insert({ id: buyer.id, brand_id: world.caller.brandId, ...buyer.consumer });
  }
  const request = { consumer: { id: buyer.id }, shipping_address: buyer.address, order_lines };
  return createOrder(world, request as unknown as OrderRequest).id;
}

function linesFor(
  course: Course,
  { durations }: Persona,
  { products, packs }: Catalog,
  times: readonly string[],
  draws: Draws,
): OrderLineRequest[] {
  const contents = () => {
    const first = draws.below(products.length);
    return Array.from({ length: 1 + draws.below(3) }, (_, n) => {
      const { id, serving_size } = products[(first + n) % products.length] as RecordOf<'products'>;
      return { client_product_id: id, serving_size };
    });
  };
  const pouch = (time_of_administration: string) =>
    draws.fraction() < 0.2
      ? { time_of_administration, pack_id: draws.pick(packs).id }
      : { time_of_administration, contents: contents() };
  const number = course === 'split' || draws.fraction() < 0.25 ? 2 : 1;
  return Array.from({ length: number }, () => ({
    duration: course === 'needs_changes' ? durationInReview : draws.pick(durations),
    pouches: times.slice(0, 1 + draws.below(2)).map(pouch),
  }));
}
