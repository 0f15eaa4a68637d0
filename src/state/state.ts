// The state of one sandbox: tables of records and values, snapshots, and transactions as the only way to write them.
import TinyQueue from 'tinyqueue';
import type { Choices } from '../contract/assumptions.ts';
import { bounds } from '../contract/control/bounds.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { type DueStep, singleNames } from '../contract/records.ts';
import { type Identity, type IndexOf, indexes, type RowOf, type TableName } from '../domain/world.ts';
import {
  allRows,
  type Index,
  Layer,
  type LayerEntry,
  type Row,
  type RowChange,
  seedLayer,
  Table,
  type TableOwner,
} from './table.ts';
import {
  type ClockState,
  internRow,
  lastingValues,
  tableNames,
  unboundedTables,
  unlistedTables,
  type ValueName,
  type ValueOf,
  type ValueRow,
} from './values.ts';

/** Freezes a value and its parts. The parts of a frozen value must be frozen already. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

export const noFreeze = <T>(value: T): T => value;

export interface RecordOptions {
  /** `deepFreeze` or `noFreeze`: applied to every row that is written. */
  readonly freeze: <T>(row: T) => T;
  /** Per table. */
  readonly maxRecords: number;
}

/** For a state that is only read or written to disk. */
export const unboundedRecords: RecordOptions = { freeze: noFreeze, maxRecords: Number.POSITIVE_INFINITY };

/** The rows that all sandboxes with the same fixtures share. */
export interface Seed {
  readonly fixtures: Fixtures;
  /** By the name of the table. */
  readonly layers: ReadonlyMap<string, Layer<Row>>;
  /** The name of the fixtures in the store, set by `persistenceOver`. */
  name?: string;
}

/** The initial values of a new sandbox, in addition to the fixtures. */
export interface InitialValues {
  readonly identity: Identity;
  readonly clock: ClockState;
  readonly readings: Choices;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly at: number;
}

/** The table that a restore does not change. */
const lasting = 'lasting';

/** The name of the snapshot of a new sandbox. */
export const initialSnapshot = '';

export interface Snapshot {
  /** The sandbox's time when it was kept, in milliseconds. */
  readonly at: number;
  /** The top layers of the tables that were used by then. */
  readonly tops: ReadonlyMap<string, Layer<Row>>;
}

/** A change of all tables, or of the snapshots. */
type WholeChange =
  | { readonly empty: true }
  | { readonly keep: string; readonly at: number }
  | { readonly drop: string }
  | { readonly restore: string };

export type Change = RowChange | (WholeChange & { readonly undo: () => void });

/** A change as a store keeps it: the whole row, or the id of a removed one. */
export type StoredChange =
  | { readonly table: string; readonly seq: number; readonly row: Row }
  | { readonly table: string; readonly seq: number; readonly id: string }
  | WholeChange;

/** The result of a transaction, and its changes. */
export interface Committed<T> {
  readonly result: T;
  readonly changes: readonly Change[];
}

const indexesByTable = new Map<string, readonly Index<Row>[]>();
for (const name of tableNames) {
  if (unlistedTables.includes(name)) continue;
  const declared = Object.entries<unknown>(indexes[name as keyof typeof indexes] ?? {});
  indexesByTable.set(name, [allRows, ...declared.map(([name, groupOf]) => ({ name, groupOf }) as Index<Row>)]);
}

const noIndexes: readonly Index<Row>[] = [];
export const indexesOf = (table: string): readonly Index<Row>[] => indexesByTable.get(table) ?? noIndexes;

export function seedOf(fixtures: Fixtures, freeze: RecordOptions['freeze']): Seed {
  const layers = new Map<string, Layer<Row>>();
  const add = (table: string, rows: readonly Row[]) => layers.set(table, seedLayer(rows.map(freeze), indexesOf(table)));
  const rowsOf = (values: object) => Object.entries(values).map(([id, value]) => internRow({ id, value }));
  const counters: Record<string, number> = {};
  for (const name of tableNames) {
    const rows = (fixtures[name as keyof Fixtures] as readonly Row[] | undefined) ?? [];
    add(name, rows);
    counters[name] = rows.length;
  }
  add('counters', rowsOf(counters));
  const generations = { tokens: 0, labels: 0 };
  const singles = Object.fromEntries(singleNames.map((name) => [name, fixtures[name]]));
  add('values', rowsOf({ ...singles, scenarios: [], generations, expired: generations, rate_window: null }));
  add(lasting, rowsOf({ history: { lives: 1, generations } }));
  return { fixtures, layers };
}

