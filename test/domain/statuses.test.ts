// Which actions lead from which status of an order and of a package.
import { expect, test } from 'vitest';
import { actionsFrom, firstStatus, statusOf } from '../../src/domain/fulfillments.ts';
import { mayCancel, mayModify, mayShip, operatorActions, statusAfter } from '../../src/domain/orders.ts';

const orderActions = ['accept', 'hold', 'release', 'start_production', 'cancel', 'approve_packaging'] as const;
const orderStatuses = ['Pending', 'On Hold', 'Needs Changes', 'Accepted', 'In Production', 'Canceled'] as const;

// By status: where each of the actions leads, in their order; — if it is impossible.
test.each([
  [
    'documented_path',
    {
      Pending: 'Accepted, On Hold, —, —, Canceled, —',
      'On Hold': '—, —, Pending, —, Canceled, —',
      'Needs Changes': '—, —, —, —, Canceled, Pending',
      Accepted: '—, —, —, In Production, Canceled, —',
      'In Production': '—, —, —, —, Canceled, —',
      Canceled: '—, —, —, —, —, —',
    },
    ['In Production'],
  ],
  [
    'any',
    {
      Pending: 'Accepted, On Hold, —, In Production, Canceled, —',
      'On Hold': 'Accepted, —, Pending, In Production, Canceled, Pending',
      'Needs Changes': 'Accepted, On Hold, Pending, In Production, Canceled, Pending',
      Accepted: '—, On Hold, Pending, In Production, Canceled, Pending',
      'In Production': 'Accepted, On Hold, Pending, —, Canceled, Pending',
      Canceled: 'Accepted, On Hold, Pending, In Production, —, Pending',
    },
    orderStatuses,
  ],
] as const)("the operator's actions where order_transitions is %s", (choice, table, shippable) => {
  const leadsTo = orderStatuses.map((status) => {
    const possible = operatorActions(status, choice);
    const cells = orderActions.map((action) => (possible.includes(action) ? statusAfter[action] : '—'));
    return [status, cells.join(', '), possible.filter((action) => !orderActions.some((known) => known === action))];
  });
  expect(leadsTo).toEqual(Object.entries(table).map(([status, cells]) => [status, cells, []]));
  expect(orderStatuses.filter((status) => mayShip(status, choice))).toEqual(shippable);
});

test('the client modifies a Pending or On Hold order (ORD-22), and cancels one before production (ORD-23)', () => {
  expect(orderStatuses.filter(mayModify)).toEqual(['Pending', 'On Hold']);
  expect(orderStatuses.filter(mayCancel)).toEqual(['Pending', 'On Hold', 'Needs Changes', 'Accepted']);
});

test('the actions of a package', () => {
  const table = {
    label_created: ['pick_up'],
    picked_up: ['delay', 'deliver', 'depart', 'lose', 'return'],
    in_transit: ['delay', 'deliver', 'lose', 'return'],
    delayed: ['deliver', 'depart', 'lose', 'return'],
    delivered: ['return'],
    lost: ['depart', 'return'],
    returned: [],
    // Statuses of other fixtures have no actions.
    customs: [],
    '': [],
    toString: [],
  };
  const statuses = Object.keys(table);
  expect(Object.fromEntries(statuses.map((status) => [status, [...actionsFrom(status)].sort()]))).toEqual(table);
  expect([firstStatus, actionsFrom('__proto__')]).toEqual(['label_created', []]);
  expect(statusOf).toEqual({
    pick_up: 'picked_up',
    depart: 'in_transit',
    delay: 'delayed',
    deliver: 'delivered',
    lose: 'lost',
    return: 'returned',
  });
});
