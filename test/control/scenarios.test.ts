// Scenarios: the records that they add and change; many records and many scenarios in any order; a window of several servers.
import { expect, test } from 'vitest';
import type { AppliedScenario, ChangedRecord } from '../../src/contract/control/state.ts';
import type { Scenario } from '../../src/contract/scenarios.ts';
import { countedWindow, reorderTolerance } from '../../src/sandbox/fault-evaluation.ts';
import { applyScenario, putRecords, revertScenario } from '../../src/sandbox/scenarios.ts';
import { frozenClock, realClock } from '../../src/state/clock.ts';
import { fulfillmentRow, orderId } from '../support/order-requests.ts';
import { fixtures, noon } from '../support/sachet.ts';
import { scenariosOf } from '../support/scenarios.ts';
import { TestState, writeContext } from '../support/test-state.ts';

const { now } = writeContext;

test('records of a scenario are added or changed, and returned as they were and are', () => {
  const state = new TestState();
  const added = fulfillmentRow(1);
  const data = { orders: [{ id: orderId(1), status: 'Canceled' }], fulfillments: [added] };
  const changed = state.write((draft) => putRecords(draft, data, writeContext));
  const [before] = fixtures.orders;
  const after = { ...before, status: 'Canceled', updated_at: noon };
  expect(changed).toEqual([
    { collection: 'orders', before, after },
    { collection: 'fulfillments', before: null, after: added },
  ]);
  expect(state.state.table('orders').get(orderId(1))).toBe(changed[0]?.after);
  expect(state.state.table('fulfillments').get(added.id)).toEqual(added);
});

const applied = (name: string, records: readonly ChangedRecord[] = []): AppliedScenario => {
  return { name, applied_at: now, assumptions: {}, records };
};
const remove = (state: TestState, name: string) => state.write((draft) => revertScenario(draft, name, writeContext));

test('usernames that would go back in a chain all stay where the last one is taken; other records go back', () => {
  const userAt = (n: number, username = `u${n}`) => ({ ...fixtures.users[0], id: `U${n}`, username }) as never;
  const [pack] = fixtures.packs;
  // Each user had the name of the next one. U5 was not renamed and has u5, the old name of U4; u7, that of U6, is free.
  const all = [0, 1, 2, 3, 4, 5, 6];
  const renamed = all.filter((n) => n !== 5).map((n) => ({ before: userAt(n, `u${n + 1}`), after: userAt(n) }));
  const records: ChangedRecord[] = [
    ...renamed.map((change) => ({ collection: 'users' as const, ...change })),
    { collection: 'packs', before: { ...pack, name: 'as it was' } as never, after: pack as never },
  ];
  const state = new TestState();
  state.write((draft) => {
    for (const n of all) draft.table('users').insert(userAt(n));
    draft.setValue('scenarios', [applied('chain', records)]);
  });
  remove(state, 'chain');
  const names = all.map((n) => state.state.table('users').get(`U${n}`)?.username);
  expect(names).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u7']);
  expect(state.state.table('packs').get(pack?.id ?? '')?.name).toBe('as it was');
});

test('at most 200 scenarios are applied; one that is applied can be applied again', () => {
  const [first, next] = scenariosOf({ s0: {}, next: {} }) as [Scenario, Scenario];
  const apply = (state: TestState, scenario: Scenario) =>
    state.write((draft) => applyScenario(draft, scenario, writeContext, now));
  const state = new TestState();
  const layers = Array.from({ length: 199 }, (_, n) => applied(`s${n}`));
  state.write((draft) => draft.setValue('scenarios', layers));
  apply(state, next);
  const before = state.state.value('scenarios');
  expect(apply(state, first)).toBe(before[0]);
  expect(state.state.value('scenarios')).toBe(before);
  const refused = state.expectRefusal((draft) => applyScenario(draft, { ...next, name: 'more' }, writeContext, now));
  const message = 'The sandbox already has 200 applied scenarios, the maximum; remove some';
  expect(refused).toMatchObject({ status: 422, message });
  remove(state, 's7');
  apply(state, { ...next, name: 'more' });
  expect(state.state.value('scenarios').slice(-2)).toMatchObject([{ name: 'next' }, { name: 'more' }]);
});

test('a window of several servers counts a call that came shortly before it, and starts again after a clock was set back', () => {
  const counted = { began_at: 100_000, calls: 4 };
  for (const [at, clock, expected] of [
    [99_999, realClock, counted],
    [89_999, { ...realClock, rate: 2 }, counted],
    [89_999, realClock, { began_at: 89_999, calls: 1 }],
    [99_999, frozenClock(99_999), { began_at: 99_999, calls: 1 }],
  ] as const)
    expect(countedWindow({ began_at: 100_000, calls: 3 }, 60, at, reorderTolerance(clock))).toEqual(expected);
});
