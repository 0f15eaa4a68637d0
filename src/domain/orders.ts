// Orders: create, and the assumed get, list, modify and cancel; and the rules about their contents.
import type { Choice } from '../contract/assumptions.ts';
import type { OrderLineRequest, OrderRequest, OrderUpdate } from '../contract/order-request.ts';
import { type OrderAction, type OrderStatus, orderActions, type RecordOf } from '../contract/records.ts';
import { type FieldPath, Refusal } from '../contract/refusal.ts';
import { consumerOf } from './consumers.ts';
import { applyAbsentValues, getOwned, type PageQuery, pageOf } from './reads.ts';
import { scheduleOrder, scheduleOrderAlone } from './schedule.ts';
import { addStatusEvent } from './tracking.ts';
import { pagSlot, timestamp, timestampAfter, type World } from './world.ts';

type Order = RecordOf<'orders'>;

export const getOrder = (world: World, id: string) => presentOrder(world, getOwned(world, 'orders', id));

export function listOrders(world: World, query: PageQuery) {
  const { rows, next } = pageOf(world, 'orders', 'brand', world.caller.brandId, query);
  return { orders: rows.map((order) => presentOrder(world, order)), next };
}

/** A valid order is Pending, or Needs Changes if its packaging is not Active (ORD-24, ORD-25). */
export function createOrder(world: World, request: OrderRequest) {
  const consumer = consumerOf(world, request.consumer);
  checkContents(world, request.order_lines);
  const isActive = packagingIsActive(world, request.order_lines);
  const now = timestamp(world);
  const order: Order = {
    id: world.newId('orders'),
    brand_id: world.caller.brandId,
    consumer_id: consumer().id,
    status: isActive ? 'Pending' : 'Needs Changes',
    shipping_address: request.shipping_address as Order['shipping_address'],
    order_lines: withIds(world, request.order_lines),
    created_at: now,
    updated_at: now,
  };
  world.table('orders').insert(order);
  scheduleOrderAlone(world, order);
  return presentOrder(world, order);
}

const withIds = (world: World, lines: readonly OrderLineRequest[]): Order['order_lines'] =>
  lines.map((line) => ({ id: world.newId('order_lines'), ...line })) as Order['order_lines'];

/** Replaces the fields that the request has, and checks the packaging again. @throws Refusal ORD-22 */
export function updateOrder(world: World, id: string, request: OrderUpdate) {
  const order = getOwned(world, 'orders', id);
  if (!mayModify(order.status)) throw new Refusal('ORD-22', { found: order.status });
  // Shipped lines do not change, and stay with their consumer. Only a choice of order_transitions makes this possible.
  const isOtherConsumer = request.consumer !== undefined && request.consumer.id !== order.consumer_id;
  if ((request.order_lines || isOtherConsumer) && world.table('fulfillments').firstOf('order', id))
    throw new Refusal('ORD-22', { found: `${order.status}, with shipped lines` });
  const consumer = request.consumer && consumerOf(world, request.consumer);
  if (request.order_lines) checkContents(world, request.order_lines);
  const isActive = packagingIsActive(world, request.order_lines ?? order.order_lines);
  const saved = saveOrder(world, order, {
    consumer_id: consumer?.().id ?? order.consumer_id,
    status: isActive ? order.status : 'Needs Changes',
    shipping_address: (request.shipping_address as Order['shipping_address'] | undefined) ?? order.shipping_address,
    order_lines: request.order_lines ? withIds(world, request.order_lines) : order.order_lines,
  });
  return presentOrder(world, saved);
}

/** @throws Refusal ORD-23 */
export function cancelOrder(world: World, id: string) {
  const order = getOwned(world, 'orders', id);
  if (!mayCancel(order.status)) throw new Refusal('ORD-23', { found: order.status });
  return presentOrder(world, saveOrder(world, order, { status: statusAfter.cancel }));
}

/** Replaces an order: sets its time of change. */
function saveOrder(world: World, order: Order, changes: Partial<Order>): Order {
  const saved = { ...order, ...changes, updated_at: timestampAfter(world, order.created_at, order.updated_at) };
  world.table('orders').replace(saved);
  onOrderChange(world, order, saved);
  return saved;
}

