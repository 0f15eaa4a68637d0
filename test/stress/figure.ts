// A row of the table: what was done to the server, which figure is wanted, and what was measured.
import { expect, type TestContext } from 'vitest';
import { inMachineTime } from '../support/machine-time.ts';

/** The rows, in the order of the table. */
export const rows = [
  ...(['fuzz', 'soak', 'egress', 'aborts', 'samples', 'slow', 'idle', 'neighbours'] as const),
  ...(['kills', 'replicas', 'power', 'full', 'cost'] as const),
] as const;

export interface Figure {
  readonly row: (typeof rows)[number];
  /** What was done, with its numbers. */
  readonly done: string;
  readonly wanted: string;
  readonly measured: string;
  /** What was not as wanted; empty where the figure is met. */
  readonly faults: readonly string[];
  /** Such faults, too, which a machine that stands still for seconds may make of a right server; see `ofTime`. */
  readonly ofMachine?: readonly string[];
  /** Why it was not measured. */
  readonly skipped?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/** Whether everything is scaled down. */
export const isShort = process.env.STRESS === 'short';

const spoilt = 'which the machine may have spoilt';
/**
 * For rows with faults `ofMachine`: the short form is of so few seconds that one pause makes other figures of them, so that they are taken again. Not where
 * anything else was wrong, too: what is lost or refused now and then would be gone the second time.
 */
export const ofTime = isShort ? { retry: { count: inMachineTime.retry, condition: new RegExp(spoilt) } } : {};

/** A size of the long form, and its like of the short one. */
export const sized = (long: number, short: number): number => (isShort ? short : long);

/** Puts the row into the table; the test fails where the figure is not met. */
export function tell({ task }: Pick<TestContext, 'task'>, figure: Figure): void {
  // A row that is measured again stands in the place of what it was.
  const others = (task.meta.figures ?? []).filter(({ row }) => row !== figure.row);
  const { row, measured, faults: wrong, ofMachine = [] } = figure;
  const faults = [...wrong, ...ofMachine];
  task.meta.figures = [...others, { ...figure, faults }];
  expect.soft(faults, `${wrong.length > 0 ? row : `${row}, ${spoilt}`}: ${measured}`).toEqual([]);
}

/** The faults among these: each a sentence, and whether it is one. */
export const faultsOf = (checks: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(checks).filter((sentence) => checks[sentence]);

/** The first of these, short enough for a row. */
export const firstOf = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((text) => text.slice(0, 100))
    .join(' | ');

/** A number as a row shows it, such as 10,000 or 3.2. */
export const shown = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const mebibytes = (bytes: number): string => shown(bytes / 1_048_576, 1);
