// What a certification says: the result as JSON, as Markdown, as test cases, and on the way line by line.
import { join } from 'node:path';
import type { Expectation } from '../../contract/control/match.ts';
import type { ConductReport } from '../../contract/control/report.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { prepareFile, removeFormer, type TestCase, writeReport } from '../cli/results.ts';
import { printable } from '../printable.ts';
import { countInWords, matchInWords } from './client.ts';

/** Calls that a scenario expects, and how many came: null where the journal no longer has all that would tell. */
type ExpectationResult = DeepReadonly<Expectation> & { readonly came: number | null; readonly satisfied: boolean };

/** A call that an expectation or a broken rule names. */
export interface EvidenceRow {
  readonly id: string;
  /** By the sandbox's clock. */
  readonly received_at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly rules: readonly string[];
  readonly sentence: string | null;
}

export interface ScenarioResult {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly outcome: 'pass' | 'fail';
  /** Why it failed, where that is no expectation's and no rule's. */
  readonly note: string | null;
  readonly duration_ms: number;
  readonly expect: readonly ExpectationResult[];
  /** The rules of the conduct report that it is about. */
  readonly conduct: readonly DeepReadonly<ConductReport['rules'][number]>[];
  /** At most 50. */
  readonly evidence: readonly EvidenceRow[];
}

/** The whole report. Times are real. */
export interface Certification {
  readonly version: string;
  readonly server_version: string;
  /** null for a server elsewhere, whose seed nobody tells. */
  readonly seed: string | null;
  readonly sandbox: string;
  /** The readings that differ from the default. */
  readonly assumptions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string;
  /** The command; null for a client that calls by itself. */
  readonly client: readonly string[] | null;
  readonly certified: boolean;
  /** Scenarios of the server that were not walked. */
  readonly left_out: readonly string[];
  readonly scenarios: readonly ScenarioResult[];
}

/** The first reason: what kept the client from its calls, an expectation that was not met, a rule that was broken. */
export function failureInWords({ outcome, note, expect, conduct }: ScenarioResult): string | undefined {
  if (outcome === 'pass') return undefined;
  const unmet = expect.find(({ satisfied }) => !satisfied);
  const broken = conduct.find((rule) => rule.outcome === 'fail');
  if (note !== null) return note.replace(/\n.*/s, '');
  if (unmet)
    return `expected ${countInWords(unmet.count)} of ${matchInWords(unmet.match)}, and ${unmet.came ?? 'nobody knows how many'} came`;
  return broken ? `${broken.id}: ${broken.advice}` : undefined;
}

// Text from elsewhere in a Markdown document: it stands there as it is, in a table, too, and forms nothing.

/** The text with its lines in one line of Markdown. It must not stand at the beginning of one. */
const plain = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => escaped(printable(line)))
    .join('<br>');

