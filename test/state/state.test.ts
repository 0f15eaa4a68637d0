// The state of a sandbox: transactions that stand or never were, snapshots, and the changes and documents that others make it of again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentOf, stateOf } from '../../src/state/persistence.ts';
import { deepFreeze, initialSnapshot, noFreeze, State, storedChanges } from '../../src/state/state.ts';
import { freshState } from '../support/drafts.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';
import { runWrites, shownState, writes } from '../support/random-writes.ts';

type Drawn = Parameters<typeof runWrites>[1];

const recordOptions = { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY };
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const again = (state: State): State => stateOf(stored(documentOf(state, 1, 'fixtures')), state.seed, recordOptions);

const steps = fc.array(writes, { minLength: 1, maxLength: 10 });
/** Transactions that end alike: kept, undone together, or thrown each. */
const batches = fc.array(
  fc.record({ all: fc.array(writes, { maxLength: 3 }), end: fc.constantFrom('kept', 'undone', 'thrown') }),
  { minLength: 1, maxLength: 10 },
);

/** The first step of the timeline, by looking at all of them. */
function firstOf(state: State) {
  const all = Array.from(state.table('due_steps').entries(), ([, row]) => row);
  return all.sort((one, other) => (one.due_at < other.due_at ? -1 : Number(one.due_at > other.due_at)))[0];
}

test('a state shows what was kept, and nothing of what was undone or thrown', () => {
  const run = (state: State, all: readonly Drawn[]) =>
    all.flatMap((drawn) => state.transaction(() => runWrites(state, drawn)).changes);
  const fail = (state: State, drawn: Drawn) => () =>
    state.transaction(() => {
      runWrites(state, drawn);
      throw new RangeError('no');
    });
  const property = fc.property(batches, (drawn) => {
    const [state, plain] = [freshState(), freshState()];
    for (const { all, end } of drawn) {
      if (end === 'undone') state.undo(run(state, all));
      else if (end === 'thrown') for (const one of all) expect(fail(state, one)).toThrow(RangeError);
      else expect(storedChanges(run(state, all))).toEqual(storedChanges(run(plain, all)));
      expect(state.firstDue).toEqual(firstOf(state));
    }
    expect(shownState(state)).toEqual(shownState(plain));
  });
  fc.assert(property, { numRuns: 80 });
});

test('changes and documents make the same state elsewhere, which goes on alike', () => {
  const property = fc.property(steps, steps, (first, second) => {
    const state = freshState();
    const others = [freshState()];
    for (const [part, all] of [first, second].entries()) {
      for (const drawn of all) {
        const { changes } = state.transaction(() => runWrites(state, drawn));
        for (const other of others) other.apply(stored(storedChanges(changes)));
      }
      for (const other of others) expect(shownState(other)).toEqual(shownState(state));
      if (part === 0) others.push(again(state));
    }
  });
  fc.assert(property, { numRuns: 60 });
});

describe('a transaction', () => {
  test('that throws leaves everything as it was, whatever it did', () => {
    const state = freshState();
    state.transaction(() => state.keep('one', 1));
    const before = shownState(state);
    const failing = () =>
      state.transaction(() => {
        state.count('orders');
        state.keep('two', 2);
        state.drop('one');
        state.empty();
        state.setValue('clock', { now: 5, at: 0, rate: 1, frozen: true });
        state.restore(initialSnapshot);
        state.setValue('history', { ...state.value('history'), lives: 7 });
        throw new RangeError('no');
      });
    expect(failing).toThrow(RangeError);
    expect(shownState(state)).toEqual(before);
  });

  test('has no other within it, and nothing is written without one', () => {
    const state = freshState();
    expect(() => state.transaction(() => state.transaction(() => undefined))).toThrow(
      'a transaction is already in progress',
    );
    expect(() => state.count('orders')).toThrow('only in a transaction');
    expect(() => state.keep('one', 1)).toThrow('only in a transaction');
  });
});

describe('a snapshot', () => {
  test('brings back all but what lasts', () => {
    const state = freshState();
    const first = state.table('orders').entries()[Symbol.iterator]().next().value?.[1];
    state.transaction(() => state.keep('one', 1));
    state.transaction(() => {
      state.table('orders').remove(first?.id ?? '');
      state.setValue('history', { ...state.value('history'), lives: 2 });
      state.setValue('answered_0', { n: 0, key: 'k', fingerprint: '', status: 200 });
    });
    state.transaction(() => state.restore('one'));
    expect(state.table('orders').get(first?.id ?? '')).toEqual(first);
    expect([state.value('history').lives, state.value('answered_0')?.key]).toEqual([2, 'k']);
    expect(() => state.transaction(() => state.restore('two'))).toThrow('there is no snapshot "two"');
  });

  test('as made is what the sandbox began with, unless it was kept later', () => {
    const state = freshState();
    state.transaction(() => state.count('orders'));
    state.transaction(() => state.keep(initialSnapshot, 5));
    const kept = shownState(state);
    state.transaction(() => state.count('orders'));
    state.transaction(() => state.restore(initialSnapshot));
    expect(shownState(state)).toEqual(kept);
  });
});