/** Call this when an order was replaced: updates its history, and its next step of the timeline. */
export function onOrderChange(world: World, before: Order | null, after: Order): void {
  const { id, status, updated_at } = after;
  if (before && before.status !== status) addStatusEvent(world, id, { status_id: status, at: updated_at });
  scheduleOrder(world, after);
}

// The statuses of an order: what the operator and the client may do in each (ORD-22, ORD-23, `order_transitions`).

type Transitions = Choice<'order_transitions'>;

export const statusAfter: Readonly<Record<OrderAction, OrderStatus>> = {
  accept: 'Accepted',
  hold: 'On Hold',
  release: 'Pending',
  approve_packaging: 'Pending',
  start_production: 'In Production',
  cancel: 'Canceled',
};

interface AllowedActions {
  readonly operator: readonly OrderAction[];
  readonly client: readonly ('modify' | 'cancel')[];
}

/** An order in production cannot be canceled by the client: "the operator must be contacted", so the operator can. */
const documentedPath: Readonly<Record<OrderStatus, AllowedActions>> = {
  Pending: { operator: ['accept', 'hold', 'cancel'], client: ['modify', 'cancel'] },
  'On Hold': { operator: ['release', 'cancel'], client: ['modify', 'cancel'] },
  'Needs Changes': { operator: ['approve_packaging', 'cancel'], client: ['cancel'] },
  Accepted: { operator: ['start_production', 'cancel'], client: ['cancel'] },
  'In Production': { operator: ['cancel'], client: [] },
  Canceled: { operator: [], client: [] },
};

/** What the operator can do to an order in this status; with the choice `any`, every action that changes the status. */
export const operatorActions = (from: OrderStatus, transitions: Transitions): readonly OrderAction[] =>
  transitions === 'any' ? orderActions.filter((action) => statusAfter[action] !== from) : documentedPath[from].operator;

/** The action that leads towards production; undefined if the order can only be shipped or canceled. */
export const nextAction = (from: OrderStatus): OrderAction | undefined =>
  documentedPath[from].operator.find((action) => action !== 'cancel');

export const mayShip = (status: OrderStatus, transitions: Transitions): boolean =>
  transitions === 'any' || status === 'In Production';

export const mayModify = (status: OrderStatus): boolean => documentedPath[status].client.includes('modify');
export const mayCancel = (status: OrderStatus): boolean => documentedPath[status].client.includes('cancel');

/** Takes an operator's action. @returns undefined if it is impossible in the order's status (`order_transitions`) */
export function moveOrder(world: World, order: Order, action: OrderAction): Order | undefined {
  const possible = operatorActions(order.status, world.assumptions.get('order_transitions'));
  return possible.includes(action) ? saveOrder(world, order, { status: statusAfter[action] }) : undefined;
}

// The contents of an order: ORD-17 to ORD-20 and `pack_id`, each over all lines, in that order.

interface UsedProduct {
  readonly product: RecordOf<'products'> | undefined;
  /** Its path in the request. */
  readonly path: FieldPath;
}

/** @throws Refusal of the first rule that the contents break */
function checkContents(world: World, lines: readonly OrderLineRequest[]): void {
  const { brandId } = world.caller;
  const used = usedProducts(world, lines);
  for (const { product, path } of used) if (!product) throw new Refusal('ORD-17', { path });
  for (const { product, path } of used) if (product?.brand_id !== brandId) throw new Refusal('ORD-18', { path });
  checkPacks(world, lines);
  const operatorProducts = world.table('operator_products');
  // Each name once, in the order of first use.
  const [inactive, discontinued] = [new Set<string>(), new Set<string>()];
  for (const { product } of used) {
    if (product && !product.active) inactive.add(product.product_name);
    const operatorProduct = product && operatorProducts.get(product.operator_product_id);
    if (operatorProduct?.discontinued) discontinued.add(operatorProduct.name);
  }
  const path = ['order_lines'];
  if (inactive.size > 0) throw new Refusal('ORD-19', { path, names: [...inactive] });
  if (discontinued.size > 0)
    throw new Refusal('ORD-20', { path, names: [...discontinued], operator: world.single('operator').name });
}

