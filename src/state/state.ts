// The state of one sandbox: tables of records and values, snapshots, and transactions as the only way to write them.
import TinyQueue from 'tinyqueue';
import type { Choices } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import type { DueStep } from '../contract/records.ts';
import { singleNames } from '../contract/records.ts';
import { internTimes } from '../contract/resolved-assumptions.ts';
import { type Identity, indexes, type RowOf, type Table as RuleTable, type TableName } from '../domain/world.ts';
import { all, type Index, Layer, type Row, type RowChange, type Slot, seedLayer, Table, type Writer } from './table.ts';
import {
  type ClockState,
  interned,
  lastingValues,
  tableNames,
  unboundedTables,
  unlisted,
  type ValueName,
  type ValueOf,
} from './values.ts';

/** Makes a record deeply read-only if that is wanted; else it is given back as it is. */
export type Freeze = <T>(row: T) => T;

/** Freezes a value and all it holds. What is frozen already is taken as frozen through and through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

export const noFreeze = <T>(value: T): T => value;

/** How state is kept: whether rows are frozen, and how many a table may have. */
export interface RecordOptions {
  readonly freeze: Freeze;
  readonly maxRecords: number;
}

/** The rows that the sandboxes of some fixtures share; made once. */
export interface Seed {
  readonly fixtures: Fixtures;
  /** By the name of the table. */
  readonly layers: ReadonlyMap<string, Layer<Row>>;
}

/** What a sandbox is made with, beside the fixtures. */
export interface Made {
  readonly identity: Identity;
  readonly clock: ClockState;
  readonly choices: Choices;
  /** The sandbox's time, in milliseconds since 1970. */
  readonly at: number;
}

interface ValueRow extends Row {
  readonly value: unknown;
}

/** A table as control may use it: whole, and by its sequence numbers. */
export interface WholeTable<Name extends TableName> extends RuleTable<Name> {
  readonly size: number;
  /** All records with their sequence numbers, oldest first, or those after this one. */
  entries(after?: number): Iterable<readonly [seq: number, row: RowOf<Name>]>;
  /** All records with their sequence numbers, newest first, or those before this one. */
  newestFirst(before?: number): Iterable<readonly [seq: number, row: RowOf<Name>]>;
  /** Puts a row at a sequence number that no other has; an import keeps its numbers so. */
  place(seq: number, row: RowOf<Name>): void;
}

/** The table that a restore leaves as it is. */
const lasting = 'lasting';

/** The name under which the sandbox as it was made is kept. */
export const initialSnapshot = '';

/** What a restore brings back: the tables that were written by then. */
export interface Snapshot {
  /** The sandbox's time when it was kept, in milliseconds. */
  readonly at: number;
  readonly tops: ReadonlyMap<string, Layer<Row>>;
}

/** A change of the whole state. */
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

/** The result of a transaction, and what it wrote. */
export interface Committed<T> {
  readonly result: T;
  readonly changes: readonly Change[];
}

/** The indexes of each table that has some. Values, and what nobody lists, are only found by their names. */
const tableIndexes = new Map(
  tableNames
    .filter((name) => !unlisted.includes(name))
    .map((name) => {
      const declared: Readonly<Record<string, Index<never>['groupOf']>> = indexes[name as keyof typeof indexes] ?? {};
      const own = Object.entries(declared).map(([index, groupOf]) => ({ name: index, groupOf }));
      return [name as string, [all, ...own] as unknown as readonly Index<Row>[]];
    }),
);
const none: readonly never[] = [];

export const indexesOf = (table: string): readonly Index<Row>[] => tableIndexes.get(table) ?? none;

export function seedOf(fixtures: Fixtures, freeze: Freeze): Seed {
  const layers = new Map<string, Layer<Row>>();
  const add = (table: string, rows: readonly Row[]) => layers.set(table, seedLayer(rows.map(freeze), indexesOf(table)));
  const rowsOf = (name: TableName): readonly Row[] =>
    (fixtures[name as keyof Fixtures] as readonly Row[] | undefined) ?? [];
  for (const name of tableNames) add(name, rowsOf(name));
  add(
    'counters',
    tableNames.map((id) => ({ id, value: rowsOf(id).length })),
  );
  const generations = { tokens: 0, labels: 0 };
  const values = {
    ...Object.fromEntries(singleNames.map((name) => [name, fixtures[name]])),
    administration_times: internTimes(fixtures.administration_times),
    scenarios: [],
    generations,
    expired: generations,
    rate_window: null,
  };
  add(
    'values',
    Object.entries(values).map(([id, value]) => ({ id, value })),
  );
  add(lasting, [{ id: 'history', value: { lives: 1, generations } } as ValueRow]);
  return { fixtures, layers };
}

