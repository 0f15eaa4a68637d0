// What can become of a package in each status.
import { describe, expect, test } from 'vitest';
import { actionsFrom, firstStatus, statusOf } from '../../src/domain/fulfillments.ts';
import { waysTo } from '../support/operator.ts';

const table = [
  ['label_created', ['pick_up']],
  ['picked_up', ['depart', 'delay', 'deliver', 'lose', 'return']],
  ['in_transit', ['delay', 'deliver', 'lose', 'return']],
  ['delayed', ['depart', 'deliver', 'lose', 'return']],
  ['delivered', ['return']],
  ['lost', ['depart', 'return']],
  ['returned', []],
] as const;

test.each(table)('a package that is %s can be: %j', (status, actions) => {
  expect([...actionsFrom(status)].sort()).toEqual([...actions].sort());
});

test.each([
  ['pick_up', 'picked_up'],
  ['depart', 'in_transit'],
  ['delay', 'delayed'],
  ['deliver', 'delivered'],
  ['lose', 'lost'],
  ['return', 'returned'],
] as const)('%s leads to %s', (action, status) => {
  expect(statusOf[action]).toBe(status);
});

describe('a package', () => {
  test('begins with its label, and from there gets into every status', () => {
    expect(firstStatus).toBe('label_created');
    for (const [status, way] of Object.entries(waysTo)) {
      let at: string = firstStatus;
      for (const action of way) {
        expect(actionsFrom(at)).toContain(action);
        at = statusOf[action];
      }
      expect(at).toBe(status);
    }
  });

  test.each(['customs', '', 'DELIVERED', 'toString', '__proto__', '61000000-0000-4000-8000-000000000001'])(
    'in a status of the fixtures’ own (%j) can become nothing by itself',
    (status) => {
      expect(actionsFrom(status)).toEqual([]);
    },
  );
});
