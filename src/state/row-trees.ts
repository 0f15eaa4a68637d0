// The rows of a table in B+trees: by sequence number, by id, and one per index.
import { BTree, type Tree } from './btree.ts';
import { FewRows } from './few-rows.ts';
import { byText, type Declared, type Place, RowIndex } from './row-index.ts';
import type { From, Identified, Placed, Rows, Trees } from './rows.ts';

const byNumber = (a: number, b: number): number => a - b;

export class RowTrees<Row extends Identified> implements Trees<Row> {
  readonly declared: readonly Declared<Row>[];
  isShared = false;
  readonly #rows: Tree<number, Row>;
  readonly #sequences: Tree<string, number>;
  readonly #indexes: readonly RowIndex<Row>[];
  #last: number;

  constructor(declared: readonly Declared<Row>[], from?: RowTrees<Row>) {
    this.declared = declared;
    this.#rows = from ? from.#rows.clone() : new BTree<number, Row>(undefined, byNumber);
    this.#sequences = from ? from.#sequences.clone() : new BTree<string, number>(undefined, byText);
    this.#indexes = from ? from.#indexes.map((index) => index.clone()) : declared.map((one) => new RowIndex(one));
    this.#last = from ? from.#last : -1;
  }

  get size(): number {
    return this.#rows.size;
  }

  get last(): number {
    return this.#last;
  }

  at(sequence: number): Row | undefined {
    return sequence > this.#last ? undefined : this.#rows.get(sequence);
  }

  sequenceOf(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  from(sequence: number): Iterable<Placed<Row>> {
    return this.#rows.entries(sequence);
  }

  before(sequence: number): Iterable<Placed<Row>> {
    return this.#rows.entriesReversed(sequence, undefined, true);
  }

  *places(index: number, { place, newestFirst = false }: From): Generator<Place> {
    const tree = this.#indexes[index]?.tree;
    if (!tree) return;
    for (const [found] of newestFirst ? tree.entriesReversed(place) : tree.entries(place)) yield found;
  }

  first(index: number): Place | undefined {
    return this.#indexes[index]?.tree.minKey();
  }

  put(sequence: number, row: Row | undefined): Row | undefined {
    const former = this.at(sequence);
    for (const index of this.#indexes) index.judge(former, row);
    // A row that was put at another place before it is taken from this one stays known there.
    if (former && former.id !== row?.id && this.#sequences.get(former.id) === sequence)
      this.#sequences.delete(former.id);
    if (row && former?.id !== row.id) this.#sequences.set(row.id, sequence);
    if (row) this.#rows.set(sequence, row);
    else this.#rows.delete(sequence);
    for (const index of this.#indexes) index.move(sequence);
    if (row && sequence > this.#last) this.#last = sequence;
    return former;
  }

  takes(): boolean {
    return true;
  }

  next(): Rows<Row> {
    return new FewRows(this);
  }

  inTrees(): Rows<Row> {
    return this;
  }

  clone(): RowTrees<Row> {
    return new RowTrees(this.declared, this);
  }
}