/** A table without any rows. */
export const nothing = new Layer<Row>();

/** The tables and the snapshots of a state that was stored. */
export interface Image {
  readonly tops: ReadonlyMap<string, Layer<Row>>;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** The queue is rebuilt when it holds this many outdated entries more than twice the steps. */
const mostStale = 1000;

const dueAt = ({ row }: Slot<Row>): string => (row as DueStep | undefined)?.due_at ?? '';
const byDueTime = (a: Slot<Row>, b: Slot<Row>): number => {
  const [one, other] = [dueAt(a), dueAt(b)];
  return one === other ? a.seq - b.seq : one < other ? -1 : 1;
};

export class State implements Writer {
  readonly seed: Seed;
  readonly made: Made;
  readonly freeze: Freeze;
  readonly maxRecords: number;
  #tables = new Map<string, Table<Row>>();
  /** Replaced whole, so that undo can put the former one back. */
  #snapshots: ReadonlyMap<string, Snapshot> | undefined;
  /** The steps of the timeline by their time, once they were asked for; it may hold steps that are there no more. */
  #due: TinyQueue<Slot<Row>> | undefined;
  /** The writes of the transaction in progress. */
  #log: Change[] | undefined;

  /** @param image of a state that was stored; none: as it was made */
  constructor(seed: Seed, made: Made, { freeze, maxRecords }: RecordOptions, image?: Image) {
    this.seed = seed;
    this.made = made;
    this.freeze = freeze;
    this.maxRecords = maxRecords;
    if (!image) return;
    this.#snapshots = image.snapshots;
    for (const [name, top] of image.tops) this.#tables.set(name, this.#newTable(name, top));
  }

  /** A table of records, or one of `values`, `counters` and `lasting`. */
  table<Name extends TableName>(name: Name): WholeTable<Name>;
  table(name: string): Table<Row>;
  table(name: string): Table<Row> {
    let table = this.#tables.get(name);
    if (!table) {
      table = this.#newTable(name);
      this.#tables.set(name, table);
    }
    return table;
  }

  /** Those that were asked for until now. */
  get tables(): Iterable<Table<Row>> {
    return this.#tables.values();
  }

  #newTable(name: string, top = this.seed.layers.get(name) ?? nothing): Table<Row> {
    const isBounded = !(unboundedTables as readonly string[]).includes(name);
    const table = new Table(name, top, { indexes: indexesOf(name), isBounded, writer: this });
    if (name === 'due_steps') {
      this.#due = undefined;
      table.onPut = (slot) => this.#due?.push(slot);
    }
    return table;
  }

  /** The first step of the timeline that is to be taken: by its time, then by its place. */
  get firstDue(): DueStep | undefined {
    const table = this.table('due_steps' as string);
    if (!this.#due || this.#due.length > 2 * table.size + mostStale)
      this.#due = new TinyQueue(table.slots(), byDueTime);
    for (let slot = this.#due.peek(); slot; slot = this.#due.peek()) {
      if (slot.row && table.get(slot.row.id) === slot.row) return slot.row as DueStep;
      this.#due.pop();
    }
    return undefined;
  }

  value<Name extends ValueName>(name: Name): ValueOf<Name> {
    if (name === 'identity') return this.made.identity as ValueOf<Name>;
    const row = this.table(lastingValues.has(name) ? lasting : 'values').get(name) as ValueRow | undefined;
    return (row ? row.value : this.#madeValue(name)) as ValueOf<Name>;
  }

  #madeValue(name: ValueName): unknown {
    if (name === 'clock') return this.made.clock;
    return name === 'choices' || name === 'chosen' ? this.made.choices : undefined;
  }

  setValue<Name extends Exclude<ValueName, 'identity'>>(name: Name, value: ValueOf<Name>): void {
    this.#setRow(lastingValues.has(name) ? lasting : 'values', name, value);
  }

  #setRow(table: string, id: string, value: unknown): void {
    this.table(table).place(0, { id, value } as Row);
  }

  /** Counts one up and gives the number before: the n-th draw of this purpose, from 0. */
  count(purpose: string): number {
    const row = this.table('counters').get(purpose) as ValueRow | undefined;
    const n = (row?.value as number | undefined) ?? 0;
    this.#setRow('counters', purpose, n + 1);
    return n;
  }

