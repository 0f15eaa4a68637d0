// The rows of the table in docs/explanation/reliability.md. Each test reports one of them or more.
import { expect, type TestContext } from 'vitest';

/** In the order of the table. */
export const rowNames = [
  ...(['fuzz', 'soak', 'egress', 'aborts', 'slow', 'idle', 'neighbors'] as const),
  ...(['kills', 'replicas', 'power', 'full', 'cost'] as const),
] as const;

export interface Row {
  readonly name: (typeof rowNames)[number];
  readonly load: string;
  readonly expected: string;
  readonly measured: string;
  readonly faults: readonly string[];
  /** Why it was not measured. */
  readonly skipped?: string;
}

interface Report extends Omit<Row, 'faults' | 'measured'> {
  readonly measured?: string;
  /** Each key describes a fault; its value says whether it occurred. */
  readonly faults?: Readonly<Record<string, boolean>>;
}

declare module 'vitest' {
  interface TaskMeta {
    rows?: Row[];
  }
}

export const isShort = process.env.STRESS === 'short';

/** A size in the long form and in the short form. */
export const sized = (long: number, short: number): number => (isShort ? short : long);

/** Set STRESS_SEED to repeat a run. */
export const seed = Number(process.env.STRESS_SEED ?? Date.now() % 2 ** 31);

/** Adds the row to the table. The test fails if a fault occurred. */
export function report({ task }: Pick<TestContext, 'task'>, { faults: checks = {}, measured = '', ...row }: Report) {
  const faults = Object.keys(checks).filter((text) => checks[text]);
  task.meta.rows = [...(task.meta.rows ?? []), { ...row, measured, faults }];
  expect.soft(faults, `${row.name}: ${measured}`).toEqual([]);
}

/** For each kind of finding a fault, which occurred if there are any, with the first three. */
export const ifAny = (found: Readonly<Record<string, readonly string[]>>): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(found).map(([what, texts]) => {
      const first = texts.slice(0, 3).map((text) => text.slice(0, 100));
      return [`${what}: ${first.join(' | ')}`, texts.length > 0];
    }),
  );

/** A number such as 10,000 or 3.2. */
export const format = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const mebibytes = (bytes: number): string => format(bytes / 1_048_576, 1);

export const percent = (ratio: number): string => `${format((ratio - 1) * 100, 1)} %`;
