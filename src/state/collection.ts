// Indexed, ordered, frozen records: copy-on-write trees, so that a clone, a snapshot and a discarded draft cost next to nothing.
// Records stand in the order of their sequence numbers, given at insert; that is the list order and what a cursor holds.
import { type IndexOf, indexes, type RowOf, type TableName, type WalkFrom } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';

const byNumber = (a: number, b: number): number => a - b;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
type Place = readonly [group: string, sequence: number];
const byPlace = (a: Place, b: Place): number => byText(a[0], b[0]) || a[1] - b[1];

type GroupOf<Row> = (row: Row) => string | undefined;

/** The records of one table. Frozen once committed; only a draft's own clone is written to. */
export class Collection<Name extends TableName> {
  readonly #groups: Readonly<Record<string, GroupOf<RowOf<Name>>>>;
  readonly #rows: Tree<number, RowOf<Name>>;
  readonly #sequences: Tree<string, number>;
  readonly #indexes: ReadonlyMap<string, Tree<Place, undefined>>;
  readonly name: Name;

  constructor(name: Name, from?: Collection<Name>) {
    this.name = name;
    this.#groups = ((indexes as Readonly<Record<string, unknown>>)[name] ?? {}) as Record<string, GroupOf<RowOf<Name>>>;
    this.#rows = from ? from.#rows.clone() : new BTree<number, RowOf<Name>>(undefined, byNumber);
    this.#sequences = from ? from.#sequences.clone() : new BTree<string, number>(undefined, byText);
    const cloned = Object.keys(this.#groups).map((index): [string, Tree<Place, undefined>] => {
      const tree = from ? from.#indexes.get(index) : undefined;
      return [index, tree ? tree.clone() : new BTree<Place, undefined>(undefined, byPlace)];
    });
    this.#indexes = new Map(cloned);
  }

  get size(): number {
    return this.#rows.size;
  }

  clone(): Collection<Name> {
    return new Collection(this.name, this);
  }

  get(id: string): RowOf<Name> | undefined {
    const sequence = this.#sequences.get(id);
    return sequence === undefined ? undefined : this.#rows.get(sequence);
  }

  sequenceOf(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  /** All records with their sequence numbers, oldest first. */
  entries(): IterableIterator<[number, RowOf<Name>]> {
    return this.#rows.entries();
  }

  *walk(
    index: IndexOf<Name>,
    group: string,
    { after, newestFirst = false }: WalkFrom = {},
  ): Generator<[number, RowOf<Name>]> {
    const tree = this.#indexes.get(index);
    if (!tree) throw new Error(`${this.name} has no index ${index}`);
    const start: Place = [group, after ?? (newestFirst ? Number.MAX_SAFE_INTEGER : -1)];
    const places = newestFirst ? tree.entriesReversed(start) : tree.entries(start);
    for (const [[found, sequence]] of places) {
      if (found !== group) return;
      const row = sequence === after ? undefined : this.#rows.get(sequence);
      if (row) yield [sequence, row];
    }
  }

  /** Puts a row at its sequence number; the one that stood there, or undefined to remove it. */
  put(sequence: number, row: RowOf<Name> | undefined): void {
    const former = this.#rows.get(sequence);
    if (former && former.id !== row?.id) this.#sequences.delete(former.id);
    if (row && former?.id !== row.id) this.#sequences.set(row.id, sequence);
    if (row) this.#rows.set(sequence, row);
    else this.#rows.delete(sequence);
    for (const [index, tree] of this.#indexes) this.#move(tree, index, sequence, former, row);
  }

  #move(
    tree: Tree<Place, undefined>,
    index: string,
    sequence: number,
    former: RowOf<Name> | undefined,
    row: RowOf<Name> | undefined,
  ): void {
    const group = this.#groups[index];
    const [from, to] = [former && group?.(former), row && group?.(row)];
    if (from === to) return;
    if (from !== undefined) tree.delete([from, sequence]);
    if (to !== undefined) tree.set([to, sequence], undefined);
  }
}
