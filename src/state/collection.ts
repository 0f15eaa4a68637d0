// Indexed, ordered, frozen records: copy-on-write trees, so that a clone, a snapshot and a discarded draft cost next to nothing.
// Records stand in the order of their sequence numbers, given at insert; that is the list order and what a cursor holds.
import type { IndexOf, RowOf, TableName, WalkFrom } from '../domain/world.ts';
import { BTree, type Tree } from './btree.ts';
import { byText, emptyIndexes, type Place, type RowIndex } from './row-index.ts';

const byNumber = (a: number, b: number): number => a - b;

/** Whoever may write a collection in place, told by identity. */
export type Owner = object;

/** How often something was written: who walks it notices that it was, meanwhile. */
export interface Written {
  readonly writes: number;
}

/**
 * The records of one table. Written in place by the owner that its last clone was made for, and by whoever makes it; all others clone it.
 * A walk is taken whole before its table is written: going on after that throws.
 */
export class Collection<Name extends TableName> implements Written {
  readonly #rows: Tree<number, RowOf<Name>>;
  readonly #sequences: Tree<string, number>;
  readonly #indexes: readonly RowIndex<RowOf<Name>>[];
  readonly name: Name;
  #owner: Owner | undefined;
  /** No row stands behind this place. */
  #last: number;
  #writes: number;

  constructor(name: Name, from?: Collection<Name>, owner?: Owner) {
    this.name = name;
    this.#rows = from ? from.#rows.clone() : new BTree<number, RowOf<Name>>(undefined, byNumber);
    this.#sequences = from ? from.#sequences.clone() : new BTree<string, number>(undefined, byText);
    this.#indexes = from ? from.#indexes.map((index) => index.clone()) : emptyIndexes(name);
    this.#owner = owner;
    this.#last = from ? from.#last : -1;
    this.#writes = from ? from.#writes : 0;
  }

  get size(): number {
    return this.#rows.size;
  }

  get writes(): number {
    return this.#writes;
  }

  /** One that goes on by itself. @param owner who may write it in place; none: it belongs to nobody */
  clone(owner?: Owner): Collection<Name> {
    return new Collection(this.name, this, owner);
  }

  isOf(owner: Owner | undefined): boolean {
    return owner !== undefined && this.#owner === owner;
  }

  /** It stays as it is from here on: it belongs to nobody. */
  release(): void {
    this.#owner = undefined;
  }

  get(id: string): RowOf<Name> | undefined {
    const sequence = this.#sequences.get(id);
    return sequence === undefined ? undefined : this.#rows.get(sequence);
  }

  sequenceOf(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  isTaken(sequence: number): boolean {
    return sequence <= this.#last && this.#rows.has(sequence);
  }

  /** All records with their sequence numbers, oldest first, or those after this one. */
  entries(after = -1, written: Written = this): Generator<[number, RowOf<Name>]> {
    return this.#unwritten(this.#rows.entries(after + 1), written);
  }

  /** All records with their sequence numbers, newest first, or those before this one. */
  newestFirst(before = Number.MAX_SAFE_INTEGER, written: Written = this): Generator<[number, RowOf<Name>]> {
    return this.#unwritten(this.#rows.entriesReversed(before, undefined, true), written);
  }

  *walk(
    index: IndexOf<Name>,
    group: string,
    { after, newestFirst = false }: WalkFrom = {},
    written: Written = this,
  ): Generator<[number, RowOf<Name>]> {
    const { tree } = this.#index(index);
    const { writes } = written;
    const start = { group, sequence: after ?? (newestFirst ? Number.MAX_SAFE_INTEGER : -1) };
    const places = newestFirst ? tree.entriesReversed(start) : tree.entries(start);
    for (const [{ group: found, sequence }] of places) {
      if (found !== group) return;
      const row = sequence === after ? undefined : this.#rows.get(sequence);
      if (row) yield [sequence, row];
      if (written.writes !== writes) throw overtaken(this.name);
    }
  }

  /** The rows of an index group by group, by the groups' names. */
  *inOrder(index: IndexOf<Name>, written: Written = this): Generator<RowOf<Name>> {
    for (const [{ sequence }] of this.#unwritten(this.#index(index).tree.entries(), written)) {
      const row = this.#rows.get(sequence);
      if (row) yield row;
    }
  }

  /** The first row of the first group, by the groups' names. */
  first(index: IndexOf<Name>): RowOf<Name> | undefined {
    const place: Place | undefined = this.#index(index).tree.minKey();
    return place && this.#rows.get(place.sequence);
  }

  #index(index: IndexOf<Name>): RowIndex<RowOf<Name>> {
    const found = this.#indexes.find(({ name }) => name === index);
    if (!found) throw new Error(`${this.name} has no index ${index}`);
    return found;
  }

  *#unwritten<Entry>(entries: Iterable<Entry>, written: Written): Generator<Entry> {
    const { writes } = written;
    for (const entry of entries) {
      yield entry;
      if (written.writes !== writes) throw overtaken(this.name);
    }
  }

  /**
   * Puts a row at this sequence number in place of the one there, which it gives; undefined removes it. Done whole or, where an index
   * throws of the row, not at all.
   */
  put(sequence: number, row: RowOf<Name> | undefined): RowOf<Name> | undefined {
    const former = sequence > this.#last ? undefined : this.#rows.get(sequence);
    for (const index of this.#indexes) index.judge(former, row);
    // A row that was put at another place before it is taken from this one stays known there.
    if (former && former.id !== row?.id && this.#sequences.get(former.id) === sequence)
      this.#sequences.delete(former.id);
    if (row && former?.id !== row.id) this.#sequences.set(row.id, sequence);
    if (row) this.#rows.set(sequence, row);
    else this.#rows.delete(sequence);
    for (const index of this.#indexes) index.move(sequence);
    if (row && sequence > this.#last) this.#last = sequence;
    this.#writes += 1;
    return former;
  }
}

const overtaken = (name: TableName): Error =>
  new Error(`${name} was written while it was walked: take what is walked whole before writing`);
