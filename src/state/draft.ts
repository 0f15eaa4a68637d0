// A draft: a root that may be written to without anyone seeing it. Committed, it yields a new root and its change list;
// discarded, nothing happened and no identifier was used up.
import type { IndexOf, RowOf, Table, TableName, WalkFrom } from '../domain/world.ts';
import type { Collection } from './collection.ts';
import type { Change, Freeze, Root, Tables, ValueName, ValueOf } from './root.ts';

export class Draft {
  readonly #root: Root;
  readonly #freeze: Freeze;
  readonly #tables = new Map<TableName, DraftTable<TableName>>();
  readonly #values = new Map<ValueName, unknown>();
  readonly #changes: Change[] = [];
  #counters: Record<string, number> | undefined;

  constructor(root: Root, freeze: Freeze) {
    this.#root = root;
    this.#freeze = freeze;
  }

  /** A value as this draft has it; of the counters, `count` alone tells. */
  value<Name extends Exclude<ValueName, 'counters'>>(name: Name): ValueOf<Name> {
    return (this.#values.has(name) ? this.#values.get(name) : this.#root.values[name]) as ValueOf<Name>;
  }

  setValue<Name extends Exclude<ValueName, 'counters'>>(name: Name, to: ValueOf<Name>): void {
    this.#values.set(name, this.#freeze(to));
  }

  /** Counts one up and gives the number before: the n-th draw of this purpose, from 0. */
  count(purpose: string): number {
    this.#counters ??= { ...this.#root.values.counters };
    const n = this.#counters[purpose] ?? 0;
    this.#counters[purpose] = n + 1;
    return n;
  }

  /** The values this draft replaced; the counters it counted up are one of them. */
  #written(): Map<ValueName, unknown> {
    if (this.#counters) this.#values.set('counters', this.#freeze(this.#counters));
    return this.#values;
  }

  table<Name extends TableName>(name: Name): Table<Name> {
    const opened = this.#tables.get(name) ?? new DraftTable(this, this.#root.tables[name] as Collection<TableName>);
    this.#tables.set(name, opened);
    return opened as unknown as Table<Name>;
  }

  /** A row made frozen where rows are, and its change noted. */
  note(table: TableName, sequence: number, row: RowOf<TableName>): RowOf<TableName> {
    const frozen = this.#freeze(row);
    this.#changes.push({ table, sequence, row: frozen });
    return frozen;
  }

  /** What this draft changed, as a store keeps it. */
  get changes(): readonly Change[] {
    const values = Array.from(this.#written(), ([value, to]): Change => ({ value, to }));
    return [...this.#changes, ...values];
  }

  /** The root after this draft, as this version: by default one on. */
  commit(version = this.#root.version + 1): Root {
    const tables: Record<string, unknown> = { ...this.#root.tables };
    for (const [name, table] of this.#tables) if (table.isWritten) tables[name] = table.collection;
    const values: Record<string, unknown> = { ...this.#root.values };
    for (const [name, value] of this.#written()) values[name] = value;
    return { version, tables: tables as Tables, values: values as unknown as Root['values'] };
  }
}

/** A table of a draft: the root's collection until the first write, then a clone of its own. */
class DraftTable<Name extends TableName> implements Table<Name> {
  readonly #draft: Draft;
  readonly #original: Collection<Name>;
  collection: Collection<Name>;

  constructor(draft: Draft, original: Collection<Name>) {
    this.#draft = draft;
    this.#original = original;
    this.collection = original;
  }

  get isWritten(): boolean {
    return this.collection !== this.#original;
  }

  get(id: string): RowOf<Name> | undefined {
    return this.collection.get(id);
  }

  walk(index: IndexOf<Name>, group: string, from?: WalkFrom): Iterable<readonly [number, RowOf<Name>]> {
    return this.collection.walk(index, group, from);
  }

  insert(row: RowOf<Name>): void {
    if (this.get(row.id)) throw new Error(`${this.collection.name} has a record ${row.id} already`);
    this.#put(this.#draft.count(this.collection.name), row);
  }

  replace(row: RowOf<Name>): void {
    const sequence = this.collection.sequenceOf(row.id);
    if (sequence === undefined) throw new Error(`${this.collection.name} has no record ${row.id}`);
    this.#put(sequence, row);
  }

  #put(sequence: number, row: RowOf<Name>): void {
    if (!this.isWritten) this.collection = this.#original.clone();
    this.collection.put(sequence, this.#draft.note(this.collection.name, sequence, row) as RowOf<Name>);
  }
}
