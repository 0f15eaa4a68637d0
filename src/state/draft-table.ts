// A table of a draft: the base's collection until the first write, then a clone of its own, or the very same where it belongs to the
// draft's owner: what is written there is remembered, to be taken back.
import { Refusal } from '../contract/refusal.ts';
import type { IndexOf, RowOf, Table, TableName, WalkFrom } from '../domain/world.ts';
import type { Collection, Owner, Written } from './collection.ts';
import { unboundedTables } from './root.ts';
import type { Rewritable } from './undo-log.ts';

/** What a table needs of its draft. */
interface Noting {
  readonly maxRecords: number;
  readonly owner: Owner | undefined;
  count(purpose: string): number;
  note<Row extends RowOf<TableName> | null>(table: TableName, sequence: number, row: Row): Row;
  remember(collection: Rewritable, sequence: number, former: unknown): void;
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

export class DraftTable<Name extends TableName> implements WholeTable<Name>, Written {
  readonly #draft: Noting;
  readonly #original: Collection<Name>;
  collection: Collection<Name>;

  constructor(draft: Noting, original: Collection<Name>) {
    this.#draft = draft;
    this.#original = original;
    this.collection = original;
  }

  get name(): Name {
    return this.collection.name;
  }

  /** Whether the draft leaves another collection than it found. */
  get isReplaced(): boolean {
    return this.collection !== this.#original;
  }

  get writes(): number {
    return this.collection.writes;
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
    return this.collection.walk(index, group, from, this);
  }

  first(index: IndexOf<Name>): RowOf<Name> | undefined {
    return this.collection.first(index);
  }

  firstOf(index: IndexOf<Name>, group: string): RowOf<Name> | undefined {
    return this.collection.firstOf(index, group);
  }

  entries(after?: number): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.entries(after, this);
  }

  inOrder(index: IndexOf<Name>): Iterable<RowOf<Name>> {
    return this.collection.inOrder(index, this);
  }

  newestFirst(before?: number): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.newestFirst(before, this);
  }

  insert(row: RowOf<Name>): void {
    const { name } = this.collection;
    if (this.collection.sequenceOf(row.id) !== undefined) throw new Error(`${name} has a record ${row.id} already`);
    if (this.isFull) throw new Refusal('max_records', { what: name, value: this.#draft.maxRecords });
    const sequence = this.#draft.count(name);
    if (this.collection.isTaken(sequence)) this.#detach();
    this.#write(sequence, row);
  }

  replace(row: RowOf<Name>): void {
    this.#write(this.#sequenceOf(row.id), row);
  }

  remove(id: string): void {
    this.#write(this.#sequenceOf(id), null);
  }

  put(sequence: number, row: RowOf<Name>): void {
    this.#detach();
    this.#write(sequence, row);
  }

  #sequenceOf(id: string): number {
    const sequence = this.collection.sequenceOf(id);
    if (sequence === undefined) throw new Error(`${this.collection.name} has no record ${id}`);
    return sequence;
  }

  #write(sequence: number, row: RowOf<Name> | null): void {
    if (!this.collection.isOf(this.#draft.owner)) this.#detach();
    const noted = this.#draft.note(this.collection.name, sequence, row);
    const former = this.collection.put(sequence, noted ?? undefined);
    if (!this.isReplaced) this.#draft.remember(this.collection, sequence, former);
  }

  /**
   * Goes on with a clone. So does a row that takes the place of one with another id, or may: where both stood before cannot be told from
   * what stood at that place.
   */
  #detach(): void {
    if (!this.isReplaced) this.collection = this.#original.clone(this.#draft.owner);
  }
}
