// A sandbox's state as one immutable value. A commit swaps the root; a snapshot keeps it; a discarded draft never was.
import type { Readings } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { internReadings } from '../contract/readings.ts';
import { collectionNames, type SingleName, type SingleOf, singleNames } from '../contract/records.ts';
import { internTimes } from '../contract/terms.ts';
import type { Identity, RowOf, TableName } from '../domain/world.ts';
import { Collection } from './collection.ts';

/** How the sandbox's time follows the machine's: `now` at the machine's `at`, going on at `rate` (0 is frozen). Milliseconds. */
export interface ClockState {
  readonly now: number;
  readonly at: number;
  readonly rate: number;
}

/** What a sandbox has one of, replaced whole. */
export interface Values {
  readonly identity: Identity;
  readonly clock: ClockState;
  readonly readings: Readings;
  /** How many ids or numbers were drawn, by purpose. */
  readonly counters: Readonly<Record<string, number>>;
  readonly generations: { readonly tokens: number; readonly labels: number };
}
type AllValues = Values & { readonly [Name in SingleName]: SingleOf<Name> };
export type ValueName = keyof AllValues;
export type ValueOf<Name extends ValueName> = AllValues[Name];

export type Tables = { readonly [Name in TableName]: Collection<Name> };

export interface Root {
  readonly version: number;
  readonly tables: Tables;
  readonly values: AllValues;
}

/** Makes a record deeply read-only where that is wanted; else it is given back as it is. */
export type Freeze = <T>(row: T) => T;

/** The changes that led to a version. */
export interface Commit {
  readonly version: number;
  readonly changes: Iterable<Change>;
}

/** One change: a whole record at its sequence number, its removal (null), or a whole value. */
export type Change =
  | { readonly table: TableName; readonly sequence: number; readonly row: RowOf<TableName> | null }
  | { readonly value: ValueName; readonly to: unknown };

export const tableNames: readonly TableName[] = [...collectionNames, 'spent_refresh_tokens'];

/** The tables of the fixtures, and the counters that go on behind them. Made once, shared by all sandboxes. */
export interface Birth {
  readonly tables: Tables;
  readonly singles: { readonly [Name in SingleName]: SingleOf<Name> };
  readonly counters: Readonly<Record<string, number>>;
}

export function birthOf(fixtures: Fixtures, freeze: Freeze): Birth {
  const counters: Record<string, number> = {};
  const tables: Record<string, Collection<TableName>> = {};
  for (const name of tableNames) {
    const collection = new Collection(name);
    const rows = name === 'spent_refresh_tokens' ? [] : fixtures[name];
    for (const [sequence, row] of rows.entries()) collection.put(sequence, freeze(row));
    tables[name] = collection;
    counters[name] = rows.length;
  }
  const administration_times = internTimes(fixtures.administration_times);
  const singles = Object.fromEntries(singleNames.map((name) => [name, freeze(fixtures[name])]));
  return {
    tables: tables as unknown as Tables,
    singles: { ...singles, administration_times } as Birth['singles'],
    counters,
  };
}

/** The root a sandbox begins with, at version 1. */
export function newRoot(birth: Birth, values: Pick<Values, 'identity' | 'clock' | 'readings'>): Root {
  const { tables, singles, counters } = birth;
  return { version: 1, tables, values: { ...singles, ...values, counters, generations: { tokens: 0, labels: 0 } } };
}

/** The changes that make this root out of nothing; made as they are taken, so that a store that keeps nothing pays nothing. */
export function* changesOf(root: Root): Generator<Change> {
  for (const value of Object.keys(root.values) as ValueName[]) yield { value, to: root.values[value] };
  for (const table of tableNames) {
    for (const [sequence, row] of root.tables[table].entries()) yield { table, sequence, row };
  }
}

/** The root after these changes, at this version; without a root, the changes make one out of nothing. */
export function applyChanges(root: Root | undefined, { version, changes }: Commit, freeze: Freeze): Root {
  const values: Record<string, unknown> = { ...root?.values };
  const written = new Map<TableName, Collection<TableName>>();
  for (const change of changes) {
    if ('value' in change) values[change.value] = kept(change, freeze);
    else {
      const { table, sequence, row } = change;
      const collection = written.get(table) ?? root?.tables[table].clone() ?? new Collection(table);
      written.set(table, collection);
      collection.put(sequence, freeze(row) ?? undefined);
    }
  }
  const tables = tableNames.map((name) => [name, written.get(name) ?? root?.tables[name] ?? new Collection(name)]);
  return { version, tables: Object.fromEntries(tables) as Tables, values: values as unknown as AllValues };
}

/** What schemas are built from is interned, so that they are found again. */
function kept({ value, to }: { readonly value: ValueName; readonly to: unknown }, freeze: Freeze): unknown {
  if (value === 'readings') return internReadings(to as Readings);
  return value === 'administration_times' ? internTimes(to as SingleOf<'administration_times'>) : freeze(to);
}
