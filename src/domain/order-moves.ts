// What every change of an order has in common: its time, and its place in the timeline.
import type { OrderAction } from '../contract/order-progress.ts';
import type { RecordOf } from '../contract/records.ts';
import { operatorActions, statusAfter } from './order-status.ts';
import { scheduleOrder } from './schedule.ts';
import { timestampAfter, type World } from './world.ts';

type Order = RecordOf<'orders'>;

/** Puts a changed order in the place of what it was. */
export function saveOrder(world: World, order: Order): Order {
  const saved = { ...order, updated_at: timestampAfter(world, order.created_at, order.updated_at) };
  world.table('orders').replace(saved);
  scheduleOrder(world, saved);
  return saved;
}

/** The order after an operator's action; undefined where that is impossible (`order_transitions`). */
export function moveOrder(world: World, order: Order, action: OrderAction): Order | undefined {
  const can = operatorActions(order.status, world.terms.get('order_transitions'));
  return can.includes(action) ? saveOrder(world, { ...order, status: statusAfter[action] }) : undefined;
}
