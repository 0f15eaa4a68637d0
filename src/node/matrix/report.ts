// What a matrix has found, in words: as a table, as JSON, and as test cases.
import type { AssumptionId, Choices } from '../../contract/assumptions.ts';
import { nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { version } from '../../version.ts';
import type { TestCase } from '../cli/results.ts';
import { harmlessWords, plainOutput, withoutSecrets } from '../client-output.ts';
import { printable } from '../printable.ts';
import type { RequestSummary, RunEnd, Variation } from './runs.ts';

/** What became of one reading. */
export interface Result extends Variation {
  readonly passed: boolean;
  /** Whether the assumption was asked for, by the first run or by its own. */
  readonly reached: boolean;
  /** Whether any call of its own run met the reading: else it says nothing of it. */
  readonly met: boolean;
  /** null where it was not run. */
  readonly run: Omit<RunEnd, 'passed'> | null;
  /** Of a run that failed: where to look. */
  readonly request: RequestSummary | null;
}

export interface MatrixReport {
  readonly command: readonly string[];
  readonly base: Choices;
  readonly durationMilliseconds: number;
  /** How many ran at a time, at most. */
  readonly parallel: number;
  readonly firstRun: { readonly durationMilliseconds: number; readonly requests: number };
  /** In the register's order. */
  readonly results: readonly Result[];
}

/** What a result is called in words. */
type Outcome = 'pass' | 'FAIL' | 'not met' | 'not reached';

/** A pass means something only where the assumption was asked for, and its reading was met. */
function outcomeOfResult({ passed, reached, met }: Result): Outcome {
  if (!passed) return 'FAIL';
  if (!reached) return 'not reached';
  return met ? 'pass' : 'not met';
}

/** Why it failed, in a sentence. */
function failureOf({ assumption, reading, run, request }: Result): string {
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

/** What `--json` prints. */
export type MatrixDocument = ReturnType<typeof matrixDocument>;

/** A matrix for programs: as JSON, and as the cases of a JUnit document. */
export const matrixDocument = ({ command, base, durationMilliseconds, firstRun, results }: MatrixReport) => ({
  version,
  command: harmlessWords(command, withoutSecrets([])),
  assumptions: nonDefaultChoices(base),
  duration_ms: durationMilliseconds,
  first_run: { duration_ms: firstRun.durationMilliseconds, requests: firstRun.requests },
  results: results.map(resultShown),
});

const resultShown = ({ assumption, reading, passed, reached, met, run, request }: Result) => ({
  assumption,
  reading,
  passed,
  reached,
  met,
  exit_code: run?.exitCode ?? null,
  signal: run?.signal ?? null,
  timed_out: run?.timedOut ?? false,
  duration_ms: run?.durationMilliseconds ?? null,
  request,
  output: passed ? null : (run?.output ?? null),
});

/** A case per reading, under the name of its assumption. */
export const matrixCases = ({ results }: MatrixReport): TestCase[] => results.map(caseOf);

function caseOf(result: Result): TestCase {
  const { assumption: classname, reading: name, run } = result;
  const outcome = outcomeOfResult(result);
  const seconds = (run?.durationMilliseconds ?? 0) / 1000;
  if (outcome === 'pass') return { classname, name, seconds, outcome };
  if (outcome !== 'FAIL') return { classname, name, seconds, outcome: 'skip', message: outcome };
  const output = run ? plainOutput(run.output) : '';
  return { classname, name, seconds, outcome: 'fail', message: failureOf(result), output };
}

function countsOf({ results, durationMilliseconds }: MatrixReport): string {
  const count = (outcome: Outcome) => results.filter((result) => outcomeOfResult(result) === outcome).length;
  const unmet = count('not met') > 0 ? `, ${count('not met')} not met` : '';
  const counts = `${count('pass')} passed, ${count('FAIL')} failed${unmet}, ${count('not reached')} not reached`;
  return `${counts}, in ${(durationMilliseconds / 1000).toFixed(1)} s`;
}

/** A run that failed without having met the reading it was for has failed for another reason. */
function dependenciesOf({ results }: MatrixReport): string[] {
  const failed = results.filter(({ passed }) => !passed);
  const met = namesOf(failed.filter((result) => result.met));
  const others = [...namesOf(failed)].filter((name) => !met.has(name));
  return [
    `Depends on: ${[...met].join(', ') || 'no reading that was tried'}`,
    ...(others.length > 0 ? [`Failed for another reason: ${others.join(', ')}`] : []),
  ];
}

const namesOf = (results: readonly Result[]): ReadonlySet<AssumptionId> =>
  new Set(results.map(({ assumption }) => assumption));

function hintsOf({ results, parallel }: MatrixReport): string[] {
  const tried = results.filter(({ run }) => run !== null);
  const failed = tried.filter(({ passed }) => !passed);
  const isOdd = failed.some(({ met }) => !met) || (failed.length > 0 && failed.length === tried.length);
  const isUnmet = results.some((result) => outcomeOfResult(result) === 'not met');
  return [...(isUnmet ? [unmetHint] : []), ...(isOdd && parallel > 1 ? [parallelHint] : [])];
}

const unmetHint =
  'runs that did not meet the reading they were for say nothing: does the command cache its tests, or turn readings itself?';
const parallelHint = 'if your tests cannot run side by side (a port, a file), give --parallel 1';

const head = ['assumption', 'reading', 'result'] as const;

/** @param withOutput whether to tell what each run that failed has printed */
export function matrixTable(report: MatrixReport, withOutput: boolean): string {
  const { results } = report;
  const rows = [head, ...results.map((one) => [one.assumption, one.reading, outcomeOfResult(one)])];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const [first = '', ...others] = lines;
  const told = results.flatMap((result, at) => [
    others[at] ?? '',
    ...(result.passed ? [] : [`    ${printable(failureOf(result))}`]),
  ]);
  const outputs = withOutput ? results.flatMap(outputOf) : [];
  const summary = [countsOf(report), ...dependenciesOf(report), ...hintsOf(report)];
  return `${[first, ...told, '', ...outputs, ...summary].join('\n')}\n`;
}

function outputOf({ passed, assumption, reading, run }: Result): string[] {
  if (passed || !run) return [];
  return [`What the run with ${assumption}=${reading} printed:`, '', plainOutput(run.output), ''];
}
