// A table beside the plainest model of one: a list of rows by their numbers, and copies of it for what is frozen.
import fc from 'fast-check';
import { expect } from 'vitest';
import { allRows, type Index, type Layer, type Row, type RowChange, seedLayer, Table } from '../../src/state/table.ts';

interface Thing extends Row {
  readonly group: string;
}
export type Entry = readonly [seq: number, row: Thing];

const groups = ['a', 'b', 'c'];
/** The index leaves the things of `c` out. */
export const indexes: readonly Index<Thing>[] = [
  allRows as Index<Thing>,
  { name: 'group', groupOf: ({ group }) => (group === 'c' ? undefined : group) },
];
const ids = Array.from({ length: 12 }, (_, n) => `${n}`);

export const act = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'place', 'replace', 'replace', 'remove', 'remove', 'freeze', 'undo'),
  id: fc.constantFrom(...ids),
  group: fc.constantFrom(...groups),
  /** A number for `place`, how many changes for `undo`, and where walks start. */
  number: fc.nat(60),
});
type Act = typeof act extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A table over three rows that others share, and what is known of it. */
export function tabled(declared = indexes) {
  const changes: RowChange[] = [];
  let next = 3;
  const owner = {
    note: (change: RowChange) => void changes.push(change),
    // 7, 11, 15 and so on: the others are for rows that are placed.
    count: () => (next += 4),
    freeze: <T>(row: T) => row,
  };
  const rows = groups.map((group, n): Thing => ({ id: `${n}`, group }));
  const seed = seedLayer(rows, declared);
  const made = (top: Layer<Thing>) => new Table('things', top, declared, owner, 10);
  return { changes, seed, made, table: made(seed) };
}

const layersOf = (top: Layer<Thing>): number => 1 + (top.below ? layersOf(top.below) : 0);

/** A table, and beside it what it should hold. */
export class ModelledTable {
  readonly #declared: readonly Index<Thing>[];
  readonly #made;
  readonly #frozen: { readonly layer: Layer<Thing>; readonly model: readonly Entry[] }[] = [];
  readonly #shared: readonly Entry[];
  #model: readonly Entry[];

  constructor(declared: readonly Index<Thing>[]) {
    this.#declared = declared;
    this.#made = tabled(declared);
    this.#shared = [...this.#made.table.entries()];
    this.#model = this.#shared;
  }

  run({ kind, id, group, number }: Act): void {
    if (kind === 'freeze') this.#frozen.push({ layer: this.#made.table.freeze(), model: this.#model });
    else if (kind === 'undo') this.#undo((number % 8) + 1);
    else this.#write(kind, { id, group }, number);
    this.#expectShows(this.#made.table, this.#model, number);
  }

  #write(kind: 'insert' | 'place' | 'replace' | 'remove', row: Thing, number: number): void {
    const { table, changes } = this.#made;
    const found = this.#model.find(([, one]) => one.id === row.id);
    const isNew = kind === 'insert' || kind === 'place';
    if (isNew === (found !== undefined) || (kind === 'insert' && this.#model.length >= 10)) return;
    if (kind === 'place' && (number % 4 === 3 || this.#model.some(([seq]) => seq === number))) return;
    if (kind === 'remove') table.remove(row.id);
    else if (kind === 'place') table.place(number, row);
    else table[kind](row);
    const seq = kind === 'place' ? number : (found?.[0] ?? changes.at(-1)?.seq ?? -1);
    const others = this.#model.filter((entry) => entry !== found);
    this.#model = kind === 'remove' ? others : [...others, [seq, row]];
  }

  #undo(count: number): void {
    for (const { id, seq, before } of this.#made.changes.splice(-count).reverse()) {
      this.#made.table.put(id, seq, before as Thing | undefined);
      const others = this.#model.filter(([, one]) => one.id !== id);
      this.#model = before ? [...others, [seq, before as Thing]] : others;
    }
  }

  #expectShows(table: Table<Thing>, model: readonly Entry[], after: number): void {
    const sorted = model.toSorted(([one], [other]) => one - other);
    const behind = (entries: readonly Entry[]) => entries.filter(([seq]) => seq > after);
    const before = (entries: readonly Entry[]) => entries.filter(([seq]) => seq < after).reverse();
    expect([...table.entries()]).toEqual(sorted);
    expect([...table.entries(after)]).toEqual(behind(sorted));
    expect(layersOf(table.top)).toBeLessThanOrEqual(6);
    expect([table.size, table.isFull]).toEqual([sorted.length, sorted.length >= 10]);
    for (const id of ids) expect(table.get(id)).toBe(sorted.find(([, row]) => row.id === id)?.[1]);
    if (this.#declared.length === 0) return;
    expect([...table.newestFirst()]).toEqual(sorted.toReversed());
    expect([...table.newestFirst(after)]).toEqual(before(sorted));
    for (const group of groups) {
      const own = sorted.filter(([, row]) => row.group === group && group !== 'c');
      expect([...table.walk('group', group)]).toEqual(own);
      expect([...table.walk('group', group, { after })]).toEqual(behind(own));
      expect([...table.walk('group', group, { after, newestFirst: true })]).toEqual(before(own));
      expect(table.firstOf('group', group)).toBe(own[0]?.[1]);
    }
  }

  /** What was frozen, and what others share, is as it was. */
  expectLasting(): void {
    const { made, seed } = this.#made;
    for (const { layer, model } of this.#frozen) this.#expectShows(made(layer), model, 20);
    this.#expectShows(made(seed), this.#shared, 1);
  }
}
