// Indexed, ordered, frozen records. They are shared until they are written, so that a clone, a snapshot and a discarded draft cost next to
// nothing. Records stand in the order of their sequence numbers, given at insert; that is the list order and what a cursor holds.
import type { IndexOf, RowOf, TableName, WalkFrom } from '../domain/world.ts';
import { indexesOf } from './row-index.ts';
import { RowTrees } from './row-trees.ts';
import type { Rows } from './rows.ts';

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
  readonly name: Name;
  #rows: Rows<RowOf<Name>>;
  #owner: Owner | undefined;
  #writes: number;

  constructor(name: Name, from?: Collection<Name>, owner?: Owner) {
    this.name = name;
    this.#rows = from ? from.#rows : new RowTrees(indexesOf(name));
    this.#owner = owner;
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
    this.#rows.isShared = true;
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
    return this.#rows.get(id);
  }

  sequenceOf(id: string): number | undefined {
    return this.#rows.sequenceOf(id);
  }

  isTaken(sequence: number): boolean {
    return this.#rows.at(sequence) !== undefined;
  }

  /** All records with their sequence numbers, oldest first, or those after this one. */
  entries(after = -1, written: Written = this): Generator<[number, RowOf<Name>]> {
    return this.#unwritten(this.#rows.from(after + 1), written);
  }

  /** All records with their sequence numbers, newest first, or those before this one. */
  newestFirst(before = Number.MAX_SAFE_INTEGER, written: Written = this): Generator<[number, RowOf<Name>]> {
    return this.#unwritten(this.#rows.before(before), written);
  }

  *walk(
    index: IndexOf<Name>,
    group: string,
    from: WalkFrom = {},
    written: Written = this,
  ): Generator<[number, RowOf<Name>]> {
    const { writes } = written;
    for (const sequence of this.#rows.group(this.#index(index), group, from)) {
      const row = this.#rows.at(sequence);
      if (row) yield [sequence, row];
      if (written.writes !== writes) throw overtaken(this.name);
    }
  }

  /** The rows of an index group by group, by the groups' names. */
  *inOrder(index: IndexOf<Name>, written: Written = this): Generator<RowOf<Name>> {
    for (const { sequence } of this.#unwritten(this.#rows.places(this.#index(index)), written)) {
      const row = this.#rows.at(sequence);
      if (row) yield row;
    }
  }

  /** The first row of the first group, by the groups' names. */
  first(index: IndexOf<Name>): RowOf<Name> | undefined {
    const place = this.#rows.first(this.#index(index));
    return place && this.#rows.at(place.sequence);
  }

  /** The first row of a group. */
  firstOf(index: IndexOf<Name>, group: string): RowOf<Name> | undefined {
    const sequence = this.#rows.firstOf(this.#index(index), group);
    return sequence === undefined ? undefined : this.#rows.at(sequence);
  }

  #index(index: IndexOf<Name>): number {
    const found = this.#rows.declared.findIndex(({ name }) => name === index);
    if (found < 0) throw new Error(`${this.name} has no index ${index}`);
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
    if (this.#rows.isShared) this.#rows = this.#rows.next();
    if (!this.#rows.takes(sequence, row)) this.#rows = this.#rows.inTrees();
    const former = this.#rows.put(sequence, row);
    this.#writes += 1;
    return former;
  }
}

const overtaken = (name: TableName): Error =>
  new Error(`${name} was written while it was walked: take what is walked whole before writing`);
