// The report of a matrix: as a table, as JSON, and as test cases.
import type { AssumptionId, Choices } from '../../contract/assumptions.ts';
import type { TestCase } from '../cli/results.ts';
import { plainOutput } from '../client-output.ts';
import { aligned, printable } from '../printable.ts';
import type { ExplainedRequest, Variation } from './calls.ts';

/** The result of one variation. */
interface Result extends Variation {
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
    return { ...testCase, outcome: 'fail', message, output: plainOutput(output ?? '') };
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

const head = ['assumption', 'choice', 'result'] as const;

/** @param withOutput also print the output of each run that failed */
export function matrixTable(document: MatrixDocument, limits: Limits, withOutput: boolean): string {
  const { results } = document;
  const cells = (one: Result) => [one.assumption, one.reading, outcomeOf(one)];
  const [headLine, ...rowLines] = aligned([head, ...results.map(cells)]).split('\n');
  const lines = results.flatMap((one, index) => [
    rowLines[index],
    ...(one.passed ? [] : [`    ${printable(describeFailure(one, limits))}`]),
  ]);
  const failed = withOutput ? results.filter(({ passed }) => !passed) : [];
  const outputs = failed.flatMap(({ assumption, reading, output }) => [
    `Output of the run with ${assumption}=${reading}:`,
    '',
    plainOutput(output ?? ''),
    '',
  ]);
  return `${[headLine, ...lines, '', ...outputs, ...summaryLines(document, limits)].join('\n')}\n`;
}
