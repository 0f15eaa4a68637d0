// A sandbox's state as one value. A commit swaps the root; a snapshot keeps its image; a discarded draft never was. Values never change.
// Nor do the tables of a root that is kept, or that a store took its time with: others belong to whom they are written by, in place.
import type { RateWindow } from '../contract/admin/lever.ts';
import type { Readings } from '../contract/assumptions.ts';
import type { CollectionName, RecordOf, SingleName, SingleOf } from '../contract/records.ts';
import { collectionNames } from '../contract/records.ts';
import type { Identity, RowOf, TableName } from '../domain/world.ts';
import type { Collection } from './collection.ts';

/** How the sandbox's time follows the machine's: `now` at the machine's `at`, going on at `rate`, or standing. Milliseconds. */
export interface ClockState {
  readonly now: number;
  readonly at: number;
  readonly rate: number;
  readonly frozen: boolean;
}

/** Raised to expire what was issued before. */
export interface Generations {
  readonly tokens: number;
  readonly labels: number;
}

/** A record that a scenario changed: what it was (null: nothing) and what the scenario made of it. */
export interface ChangedRecord {
  readonly collection: CollectionName;
  readonly before: RecordOf<CollectionName> | null;
  readonly after: RecordOf<CollectionName>;
  /** Whether the timeline had a step for it. */
  readonly timed?: boolean;
}

/** A scenario that is applied. Its levers carry its name. */
export interface AppliedScenario {
  readonly name: string;
  /** Sandbox time in milliseconds. */
  readonly applied_at: number;
  readonly assumptions: Partial<Readings>;
  readonly records: readonly ChangedRecord[];
}

/** A call of the control API that came with an `Idempotency-Key`, and how it was answered. */
export interface Answered {
  /** It was the nth such call of the sandbox, from 0. */
  readonly n: number;
  readonly key: string;
  /** A hash of what was asked. */
  readonly fingerprint: string;
  readonly status: number;
  /** The body as JSON: null where there was none, left out where it was too large to be kept. */
  readonly json?: string | null;
}

/** How many of them a sandbox keeps; each is a value of its own, so that one more is written alone. */
const answeredKept = 32;
export type AnsweredName = `answered_${number}`;
export const answeredNames: readonly AnsweredName[] = Array.from(
  { length: answeredKept },
  (_, index) => `answered_${index}` as const,
);

/** What a sandbox has one of, replaced whole. */
interface Values {
  readonly identity: Identity;
  /** How often the sandbox began anew, and the highest generations ever given; a restore leaves it. */
  readonly history: { readonly lives: number; readonly generations: Generations };
  readonly clock: ClockState;
  /** The readings in force: those chosen, and the scenarios' upon them. */
  readonly readings: Readings;
  readonly chosen: Readings;
  readonly scenarios: readonly AppliedScenario[];
  /** How many ids or numbers were drawn, by purpose. */
  readonly counters: Readonly<Record<string, number>>;
  /** What is issued now carries these. */
  readonly generations: Generations;
  /** What was issued before these is expired. */
  readonly expired: Generations;
  /** Of the reading `rate_limit: 100/60s`. */
  readonly rate_window: RateWindow | null;
}
export type AllValues = Values & { readonly [Name in SingleName]: SingleOf<Name> } & {
  readonly [Name in AnsweredName]?: Answered;
};
export type ValueName = keyof AllValues;
export type ValueOf<Name extends ValueName> = AllValues[Name];

/** Values that a restore leaves as they are. */
export const lastingValues: readonly ValueName[] = ['identity', 'history', ...answeredNames];

/** Those of them that there are. */
export function lastingOf(values: Partial<Record<ValueName, unknown>>): Partial<Record<ValueName, unknown>> {
  const lasting: Partial<Record<ValueName, unknown>> = {};
  for (const name of lastingValues) if (values[name] !== undefined) lasting[name] = values[name];
  return lasting;
}

export type Tables = { readonly [Name in TableName]: Collection<Name> };

/** All that a restore brings back. */
export interface Image {
  readonly tables: Tables;
  readonly values: AllValues;
}

/** A kept image, and the sandbox's time when it was kept, in milliseconds. */
export interface Snapshot extends Image {
  readonly at: number;
}

export interface Root extends Image {
  readonly version: number;
  /** By name; the one named '' is the sandbox as it was made. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/** The name under which the sandbox as it was made is kept. */
export const asMade = '';

/** Makes a record deeply read-only where that is wanted; else it is given back as it is. */
export type Freeze = <T>(row: T) => T;

/** How state is kept: whether rows are frozen, and how many a table may have. */
export interface Keeping {
  readonly freeze: Freeze;
  readonly maxRecords: number;
}

/** The changes that led to a version. */
export interface Commit {
  readonly version: number;
  readonly changes: Iterable<Change>;
  /** They lead there out of nothing, whatever was before. */
  readonly isWhole?: boolean;
}

/**
 * One change: a whole record at its sequence number, its removal (null), a whole value; all tables emptied; the image kept under a
 * name as the changes before have made it, a kept one dropped, a kept one brought back.
 */
export type Change =
  | { readonly table: TableName; readonly sequence: number; readonly row: RowOf<TableName> | null }
  | { readonly value: ValueName; readonly to: unknown }
  | { readonly empty: true }
  | { readonly keep: string; readonly at: number }
  | { readonly drop: string }
  | { readonly restore: string };

const ownTables = ['spent_refresh_tokens', 'levers', 'due_steps', 'tracking'] as const satisfies readonly TableName[];
/** Rows that are no records: levers have a bound of their own, the others are at most as many as orders and fulfillments. */
export const unboundedTables: readonly TableName[] = ['levers', 'due_steps', 'tracking'];
export const tableNames: readonly TableName[] = [...collectionNames, ...ownTables];

/** An image that is kept, at this time of the sandbox in milliseconds: its tables belong to nobody from here on. */
export function keptImage({ tables, values }: Image, at: number): Snapshot {
  for (const name of tableNames) tables[name].release();
  return { tables, values, at };
}

/** The image after a restore of this one: lasting values stay. */
export function restored({ tables, values }: Image, current: AllValues): Image {
  return { tables, values: { ...values, ...(lastingOf(current) as Partial<AllValues>) } };
}