  get counters(): Readonly<Record<string, number>> {
    const rows = this.table('counters').slots() as Slot<ValueRow>[];
    return Object.fromEntries(rows.flatMap(({ row }) => (row ? [[row.id, row.value as number]] : [])));
  }

  /** Puts all counters, as an import brings them. */
  setCounters(counters: Readonly<Record<string, number>>): void {
    const table = this.table('counters');
    for (const { row } of table.slots()) if (row && counters[row.id] === undefined) table.remove(row.id);
    for (const [purpose, value] of Object.entries(counters)) this.#setRow('counters', purpose, value);
  }

  /** By name; the one named '' is the sandbox as it was made. */
  get snapshots(): ReadonlyMap<string, Snapshot> {
    this.#snapshots ??= new Map([[initialSnapshot, { at: this.made.at, tops: new Map() }]]);
    return this.#snapshots;
  }

  /** Keeps the tables as they are now under a name. Nothing is copied: what is written next goes into layers above. */
  keep(name: string, at: number): void {
    const tops = new Map<string, Layer<Row>>();
    for (const [table, rows] of this.#tables) if (table !== lasting) tops.set(table, rows.freeze());
    this.#setSnapshots({ keep: name, at }, new Map(this.snapshots).set(name, { at, tops }));
  }

  drop(name: string): void {
    const left = new Map(this.snapshots);
    left.delete(name);
    this.#setSnapshots({ drop: name }, left);
  }

  #setSnapshots(change: WholeChange, snapshots: ReadonlyMap<string, Snapshot>): void {
    const before = this.snapshots;
    const undo = () => {
      this.#snapshots = before;
    };
    this.note({ ...change, undo });
    this.#snapshots = snapshots;
  }

  /** Brings a snapshot back, but for what lasts. */
  restore(name: string): void {
    const snapshot = this.snapshots.get(name);
    if (!snapshot) throw new Error(`there is no snapshot "${name}"`);
    this.#setTables({ restore: name }, snapshot.tops);
  }

  /** Empties every table of records; the values stay. */
  empty(): void {
    const tops = new Map<string, Layer<Row>>();
    for (const name of ['values', 'counters']) tops.set(name, this.table(name).freeze());
    for (const name of tableNames) tops.set(name, nothing);
    this.#setTables({ empty: true }, tops);
  }

  #setTables(change: WholeChange, tops: ReadonlyMap<string, Layer<Row>>): void {
    const before = this.#tables;
    const undo = () => {
      this.#tables = before;
      this.#due = undefined;
    };
    this.note({ ...change, undo });
    this.#tables = new Map().set(lasting, this.table(lasting));
    for (const [name, top] of tops) this.#tables.set(name, this.#newTable(name, top));
  }

  note(change: Change): void {
    if (!this.#log) throw new Error('state is written in a transaction only');
    this.#log.push(change);
  }

  /** Runs a function that writes. If it throws, its writes are undone: no identifier is used up (ORD-27). */
  transaction<T>(run: (state: State) => T): Committed<T> {
    if (this.#log) throw new Error('a transaction is under way');
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
    if ('row' in change) this.table(change.table).put(change.row.id, change.seq, this.freeze(internedRow(change.row)));
    else if ('id' in change) this.table(change.table).put(change.id, change.seq, undefined);
    else if ('keep' in change) this.keep(change.keep, change.at);
    else if ('drop' in change) this.drop(change.drop);
    else if ('restore' in change) this.restore(change.restore);
    else this.empty();
  }
}

/** A row as a store tells it. */
export const internedRow = (row: Row): Row =>
  'value' in row ? ({ id: row.id, value: interned(row.id, row.value) } as Row) : row;

/** Changes as a store keeps them: of several writes to a row the last. */
export function storedChanges(changes: readonly Change[]): StoredChange[] {
  const stored: StoredChange[] = [];
  let places = new Map<string, number>();
  for (const change of changes) {
    if ('undo' in change) {
      const { undo: _, ...whole } = change;
      stored.push(whole);
      places = new Map();
      continue;
    }
    const { table, seq, id, after } = change;
    const key = `${table} ${id}`;
    const place = places.get(key) ?? stored.length;
    places.set(key, place);
    stored[place] = after ? { table, seq, row: after } : { table, seq, id };
  }
  return stored;
}
