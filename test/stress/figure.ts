// A row of the table: the load on the server, the expected figure, and the measured one.
import { expect, type TestContext } from 'vitest';
import { inMachineTime } from '../support/machine-time.ts';

/** The rows, in the order of the table. */
export const rows = [
  ...(['fuzz', 'soak', 'egress', 'aborts', 'samples', 'slow', 'idle', 'neighbors'] as const),
  ...(['kills', 'replicas', 'power', 'full', 'cost'] as const),
] as const;

export interface Figure {
  readonly row: (typeof rows)[number];
  /** The load, with its numbers. */
  readonly done: string;
  readonly wanted: string;
  readonly measured: string;
  /** Deviations from the expected figure; empty if it is met. */
  readonly faults: readonly string[];
  /** Deviations that a pause of the machine may cause; see `ofTime`. */
  readonly ofMachine?: readonly string[];
  /** The reason if it was not measured. */
  readonly skipped?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/** Whether everything is scaled down. */
export const isShort = process.env.STRESS === 'short';

const spoilt = 'perhaps because the machine paused';
/**
 * For rows with faults `ofMachine`: in the short form one pause of the machine changes the figure, so the row is measured
 * again. Not if it has other faults, too: what is lost or rejected now and then might be missing the second time.
 */
export const ofTime = isShort ? { retry: { count: inMachineTime.retry, condition: new RegExp(spoilt) } } : {};

/** A size in the long form and in the short form. */
export const sized = (long: number, short: number): number => (isShort ? short : long);

/** Adds the row to the table. The test fails if the figure is not met. */
export function tell({ task }: Pick<TestContext, 'task'>, figure: Figure): void {
  // A row that is measured again replaces the earlier one.
  const others = (task.meta.figures ?? []).filter(({ row }) => row !== figure.row);
  const { row, measured, faults: wrong, ofMachine = [] } = figure;
  const faults = [...wrong, ...ofMachine];
  task.meta.figures = [...others, { ...figure, faults }];
  expect.soft(faults, `${wrong.length > 0 ? row : `${row}, ${spoilt}`}: ${measured}`).toEqual([]);
}

/** The sentences that are true. */
export const faultsOf = (checks: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(checks).filter((sentence) => checks[sentence]);

/** The first of these, short enough for a row. */
export const firstOf = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((text) => text.slice(0, 100))
    .join(' | ');

/** A number in a row, such as 10,000 or 3.2. */
export const shown = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const mebibytes = (bytes: number): string => shown(bytes / 1_048_576, 1);
