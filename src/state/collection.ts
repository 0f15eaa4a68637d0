// Indexed, ordered, frozen records: copy-on-write trees, so that a clone, a snapshot and a discarded draft cost next to nothing.
// Records stand in the order of their sequence numbers, given at insert; that is the list order and what a cursor holds.
import { type IndexOf, indexes, type RowOf, type TableName, type WalkFrom } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';

const byNumber = (a: number, b: number): number => a - b;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
type Place = readonly [group: string, sequence: number];
const byPlace = (a: Place, b: Place): number => byText(a[0], b[0]) || a[1] - b[1];

type GroupOf<Row> = (row: Row) => string | undefined;

/** An index: how it groups rows, and the places of the rows it has. */
interface Index<Row> {
  readonly name: string;
  readonly groupOf: GroupOf<Row>;
  readonly tree: Tree<Place, undefined>;
}

function emptyIndexes<Name extends TableName>(name: Name): Index<RowOf<Name>>[] {
  const declared = (indexes as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name] ?? {};
  return Object.entries(declared).map(([index, groupOf]) => ({
    name: index,
    groupOf: groupOf as GroupOf<RowOf<Name>>,
    tree: new BTree<Place, undefined>(undefined, byPlace),
  }));
}

/** The records of one table. Frozen once committed; only a draft's own clone is written to. */
export class Collection<Name extends TableName> {
  readonly #rows: Tree<number, RowOf<Name>>;
  readonly #sequences: Tree<string, number>;
  readonly #indexes: readonly Index<RowOf<Name>>[];
  readonly name: Name;

  constructor(name: Name, from?: Collection<Name>) {
    this.name = name;
    this.#rows = from ? from.#rows.clone() : new BTree<number, RowOf<Name>>(undefined, byNumber);
    this.#sequences = from ? from.#sequences.clone() : new BTree<string, number>(undefined, byText);
    this.#indexes = from
      ? from.#indexes.map(({ name, groupOf, tree }) => ({ name, groupOf, tree: tree.clone() }))
      : emptyIndexes(name);
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

  /** All records with their sequence numbers, oldest first, or those after this one. */
  entries(after = -1): IterableIterator<[number, RowOf<Name>]> {
    return this.#rows.entries(after + 1);
  }

  /** All records with their sequence numbers, newest first, or those before this one. */
  newestFirst(before = Number.MAX_SAFE_INTEGER): IterableIterator<[number, RowOf<Name>]> {
    return this.#rows.entriesReversed(before, undefined, true);
  }

  *walk(
    index: IndexOf<Name>,
    group: string,
    { after, newestFirst = false }: WalkFrom = {},
  ): Generator<[number, RowOf<Name>]> {
    const tree = this.#index(index);
    const start: Place = [group, after ?? (newestFirst ? Number.MAX_SAFE_INTEGER : -1)];
    const places = newestFirst ? tree.entriesReversed(start) : tree.entries(start);
    for (const [[found, sequence]] of places) {
      if (found !== group) return;
      const row = sequence === after ? undefined : this.#rows.get(sequence);
      if (row) yield [sequence, row];
    }
  }

  /** The rows of an index group by group, by the groups' names. */
  *inOrder(index: IndexOf<Name>): Generator<RowOf<Name>> {
    for (const [[, sequence]] of this.#index(index).entries()) {
      const row = this.#rows.get(sequence);
      if (row) yield row;
    }
  }

  /** The first row of the first group, by the groups' names. */
  first(index: IndexOf<Name>): RowOf<Name> | undefined {
    const place = this.#index(index).minKey();
    return place && this.#rows.get(place[1]);
  }

  #index(index: IndexOf<Name>): Tree<Place, undefined> {
    const tree = this.#indexes.find(({ name }) => name === index)?.tree;
    if (!tree) throw new Error(`${this.name} has no index ${index}`);
    return tree;
  }

  /** Puts a row at this sequence number in place of the one there; undefined removes it. */
  put(sequence: number, row: RowOf<Name> | undefined): void {
    const former = this.#rows.get(sequence);
    // A row that was put at another place before it is taken from this one stays known there.
    if (former && former.id !== row?.id && this.#sequences.get(former.id) === sequence)
      this.#sequences.delete(former.id);
    if (row && former?.id !== row.id) this.#sequences.set(row.id, sequence);
    if (row) this.#rows.set(sequence, row);
    else this.#rows.delete(sequence);
    for (const index of this.#indexes) move(index, sequence, former, row);
  }
}

/** Moves a row's place from the group it was in to the group it is in. */
function move<Row>(
  { groupOf, tree }: Index<Row>,
  sequence: number,
  former: Row | undefined,
  row: Row | undefined,
): void {
  const [from, to] = [former && groupOf(former), row && groupOf(row)];
  if (from === to) return;
  if (from !== undefined) tree.delete([from, sequence]);
  if (to !== undefined) tree.set([to, sequence], undefined);
}