function usedProducts(world: World, lines: readonly OrderLineRequest[]): UsedProduct[] {
  const products = world.table('products');
  const used: UsedProduct[] = [];
  for (const [line, { pouches }] of lines.entries())
    for (const [pouch, { contents = [] }] of pouches.entries())
      for (const [content, { client_product_id: id }] of contents.entries()) {
        const path = ['order_lines', line, 'pouches', pouch, 'contents', content, 'client_product_id'];
        used.push({ product: products.get(id), path });
      }
  return used;
}

function checkPacks(world: World, lines: readonly OrderLineRequest[]): void {
  if (world.assumptions.get('pack_id') === 'any') return;
  const packs = world.table('packs');
  for (const [line, { pouches }] of lines.entries()) {
    for (const [pouch, { pack_id: id }] of pouches.entries()) {
      if (id === undefined || packs.get(String(id))?.brand_id === world.caller.brandId) continue;
      throw new Refusal('pack_id', { path: ['order_lines', line, 'pouches', pouch, 'pack_id'] });
    }
  }
}

// The Packaging Asset Group (PAG) of an order line, and what its status means for the order (ORD-21, ORD-25).

type Pag = RecordOf<'pags'>;

/** The PAG of a brand's line of this duration (`pag_lookup`): the duration's, or else the brand's default. */
export function pagFor(world: World, brandId: string, duration: number | undefined): Pag | undefined {
  const pags = world.table('pags');
  const byDuration = duration !== undefined && world.assumptions.get('pag_lookup') === 'brand_duration';
  const found = byDuration ? pags.firstOf('slot', pagSlot(brandId, duration)) : undefined;
  return found ?? pags.firstOf('slot', pagSlot(brandId, null));
}

/** Whether the packaging of all lines is Active. @throws Refusal ORD-21 for the first line without a PAG */
function packagingIsActive(world: World, lines: readonly { readonly duration?: number | undefined }[]): boolean {
  const pags: Pag[] = [];
  for (const [index, { duration }] of lines.entries()) {
    const pag = pagFor(world, world.caller.brandId, duration);
    if (!pag) throw new Refusal('ORD-21', { path: ['order_lines', index] });
    pags.push(pag);
  }
  return pags.every((pag) => pag.status === 'Active' && !isInactivePag(world, pag.id));
}

/** Whether a PAG counts as Inactive despite its status. */
export const isInactivePag = (world: World, id: string): boolean =>
  world.override('inactive_pags', ({ all, ids }) => all === true || (ids?.includes(id) ?? false)) !== undefined;

/**
 * Call this when a PAG becomes Active: orders that need changes, use it, and have no other inactive PAG become Pending.
 * Orders that need changes only because of the switch `inactive_pags` wait for the operator.
 */
export function releaseApproved(world: World, { id, brand_id: brandId }: RecordOf<'pags'>): void {
  for (const [, order] of [...world.table('orders').walk('needs_changes', brandId)]) {
    const pags = order.order_lines.map(({ duration }) => pagFor(world, brandId, duration));
    const usesIt = pags.some((pag) => pag?.id === id);
    if (usesIt && pags.every((pag) => pag?.status === 'Active')) moveOrder(world, order, 'approve_packaging');
  }
}

/** Record → wire: id, status and consumer, or more (`order_fields`). */
function presentOrder(world: World, order: RecordOf<'orders'>) {
  const consumer = world.table('consumers').get(order.consumer_id);
  const { first_name = null, last_name = null } = consumer ?? {};
  const absentValues = world.assumptions.get('absent_values');
  const documented = {
    id: order.id,
    status: order.status,
    consumer: applyAbsentValues(absentValues, { id: order.consumer_id, first_name, last_name }),
  };
  if (world.assumptions.get('order_fields') === 'documented') return documented;
  const { shipping_address, order_lines, created_at, updated_at } = order;
  return { ...documented, shipping_address, order_lines, created_at, updated_at };
}
