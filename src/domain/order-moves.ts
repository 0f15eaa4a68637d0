// What every change of an order has in common: its time, and its place in the timeline.
import type { OrderAction } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { statusAfter } from './order-status.ts';
import { schedule } from './schedule.ts';
import { timestampAfter, type World } from './world.ts';

type Order = RecordOf<'orders'>;

/** Puts a changed order in the place of what it was. */
export function saveOrder(world: World, order: Order): Order {
  const saved = { ...order, updated_at: timestampAfter(world, order.created_at, order.updated_at) };
  world.table('orders').replace(saved);
  schedule(world, saved);
  return saved;
}

/** The order after an operator's action; undefined where that is impossible (`order_transitions`). */
export function moveOrder(world: World, order: Order, action: OrderAction): Order | undefined {
  const status = statusAfter(order.status, action, world.terms.get('order_transitions'));
  return status && saveOrder(world, { ...order, status });
}
