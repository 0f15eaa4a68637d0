// Scenarios over many records, and over as many others as there may be.
import { describe, expect, test } from 'vitest';
import type { AppliedScenario, ChangedRecord } from '../../src/contract/control/state.ts';
import type { Scenario } from '../../src/contract/scenarios.ts';
import { applyScenario, revertScenario } from '../../src/sandbox/scenarios.ts';
import { TestState, writing } from '../support/drafts.ts';
import { scenariosOf } from '../support/layers.ts';
import { fixtures } from '../support/sachet.ts';

const { now } = writing;
const applied = (name: string, records: readonly ChangedRecord[] = []): AppliedScenario => ({
  name,
  applied_at: now,
  assumptions: {},
  records,
});

/** A sandbox with these packs or users beside its own, under these scenarios. */
function layered(
  collection: 'packs' | 'users',
  rows: readonly object[],
  layers: readonly AppliedScenario[],
): TestState {
  const state = new TestState();
  state.write((draft) => {
    for (const row of rows) draft.table(collection).insert(row as never);
    draft.setValue('scenarios', layers);
  });
  return state;
}

const back = (state: TestState, name: string) => state.write((draft) => revertScenario(draft, name, writing));

describe('a scenario with many records, under one with the same', () => {
  const [pack] = fixtures.packs;
  const packs = Array.from({ length: 3000 }, (_, n) => ({ ...pack, id: `P${n}`, name: 'third' }));
  const layer = (name: string, before: string, after: string): AppliedScenario =>
    applied(
      name,
      packs.map((one) => ({
        collection: 'packs',
        before: { ...one, name: before } as never,
        after: { ...one, name: after } as never,
      })),
    );
  const namesIn = (state: TestState) => new Set(packs.map(({ id }) => state.state.table('packs').get(id)?.name));

  test.each([
    [
      ['one', 'two'],
      ['third', 'first'],
    ],
    [
      ['two', 'one'],
      ['second', 'first'],
    ],
  ])('%j taken back one after the other leave %j', (order, names) => {
    const state = layered('packs', packs, [layer('one', 'first', 'second'), layer('two', 'second', 'third')]);
    const found = order.map((name) => {
      back(state, name);
      return [...namesIn(state)];
    });
    expect(found).toEqual(names.map((name) => [name]));
  });

  test('gives nothing on where somebody changed the records between them', () => {
    const state = layered('packs', packs, [layer('one', 'first', 'second'), layer('two', 'mine', 'third')]);
    back(state, 'one');
    back(state, 'two');
    expect([...namesIn(state)]).toEqual(['mine']);
  });

  test('only the first of several over it inherits', () => {
    const layers = [layer('one', 'first', 'second'), layer('two', 'mine', 'second'), layer('three', 'second', 'third')];
    const state = layered('packs', packs, layers);
    back(state, 'one');
    back(state, 'three');
    expect([...namesIn(state)]).toEqual(['second']);
  });
});

describe('usernames that go back in a chain, each to where another leaves it', () => {
  const [user] = fixtures.users;
  const userAt = (n: number, name = `u${n}`) => ({ ...user, id: `U${n}`, username: name }) as never;

  const [pack] = fixtures.packs;

  /**
   * What is left of a scenario that is taken back, under which each of so many users had the name of the next; that of the last has
   * somebody else by now. One more had a name that is free, and a pack another name.
   */
  function namesAfter(length: number): unknown[] {
    const all = Array.from({ length: length + 2 }, (_, n) => n);
    const renamed = all.filter((n) => n !== length).map((n) => ({ before: userAt(n, `u${n + 1}`), after: userAt(n) }));
    const records: ChangedRecord[] = [
      ...renamed.map((change) => ({ collection: 'users' as const, ...change })),
      { collection: 'packs', before: { ...pack, name: 'as it was' } as never, after: pack as never },
    ];
    const rows = all.map((n) => userAt(n));
    const state = layered('users', rows, [applied('chain', records)]);
    back(state, 'chain');
    const { state: after } = state;
    return [
      after.table('packs').get(pack?.id ?? '')?.name,
      ...all.map((n) => after.table('users').get(`U${n}`)?.username),
    ];
  }

  test('all stay where the last cannot, and others go', () => {
    expect(namesAfter(5)).toEqual(['as it was', 'u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u7']);
  });
});

describe('at most 200 scenarios are applied at a time', () => {
  const [first, next] = scenariosOf({ s0: {}, next: {} }) as [Scenario, Scenario];
  const apply = (state: TestState, scenario: Scenario) =>
    state.write((draft) => applyScenario(draft, scenario, writing, now));
  const namesIn = (state: TestState) => state.state.value('scenarios').map(({ name }) => name);
  const under = (count: number) =>
    layered(
      'packs',
      [],
      Array.from({ length: count }, (_, n) => applied(`s${n}`)),
    );

  test('one more is refused, and one taken back makes room', () => {
    const state = under(199);
    apply(state, next);
    const refused = state.refused((draft) => applyScenario(draft, { ...next, name: 'more' }, writing, now));
    expect([refused.status, refused.message]).toEqual([
      422,
      'The sandbox already has 200 applied scenarios, the maximum; remove some',
    ]);
    back(state, 's7');
    apply(state, { ...next, name: 'more' });
    expect(namesIn(state)).toHaveLength(200);
    expect(namesIn(state).slice(-2)).toEqual(['next', 'more']);
  });

  test('one that is applied may be applied again, and stays as it is', () => {
    const state = under(200);
    const before = state.state.value('scenarios');
    expect(apply(state, first)).toBe(before[0]);
    expect(state.state.value('scenarios')).toBe(before);
  });
});
