// Tables and states after random writes, compared with simple models.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type State, storedChanges } from '../../src/state/state.ts';
import { allRows, type Index, type Layer, type Row, type RowChange, seedLayer, Table } from '../../src/state/table.ts';
import { freshState } from '../support/test-state.ts';
import { shownState, type Write, writes } from './random-writes.ts';

interface Thing extends Row {
  readonly group: string;
}
type Entry = readonly [seq: number, row: Thing];

const groups = ['a', 'b', 'c'];
const ids = Array.from({ length: 12 }, (_, n) => `${n}`);
/** The second one leaves out the group `c`. */
const indexes: readonly Index<Thing>[] = [
  allRows as Index<Thing>,
  { name: 'group', groupOf: ({ group }) => (group === 'c' ? undefined : group) },
];

const action = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'place', 'replace', 'replace', 'remove', 'remove', 'freeze', 'undo'),
  id: fc.constantFrom(...ids),
  group: fc.constantFrom(...groups),
  /** The number for `place`, how many changes to undo, and where walks start. */
  number: fc.nat(60),
});

function expectShows(table: Table<Thing>, entries: readonly Entry[], start: number, isIndexed: boolean): void {
  const sorted = entries.toSorted(([one], [other]) => one - other);
  const after = (some: readonly Entry[]) => some.filter(([seq]) => seq > start);
  const before = (some: readonly Entry[]) => some.filter(([seq]) => seq < start).reverse();
  const depth = (layer: Layer<Thing>): number => 1 + (layer.below ? depth(layer.below) : 0);
  expect([...table.entries()]).toEqual(sorted);
  expect([...table.entries(start)]).toEqual(after(sorted));
  expect(depth(table.top)).toBeLessThanOrEqual(6);
  expect([table.size, table.isFull]).toEqual([sorted.length, sorted.length >= 10]);
  for (const id of ids) expect(table.get(id)).toBe(sorted.find(([, row]) => row.id === id)?.[1]);
  if (!isIndexed) return;
  expect([...table.newestFirst()]).toEqual(sorted.toReversed());
  expect([...table.newestFirst(start)]).toEqual(before(sorted));
  for (const group of groups) {
    const own = sorted.filter(([, row]) => row.group === group && group !== 'c');
    expect([...table.walk('group', group)]).toEqual(own);
    expect([...table.walk('group', group, { after: start })]).toEqual(after(own));
    expect([...table.walk('group', group, { after: start, newestFirst: true })]).toEqual(before(own));
    expect(table.firstOf('group', group)).toBe(own[0]?.[1]);
  }
}

/** A table over three shared rows, and the rows that it must have. */
function modelledTable(declared: readonly Index<Thing>[]) {
  const changes: RowChange[] = [];
  let next = 3;
  const owner = {
    note: (change: RowChange) => void changes.push(change),
    // 7, 11, 15 …; `place` takes the others.
    count: () => (next += 4),
    freeze: <T>(row: T) => row,
  };
  const rows = groups.map((group, n): Thing => ({ id: `${n}`, group }));
  const tableOver = (top: Layer<Thing>) => new Table('things', top, declared, owner, 10);
  const seed = seedLayer(rows, declared);
  const table = tableOver(seed);
  let model: readonly Entry[] = [...table.entries()];
  const frozen = [{ layer: seed, entries: model }];
  const set = (id: string, ...entries: Entry[]) => {
    model = [...model.filter(([, row]) => row.id !== id), ...entries];
  };
  const write = (kind: string, row: Thing, number: number) => {
    const found = model.find(([, { id }]) => id === row.id);
    const isFree = !found && number % 4 !== 3 && !model.some(([seq]) => seq === number);
    if (kind === 'insert' && !found && model.length < 10) {
      table.insert(row);
      set(row.id, [changes.at(-1)?.seq ?? -1, row]);
    } else if (kind === 'place' && isFree) {
      table.place(number, row);
      set(row.id, [number, row]);
    } else if (kind === 'replace' && found) {
      table.replace(row);
      set(row.id, [found[0], row]);
    } else if (kind === 'remove' && found) {
      table.remove(row.id);
      set(row.id);
    }
  };
  const undo = (count: number) => {
    for (const { id, seq, before } of changes.splice(-count).reverse()) {
      table.put(id, seq, before as Thing | undefined);
      set(id, ...(before ? [[seq, before as Thing] as const] : []));
    }
  };
  const freeze = () => void frozen.push({ layer: table.freeze(), entries: model });
  return { table, tableOver, frozen, write, undo, freeze, entries: () => model };
}

test.each([[indexes], [[]]])('a table shows the same as a list of rows, with the indexes %j', (declared) => {
  const property = fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
    const { table, tableOver, frozen, write, undo, freeze, entries } = modelledTable(declared);
    for (const { kind, id, group, number } of actions) {
      if (kind === 'freeze') freeze();
      else if (kind === 'undo') undo((number % 8) + 1);
      else write(kind, { id, group }, number);
      expectShows(table, entries(), number, declared.length > 0);
    }
    for (const then of frozen) expectShows(tableOver(then.layer), then.entries, 20, declared.length > 0);
  });
  fc.assert(property, { numRuns: 150 });
});

const commit = (state: State, write: Write) => state.transaction(() => write(state)).changes;

const expectSameCommit = (state: State, other: State, write: Write) =>
  expect(storedChanges(commit(state, write))).toEqual(storedChanges(commit(other, write)));

function expectThrows(state: State, write: Write): void {
  const failing = () =>
    state.transaction(() => {
      write(state);
      throw new RangeError('no');
    });
  expect(failing).toThrow(RangeError);
}

function firstDue(state: State) {
  const all = Array.from(state.table('due_steps').entries(), ([, row]) => row);
  return all.toSorted((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at))[0];
}

test('a state has what was committed, and nothing that was undone or thrown', () => {
  const batches = fc.array(
    fc.record({ all: fc.array(writes, { maxLength: 3 }), end: fc.constantFrom('kept', 'undone', 'thrown') }),
    { minLength: 1, maxLength: 10 },
  );
  const property = fc.property(batches, (drawn) => {
    const [state, expected] = [freshState(), freshState()];
    for (const { all, end } of drawn) {
      if (end === 'undone') state.undo(all.flatMap((one) => commit(state, one)));
      else for (const one of all) end === 'thrown' ? expectThrows(state, one) : expectSameCommit(state, expected, one);
      expect(state.firstDue).toEqual(firstDue(state));
    }
    expect(shownState(state)).toEqual(shownState(expected));
  });
  fc.assert(property, { numRuns: 80 });
});
