// A table of a draft: the base's collection until the first write, then a clone of its own.
import { Refusal } from '../contract/refusal.ts';
import type { IndexOf, RowOf, Table, TableName, WalkFrom } from '../domain/world.ts';
import type { Collection } from './collection.ts';
import { unboundedTables } from './root.ts';

/** What a table needs of its draft. */
interface Noting {
  readonly maxRecords: number;
  count(purpose: string): number;
  note<Row extends RowOf<TableName> | null>(table: TableName, sequence: number, row: Row): Row;
}

/** A table as control may use it: whole, and by its sequence numbers. */
export interface WholeTable<Name extends TableName> extends Table<Name> {
  readonly size: number;
  /** All records with their sequence numbers, oldest first, or those after this one. */
  entries(after?: number): Iterable<readonly [sequence: number, row: RowOf<Name>]>;
  /** All records with their sequence numbers, newest first, or those before this one. */
  newestFirst(before?: number): Iterable<readonly [sequence: number, row: RowOf<Name>]>;
  /** The rows of an index group by group, by the groups' names. */
  inOrder(index: IndexOf<Name>): Iterable<RowOf<Name>>;
  /** Puts a row at a sequence number, in place of what stands there; an import keeps its numbers so. */
  put(sequence: number, row: RowOf<Name>): void;
}

export class DraftTable<Name extends TableName> implements WholeTable<Name> {
  readonly #draft: Noting;
  readonly #original: Collection<Name>;
  collection: Collection<Name>;

  constructor(draft: Noting, original: Collection<Name>) {
    this.#draft = draft;
    this.#original = original;
    this.collection = original;
  }

  get isWritten(): boolean {
    return this.collection !== this.#original;
  }

  get size(): number {
    return this.collection.size;
  }

  get isFull(): boolean {
    return this.size >= this.#draft.maxRecords && !unboundedTables.includes(this.collection.name);
  }

  get(id: string): RowOf<Name> | undefined {
    return this.collection.get(id);
  }

  walk(index: IndexOf<Name>, group: string, from?: WalkFrom): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.walk(index, group, from);
  }

  first(index: IndexOf<Name>): RowOf<Name> | undefined {
    return this.collection.first(index);
  }

  entries(after?: number): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.entries(after);
  }

  inOrder(index: IndexOf<Name>): Iterable<RowOf<Name>> {
    return this.collection.inOrder(index);
  }

  newestFirst(before?: number): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.newestFirst(before);
  }

  insert(row: RowOf<Name>): void {
    const { name } = this.collection;
    if (this.get(row.id)) throw new Error(`${name} has a record ${row.id} already`);
    if (this.isFull) throw new Refusal('max_records', { what: name, value: this.#draft.maxRecords });
    this.put(this.#draft.count(name), row);
  }

  replace(row: RowOf<Name>): void {
    this.put(this.#sequenceOf(row.id), row);
  }

  remove(id: string): void {
    const sequence = this.#sequenceOf(id);
    this.#own().put(sequence, undefined);
    this.#draft.note(this.collection.name, sequence, null);
  }

  put(sequence: number, row: RowOf<Name>): void {
    this.#own().put(sequence, this.#draft.note(this.collection.name, sequence, row));
  }

  #sequenceOf(id: string): number {
    const sequence = this.collection.sequenceOf(id);
    if (sequence === undefined) throw new Error(`${this.collection.name} has no record ${id}`);
    return sequence;
  }

  #own(): Collection<Name> {
    if (!this.isWritten) this.collection = this.#original.clone();
    return this.collection;
  }
}
