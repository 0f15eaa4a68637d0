// A matrix for programs: as JSON, and as the cases of a JUnit document.
import { otherReadings } from '../../contract/readings.ts';
import { version } from '../../version.ts';
import { harmlessWords, withoutSecrets } from '../certify/secrets.ts';
import { plainOutput } from '../plain-output.ts';
import type { TestCase } from '../report-files.ts';
import { failureOf, type MatrixReport, outcomeOfResult, type Result } from './results.ts';

/** What `--json` prints. */
export type MatrixDocument = ReturnType<typeof matrixDocument>;

export const matrixDocument = ({ command, base, durationMilliseconds, firstRun, results }: MatrixReport) => ({
  version,
  command: harmlessWords(command, withoutSecrets([])),
  assumptions: otherReadings(base),
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
