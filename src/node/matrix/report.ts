// The report of a matrix: as a table, as JSON, and as test cases.
import type { AssumptionId, Choices } from '../../contract/assumptions.ts';
import type { TestCase } from '../cli/results.ts';
import { marks, styled, tableWithDetails } from '../cli/table.ts';
import { plainOutput } from '../client-output.ts';
import type { ExplainedRequest, Variation } from './calls.ts';
import { nameOf, type TestResults } from './test-results.ts';

/** The result of one variation. */
interface Result extends Variation, TestResults {
  readonly passed: boolean;
  /** A call of the first run or of this run used the assumption. */
  readonly reached: boolean;
  /** A call of this run used the choice; otherwise the run proves nothing about it. */
  readonly met: boolean;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  /** null if it was not run. */
  readonly duration_ms: number | null;
  /** The call at which the run most likely failed; null if it passed. */
  readonly request: ExplainedRequest | null;
  /** Of the tests that failed, those that did not fail in the first run; null without `--results`, too. */
  readonly failed_tests: TestResults['failed_tests'];
  /** null if it passed. */
  readonly output: string | null;
}

/** For `--json`. */
export interface MatrixDocument {
  readonly version: string;
  readonly command: readonly string[];
  readonly assumptions: Partial<Choices>;
  readonly duration_ms: number;
  readonly first_run: { readonly duration_ms: number; readonly requests: number };
  /** In the register's order. */
  readonly results: readonly Result[];
}

/** The limits of the runs. */
interface Limits {
  /** The most runs at a time. */
  readonly parallel: number;
  readonly timeoutMilliseconds: number;
}

type Outcome = 'pass' | 'FAIL' | 'not met' | 'not reached';

/** A pass counts only if a call used the choice. */
function outcomeOf({ passed, reached, met }: Result): Outcome {
  if (!passed) return 'FAIL';
  if (!reached) return 'not reached';
  return met ? 'pass' : 'not met';
}

/** A sentence. */
const describeFailure = (result: Result, { timeoutMilliseconds }: Limits): string =>
  `it ${describeEnd(result, timeoutMilliseconds)}; ` +
  (result.request?.explanation ?? `no request of the run used ${result.assumption}=${result.reading}`);

/** The failed tests, one per line; or why they are not known. */
function describeTests({ failed_tests, results_problem }: TestResults, most = Number.POSITIVE_INFINITY): string[] {
  const problem = results_problem === null ? [] : [`no names of failed tests: ${results_problem}`];
  if (!failed_tests?.length) return problem;
  const more = failed_tests.length - most;
  return [
    `failed tests (${failed_tests.length}):`,
    ...failed_tests.slice(0, most).map((test) => `  ${nameOf(test)}`),
    ...(more > 0 ? [`  … and ${more} more; --json has all`] : []),
    ...problem,
  ];
}

type Ending = Pick<Result, 'timed_out' | 'signal' | 'exit_code'>;

/** Read after "it". */
export function describeEnd({ timed_out, signal, exit_code }: Ending, timeoutMilliseconds: number): string {
  if (timed_out) return `was stopped because it took longer than ${Math.round(timeoutMilliseconds) / 1000} s`;
  return signal === null ? `exited with code ${exit_code}` : `was killed by ${signal}`;
}

/** One case per choice; the class is the assumption. */
export const matrixCases = ({ results }: MatrixDocument, limits: Limits): TestCase[] =>
  results.map((result) => {
    const { assumption: classname, reading: name, duration_ms, output } = result;
    const outcome = outcomeOf(result);
    const testCase = { classname, name, seconds: (duration_ms ?? 0) / 1000 };
    if (outcome === 'pass') return { ...testCase, outcome };
    if (outcome !== 'FAIL') return { ...testCase, outcome: 'skip', message: outcome };
    const message = describeFailure(result, limits);
    const text = [message, ...describeTests(result)].join('\n');
    return { ...testCase, outcome: 'fail', message, text, output: plainOutput(output ?? '') };
  });

