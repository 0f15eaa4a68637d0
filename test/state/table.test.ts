// Tables against the plainest model of one: a list of rows by their numbers, and copies of it for what is frozen.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, type Index, type Layer, type Row, type RowChange, seedLayer, Table } from '../../src/state/table.ts';

interface Thing extends Row {
  readonly group: string;
}

const groups = ['a', 'b', 'c'];
const indexes: readonly Index<Thing>[] = [
  all as Index<Thing>,
  { name: 'group', groupOf: ({ group }) => (group === 'c' ? undefined : group) },
];

const act = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), id: fc.nat(30), group: fc.nat(2) }),
  fc.record({ kind: fc.constant('replace' as const), id: fc.nat(30), group: fc.nat(2) }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.nat(30), group: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('freeze' as const, 'undo' as const), id: fc.nat(5), group: fc.nat(2) }),
);

/** A table over three rows that others share, and what is known of it. */
function tabled() {
  const changes: RowChange[] = [];
  let next = 3;
  const writer = {
    note: (change: RowChange) => void changes.push(change),
    count: () => next++,
    freeze: <T>(row: T) => row,
    maxRecords: 20,
  };
  const rows = groups.map((group, n): Thing => ({ id: `${n}`, group }));
  const seed = seedLayer(rows, indexes);
  const made = (top: Layer<Thing>) => new Table('things', top, { indexes, isBounded: true, writer });
  return { changes, seed, made, table: made(seed) };
}

type Entry = readonly [seq: number, row: Thing];

function expectShows(table: Table<Thing>, model: readonly Entry[], after: number): void {
  const sorted = model.toSorted(([one], [other]) => one - other);
  expect([...table.entries()]).toEqual(sorted);
  expect([...table.entries(after)]).toEqual(sorted.filter(([seq]) => seq > after));
  expect([...table.newestFirst(after)]).toEqual(sorted.filter(([seq]) => seq < after).reverse());
  expect(table.size).toBe(sorted.length);
  for (const group of groups) {
    const own = sorted.filter(([, row]) => row.group === group && group !== 'c');
    expect([...table.walk('group', group)]).toEqual(own);
    expect([...table.walk('group', group, { newestFirst: true })]).toEqual(own.toReversed());
    expect(table.firstOf('group', group)).toEqual(own[0]?.[1]);
  }
  for (const [, row] of sorted) expect(table.get(row.id)).toBe(row);
}

type Act = typeof act extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A table, and beside it what it should hold. */
class Modelled {
  readonly #made = tabled();
  readonly #frozen: { readonly layer: Layer<Thing>; readonly model: readonly Entry[] }[] = [];
  readonly #shared = [...this.#made.table.entries()];
  #model: Entry[] = [...this.#shared];

  run({ kind, id, group }: Act): void {
    if (kind === 'freeze') this.#frozen.push({ layer: this.#made.table.freeze(), model: this.#model });
    else if (kind === 'undo') this.#undo(id + 1);
    else this.#write(kind, { id: `${id}`, group: groups[group] ?? '' });
    expectShows(this.#made.table, this.#model, 3 + group);
  }

  #write(kind: 'insert' | 'replace' | 'remove', row: Thing): void {
    const { table, changes } = this.#made;
    const found = this.#model.find(([, one]) => one.id === row.id);
    if ((kind === 'insert') === (found !== undefined) || (kind === 'insert' && table.isFull)) return;
    if (kind === 'remove') table.remove(row.id);
    else table[kind](row);
    const others = this.#model.filter((entry) => entry !== found);
    this.#model = kind === 'remove' ? others : [...others, [changes.at(-1)?.seq ?? 0, row]];
  }

  #undo(count: number): void {
    for (const { id, seq, before } of this.#made.changes.splice(-count).reverse()) {
      this.#made.table.put(id, seq, before as Thing | undefined);
      const others = this.#model.filter(([, one]) => one.id !== id);
      this.#model = before ? [...others, [seq, before as Thing]] : others;
    }
  }

  /** What was frozen, and what others share, is as it was. */
  expectLasting(): void {
    const { made, seed } = this.#made;
    for (const { layer, model } of this.#frozen) expectShows(made(layer), model, 4);
    expectShows(made(seed), this.#shared, 1);
  }
}

test('a table shows what was written, over all that was frozen, and nothing that was undone', () => {
  const property = fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
    const modelled = new Modelled();
    for (const one of acts) modelled.run(one);
    modelled.expectLasting();
  });
  fc.assert(property, { numRuns: 300 });
});

test('a table that is full takes no more, one that is written during a walk throws', () => {
  const { table } = tabled();
  for (let n = 3; n < 20; n += 1) table.insert({ id: `${n}`, group: 'a' });
  expect(() => table.insert({ id: '20', group: 'a' })).toThrow('max_records');
  expect(() => table.insert({ id: '3', group: 'a' })).toThrow('things has a record 3 already');
  expect(() => table.remove('x')).toThrow('things has no record x');
  expect(() => {
    for (const [, { id }] of table.walk('group', 'a')) table.remove(id);
  }).toThrow('things was written during a walk');
});
