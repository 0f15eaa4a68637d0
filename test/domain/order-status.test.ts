// What the operator and the client may do to an order in each status, under both readings of order_transitions.
import { describe, expect, test } from 'vitest';
import type { Choice } from '../../src/contract/assumptions.ts';
import { mayCancel, mayModify, mayShip, operatorActions, statusAfter } from '../../src/domain/orders.ts';

const actions = ['accept', 'hold', 'release', 'start_production', 'cancel', 'approve_packaging'] as const;
const choices = ['documented_path', 'any'] as const;
const statuses = ['Pending', 'On Hold', 'Needs Changes', 'Accepted', 'In Production', 'Canceled'] as const;

/** By status: where each of the actions leads, in their order; — where it is impossible. */
const documented: Readonly<Record<(typeof statuses)[number], string>> = {
  Pending: 'Accepted, On Hold, —, —, Canceled, —',
  'On Hold': '—, —, Pending, —, Canceled, —',
  'Needs Changes': '—, —, —, —, Canceled, Pending',
  Accepted: '—, —, —, In Production, Canceled, —',
  'In Production': '—, —, —, —, Canceled, —',
  Canceled: '—, —, —, —, —, —',
};
/** Any action, but none that leads nowhere else. */
const any: typeof documented = {
  Pending: 'Accepted, On Hold, —, In Production, Canceled, —',
  'On Hold': 'Accepted, —, Pending, In Production, Canceled, Pending',
  'Needs Changes': 'Accepted, On Hold, Pending, In Production, Canceled, Pending',
  Accepted: '—, On Hold, Pending, In Production, Canceled, Pending',
  'In Production': 'Accepted, On Hold, Pending, —, Canceled, Pending',
  Canceled: 'Accepted, On Hold, Pending, In Production, —, Pending',
};
const tables = { documented_path: documented, any } as const;

/** Where each action leads from a status, in their order. */
function leadsFrom(status: (typeof statuses)[number], choice: Choice<'order_transitions'>): string[] {
  const can = operatorActions(status, choice);
  return actions.map((action) => (can.includes(action) ? statusAfter[action] : '—'));
}

describe.each(choices)('order_transitions: %s', (choice) => {
  test.each(statuses)('an order that is %s goes where the table says, and nowhere else', (status) => {
    expect(leadsFrom(status, choice).join(', ')).toBe(tables[choice][status]);
    const possible = actions.filter((_, index) => tables[choice][status].split(', ')[index] !== '—');
    expect([...operatorActions(status, choice)].sort()).toEqual(possible.toSorted());
  });

  test('ships an order in production, and every other only where any transition goes', () => {
    const shipped = statuses.filter((status) => mayShip(status, choice));
    expect(shipped).toEqual(choice === 'any' ? statuses : ['In Production']);
  });
});

test('the client modifies an order that is Pending or On Hold, and no other (ORD-22)', () => {
  expect(statuses.filter(mayModify)).toEqual(['Pending', 'On Hold']);
});

test('the client cancels an order until it is in production, and once (ORD-23)', () => {
  expect(statuses.filter(mayCancel)).toEqual(['Pending', 'On Hold', 'Needs Changes', 'Accepted']);
});
