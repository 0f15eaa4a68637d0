// What a matrix has found: a result per reading, and what it says in words.
import type { Readings } from '../../contract/assumptions.ts';
import type { RequestTold } from './explained-request.ts';
import type { RunEnd } from './run-command.ts';
import type { Turn } from './turns.ts';

/** What became of one reading. */
export interface Result extends Turn {
  readonly passed: boolean;
  /** Whether the assumption was asked for. */
  readonly reached: boolean;
  /** null where it was not run. */
  readonly run: Omit<RunEnd, 'passed'> | null;
  /** Of a run that failed: where to look. */
  readonly request: RequestTold | null;
}

export interface MatrixReport {
  readonly command: readonly string[];
  readonly base: Readings;
  readonly durationMilliseconds: number;
  readonly firstRun: { readonly durationMilliseconds: number; readonly requests: number };
  /** In the register's order. */
  readonly results: readonly Result[];
}

/** Nothing hangs on a reading that was never asked for. */
export const notRun = (turn: Turn): Result => ({ ...turn, passed: true, reached: false, run: null, request: null });

export const resultOf = (
  turn: Turn,
  { passed, ...run }: RunEnd,
  { reached, request }: Pick<Result, 'reached' | 'request'>,
): Result => ({ ...turn, passed, reached, run, request: passed ? null : request });

/** A pass means something only where the assumption was asked for. */
export function outcomeOfResult({ passed, reached }: Result): 'pass' | 'fail' | 'skip' {
  if (!passed) return 'fail';
  return reached ? 'pass' : 'skip';
}

/** Why it failed, in a sentence. */
export function failureOf({ assumption, run, request }: Result): string {
  const ended = run ? endingOf(run) : '';
  if (!request) return `it ${ended}; none of its requests met a reading of ${assumption}`;
  return run?.timedOut ? `it ${ended}; ${request.explanation}` : request.explanation;
}

/** Read after "it". */
function endingOf({ timedOut, timeoutMilliseconds, signal, exitCode }: Omit<RunEnd, 'passed'>): string {
  if (timedOut) return `was ended, as it took longer than ${Math.round(timeoutMilliseconds / 1000)} s`;
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
