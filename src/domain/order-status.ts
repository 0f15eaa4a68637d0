// The statuses of an order: what the operator and the client may do in each (ORD-22, ORD-23, `order_transitions`).
import type { Reading } from '../contract/assumptions.ts';
import { type OrderAction, orderActions } from '../contract/order-progress.ts';
import type { OrderStatus } from '../contract/records.ts';

type Transitions = Reading<'order_transitions'>;

interface Row {
  /** What the client may do. Canceling leads where the operator's does. */
  readonly client: readonly ('modify' | 'cancel')[];
  /** The operator's actions, each with the status it leads to. */
  readonly operator: Readonly<Partial<Record<OrderAction, OrderStatus>>>;
}

/** An order in production cannot be canceled by the client: "the operator must be contacted", so the operator can. */
const table: Readonly<Record<OrderStatus, Row>> = {
  Pending: {
    client: ['modify', 'cancel'],
    operator: { accept: 'Accepted', hold: 'On Hold', cancel: 'Canceled' },
  },
  'On Hold': { client: ['modify', 'cancel'], operator: { release: 'Pending', cancel: 'Canceled' } },
  'Needs Changes': { client: ['cancel'], operator: { approve_packaging: 'Pending', cancel: 'Canceled' } },
  Accepted: { client: ['cancel'], operator: { start_production: 'In Production', cancel: 'Canceled' } },
  'In Production': { client: [], operator: { cancel: 'Canceled' } },
  Canceled: { client: [], operator: {} },
};

/** Where each action leads under the reading `any`. */
const targets: Readonly<Record<OrderAction, OrderStatus>> = {
  accept: 'Accepted',
  hold: 'On Hold',
  release: 'Pending',
  start_production: 'In Production',
  cancel: 'Canceled',
  approve_packaging: 'Pending',
};

/** The status that an operator's action leads to; undefined where it is impossible. */
export function statusAfter(from: OrderStatus, action: OrderAction, transitions: Transitions): OrderStatus | undefined {
  if (transitions === 'documented_path') return table[from].operator[action];
  return targets[action] === from ? undefined : targets[action];
}

/** What the operator can do to an order in this status. */
export const operatorActions = (from: OrderStatus, transitions: Transitions): OrderAction[] =>
  orderActions.filter((action) => statusAfter(from, action, transitions) !== undefined);

/** Whether the operator may ship packages of an order in this status. */
export const mayShip = (status: OrderStatus, transitions: Transitions): boolean =>
  transitions === 'any' || status === 'In Production';

export const mayModify = (status: OrderStatus): boolean => table[status].client.includes('modify');
export const mayCancel = (status: OrderStatus): boolean => table[status].client.includes('cancel');
