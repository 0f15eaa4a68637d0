// A draft: a root that may be written to without anyone seeing it. Committed, it yields a new root and its change list;
// discarded, nothing happened and no identifier was used up (ORD-27).
import type { RowOf, TableName } from '../domain/world.ts';
import { Collection } from './collection.ts';
import { DraftTable, type WholeTable } from './draft-table.ts';
import {
  type AllValues,
  type Change,
  type Freeze,
  type Image,
  lastingValues,
  type Root,
  restored,
  type Snapshot,
  type Tables,
  tableNames,
  type ValueName,
  type ValueOf,
} from './root.ts';

export class Draft {
  readonly #root: Root;
  readonly #freeze: Freeze;
  readonly #tables = new Map<TableName, DraftTable<TableName>>();
  readonly #values = new Map<ValueName, unknown>();
  readonly maxRecords: number;
  /** What the draft is written upon: the root, or what it was brought back to. */
  #base: Image;
  #changes: Change[] = [];
  #counters: Record<string, number> | undefined;
  #snapshots: Map<string, Snapshot | 'now'> | undefined;
  #dropped: Set<string> | undefined;
  #keptAt = 0;

  constructor(root: Root, freeze: Freeze, maxRecords = Number.POSITIVE_INFINITY) {
    this.#root = root;
    this.#base = root;
    this.#freeze = freeze;
    this.maxRecords = maxRecords;
  }

  /** A value as this draft has it; of the counters, `count` alone tells. */
  value<Name extends Exclude<ValueName, 'counters'>>(name: Name): ValueOf<Name> {
    return (this.#values.has(name) ? this.#values.get(name) : this.#base.values[name]) as ValueOf<Name>;
  }

  setValue<Name extends Exclude<ValueName, 'counters'>>(name: Name, to: ValueOf<Name>): void {
    this.#values.set(name, this.#freeze(to));
  }

  /** Counts one up and gives the number before: the n-th draw of this purpose, from 0. */
  count(purpose: string): number {
    this.#counters ??= { ...this.#base.values.counters };
    const n = this.#counters[purpose] ?? 0;
    this.#counters[purpose] = n + 1;
    return n;
  }

  /** Puts all counters, as an import brings them. */
  setCounters(counters: ValueOf<'counters'>): void {
    this.#counters = { ...counters };
  }

  /** The values this draft replaced; the counters it counted up are one of them. */
  #written(): Map<ValueName, unknown> {
    if (this.#counters) this.#values.set('counters', this.#freeze(this.#counters));
    return this.#values;
  }

  table<Name extends TableName>(name: Name): WholeTable<Name> {
    const opened = this.#tables.get(name) ?? new DraftTable(this, this.#base.tables[name] as Collection<TableName>);
    this.#tables.set(name, opened);
    return opened as unknown as WholeTable<Name>;
  }

  /** A row made frozen where rows are, and its change noted. */
  note<Row extends RowOf<TableName> | null>(table: TableName, sequence: number, row: Row): Row {
    const frozen = this.#freeze(row);
    this.#changes.push({ table, sequence, row: frozen });
    return frozen;
  }

  /** The names of the snapshots and when each was kept. */
  get snapshots(): ReadonlyMap<string, Snapshot> {
    return this.#root.snapshots;
  }

  /** Keeps the image this draft ends with under a name. */
  keep(name: string, at: number): void {
    this.#snapshots = new Map(this.#snapshots ?? this.#root.snapshots).set(name, 'now');
    this.#keptAt = at;
  }

  drop(name: string): void {
    this.#snapshots = new Map(this.#snapshots ?? this.#root.snapshots);
    this.#snapshots.delete(name);
    this.#dropped ??= new Set();
    if (this.#root.snapshots.has(name)) this.#dropped.add(name);
  }

  /** Brings a kept image back; what this draft wrote before is gone, but for lasting values. */
  restore(name: string): void {
    const snapshot = this.#root.snapshots.get(name);
    if (!snapshot) throw new Error(`there is no snapshot "${name}"`);
    this.#base = restored(snapshot, this.#base.values);
    this.#changes = [{ restore: name }];
    this.#tables.clear();
    this.#counters = undefined;
    for (const value of [...this.#values.keys()])
      if (!(lastingValues as readonly string[]).includes(value)) this.#values.delete(value);
  }

  /** Empties every table; the values stay. */
  empty(): void {
    const tables = Object.fromEntries(tableNames.map((name) => [name, new Collection(name)])) as unknown as Tables;
    this.#base = { tables, values: this.#base.values };
    this.#changes = [...this.#changes.filter((change) => 'restore' in change), { empty: true }];
    this.#tables.clear();
  }

  /** What this draft changed, as a store keeps it. */
  get changes(): readonly Change[] {
    const values = Array.from(this.#written(), ([value, to]): Change => ({ value, to }));
    return [...this.#changes, ...values, ...this.#snapshotChanges()];
  }

  *#snapshotChanges(): Generator<Change> {
    if (!this.#snapshots) return;
    for (const name of this.#dropped ?? []) yield { drop: name };
    for (const [name, kept] of this.#snapshots) if (kept === 'now') yield { keep: name, at: this.#keptAt };
  }

  /** The root after this draft, as this version: by default one on. */
  commit(version = this.#root.version + 1): Root {
    const image = this.#image();
    return { version, ...image, snapshots: this.#keptSnapshots(image) };
  }

  #image(): Image {
    const tables: Record<string, unknown> = { ...this.#base.tables };
    for (const [name, table] of this.#tables) if (table.isWritten) tables[name] = table.collection;
    const values: Record<string, unknown> = { ...this.#base.values };
    for (const [name, value] of this.#written()) values[name] = value;
    return { tables: tables as Tables, values: values as unknown as AllValues };
  }

  #keptSnapshots({ tables, values }: Image): Root['snapshots'] {
    if (!this.#snapshots) return this.#root.snapshots;
    const now: Snapshot = { tables, values, at: this.#keptAt };
    return new Map(Array.from(this.#snapshots, ([name, kept]) => [name, kept === 'now' ? now : kept]));
  }
}
