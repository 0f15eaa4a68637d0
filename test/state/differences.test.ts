// What one table has otherwise than another: told whole, in order, and so that whoever takes it is not kept waiting.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowOf } from '../../src/domain/world.ts';
import { documentOf } from '../../src/node/state-folder/snapshot-document.ts';
import { changesOf } from '../../src/state/changes.ts';
import { Collection } from '../../src/state/collection.ts';
import { differences } from '../../src/state/differences.ts';
import type { Root, Snapshot } from '../../src/state/root.ts';
import { bornRoot } from '../support/roots.ts';

type Row = RowOf<'spent_refresh_tokens'>;
type Rows = ReadonlyMap<number, Row>;
const name = 'spent_refresh_tokens';

function tableOf(rows: Rows): Collection<typeof name> {
  const table = new Collection(name);
  for (const [sequence, row] of rows) table.put(sequence, row);
  return table;
}

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Two rows of each id: another object is another row, whatever it has. */
const pool = [0, 1].map(() => ids.map((id): Row => ({ id })));

/** Few ids at few places, so that they meet, move and change places. */
const rows = fc
  .record({
    places: fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: ids.length }),
    ids: fc.shuffledSubarray(ids, { minLength: ids.length }),
    which: fc.infiniteStream(fc.constantFrom(0, 0, 1)),
  })
  .map(({ places, ids: drawn, which }): Rows => {
    const row = (index: number) => pool[which.next().value ?? 0]?.find(({ id }) => id === drawn[index]) as Row;
    return new Map(places.sort().map((place, index) => [place, row(index)]));
  });

/** Looks at every place there is. */
function naive(from: Rows, to: Rows): (readonly [number, Row | null])[] {
  const places = Array.from({ length: 8 }, (_, place) => place);
  return places.filter((place) => from.get(place) !== to.get(place)).map((place) => [place, to.get(place) ?? null]);
}

describe('the differences of two tables', () => {
  test('are each row that is put in, and each place where one is taken out, in order', () => {
    fc.assert(
      fc.property(rows, rows, (from, to) => {
        const told = [...differences(tableOf(from), tableOf(to))];
        expect(told).toEqual(naive(from, to));
        expect(told.every(([place, row]) => row === null || row === to.get(place))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('make the one into the other, also where ids move from place to place', () => {
    fc.assert(
      fc.property(rows, rows, (from, to) => {
        const [made, latter] = [tableOf(from), tableOf(to)];
        for (const [place, row] of differences(made.clone(), latter)) made.put(place, row ?? undefined);
        expect([...made.entries()]).toEqual([...latter.entries()]);
        for (const id of ids) expect([id, made.sequenceOf(id)]).toEqual([id, latter.sequenceOf(id)]);
      }),
      { numRuns: 2000 },
    );
  });

  test('to nothing are all rows, and to the same table none', () => {
    const table = tableOf(new Map(ids.map((id, place) => [place, { id }])));
    expect([...differences(undefined, table)]).toEqual([...table.entries()]);
    expect([...differences(table, table)]).toEqual([]);
  });
});

/** A table of so many rows. */
const large = (size: number) =>
  tableOf(new Map(Array.from({ length: size }, (_, place) => [place, { id: `row ${place}` }])));

test('of many shared rows few are told, and never more than 1,001 are passed over between two', () => {
  const [from, to] = [large(10_000), { passed: 0, most: 0 }];
  function* counted() {
    for (const entry of from.entries()) {
      to.passed += 1;
      to.most = Math.max(to.most, to.passed);
      yield entry;
    }
  }
  const told: number[] = [];
  for (const [place, row] of differences(from, { entries: counted })) {
    to.passed = 0;
    told.push(place);
    expect(row).toBe([...from.entries(place - 1)][0]?.[1]);
  }
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(10);
  expect(to.most).toBeLessThanOrEqual(1001);
});

/** A root with this many snapshots, each with a table of its own that shares all its rows with the others. */
function kept(snapshots: number, table: Collection<typeof name>): Root {
  const root = bornRoot();
  const image = () => ({ values: root.values, tables: { ...root.tables, [name]: table.clone() } });
  const all = Array.from({ length: snapshots }, (_, n): [string, Snapshot] => [`kept ${n}`, { ...image(), at: 0 }]);
  return { ...root, ...image(), snapshots: new Map([...root.snapshots, ...all]) };
}

test('a document of many snapshots that share their rows is given in slices of no more than 64 changes', () => {
  const [changes, rowsOfOne] = [changesOf(kept(30, large(5000))), 5000];
  const taken = { all: 0, kept: 0 };
  function* counted() {
    for (const change of changes) {
      taken.all += 1;
      if ('keep' in change) taken.kept += 1;
      yield change;
    }
  }
  const heading = { sachet_state_folder: 1, sandbox: 'stage', generation: 1 };
  let [before, slicesBetween] = [0, 0];
  for (const slice of documentOf({ heading, version: 1, changes: counted() })) {
    expect(slice.length).toBeGreaterThan(0);
    expect(taken.all - before).toBeLessThanOrEqual(64);
    before = taken.all;
    if (taken.kept > 1 && taken.kept < 31) slicesBetween += 1;
  }
  expect(taken.kept).toBe(31);
  expect(taken.all).toBeGreaterThan(rowsOfOne);
  expect(taken.all).toBeLessThan(2 * rowsOfOne);
  expect(slicesBetween).toBeGreaterThan(1);
});