/** The layer of a table without rows. */
export const emptyLayer = new Layer<Row>();

/** The queue of due steps is rebuilt when it has this many more outdated entries than steps. */
const maxOutdated = 1000;

const dueAt = ({ row }: LayerEntry<Row>): string => (row as DueStep | undefined)?.due_at ?? '';
const byDueTime = (a: LayerEntry<Row>, b: LayerEntry<Row>): number => {
  const [one, other] = [dueAt(a), dueAt(b)];
  if (one === other) return a.seq - b.seq;
  return one < other ? -1 : 1;
};

export class State implements TableOwner {
  readonly seed: Seed;
  readonly initial: InitialValues;
  readonly freeze: RecordOptions['freeze'];
  readonly maxRecords: number;
  #tables = new Map<string, Table<Row>>();
  /** Replaced as a whole, so that undo can restore the former map. */
  #snapshots: ReadonlyMap<string, Snapshot> | undefined;
  /** The steps of the timeline in the order of their time, built on demand. May contain steps that no longer exist. */
  #due: TinyQueue<LayerEntry<Row>> | undefined;
  /** The writes of the transaction in progress. */
  #log: Change[] | undefined;

  /** @param tops the top layers of tables that differ from the seed's */
  constructor(
    seed: Seed,
    initial: InitialValues,
    { freeze, maxRecords }: RecordOptions,
    tops: Snapshot['tops'] = new Map(),
    snapshots?: ReadonlyMap<string, Snapshot>,
  ) {
    this.seed = seed;
    this.initial = initial;
    this.freeze = freeze;
    this.maxRecords = initial.identity.invite ? Math.min(maxRecords, bounds.guestRecords) : maxRecords;
    this.#snapshots = snapshots;
    for (const [name, top] of tops) this.#tables.set(name, this.#newTable(name, top));
  }

  /** A table of records, or one of `values`, `counters` and `lasting`. */
  table<Name extends TableName>(name: Name): Table<RowOf<Name>, IndexOf<Name>>;
  table(name: string): Table<Row>;
  table(name: string): Table<Row> {
    let table = this.#tables.get(name);
    if (!table) {
      table = this.#newTable(name);
      this.#tables.set(name, table);
    }
    return table;
  }

  /** The tables that were used so far. */
  get tables(): Iterable<Table<Row>> {
    return this.#tables.values();
  }