/** Nor does an address in it become a link. */
const escaped = (line: string): string =>
  line
    // An underscore within a word has no meaning.
    .replaceAll(/[\\`*[\]<>|~&$#@]|(?<![a-z\d])_|_(?![a-z\d])/gi, String.raw`\$&`)
    .replaceAll('://', String.raw`:\//`)
    .replaceAll(/\bwww\./gi, (found) => found.replace('.', String.raw`\.`));

/** A table with a head; the cells are Markdown. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** The report for people: the same as the JSON report says, as Markdown. */
export function markdownOf(certification: Certification): string {
  const { scenarios } = certification;
  const passed = scenarios.filter(({ outcome }) => outcome === 'pass').length;
  return [
    `# ${heading(certification)}`,
    '',
    `${passed} of ${scenarios.length} scenarios passed.${leftOut(certification)}`,
    '',
    ...table(['', ''], facts(certification)),
    '',
    ...table(['scenario', 'outcome', 'seconds', 'why'], scenarios.map(summary)),
    '',
    ...[...scenarios].sort(failedFirst).flatMap(account),
  ].join('\n');
}

/** A walk that left scenarios out says so at once. */
function heading({ certified, left_out, scenarios }: Certification): string {
  if (!certified) return 'Not certified';
  const all = scenarios.length + left_out.length;
  return left_out.length === 0 ? 'Certified' : `Certified by ${scenarios.length} of ${all} scenarios`;
}

const leftOut = ({ left_out }: Certification): string =>
  left_out.length === 0 ? '' : ` Not walked: ${left_out.map(plain).join(', ')}.`;

function facts(certification: Certification): string[][] {
  const { version, server_version, sandbox, seed, assumptions, client, started_at, finished_at } = certification;
  const turned = Object.entries(assumptions).map(([id, choice]) => `${id}=${choice}`);
  return [
    ['Sachet', plain(version)],
    ['server', plain(server_version)],
    ['sandbox', plain(sandbox)],
    ['random seed', seed === null ? "the server's own" : plain(seed)],
    ['assumptions', turned.length === 0 ? 'as by default' : plain(turned.join(', '))],
    ['client', client === null ? 'called by itself' : plain(client.join(' '))],
    ['begun', started_at],
    ['ended', finished_at],
  ];
}

const summary = (result: ScenarioResult): string[] => [
  plain(result.name),
  result.outcome,
  (result.duration_ms / 1000).toFixed(1),
  plain(failureInWords(result) ?? ''),
];

const failedFirst = (one: ScenarioResult, other: ScenarioResult): number => one.outcome.localeCompare(other.outcome);

/** By what a scenario was judged; of one that failed the requests, too. */
const account = (result: ScenarioResult): string[] => [
  `## ${result.outcome === 'fail' ? 'Failed' : 'Passed'}: ${plain(result.name)}`,
  '',
  `Intent: ${plain(result.intent)}`,
  '',
  `A right client: ${plain(result.right_client)}`,
  '',
  ...(result.note === null ? [] : [`What happened: ${plain(result.note)}`, '']),
  ...section(['calls', 'expected', 'came', 'as expected'], result.expect.map(expectation)),
  ...section(['rule of conduct', 'outcome', 'advice'], result.conduct.map(rule)),
  ...section(
    ['received at', 'call', 'status', 'rules', 'why'],
    result.outcome === 'fail' ? result.evidence.map(call) : [],
  ),
];

const expectation = ({ match, count, came, satisfied }: ScenarioResult['expect'][number]): string[] => [
  plain(matchInWords(match)),
  countInWords(count),
  came === null ? 'not known' : String(came),
  satisfied ? 'yes' : '**no**',
];

const rule = ({ id, outcome, advice }: ScenarioResult['conduct'][number]): string[] =>
  outcome === 'fail' ? [id, '**fail**', plain(advice)] : [id, outcome, ''];

const call = ({ received_at, method, path, status, rules, sentence }: EvidenceRow): string[] => [
  plain(received_at),
  plain(`${method} ${path}`),
  String(status ?? 'none'),
  plain(rules.join(', ')),
  plain(withoutReadings(sentence ?? '')),
];

/** An accepted call's sentence ends with all readings that were asked for. */
const withoutReadings = (sentence: string): string => sentence.replace(/; assumed: .*$/, '');

const section = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [...table(head, rows), ''];

// The report as test cases: one per scenario.

export const junitCases = ({ scenarios }: Certification): TestCase[] =>
  scenarios.map((result) => ({
    name: result.name,
    classname: 'sachet.certify',
    seconds: result.duration_ms / 1000,
    outcome: result.outcome,
    message: failureInWords(result),
    text: result.outcome === 'fail' ? accountOf(result) : undefined,
  }));

const accountOf = ({ right_client, note, expect, conduct, evidence }: ScenarioResult): string =>
  [
    `A right client: ${right_client}`,
    ...(note === null ? [] : [note]),
    ...expect
      .filter(({ satisfied }) => !satisfied)
      .map(({ match, count, came }) => `${matchInWords(match)}: expected ${countInWords(count)}, came ${came}`),
    ...conduct.filter(({ outcome }) => outcome === 'fail').map(({ id, advice }) => `${id}: ${advice}`),
    ...evidence.map(({ received_at, method, path, status, sentence }) =>
      [received_at, method, path, status ?? '-', sentence ?? ''].join(' '),
    ),
  ].join('\n');

// The folder that the reports of a certification are written into.

const files = { markdown: 'certification.md', json: 'certification.json' } as const;
const kinds = ['markdown', 'json'] as const;

const into = (folder: string): string => `into the folder "${folder}"`;

/**
 * Makes the folder, before anything is done, and takes away the reports that an earlier walk has left there.
 * @throws UsageError where the reports cannot be written there.
 */
export function prepareOut(folder: string): void {
  const paths = kinds.map((kind) => join(folder, files[kind]));
  for (const path of paths) prepareFile(path, into(folder));
  for (const path of paths) removeFormer(path, into(folder));
}

/** @throws UsageError where they cannot be written there. */
export function writeOut(folder: string, texts: Readonly<Record<keyof typeof files, string>>): void {
  for (const kind of kinds) writeReport(join(folder, files[kind]), into(folder), texts[kind]);
}
