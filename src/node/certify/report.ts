// The report of a certification: as JSON, as Markdown, as test cases, and its files.

import type { ConductReport } from '../../contract/control/conduct.ts';
import type { Expectation } from '../../contract/control/match.ts';
import { type OutcomeId, outcomes as outcomeTexts } from '../../contract/control/outcomes.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { TestCase } from '../cli/results.ts';
import { printable } from '../printable.ts';
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
export function failureInWords({ outcome, note, expect, outcomes, conduct }: ScenarioResult): string | undefined {
  if (outcome === 'pass') return undefined;
  const unmet = expect.find(({ satisfied }) => !satisfied);
  if (note !== null) return note.replace(/\n.*/s, '');
  if (unmet)
    return (
      `expected ${countInWords(unmet.count)} of ${matchInWords(unmet.match)}, but ` +
      `${unmet.came ?? 'an unknown number'} came`
    );
  return [...missingOutcomes(outcomes), ...brokenRules(conduct)][0];
}

const missingOutcomes = (outcomes: ScenarioResult['outcomes']): string[] =>
  outcomes
    .filter(({ reached }) => !reached)
    .map(({ id }) => `${id} not reached: the client has to ${outcomeTexts[id]}`);

/** Broken rules first. A rule that no call tested proves nothing. */
const brokenRules = (conduct: ScenarioResult['conduct']): string[] =>
  [
    conduct.filter(({ outcome }) => outcome === 'fail').map(({ id, advice }) => `${id}: ${advice}`),
    conduct
      .filter(({ outcome }) => outcome === 'not_exercised')
      .map(({ id, advice }) => `${id}: no call tested this rule. ${advice}`),
  ].flat();

/** Foreign text as inline Markdown that shows it literally, also in a table cell. Not for the start of a line. */
const plain = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    // An underscore within a word has no meaning in Markdown.
    .map((line) => printable(line).replaceAll(/[\\`*[\]<>|~&$#@]|(?<![a-z\d])_|_(?![a-z\d])/gi, String.raw`\$&`))
    // A URL in foreign text must not become a link.
    .map((line) =>
      line.replaceAll('://', String.raw`:\//`).replaceAll(/\bwww\./gi, (www) => www.replace('.', String.raw`\.`)),
    )
    .join('<br>');

/** The cells are Markdown. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

export function toMarkdown(certification: Certification): string {
  const { certified, left_out, scenarios } = certification;
  const passed = scenarios.filter(({ outcome }) => outcome === 'pass').length;
  const isWhole = left_out.length === 0;
  const by = isWhole ? '' : ` for ${scenarios.length} of ${scenarios.length + left_out.length} scenarios`;
  const notRun = isWhole ? '' : ` Not run: ${left_out.map(plain).join(', ')}.`;
  const failedFirst = [...scenarios].sort((one, other) => one.outcome.localeCompare(other.outcome));
  return [
    certified ? `# Certified${by}` : '# Not certified',
    '',
    `${passed} of ${scenarios.length} scenarios passed.${notRun}`,
    '',
    ...table(['', ''], facts(certification)),
    '',
    ...table(['scenario', 'outcome', 'seconds', 'why'], scenarios.map(summary)),
    '',
    ...failedFirst.flatMap(scenarioSection),
  ].join('\n');
}

function facts(certification: Certification): string[][] {
  const { version, server_version, sandbox, seed, assumptions, client, started_at, finished_at } = certification;
  const changed = Object.entries(assumptions).map(([id, choice]) => `${id}=${choice}`);
  return [
    ['Sachet', plain(version)],
    ['server', plain(server_version)],
    ['sandbox', plain(sandbox)],
    ['seed', plain(seed)],
    ['assumptions', changed.length === 0 ? 'all defaults' : plain(changed.join(', '))],
    ['client', client === null ? 'run separately' : plain(client.join(' '))],
    ['started', started_at],
    ['finished', finished_at],
  ];
}

const summary = (result: ScenarioResult): string[] => [
  plain(result.name),
  result.outcome,
  (result.duration_ms / 1000).toFixed(1),
  plain(failureInWords(result) ?? ''),
];

/** How a scenario was judged; with the requests if it failed. */
const scenarioSection = (result: ScenarioResult): string[] => [
  `## ${result.outcome === 'fail' ? 'Failed' : 'Passed'}: ${plain(result.name)}`,
  '',
  `Intent: ${plain(result.intent)}`,
  '',
  `A correct client: ${plain(result.right_client)}`,
  '',
  ...(result.note === null ? [] : [`What happened: ${plain(result.note)}`, '']),
  ...section(
    ['calls', 'expected', 'came', 'as expected'],
    result.expect.map(({ match, count, came, satisfied }) => [
      plain(matchInWords(match)),
      countInWords(count),
      came === null ? 'unknown' : String(came),
      satisfied ? 'yes' : '**no**',
    ]),
  ),
  ...section(
    ['outcome', 'reached', 'what the client has to do'],
    result.outcomes.map(({ id, reached }) => [id, reached ? 'yes' : '**no**', plain(outcomeTexts[id])]),
  ),
  ...section(
    ['conduct rule', 'outcome', 'advice'],
    result.conduct.map(({ id, outcome, advice }) =>
      outcome === 'pass' ? [id, outcome, ''] : [id, `**${outcome}**`, plain(advice)],
    ),
  ),
  ...section(
    ['received at', 'call', 'status', 'rules', 'why'],
    result.outcome === 'fail' ? result.evidence.map(evidenceCells) : [],
  ),
];

const evidenceCells = ({ received_at, method, path, status, rules, sentence }: EvidenceRow): string[] => [
  plain(received_at),
  plain(`${method} ${path}`),
  String(status ?? 'no response'),
  plain(rules.join(', ')),
  // The sentence of an accepted call ends with the assumptions that it met.
  plain(sentence?.replace(/ Assumed: .*$/, '') ?? ''),
];

const section = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [...table(head, rows), ''];

export const junitCases = ({ scenarios }: Certification): TestCase[] =>
  scenarios.map((result) => ({
    name: result.name,
    classname: 'sachet.certify',
    seconds: result.duration_ms / 1000,
    outcome: result.outcome,
    message: failureInWords(result),
    text: result.outcome === 'fail' ? failureText(result) : undefined,
  }));

const failureText = ({ right_client, note, expect, outcomes, conduct, evidence }: ScenarioResult): string =>
  [
    `A correct client: ${right_client}`,
    ...(note === null ? [] : [note]),
    ...expect
      .filter(({ satisfied }) => !satisfied)
      .map(
        ({ match, count, came }) =>
          `${matchInWords(match)}: expected ${countInWords(count)}, but ${came ?? 'an unknown number'} came`,
      ),
    ...missingOutcomes(outcomes),
    ...brokenRules(conduct),
    ...evidence.map(({ received_at, method, path, status, sentence }) =>
      [received_at, method, path, status ?? '-', sentence ?? ''].join(' '),
    ),
  ].join('\n');
