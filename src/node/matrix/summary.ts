// The end of a matrix for people: what is counted of it, what the client depends on, and what may have gone wrong otherwise.
import type { AssumptionId } from '../../contract/assumptions.ts';
import { type MatrixReport, type Outcome, outcomeOfResult, type Result } from './results.ts';

/** A line each. */
export const summaryOf = (report: MatrixReport): string[] => [
  countsOf(report),
  ...dependenciesOf(report),
  ...hintsOf(report),
];

function countsOf({ results, durationMilliseconds }: MatrixReport): string {
  const count = (outcome: Outcome) => results.filter((result) => outcomeOfResult(result) === outcome).length;
  const unmet = count('not met') > 0 ? [`${count('not met')} not met`] : [];
  const counts = [
    `${count('pass')} passed`,
    `${count('FAIL')} failed`,
    ...unmet,
    `${count('not reached')} not reached`,
  ];
  return `${counts.join(', ')}, in ${(durationMilliseconds / 1000).toFixed(1)} s`;
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
