// What a matrix has found: a result per reading, and what it says in words.
import type { Readings } from '../../contract/assumptions.ts';
import type { RequestTold } from './explained-request.ts';
import type { RunEnd } from './run-command.ts';
import type { Turn } from './turns.ts';

/** What became of one reading. */
export interface Result extends Turn {
  readonly passed: boolean;
  /** Whether the assumption was asked for, by the first run or by its own. */
  readonly reached: boolean;
  /** Whether any call of its own run met the reading: else it says nothing of it. */
  readonly met: boolean;
  /** null where it was not run. */
  readonly run: Omit<RunEnd, 'passed'> | null;
  /** Of a run that failed: where to look. */
  readonly request: RequestTold | null;
}

export interface MatrixReport {
  readonly command: readonly string[];
  readonly base: Readings;
  readonly durationMilliseconds: number;
  /** How many ran at a time, at most. */
  readonly parallel: number;
  readonly firstRun: { readonly durationMilliseconds: number; readonly requests: number };
  /** In the register's order. */
  readonly results: readonly Result[];
}

/** Nothing hangs on a reading that was never asked for. */
export const notRun = (turn: Turn): Result => ({
  ...turn,
  ...{ passed: true, reached: false, met: false, run: null, request: null },
});

export const resultOf = (
  turn: Turn,
  { passed, ...run }: RunEnd,
  { reached, met, request }: Pick<Result, 'reached' | 'met' | 'request'>,
): Result => ({ ...turn, passed, reached, met, run, request: passed ? null : request });

/** What a result is called in words. */
export type Outcome = 'pass' | 'FAIL' | 'not met' | 'not reached';

/** A pass means something only where the assumption was asked for, and its reading was met. */
export function outcomeOfResult({ passed, reached, met }: Result): Outcome {
  if (!passed) return 'FAIL';
  if (!reached) return 'not reached';
  return met ? 'pass' : 'not met';
}

/** Why it failed, in a sentence. */
export function failureOf({ assumption, reading, run, request }: Result): string {
  const ended = run ? endingOf(run) : '';
  return `it ${ended}; ${request?.explanation ?? `none of its requests met ${assumption}=${reading}`}`;
}

/** Read after "it". */
function endingOf({ timedOut, timeoutMilliseconds, signal, exitCode }: Omit<RunEnd, 'passed'>): string {
  if (timedOut) return `was ended, as it took longer than ${Math.round(timeoutMilliseconds) / 1000} s`;
  return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
}

/** The command fails without anything turned: what it does under another reading would say nothing. */
export class FirstRunError extends Error {
  override readonly name = 'FirstRunError';
  readonly output: string;

  constructor(end: RunEnd) {
    super(`the command fails as it is, before any reading is turned: it ${endingOf(end)}`);
    this.output = end.output;
  }
}