test('rows are frozen where that is asked for', () => {
  const row = () => ({ id: 'x' });
  const [frozen, loose] = [freshState(), freshState()];
  const other = new State(loose.seed, loose.initial, { freeze: noFreeze, maxRecords: 10 });
  for (const state of [frozen, other]) state.transaction(() => state.table('spent_refresh_tokens').insert(row()));
  const isFrozen = (state: State) => Object.isFrozen(state.table('spent_refresh_tokens').get('x'));
  expect([isFrozen(frozen), isFrozen(other)]).toEqual([true, false]);
});

test('a snapshot copies nothing, and what is written after it is all that is kept above it', () => {
  const state = freshState();
  const table = state.table('spent_refresh_tokens' as string);
  state.transaction(() => {
    for (let n = 0; n < 1000; n += 1) table.insert({ id: `${n}` });
  });
  const { top } = table;
  state.transaction(() => state.keep('one', 1));
  state.transaction(() => table.insert({ id: 'one more' }));
  expect(state.snapshots.get('one')?.tops.get(table.name)).toBe(top);
  expect(table.top.below).toBe(top);
  expect([...table.top.byId.keys()]).toEqual(['one more']);
});

test('a table of records is bounded, the rows of the service itself are not', () => {
  const state = freshState('stage', 0, 40);
  const { size } = state.table('fulfillments');
  const insert = (many: number) => () =>
    state.transaction(() => {
      for (let n = 0; n < many; n += 1) state.table('fulfillments').insert(fulfillmentRow(n));
    });
  expect(insert(41 - size)).toThrow('max_records');
  expect([state.table('fulfillments').size, state.table('fulfillments').isFull]).toEqual([size, false]);
  insert(40 - size)();
  expect([state.table('fulfillments').size, state.table('fulfillments').isFull]).toEqual([40, true]);
  state.transaction(() => {
    for (let n = 0; n < 50; n += 1) state.table('tracking').insert({ id: orderId(n), events: [] });
  });
  expect([state.table('tracking').size, state.table('tracking').isFull]).toEqual([50, false]);
});

test('counters count from what the fixtures have, and an import puts them all', () => {
  const state = freshState();
  const { orders } = state.counters;
  expect(orders).toBe(state.table('orders').size);
  state.transaction(() => expect([state.count('orders'), state.count('a'), state.count('a')]).toEqual([orders, 0, 1]));
  expect(state.counters).toMatchObject({ orders: (orders ?? 0) + 1, a: 2 });
  state.transaction(() => state.setCounters({ a: 7, b: 1 }));
  expect(state.counters).toEqual({ a: 7, b: 1 });
});

test('a store is told the last of several writes to a row', () => {
  const state = freshState();
  const table = state.table('spent_refresh_tokens' as string);
  const { changes } = state.transaction(() => {
    for (const id of ['a', 'b']) table.insert({ id });
    table.remove('a');
    state.keep('one', 1);
    table.remove('b');
  });
  expect(storedChanges(changes).filter((change) => !('table' in change && change.table === 'counters'))).toEqual([
    { table: table.name, seq: 0, id: 'a' },
    { table: table.name, seq: 1, row: { id: 'b' } },
    { keep: 'one', at: 1 },
    { table: table.name, seq: 1, id: 'b' },
  ]);
});

test('choices stored before an assumption existed get its default, and stay one object per combination', () => {
  const state = freshState();
  const choices = { ...state.value('readings'), next_cursor: 'meta' } as const;
  state.transaction(() => state.setValue('chosen', choices));
  const { made, tables, ...document } = documentOf(state, 1, 'fixtures');
  const older = JSON.parse(
    JSON.stringify({ made, tables }, (key, value) => (key === 'list_order' ? undefined : value)),
  );
  const loaded = stateOf({ ...document, ...older }, state.seed, recordOptions);
  expect(loaded.value('readings')).toBe(state.value('readings'));
  expect(loaded.value('chosen')).toEqual(choices);
});

test('what is stored keeps its names: folders and databases of earlier versions have them', () => {
  const state = freshState();
  state.transaction(() => {
    state.setValue('clock', state.value('clock'));
    state.setValue('chosen', state.value('chosen'));
    state.setValue('readings', state.value('readings'));
    state.count('orders');
  });
  const { made, tables } = documentOf(state, 1, 'fixtures');
  expect(Object.keys(made)).toEqual(['identity', 'clock', 'readings', 'at']);
  expect(Object.keys(tables).toSorted()).toEqual(['counters', 'values']);
  const seeded = ['administration_times', 'expired', 'generations', 'operator', 'rate_window', 'scenarios'];
  const own = ['chosen', 'clock', 'readings'];
  const names = Array.from(state.table('values').unordered(), ({ row }) => row?.id).toSorted();
  expect(names.filter((name) => name && [...seeded, ...own].includes(name))).toEqual([...seeded, ...own].toSorted());
});
