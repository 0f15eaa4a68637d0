// The report of a matrix: as a table, as JSON, and as test cases.
import type { AssumptionId, Choices } from '../../contract/assumptions.ts';
import { nonDefaultChoices } from '../../contract/resolved-assumptions.ts';
import { version } from '../../version.ts';
import type { TestCase } from '../cli/results.ts';
import { plainOutput, redactCommand, redactor } from '../client-output.ts';
import { printable } from '../printable.ts';
import type { ExplainedRequest, RunEnd, Variation } from './runs.ts';

/** The result of one variation. */
export interface Result extends Variation {
  readonly passed: boolean;
  /** A call of the first run or of this run met the assumption. */
  readonly reached: boolean;
  /** A call of this run met the choice; otherwise the run says nothing about it. */
  readonly met: boolean;
  /** null if it was not run. */
  readonly run: RunEnd | null;
  /** The call at which the run most likely failed; null if it passed. */
  readonly request: ExplainedRequest | null;
}

export interface MatrixReport {
  readonly command: readonly string[];
  readonly base: Choices;
  readonly durationMilliseconds: number;
  /** The most runs at a time. */
  readonly parallel: number;
  readonly firstRun: { readonly durationMilliseconds: number; readonly requests: number };
  /** In the register's order. */
  readonly results: readonly Result[];
}

type Outcome = 'pass' | 'FAIL' | 'not met' | 'not reached';

/** A pass counts only if a call met the choice. */
function outcomeOf({ passed, reached, met }: Result): Outcome {
  if (!passed) return 'FAIL';
  if (!reached) return 'not reached';
  return met ? 'pass' : 'not met';
}

/** A sentence. */
function describeFailure({ assumption, reading, run, request }: Result): string {
  const ended = run ? describeEnd(run) : '';
  return `it ${ended}; ${request?.explanation ?? `none of its requests met ${assumption}=${reading}`}`;
}

type Ending = Pick<RunEnd, 'timedOut' | 'timeoutMilliseconds' | 'signal' | 'exitCode'>;

/** Read after "it". */
export function describeEnd({ timedOut, timeoutMilliseconds, signal, exitCode }: Ending): string {
  if (timedOut) return `was ended, as it took longer than ${Math.round(timeoutMilliseconds) / 1000} s`;
  return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
}

export type MatrixDocument = ReturnType<typeof matrixDocument>;

/** For `--json`. */
export const matrixDocument = ({ command, base, durationMilliseconds, firstRun, results }: MatrixReport) => ({
  version,
  command: redactCommand(command, redactor([])),
  assumptions: nonDefaultChoices(base),
  duration_ms: durationMilliseconds,
  first_run: { duration_ms: firstRun.durationMilliseconds, requests: firstRun.requests },
  results: results.map(({ assumption, reading, passed, reached, met, run, request }) => ({
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
  })),
});

/** One case per choice; the class is the assumption. */
export const matrixCases = ({ results }: MatrixReport): TestCase[] =>
  results.map((result) => {
    const { assumption: classname, reading: name, run } = result;
    const outcome = outcomeOf(result);
    const testCase = { classname, name, seconds: (run?.durationMilliseconds ?? 0) / 1000 };
    if (outcome === 'pass') return { ...testCase, outcome };
    if (outcome !== 'FAIL') return { ...testCase, outcome: 'skip', message: outcome };
    return { ...testCase, outcome: 'fail', message: describeFailure(result), output: plainOutput(run?.output ?? '') };
  });

function summaryLines({ results, durationMilliseconds, parallel }: MatrixReport): string[] {
  const count = (outcome: Outcome) => results.filter((result) => outcomeOf(result) === outcome).length;
  const unmet = count('not met');
  const counts = [
    `${count('pass')} passed, ${count('FAIL')} failed`,
    ...(unmet > 0 ? [`${unmet} not met`] : []),
    `${count('not reached')} not reached, in ${(durationMilliseconds / 1000).toFixed(1)} s`,
  ];
  const failed = results.filter(({ passed }) => !passed);
  const tried = results.filter(({ run }) => run !== null);
  // A run that failed without meeting its choice failed for another reason.
  const met = namesOf(failed.filter((result) => result.met));
  const others = namesOf(failed).filter((name) => !met.includes(name));
  const isOdd = failed.some((result) => !result.met) || (failed.length > 0 && failed.length === tried.length);
  return [
    counts.join(', '),
    `Depends on: ${met.join(', ') || 'no reading that was tried'}`,
    ...(others.length > 0 ? [`Failed for another reason: ${others.join(', ')}`] : []),
    ...(unmet > 0 ? [unmetHint] : []),
    ...(isOdd && parallel > 1 ? [parallelHint] : []),
  ];
}

const namesOf = (results: readonly Result[]): AssumptionId[] => [
  ...new Set(results.map(({ assumption }) => assumption)),
];

const unmetHint =
  'runs that did not meet the reading they were for say nothing: does the command cache its tests, or turn ' +
  'readings itself?';
const parallelHint = 'if your tests cannot run side by side (a port, a file), give --parallel 1';

const head = ['assumption', 'reading', 'result'] as const;

/** @param withOutput also print the output of each run that failed */
export function matrixTable(report: MatrixReport, withOutput: boolean): string {
  const { results } = report;
  const cells = (one: Result) => [one.assumption, one.reading, outcomeOf(one)];
  const rows = [head, ...results.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => {
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return padded.join('  ').trimEnd();
  };
  const lines = results.flatMap((one) => [
    line(cells(one)),
    ...(one.passed ? [] : [`    ${printable(describeFailure(one))}`]),
  ]);
  const failed = withOutput ? results.filter(({ passed }) => !passed) : [];
  const outputs = failed.flatMap(({ assumption, reading, run }) => [
    `What the run with ${assumption}=${reading} printed:`,
    '',
    plainOutput(run?.output ?? ''),
    '',
  ]);
  return `${[line(head), ...lines, '', ...outputs, ...summaryLines(report)].join('\n')}\n`;
}