  #newTable(name: string, top = this.seed.layers.get(name) ?? emptyLayer): Table<Row> {
    const isUnbounded = (unboundedTables as readonly string[]).includes(name);
    const table = new Table(name, top, indexesOf(name), this, isUnbounded ? undefined : this.maxRecords);
    if (name === 'due_steps') {
      this.#due = undefined;
      table.onPut = (entry) => this.#due?.push(entry);
    }
    return table;
  }

  /** The next step of the timeline to be taken. */
  get firstDue(): DueStep | undefined {
    const table = this.table('due_steps' as string);
    if (!this.#due || this.#due.length > 2 * table.size + maxOutdated)
      this.#due = new TinyQueue(table.unordered(), byDueTime);
    for (let entry = this.#due.peek(); entry; entry = this.#due.peek()) {
      if (entry.row && table.get(entry.row.id) === entry.row) return entry.row as DueStep;
      this.#due.pop();
    }
    return undefined;
  }

  value<Name extends ValueName>(name: Name): ValueOf<Name> {
    const row = this.table(lastingValues.has(name) ? lasting : 'values').get(name) as ValueRow | undefined;
    return (row ? row.value : this.#initialValue(name)) as ValueOf<Name>;
  }

  #initialValue(name: ValueName): unknown {
    if (name === 'clock') return this.initial.clock;
    return name === 'readings' || name === 'chosen' ? this.initial.readings : undefined;
  }

  setValue<Name extends ValueName>(name: Name, value: ValueOf<Name>): void {
    this.#setRow(lastingValues.has(name) ? lasting : 'values', name, value);
  }

  #setRow(table: string, id: string, value: unknown): void {
    this.table(table).place(0, { id, value } as ValueRow);
  }

  /** The next number of a purpose, from 0. */
  count(purpose: string): number {
    const row = this.table('counters').get(purpose) as ValueRow | undefined;
    const n = (row?.value as number | undefined) ?? 0;
    this.#setRow('counters', purpose, n + 1);
    return n;
  }

  get counters(): Readonly<Record<string, number>> {
    const counters: Record<string, number> = {};
    for (const { row } of this.table('counters').unordered() as LayerEntry<ValueRow>[])
      if (row) counters[row.id] = row.value as number;
    return counters;
  }

  /** Replaces all counters, for an import. */
  setCounters(counters: Readonly<Record<string, number>>): void {
    const table = this.table('counters');
    for (const { row } of table.unordered()) if (row && counters[row.id] === undefined) table.remove(row.id);
    for (const [purpose, value] of Object.entries(counters)) this.#setRow('counters', purpose, value);
  }

  /** By name, in the order in which they were kept. */
  get snapshots(): ReadonlyMap<string, Snapshot> {
    this.#snapshots ??= new Map([[initialSnapshot, { at: this.initial.at, tops: new Map() }]]);
    return this.#snapshots;
  }

  /** Keeps the current tables under a name. Copies nothing: later writes go into new layers. */
  keep(name: string, at: number): void {
    const tops = new Map<string, Layer<Row>>();
    for (const [table, rows] of this.#tables) if (table !== lasting) tops.set(table, rows.freeze());
    this.#replace({ keep: name, at }, this.#tables, new Map(this.snapshots).set(name, { at, tops }));
  }

  drop(name: string): void {
    const left = new Map(this.snapshots);
    left.delete(name);
    this.#replace({ drop: name }, this.#tables, left);
  }

  /** Restores a snapshot, except for `lastingValues`. */
  restore(name: string): void {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) throw new Error(`there is no snapshot "${name}"`);
    this.#replace({ restore: name }, this.#tablesOf(snapshot.tops));
  }

  /** Removes all records; values and counters stay. */
  empty(): void {
    const tops = new Map(tableNames.map((name) => [name as string, emptyLayer]));
    for (const name of ['values', 'counters']) tops.set(name, this.table(name).freeze());
    this.#replace({ empty: true }, this.#tablesOf(tops));
  }

  #tablesOf(tops: Snapshot['tops']): Map<string, Table<Row>> {
    const tables = new Map([[lasting, this.table(lasting as string)]]);
    for (const [name, top] of tops) tables.set(name, this.#newTable(name, top));
    return tables;
  }

  #replace(change: WholeChange, tables: Map<string, Table<Row>>, snapshots = this.snapshots): void {
    const before = [this.#tables, this.snapshots] as const;
    const undo = () => {
      [this.#tables, this.#snapshots] = before;
      this.#due = undefined;
    };
    this.note({ ...change, undo });
    [this.#tables, this.#snapshots] = [tables, snapshots];
  }

  note(change: Change): void {
    if (!this.#log) throw new Error('state can be written only in a transaction');
    this.#log.push(change);
  }

  /** Runs a function that writes. If it throws, its writes are undone, and no id is used up (ORD-27). */
  transaction<T>(run: (state: State) => T): Committed<T> {
    if (this.#log) throw new Error('a transaction is already in progress');
    const changes: Change[] = [];
    this.#log = changes;
    try {
      return { result: run(this), changes };
    } catch (error) {
      this.undo(changes);
      throw error;
    } finally {
      this.#log = undefined;
    }
  }

  /** Undoes the most recent changes. */
  undo(changes: readonly Change[]): void {
    for (const change of changes.toReversed()) {
      if ('undo' in change) change.undo();
      else this.table(change.table).put(change.id, change.seq, change.before);
    }
  }

  /** Applies changes as a store keeps them. */
  apply(changes: readonly StoredChange[]): void {
    this.transaction(() => {
      for (const change of changes) this.#apply(change);
    });
  }

  #apply(change: StoredChange): void {
    if ('row' in change) this.table(change.table).put(change.row.id, change.seq, this.freeze(internRow(change.row)));
    else if ('id' in change) this.table(change.table).put(change.id, change.seq, undefined);
    else if ('keep' in change) this.keep(change.keep, change.at);
    else if ('drop' in change) this.drop(change.drop);
    else if ('restore' in change) this.restore(change.restore);
    else this.empty();
  }
}

/** Changes as a store keeps them: only the last of several writes to a row. */
export function storedChanges(changes: readonly Change[]): StoredChange[] {
  const stored: StoredChange[] = [];
  /** The positions of rows in `stored` since the last change of all tables. */
  let positions = new Map<string, number>();
  for (const change of changes) {
    if ('undo' in change) {
      const { undo: _, ...whole } = change;
      stored.push(whole);
      positions = new Map();
      continue;
    }
    const { table, seq, id, after } = change;
    const key = `${table} ${id}`;
    const position = positions.get(key) ?? stored.length;
    positions.set(key, position);
    stored[position] = after ? { table, seq, row: after } : { table, seq, id };
  }
  return stored;
}
