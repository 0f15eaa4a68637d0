// Orders: creating, and the (assumed) reading, listing, modifying and canceling.
import type { OrderLineRequest, OrderRequest, OrderUpdate } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { consumerOf } from './consumers.ts';
import { checkContents, packagingIsActive } from './order-contents.ts';
import { mayCancel, mayModify, saveOrder, statusAfter } from './order-status.ts';
import { hasPackages } from './packages.ts';
import { type Page, type PageQuery, pageOf } from './paging.ts';
import { readOwn } from './reads.ts';
import { scheduleOrderAlone } from './schedule.ts';
import { timestamp, type World } from './world.ts';

type Order = RecordOf<'orders'>;

export const getOrder = (world: World, id: string): Order => readOwn(world, 'orders', id);

export const listOrders = (world: World, query: PageQuery): Page<Order> =>
  pageOf(world, 'orders', 'brand', world.caller.brandId, query);

/** A valid order is Pending, or Needs Changes where its packaging is not Active (ORD-24, ORD-25). */
export function createOrder(world: World, request: OrderRequest): Order {
  const consumer = consumerOf(world, request.consumer);
  checkContents(world, request.order_lines);
  const active = packagingIsActive(world, request.order_lines);
  const now = timestamp(world);
  const order: Order = {
    id: world.newId('orders'),
    brand_id: world.caller.brandId,
    consumer_id: consumer().id,
    status: active ? 'Pending' : 'Needs Changes',
    shipping_address: request.shipping_address as Order['shipping_address'],
    order_lines: newLines(world, request.order_lines),
    created_at: now,
    updated_at: now,
  };
  world.table('orders').insert(order);
  scheduleOrderAlone(world, order);
  return order;
}

function newLines(world: World, lines: readonly OrderLineRequest[]): Order['order_lines'] {
  const made: object[] = [];
  for (const line of lines) made.push({ id: world.newId('order_lines'), ...line });
  return made as Order['order_lines'];
}

/** Replaces what the request brings and judges the packaging anew (ORD-22). */
export function updateOrder(world: World, id: string, request: OrderUpdate): Order {
  const order = getOrder(world, id);
  if (!mayModify(order.status)) throw new Refusal('ORD-22', { found: order.status });
  // Shipped lines stay as they are. Only an assumption of order_transitions leads here.
  if (request.order_lines && hasPackages(world, id))
    throw new Refusal('ORD-22', { found: `${order.status}, with shipped lines` });
  const consumer = request.consumer && consumerOf(world, request.consumer);
  if (request.order_lines) checkContents(world, request.order_lines);
  const active = packagingIsActive(world, request.order_lines ?? order.order_lines);
  return saveOrder(world, {
    ...order,
    consumer_id: consumer?.().id ?? order.consumer_id,
    status: active ? order.status : 'Needs Changes',
    shipping_address: (request.shipping_address as Order['shipping_address'] | undefined) ?? order.shipping_address,
    order_lines: request.order_lines ? newLines(world, request.order_lines) : order.order_lines,
  });
}

/** @throws Refusal ORD-23 */
export function cancelOrder(world: World, id: string): Order {
  const order = getOrder(world, id);
  if (!mayCancel(order.status)) throw new Refusal('ORD-23', { found: order.status });
  return saveOrder(world, { ...order, status: statusAfter.cancel });
}
