// Single values of a sandbox: its clock, its assumptions, its counters. Each is a row of a table, so that reset,
// snapshots, transactions and stores treat them like records.

import type { Choices } from '../contract/assumptions.ts';
import type { RateWindow } from '../contract/control/overrides.ts';
import type { AppliedScenario } from '../contract/control/state.ts';
import { collectionNames, type SingleName, type SingleOf } from '../contract/records.ts';
import { internChoices, internTimes } from '../contract/resolved-assumptions.ts';
import type { Identity, TableName } from '../domain/world.ts';

/** How the sandbox's time follows the machine's: `now` at the machine's `at`, at this rate. In milliseconds. */
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

/** A call of the control API that came with an `Idempotency-Key`, and how it was answered. */
export interface Answered {
  /** It was the nth such call of the sandbox, from 0. */
  readonly n: number;
  readonly key: string;
  /** A hash of what was asked. */
  readonly fingerprint: string;
  readonly status: number;
  /** The body as JSON: null if there was none, left out if it was too large to be kept. */
  readonly json?: string | null;
}

/** How many of them a sandbox keeps; each is a value of its own, so that one more is written alone. */
const answeredKept = 32;
export type AnsweredName = `answered_${number}`;
export const answeredNames: readonly AnsweredName[] = Array.from(
  { length: answeredKept },
  (_, index) => `answered_${index}` as const,
);

interface Values {
  readonly identity: Identity;
  /** How often the sandbox began anew, and the highest generations ever given. */
  readonly history: { readonly lives: number; readonly generations: Generations };
  readonly clock: ClockState;
  /** The readings in force: those chosen, and the scenarios' upon them. */
  readonly choices: Choices;
  readonly chosen: Choices;
  readonly scenarios: readonly AppliedScenario[];
  /** What is issued now carries these. */
  readonly generations: Generations;
  /** What was issued before these is expired. */
  readonly expired: Generations;
  /** Of the reading `rate_limit: 100/60s`. */
  readonly rate_window: RateWindow | null;
}
type AllValues = Values & { readonly [Name in SingleName]: SingleOf<Name> } & {
  readonly [Name in AnsweredName]?: Answered;
};
export type ValueName = keyof AllValues;
export type ValueOf<Name extends ValueName> = AllValues[Name];

/** Values that a restore leaves as they are. */
export const lastingValues: ReadonlySet<string> = new Set(['history', ...answeredNames]);

const ownTables = ['spent_refresh_tokens', 'levers', 'due_steps', 'tracking'] as const satisfies readonly TableName[];
export const tableNames: readonly TableName[] = [...collectionNames, ...ownTables];
/** Tables that nobody lists. */
export const unlisted: readonly TableName[] = ['due_steps', 'tracking'];
/** Rows that are no records: levers have a bound of their own, the others belong to orders and fulfillments. */
export const unboundedTables: readonly TableName[] = ['levers', 'due_steps', 'tracking'];

/** A value as a store has it. Schemas are cached by readings and times: equal ones become the same object. */
export function interned(name: string, value: unknown): unknown {
  if (name === 'choices' || name === 'chosen') return internChoices(value as Choices);
  return name === 'administration_times' ? internTimes(value as SingleOf<'administration_times'>) : value;
}
