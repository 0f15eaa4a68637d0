// Which actions of the operator lead from which status of an order.
import { expect, test } from 'vitest';
import { mayShip, operatorActions, statusAfter } from '../../src/domain/orders.ts';

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
