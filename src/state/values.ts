// The tables of a sandbox, and its single values: clock, assumptions, generations. Each value is a row of a table, so
// that reset, snapshots, transactions and stores treat it like a record.

import type { Choices } from '../contract/assumptions.ts';
import type { RateWindow, RateWindows } from '../contract/control/overrides.ts';
import type { AppliedScenario } from '../contract/control/state.ts';
import type { LearnedReport } from '../contract/observations.ts';
import { collectionNames, type DeepReadonly, type SingleName, type SingleOf } from '../contract/records.ts';
import { internTimes, storedChoices } from '../contract/resolved-assumptions.ts';
import type { TableName } from '../domain/world.ts';
import type { Row } from './table.ts';

/** The sandbox's time is `now` when the machine's time is `at`, and runs on at this rate. In milliseconds. */
export interface ClockState {
  readonly now: number;
  readonly at: number;
  readonly rate: number;
  readonly frozen: boolean;
}

/** Raised to expire everything that was issued before. */
export interface Generations {
  readonly tokens: number;
  readonly labels: number;
}

/** The response to a control API call with an `Idempotency-Key`. */
export interface StoredReply {
  /** The number of the call among those with a key, from 0. */
  readonly n: number;
  readonly key: string;
  /** A hash of the request. */
  readonly fingerprint: string;
  readonly status: number;
  /** The body as JSON: null without a body, left out if it was too large to keep. */
  readonly json?: string | null;
}

/** How many of them a sandbox keeps. Each is a value of its own, so that a new one is written alone. */
const maxAnswered = 32;
export type AnsweredName = `answered_${number}`;
export const answeredNames: readonly AnsweredName[] = Array.from(
  { length: maxAnswered },
  (_, index) => `answered_${index}` as const,
);

/** A value as a row, by its name. */
export interface ValueRow extends Row {
  readonly value: unknown;
}

interface Values {
  /** The epoch: resets, restores and imports plus one; and the highest generations so far. */
  readonly history: { readonly lives: number; readonly generations: Generations };
  readonly clock: ClockState;
  /** The choices in force: `chosen`, overridden by scenarios. Stores and live events have them by this name. */
  readonly readings: Choices;
  readonly chosen: Choices;
  readonly scenarios: readonly AppliedScenario[];
  /** What the last recording of the service showed. */
  readonly observations?: DeepReadonly<LearnedReport> | undefined;
  /** Of everything that is issued now. */
  readonly generations: Generations;
  /** Everything of lower generations is expired. */
  readonly expired: Generations;
  /** For the choice `rate_limit: 100/60s`. */
  readonly rate_window: RateWindow | null;
  /** The windows of users, if calls count by user (`rate_limit_scope`). */
  readonly rate_windows?: RateWindows | undefined;
  /** When a guest claimed it, in real milliseconds. */
  readonly claimed_at?: number | undefined;
}
type AllValues = Values & { readonly [Name in SingleName]: SingleOf<Name> } & {
  readonly [Name in AnsweredName]?: StoredReply;
};
export type ValueName = keyof AllValues;
export type ValueOf<Name extends ValueName> = AllValues[Name];

/** Values that a restore does not change. */
export const lastingValues: ReadonlySet<string> = new Set(['history', 'claimed_at', ...answeredNames]);

/** The tables that no fixtures file fills. */
export const ownTables = [
  'spent_refresh_tokens',
  'levers',
  'due_steps',
  'tracking',
] as const satisfies readonly TableName[];
export const tableNames: readonly TableName[] = [...collectionNames, ...ownTables];
/** Tables that are never listed: they need no index. */
export const unlistedTables: readonly TableName[] = ['due_steps', 'tracking'];
/** Tables without the limit of records: levers have their own, the others have a row per order or fulfillment. */
export const unboundedTables: readonly TableName[] = ['levers', 'due_steps', 'tracking'];

/** A row that comes from a store. Schemas are cached by choices and times: equal ones must be the same object. */
export function internRow<R extends Row>(row: R): R {
  if (!('value' in row)) return row;
  const { id, value } = row;
  if (id === 'readings' || id === 'chosen') return { ...row, value: storedChoices(value as Partial<Choices>) };
  if (id !== 'administration_times') return row;
  return { ...row, value: internTimes(value as SingleOf<'administration_times'>) };
}
