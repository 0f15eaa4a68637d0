// The report of a certification as Markdown, for its operator.

import { printable } from '../../client/printable.ts';
import { outcomes as outcomeTexts } from '../../contract/control/outcomes.ts';
import { countInWords, matchInWords } from './client.ts';
import {
  type Certification,
  changedChoices,
  type EvidenceRow,
  failureInWords,
  passedInWords,
  type ScenarioResult,
  verdictOf,
  withoutAssumptions,
} from './report.ts';

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
  const { left_out, scenarios } = certification;
  const notRun = left_out.length === 0 ? '' : ` Not run: ${left_out.map(plain).join(', ')}.`;
  const failedFirst = [...scenarios].sort((one, other) => one.outcome.localeCompare(other.outcome));
  return [
    `# ${verdictOf(certification)}`,
    '',
    `${passedInWords(certification)}.${notRun}`,
    '',
    ...table(['', ''], facts(certification)),
    '',
    ...table(['scenario', 'outcome', 'seconds', 'why'], scenarios.map(summary)),
    '',
    ...failedFirst.flatMap(scenarioSection),
  ].join('\n');
}

function facts(certification: Certification): string[][] {
  const { version, server_version, sandbox, seed, client, started_at, finished_at } = certification;
  const changed = changedChoices(certification);
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
  plain(withoutAssumptions(sentence ?? '')),
];

const section = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [...table(head, rows), ''];