interface FailedRun extends TestResults {
  readonly duration_ms: number;
  readonly output: string;
}

/** The only case if the first run fails. */
export const firstRunCase = (message: string, run: FailedRun): TestCase => ({
  ...{ classname: 'sachet.matrix', name: 'first run', seconds: run.duration_ms / 1000, outcome: 'fail', message },
  text: [message, ...describeTests(run)].join('\n'),
  output: plainOutput(run.output),
});

function summaryLines({ results, duration_ms }: MatrixDocument, { parallel }: Limits): string[] {
  const count = (outcome: Outcome) => results.filter((result) => outcomeOf(result) === outcome).length;
  const unmet = count('not met');
  const counts = [
    `${count('pass')} passed, ${count('FAIL')} failed`,
    ...(unmet > 0 ? [`${unmet} not met`] : []),
    `${count('not reached')} not reached, in ${(duration_ms / 1000).toFixed(1)} s`,
  ];
  const failed = results.filter(({ passed }) => !passed);
  const tried = results.filter((result) => result.duration_ms !== null);
  // A run that failed without using its choice failed for another reason.
  const met = namesOf(failed.filter((result) => result.met));
  const others = namesOf(failed).filter((name) => !met.includes(name));
  const isOdd = failed.some((result) => !result.met) || (failed.length > 0 && failed.length === tried.length);
  return [
    counts.join(', '),
    `Depends on: ${met.join(', ') || 'no assumption that was tried'}`,
    ...(others.length > 0 ? [`Failed for another reason: ${others.join(', ')}`] : []),
    ...(unmet > 0 ? [unmetHint] : []),
    ...(isOdd && parallel > 1 ? [parallelHint] : []),
  ];
}

const namesOf = (results: readonly Result[]): AssumptionId[] => [
  ...new Set(results.map(({ assumption }) => assumption)),
];

const unmetHint =
  '"not met" means that no request of the run used the choice, so the run proves nothing: does the command ' +
  'cache its tests, or set assumptions itself?';
const parallelHint = 'if your tests cannot run side by side (a port, a file), use --parallel 1';

const resultsHint =
  'To see which tests failed, let the command write JUnit XML, or JSON of Vitest or Jest, and name the file, such as: ' +
  'sachet matrix --results results.json -- npx vitest run --reporter=json --outputFile=results.json';

/** The most failed tests that the table names per choice. */
const maxPrintedTests = 20;

const styles: Readonly<Record<Outcome, readonly [mark: () => string, color: Parameters<typeof styled>[0]]>> = {
  pass: [marks.pass, 'green'],
  FAIL: [marks.fail, 'red'],
  'not met': [marks.warn, 'yellow'],
  'not reached': [marks.skip, 'dim'],
};

function cellsOf(result: Result): string[] {
  const outcome = outcomeOf(result);
  const [mark, color] = styles[outcome];
  return [mark(), result.assumption, result.reading, styled(color, outcome)];
}

/** What the table looks for in the flags: `output` also prints the output of each run that failed. */
interface TableFlags {
  readonly output: boolean;
  readonly results?: string | undefined;
}

export function matrixTable(document: MatrixDocument, limits: Limits, flags: TableFlags): string {
  const { results } = document;
  const [head = '', ...lines] = tableWithDetails([
    { cells: ['', 'assumption', 'choice', 'result'] },
    ...results.map((one) => ({
      cells: cellsOf(one),
      details: [...(one.passed ? [] : [describeFailure(one, limits)]), ...describeTests(one, maxPrintedTests)],
    })),
  ]);
  const failed = results.filter(({ passed }) => !passed);
  const outputs = (flags.output ? failed : []).flatMap(({ assumption, reading, output }) => [
    `Output of the run with ${assumption}=${reading}:`,
    '',
    plainOutput(output ?? ''),
    '',
  ]);
  const hint = failed.length > 0 && flags.results === undefined ? [resultsHint] : [];
  return `${[styled('bold', head), ...lines, '', ...outputs, ...summaryLines(document, limits), ...hint].join('\n')}\n`;
}
