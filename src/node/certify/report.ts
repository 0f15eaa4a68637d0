// The report of a certification: as JSON, as a table, and as test cases.

import { printable } from '../../client/printable.ts';
import type { ConductReport } from '../../contract/control/conduct.ts';
import type { Expectation } from '../../contract/control/match.ts';
import { type OutcomeId, outcomes as outcomeTexts } from '../../contract/control/outcomes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { TestCase } from '../cli/results.ts';
import { marks, styled, tableWithDetails } from '../cli/table.ts';
import type { JournalEntry } from '../remote-sandbox.ts';
import { countInWords, matchInWords, type Scenario } from './client.ts';

/** Expected calls, and the number that came: null if the journal has evicted calls that count. */
type ExpectationResult = DeepReadonly<Expectation> & { readonly came: number | null; readonly satisfied: boolean };

/** A call that an expectation or a broken rule names. Its time is on the sandbox's clock. */
export type EvidenceRow = DeepReadonly<
  Pick<JournalEntry, 'id' | 'received_at' | 'method' | 'path' | 'status' | 'rules'> & { sentence: string | null }
>;

export interface ScenarioResult extends Pick<Scenario, 'name' | 'intent' | 'right_client'> {
  readonly outcome: 'pass' | 'fail';
  /** Why it failed, if not because of an expectation or a rule. */
  readonly note: string | null;
  readonly duration_ms: number;
  readonly expect: readonly ExpectationResult[];
  /** What the client had to reach, and whether it did. */
  readonly outcomes: readonly { readonly id: OutcomeId; readonly reached: boolean }[];
  /** The conduct rules that the scenario is about. Each must be tested, and kept. */
  readonly conduct: readonly DeepReadonly<ConductReport['rules'][number]>[];
  /** At most 50. */
  readonly evidence: readonly EvidenceRow[];
}

/** The whole report. Its times are real time. */
export interface Certification {
  readonly version: string;
  readonly server_version: string;
  /** The order of the scenarios and the data follow from it: `--seed` repeats them. */
  readonly seed: string;
  readonly sandbox: string;
  /** The choices that differ from the default. */
  readonly assumptions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string;
  /** The command; null for a client that runs elsewhere. */
  readonly client: readonly string[] | null;
  readonly certified: boolean;
  /** The server's scenarios that were not run. */
  readonly left_out: readonly string[];
  readonly scenarios: readonly ScenarioResult[];
}

/** The first reason: the note, an unmet expectation, a missing outcome, or a rule; undefined if it passed. */
export const failureInWords = (result: ScenarioResult): string | undefined =>
  result.outcome === 'pass' ? undefined : reasons(result)[0];

/** Broken rules come before those that no call tested: these prove nothing. */
const reasons = ({ note, expect, outcomes, conduct }: ScenarioResult): string[] => [
  ...(note?.split('\n') ?? []),
  ...expect
    .filter(({ satisfied }) => !satisfied)
    .map(
      ({ match, count, came }) =>
        `${matchInWords(match)}: expected ${countInWords(count)}, but ${came ?? 'an unknown number'} came`,
    ),
  ...outcomes
    .filter(({ reached }) => !reached)
    .map(({ id }) => `${id} not reached: the client has to ${outcomeTexts[id]}`),
  ...conduct.filter(({ outcome }) => outcome === 'fail').map(({ id, advice }) => `${id}: ${advice}`),
  ...conduct
    .filter(({ outcome }) => outcome === 'not_exercised')
    .map(({ id, advice }) => `${id}: no call tested this rule. ${advice}`),
];

export const junitCases = ({ scenarios }: Certification): TestCase[] =>
  scenarios.map((result) => ({
    name: result.name,
    classname: 'sachet.certify',
    seconds: result.duration_ms / 1000,
    outcome: result.outcome,
    message: failureInWords(result),
    text: result.outcome === 'fail' ? failureLines(result).join('\n') : undefined,
  }));

/** Everything about a failed scenario, with the calls that show why. */
const failureLines = (result: ScenarioResult): string[] => [
  `A correct client: ${result.right_client}`,
  ...reasons(result),
  ...result.evidence.map(({ received_at, method, path, status, sentence }) =>
    [received_at, method, path, status ?? '-', sentence ?? ''].join(' '),
  ),
];

/** The verdict in words, such as `Certified for 2 of 14 scenarios`. */
export function verdictOf({ certified, left_out, scenarios }: Certification): string {
  if (!certified) return 'Not certified';
  const all = scenarios.length + left_out.length;
  return left_out.length === 0 ? 'Certified' : `Certified for ${scenarios.length} of ${all} scenarios`;
}

/** @example '2 of 14 scenarios passed' */
export const passedInWords = ({ scenarios }: Certification): string =>
  `${scenarios.filter(({ outcome }) => outcome === 'pass').length} of ${scenarios.length} scenarios passed`;

/** @example ['next_cursor=meta'] */
export const changedChoices = ({ assumptions }: Certification): string[] =>
  Object.entries(assumptions).map(([id, choice]) => `${id}=${choice}`);

/** The sentence of an accepted call ends with the assumptions that it met. */
export const withoutAssumptions = (line: string): string => line.replace(/ Assumed: .*$/, '');

/** The calls that the table shows of a failed scenario. */
const maxPrintedCalls = 5;

/**
 * The printed report: a row per scenario, the reasons under each that failed, and the verdict.
 * @param file the Markdown report, if one is written
 */
export function toTable(certification: Certification, file: string | undefined): string {
  const { certified, left_out, scenarios, seed } = certification;
  const [head = '', ...lines] = tableWithDetails([
    { cells: ['', 'scenario', 'result', 'seconds'] },
    ...scenarios.map((result) => ({ cells: cellsOf(result), details: printedFailure(result) })),
  ]);
  const choices = changedChoices(certification);
  const mark = certified ? marks.pass() : marks.fail();
  return [
    styled('bold', head),
    ...lines,
    '',
    `${mark} ${verdictOf(certification)}: ${passedInWords(certification)}`,
    ...(left_out.length === 0 ? [] : [`Not run: ${left_out.map(printable).join(', ')}`]),
    ...(choices.length === 0 ? [] : [`Assumptions: ${choices.map(printable).join(', ')}`]),
    `To repeat it: --seed ${printable(seed)}`,
    file === undefined ? 'To write the whole report as Markdown and JSON: --out DIR' : `Report: ${printable(file)}`,
    '',
  ].join('\n');
}

function cellsOf({ name, outcome, duration_ms }: ScenarioResult): string[] {
  const result = styled(outcome === 'pass' ? 'green' : 'red', outcome);
  return [marks[outcome](), printable(name), result, (duration_ms / 1000).toFixed(1)];
}

function printedFailure(result: ScenarioResult): string[] {
  if (result.outcome === 'pass') return [];
  const more = Math.max(0, result.evidence.length - maxPrintedCalls);
  const all = failureLines(result).map(withoutAssumptions);
  const lines = all.slice(0, all.length - more);
  return more > 0 ? [...lines, `… and ${more} more calls, in the Markdown report`] : lines;
}
