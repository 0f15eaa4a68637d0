// The statuses of an order: what the operator and the client may do in each (ORD-22, ORD-23, `order_transitions`).
import type { Reading } from '../contract/assumptions.ts';
import { type OrderAction, orderActions } from '../contract/order-progress.ts';
import type { OrderStatus } from '../contract/records.ts';

type Transitions = Reading<'order_transitions'>;

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
