// A root told as changes and made again out of them is the same root: what a store keeps is all there is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseReadings } from '../../src/contract/readings.ts';
import { frozenClock } from '../../src/control/clock.ts';
import { applyChanges, changesOf } from '../../src/state/changes.ts';
import { Draft } from '../../src/state/draft.ts';
import { deepFreeze } from '../../src/state/freeze.ts';
import { asMade, type Change, type Image, type Root, tableNames } from '../../src/state/root.ts';
import { fulfillmentRow, otherBrand } from '../support/fulfillment-rows.ts';
import { fulfillmentId, orderId } from '../support/order-requests.ts';
import { bornRoot } from '../support/roots.ts';
import { fixtures } from '../support/sachet.ts';

const born = () => bornRoot();

/** As a store gives changes back: copies of what it was given. */
const stored = (changes: Iterable<Change>): Change[] => structuredClone([...changes]);

/** All of a root that reading it can show, the walks along its indexes too. */
function shown({ version, snapshots, ...image }: Root) {
  const kept = Array.from(snapshots, ([name, { at, ...snapshot }]) => [name, at, shownImage(snapshot)]);
  return { version, ...shownImage(image), kept };
}

function shownImage({ values, tables }: Image) {
  const walks = ['brand', 'order'].map((index) => {
    const groups = [...fixtures.brands, ...fixtures.orders].map(({ id }) => id);
    return groups.map((group) => [...tables.fulfillments.walk(index as 'brand' | 'order', group)].map(([at]) => at));
  });
  return { values, tables: tableNames.map((name) => [name, [...tables[name].entries()]]), walks };
}

/** One transaction: rows come, move and change, values are set, numbers are drawn. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const) }),
  fc.record({
    kind: fc.constant('move' as const),
    n: fc.integer({ min: 1, max: 29 }),
    to: fc.integer({ min: 1, max: 18 }),
  }),
  fc.record({ kind: fc.constant('spend' as const) }),
  fc.record({ kind: fc.constant('clock' as const), now: fc.nat() }),
  fc.record({ kind: fc.constant('readings' as const), reading: fc.constantFrom('body', 'meta', 'header') }),
  fc.record({ kind: fc.constant('count' as const), purpose: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constant('remove' as const), n: fc.integer({ min: 1, max: 29 }) }),
  fc.record({ kind: fc.constant('keep' as const), name: fc.constantFrom('one', 'two') }),
  fc.record({ kind: fc.constant('drop' as const), name: fc.constantFrom('one', 'two') }),
  fc.record({ kind: fc.constant('restore' as const), name: fc.constantFrom(asMade, 'one', 'two') }),
  fc.record({ kind: fc.constant('empty' as const) }),
  fc.record({ kind: fc.constant('life' as const), lives: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function run(draft: Draft, drawn: Step, n: number): void {
  if (drawn.kind === 'insert') draft.table('fulfillments').insert(fulfillmentRow(n));
  else if (drawn.kind === 'spend') draft.table('spent_refresh_tokens').insert({ id: `t${n}` });
  else if (drawn.kind === 'clock') draft.setValue('clock', frozenClock(drawn.now));
  else if (drawn.kind === 'readings') draft.setValue('readings', chooseReadings({ next_cursor: drawn.reading }));
  else if (drawn.kind === 'count') draft.count(drawn.purpose);
  else if (drawn.kind === 'keep') draft.keep(drawn.name, n);
  else if (drawn.kind === 'drop') draft.drop(drawn.name);
  else if (drawn.kind === 'restore') restore(draft, drawn.name);
  else if (drawn.kind === 'empty') draft.empty();
  else if (drawn.kind === 'life') draft.setValue('history', { ...draft.value('history'), lives: drawn.lives });
  else if (drawn.kind === 'remove') remove(draft, fulfillmentId(drawn.n));
  else move(draft, fulfillmentId(drawn.n), orderId(drawn.to));
}

function restore(draft: Draft, name: string): void {
  if (draft.snapshots.has(name)) draft.restore(name);
}

function remove(draft: Draft, id: string): void {
  if (draft.table('fulfillments').get(id)) draft.table('fulfillments').remove(id);
}

function move(draft: Draft, id: string, order_id: string): void {
  const table = draft.table('fulfillments');
  const row = table.get(id);
  if (row) table.replace({ ...row, order_id, brand_id: otherBrand });
}

/** The root after these transactions, and the changes of each. */
function after(transactions: readonly (readonly Step[])[]): { root: Root; commits: Change[][] } {
  let root = born();
  const commits: Change[][] = [];
  for (const [turn, steps] of transactions.entries()) {
    const draft = new Draft(root, deepFreeze);
    for (const [index, drawn] of steps.entries()) run(draft, drawn, 100 * turn + index);
    commits.push(stored(draft.changes));
    root = draft.commit();
  }
  return { root, commits };
}

/** The root after the changes, deeply frozen. */
const applied = (root: Root | undefined, version: number, changes: Iterable<Change>): Root =>
  applyChanges(root, { version, changes }, deepFreeze);

const transactions = fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 8 });

test('a root is made again out of all it holds', () => {
  const property = fc.property(transactions, (drawn) => {
    const { root } = after(drawn);
    const rebuilt = applied(undefined, root.version, stored(changesOf(root)));
    expect(shown(rebuilt)).toEqual(shown(root));
  });
  fc.assert(property, { numRuns: 60 });
});

test('a root is made again out of its birth and the changes of each transaction', () => {
  const property = fc.property(transactions, (drawn) => {
    const { root, commits } = after(drawn);
    const history = commits.reduce(
      (last, changes) => applied(last, last.version + 1, changes),
      applied(undefined, 1, stored(changesOf(born()))),
    );
    expect(shown(history)).toEqual(shown(root));
    const atOnce = applied(undefined, root.version, [...stored(changesOf(born())), ...commits.flat()]);
    expect(shown(atOnce)).toEqual(shown(root));
  });
  fc.assert(property, { numRuns: 60 });
});

test('readings that come from a store are the very ones that are chosen here', () => {
  const { readings } = applied(undefined, 1, stored(changesOf(born()))).values;
  expect(readings).toBe(chooseReadings());
});

test('changes copy only the tables that they are about, and leave the root they start from alone', () => {
  const root = born();
  const before = shown(root);
  const removal: Change = { table: 'fulfillments', sequence: 0, row: null };
  const next = applied(root, 2, [removal, { value: 'clock', to: frozenClock(7) }]);
  expect(tableNames.filter((name) => next.tables[name] !== root.tables[name])).toEqual(['fulfillments']);
  expect([next.tables.fulfillments.get(fulfillmentId(1)), next.values.clock.now]).toEqual([undefined, 7]);
  expect(shown(root)).toEqual(before);
});

test('sandboxes born together share their tables, until one of them writes', () => {
  const [first, second] = [born(), born()];
  const draft = new Draft(first, deepFreeze);
  draft.table('fulfillments').insert(fulfillmentRow(1));
  const next = draft.commit();
  expect(second.tables.fulfillments).toBe(first.tables.fulfillments);
  expect(next.tables.fulfillments.size).toBe(second.tables.fulfillments.size + 1);
});
