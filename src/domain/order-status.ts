// The statuses of an order: what the operator and the client may do in each (ORD-22, ORD-23, `order_transitions`).
import type { Choice } from '../contract/assumptions.ts';
import type { OrderStatus, RecordOf } from '../contract/records.ts';
import { type OrderAction, orderActions } from '../contract/records.ts';
import { scheduleOrder } from './schedule.ts';
import { timestampAfter, type World } from './world.ts';

type Transitions = Choice<'order_transitions'>;

/** Where each action leads, whoever takes it. */
export const statusAfter: Readonly<Record<OrderAction, OrderStatus>> = {
  accept: 'Accepted',
  hold: 'On Hold',
  release: 'Pending',
  approve_packaging: 'Pending',
  start_production: 'In Production',
  cancel: 'Canceled',
};

interface Row {
  readonly operator: readonly OrderAction[];
  readonly client: readonly ('modify' | 'cancel')[];
}

/** An order in production cannot be canceled by the client: "the operator must be contacted", so the operator can. */
const documentedPath: Readonly<Record<OrderStatus, Row>> = {
  Pending: { operator: ['accept', 'hold', 'cancel'], client: ['modify', 'cancel'] },
  'On Hold': { operator: ['release', 'cancel'], client: ['modify', 'cancel'] },
  'Needs Changes': { operator: ['approve_packaging', 'cancel'], client: ['cancel'] },
  Accepted: { operator: ['start_production', 'cancel'], client: ['cancel'] },
  'In Production': { operator: ['cancel'], client: [] },
  Canceled: { operator: [], client: [] },
};

/** What the operator can do to an order in this status: by the reading `any`, whatever leads to another one. */
export const operatorActions = (from: OrderStatus, transitions: Transitions): readonly OrderAction[] =>
  transitions === 'any' ? orderActions.filter((action) => statusAfter[action] !== from) : documentedPath[from].operator;

/** Whether the operator may ship packages of an order in this status. */
export const mayShip = (status: OrderStatus, transitions: Transitions): boolean =>
  transitions === 'any' || status === 'In Production';

export const mayModify = (status: OrderStatus): boolean => documentedPath[status].client.includes('modify');
export const mayCancel = (status: OrderStatus): boolean => documentedPath[status].client.includes('cancel');

// What every change of an order has in common: its time, and its place in the timeline.

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
  const can = operatorActions(order.status, world.assumptions.get('order_transitions'));
  return can.includes(action) ? saveOrder(world, { ...order, status: statusAfter[action] }) : undefined;
}
