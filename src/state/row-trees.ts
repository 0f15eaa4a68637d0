// The rows of a table in trees: by sequence number, by id, and one per index.
import type { WalkFrom } from '../domain/world.ts';
import { FewRows } from './few-rows.ts';
import { NumberTrie } from './number-trie.ts';
import { type Declared, type Place, RowIndex } from './row-index.ts';
import type { Identified, Placed, Rows, Trees } from './rows.ts';
import { TextTrie } from './text-trie.ts';

export class RowTrees<Row extends Identified> implements Trees<Row> {
  readonly declared: readonly Declared<Row>[];
  isShared = false;
  readonly #rows: NumberTrie<Row>;
  readonly #ids: TextTrie<number>;
  readonly #indexes: readonly RowIndex<Row>[];

  constructor(declared: readonly Declared<Row>[], from?: RowTrees<Row>) {
    this.declared = declared;
    this.#rows = from ? from.#rows.clone() : new NumberTrie();
    this.#ids = from ? from.#ids.clone() : new TextTrie();
    this.#indexes = from ? from.#indexes.map((index) => index.clone()) : declared.map((one) => new RowIndex(one));
  }

  get size(): number {
    return this.#rows.size;
  }

  get last(): number {
    return this.#rows.last;
  }

  at(sequence: number): Row | undefined {
    return this.#rows.get(sequence);
  }

  sequenceOf(id: string): number | undefined {
    return this.#ids.get(id);
  }

  get(id: string): Row | undefined {
    const sequence = this.#ids.get(id);
    return sequence === undefined ? undefined : this.#rows.get(sequence);
  }

  from(sequence: number): Iterable<Placed<Row>> {
    return this.#rows.from(sequence);
  }

  before(sequence: number): Iterable<Placed<Row>> {
    return this.#rows.before(sequence);
  }

  places(index: number): Iterable<Place> {
    return this.#indexes[index]?.places() ?? [];
  }

  group(index: number, group: string, from: WalkFrom): Iterable<number> {
    return this.#indexes[index]?.group(group, from) ?? [];
  }

  first(index: number): Place | undefined {
    return this.#indexes[index]?.first();
  }

  firstOf(index: number, group: string): number | undefined {
    return this.#indexes[index]?.firstOf(group);
  }

  put(sequence: number, row: Row | undefined): Row | undefined {
    const former = this.at(sequence);
    for (const index of this.#indexes) index.judge(former, row);
    if (former?.id !== row?.id) this.#rename(sequence, former?.id, row?.id);
    if (row) this.#rows.set(sequence, row);
    else this.#rows.delete(sequence);
    for (const index of this.#indexes) index.move(sequence);
    return former;
  }

  /** A row that was put at another place before it is taken from this one stays known there. */
  #rename(sequence: number, from: string | undefined, to: string | undefined): void {
    if (from !== undefined && this.sequenceOf(from) === sequence) this.#ids.delete(from);
    if (to !== undefined) this.#ids.set(to, sequence);
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
