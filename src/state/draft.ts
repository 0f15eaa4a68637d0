// A draft: a root that may be written to without anyone seeing it. Committed, it yields a new root and its change list;
// discarded, nothing happened and no identifier was used up (ORD-27).
import type { RowOf, TableName } from '../domain/world.ts';
import { Collection, type Owner } from './collection.ts';
import { DraftTable, type WholeTable } from './draft-table.ts';
import {
  type AllValues,
  type Change,
  type Freeze,
  type Image,
  keptImage,
  lastingValues,
  type Root,
  restored,
  type Snapshot,
  type Tables,
  tableNames,
  type ValueName,
  type ValueOf,
} from './root.ts';
import { type Rewritable, UndoLog } from './undo-log.ts';

export class Draft {
  readonly #root: Root;
  readonly #freeze: Freeze;
  readonly maxRecords: number;
  /** Whose collections are written in place; what belongs to others is cloned. None: all are. */
  readonly owner: Owner | undefined;
  /** What the draft is written upon: the root, or what it was brought back to. */
  #base: Image;
  // Made when they are needed: most drafts are read alone.
  #tables: DraftTable<TableName>[] | undefined;
  #values: Map<ValueName, unknown> | undefined;
  #changes: Change[] | undefined;
  #counters: Record<string, number> | undefined;
  #snapshots: Map<string, Snapshot | 'now'> | undefined;
  #dropped: Set<string> | undefined;
  #undo: UndoLog | undefined;
  #keptAt = 0;

  /** @param owner where it is given, the draft is committed or discarded before anybody else looks at the root */
  constructor(root: Root, freeze: Freeze, maxRecords = Number.POSITIVE_INFINITY, owner?: Owner) {
    this.#root = root;
    this.#base = root;
    this.#freeze = freeze;
    this.maxRecords = maxRecords;
    this.owner = owner;
  }

  /** A value as this draft has it; of the counters, `count` alone tells. */
  value<Name extends Exclude<ValueName, 'counters'>>(name: Name): ValueOf<Name> {
    return (this.#values?.has(name) ? this.#values.get(name) : this.#base.values[name]) as ValueOf<Name>;
  }

  setValue<Name extends Exclude<ValueName, 'counters'>>(name: Name, to: ValueOf<Name>): void {
    this.#values ??= new Map();
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

  table<Name extends TableName>(name: Name): WholeTable<Name> {
    // A call asks for a handful, which is found faster one by one than in a map that is made for it.
    for (const known of this.#tables ?? []) if (known.name === name) return known as unknown as WholeTable<Name>;
    const table = new DraftTable(this, this.#base.tables[name] as Collection<TableName>);
    if (this.#tables) this.#tables.push(table);
    else this.#tables = [table];
    return table as unknown as WholeTable<Name>;
  }

  /** A row made frozen where rows are, and its change noted. */
  note<Row extends RowOf<TableName> | null>(table: TableName, sequence: number, row: Row): Row {
    const frozen = this.#freeze(row);
    this.#changes ??= [];
    this.#changes.push({ table, sequence, row: frozen });
    return frozen;
  }

  /** Remembers what stood at a place of a collection that was written in place. */
  remember(collection: Rewritable, sequence: number, former: unknown): void {
    this.#undo ??= new UndoLog();
    this.#undo.push(collection, sequence, former);
  }

  /** Takes back what it wrote in place, also once it is committed: the root that it was written upon is as it was. */
  discard(): void {
    this.#undo?.takeBack();
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
    this.#tables = undefined;
    this.#counters = undefined;
    for (const value of [...(this.#values?.keys() ?? [])])
      if (!lastingValues.includes(value)) this.#values?.delete(value);
  }

  /** Empties every table; the values stay. */
  empty(): void {
    const tables = Object.fromEntries(tableNames.map((name) => [name, new Collection(name)])) as unknown as Tables;
    this.#base = { tables, values: this.#base.values };
    this.#changes = [...(this.#changes ?? []).filter((change) => 'restore' in change), { empty: true }];
    this.#tables = undefined;
  }

  /** Whether it has anything otherwise than what it is written upon. */
  get isWritten(): boolean {
    return this.#changes !== undefined || this.#values !== undefined || this.#counters !== undefined;
  }

  /** What this draft changed, as a store keeps it. */
  get changes(): readonly Change[] {
    const changes = [...(this.#changes ?? [])];
    for (const [value, to] of this.#values ?? []) changes.push({ value, to });
    if (this.#counters) changes.push({ value: 'counters', to: this.#freeze(this.#counters) });
    for (const change of this.#snapshotChanges()) changes.push(change);
    return changes;
  }

  *#snapshotChanges(): Generator<Change> {
    if (!this.#snapshots) return;
    for (const name of this.#dropped ?? []) yield { drop: name };
    for (const [name, kept] of this.#snapshots) if (kept === 'now') yield { keep: name, at: this.#keptAt };
  }

  /** The root after this draft, as this version: by default one on. */
  commit(version = this.#root.version + 1): Root {
    const tables = this.#tablesLeft();
    const values = this.#valuesLeft();
    return { version, tables, values, snapshots: this.#keptSnapshots({ tables, values }) };
  }

  /** The very same where each table was written in place, or not at all. */
  #tablesLeft(): Tables {
    let left: Record<string, unknown> | undefined;
    for (const { name, isReplaced, collection } of this.#tables ?? []) {
      if (!isReplaced) continue;
      left ??= { ...this.#base.tables };
      left[name] = collection;
    }
    return (left as Tables | undefined) ?? this.#base.tables;
  }

  #valuesLeft(): AllValues {
    if (!this.#values && !this.#counters) return this.#base.values;
    const values: Record<string, unknown> = { ...this.#base.values };
    for (const [name, value] of this.#values ?? []) values[name] = value;
    if (this.#counters) values.counters = this.#freeze(this.#counters);
    return values as unknown as AllValues;
  }

  #keptSnapshots(image: Image): Root['snapshots'] {
    if (!this.#snapshots) return this.#root.snapshots;
    const now = keptImage(image, this.#keptAt);
    return new Map(Array.from(this.#snapshots, ([name, kept]) => [name, kept === 'now' ? now : kept]));
  }
}
