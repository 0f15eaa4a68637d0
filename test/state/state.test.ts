// The state of a sandbox: transactions that stand or never were, snapshots, and the changes and documents that others make it of again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentOf, stateOf } from '../../src/state/document.ts';
import { asMade, deepFreeze, noFreeze, State, storedChanges } from '../../src/state/state.ts';
import { freshState } from '../support/drafts.ts';
import { runWrites, shownState, writes } from '../support/random-writes.ts';

const keeping = { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY };
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const again = (state: State): State => stateOf(stored(documentOf(state, 1, 'fixtures')), state.seed, keeping);

const steps = fc.array(fc.record({ drawn: writes, isUndone: fc.boolean() }), { minLength: 1, maxLength: 10 });

test('a state shows what was kept, and nothing of what was undone', () => {
  const property = fc.property(steps, (all) => {
    const [state, plain] = [freshState(), freshState()];
    for (const { drawn, isUndone } of all) {
      const { changes } = state.transaction(() => runWrites(state, drawn));
      if (isUndone) state.undo(changes);
      else plain.transaction(() => runWrites(plain, drawn));
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
      for (const { drawn } of all) {
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
        state.restore(asMade);
        state.setValue('history', { ...state.value('history'), lives: 7 });
        throw new RangeError('no');
      });
    expect(failing).toThrow(RangeError);
    expect(shownState(state)).toEqual(before);
  });

  test('has no other within it, and nothing is written without one', () => {
    const state = freshState();
    expect(() => state.transaction(() => state.transaction(() => undefined))).toThrow('a transaction is under way');
    expect(() => state.count('orders')).toThrow('in a transaction only');
    expect(() => state.keep('one', 1)).toThrow('in a transaction only');
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
    state.transaction(() => state.keep(asMade, 5));
    const kept = shownState(state);
    state.transaction(() => state.count('orders'));
    state.transaction(() => state.restore(asMade));
    expect(shownState(state)).toEqual(kept);
  });
});

test('rows are frozen where that is asked for', () => {
  const row = () => ({ id: 'x' });
  const [frozen, loose] = [freshState(), freshState()];
  const other = new State(loose.seed, loose.made, { freeze: noFreeze, maxRecords: 10 });
  for (const state of [frozen, other]) state.transaction(() => state.table('spent_refresh_tokens').insert(row()));
  const isFrozen = (state: State) => Object.isFrozen(state.table('spent_refresh_tokens').get('x'));
  expect([isFrozen(frozen), isFrozen(other)]).toEqual([true, false]);
});

test('a snapshot of many rows costs next to nothing, nor does the write after it', () => {
  const state = freshState();
  state.transaction(() => {
    for (let n = 0; n < 100_000; n += 1) state.table('spent_refresh_tokens').insert({ id: `${n}` });
  });
  const from = performance.now();
  state.transaction(() => state.keep('one', 1));
  state.transaction(() => state.table('spent_refresh_tokens').insert({ id: 'one more' }));
  expect(performance.now() - from).toBeLessThan(50);
});
