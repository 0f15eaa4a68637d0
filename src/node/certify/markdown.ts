// The report for people: the same as the JSON report says, as Markdown.
import type { Certification, EvidenceRow, ScenarioResult } from './certification.ts';
import { countInWords, matchInWords } from './expectation-words.ts';
import { failureInWords } from './failure-words.ts';
import { plain, table } from './markdown-text.ts';

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
  const turned = Object.entries(assumptions).map(([id, reading]) => `${id}=${reading}`);
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
