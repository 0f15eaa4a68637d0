// The report of `sachet compare`: the differing calls in groups, as a table, JSON and test cases; without secrets.

import { counted } from '../../client/printable.ts';
import { shellWord } from '../../contract/addresses.ts';
import { operationOf } from '../../fidelity/call-to-judge.ts';
import { callName, type RecordedAnswer } from '../../fidelity/difference.ts';
import type { ReplayPlan, ReplayRequest } from '../../fidelity/replay.ts';
import type { TextRedactor } from '../../journal/redaction.ts';
import type { TestCase } from '../cli/results.ts';
import { marks, styled, tableWithDetails } from '../cli/table.ts';
import type { Explanation } from './explain.ts';
import { countsOf } from './har-files.ts';
import { assumptionsOf, type ComparedCall, countOf, rulesOf } from './sandbox-run.ts';

export interface Comparison {
  readonly calls: readonly ComparedCall[];
  readonly explanations: readonly Explanation[];
  /** Why the target got no further calls. */
  readonly stopped: string | null;
}

const nameOf = ({ call }: ComparedCall): string => callName(operationOf(call)?.operation.id, call.method, call.path);

/** For `--json`. */
export type CompareDocument = ReturnType<typeof compareDocument>;
type Counts = Readonly<Record<string, number>>;

export function compareDocument(
  target: string,
  { calls, explanations, stopped }: Comparison,
  { leftOut }: ReplayPlan,
  redactor: TextRedactor,
) {
  const different = calls.filter((one) => countOf(one) > 0);
  const lacking = calls.flatMap(({ lacks }) => (lacks ? [`${lacks} does not have this record`] : []));
  const explainedBy = ({ call }: ComparedCall) =>
    explanations.filter((one) => one.calls.has(call)).map(({ assumption, choice }) => `${assumption}=${choice}`);
  const keys = different.map((one) => JSON.stringify([nameOf(one), rulesOf(one.sandbox), explainedBy(one)]));
  return {
    target,
    calls: calls.length,
    different: different.length,
    /** By the reason. */
    not_comparable: Object.fromEntries(countsOf(lacking)),
    left_out: leftOut,
    /** Why the target got no further calls; null if it got all. */
    stopped,
    operations: Object.fromEntries(countsOf(calls.map(nameOf))),
    explanations: explanations.map(({ assumption, choice, instead, or, calls: explained }) => ({
      ...{ assumption, target: choice, sandbox: instead, or, count: explained.size },
    })),
    /** Differing calls of one operation, with the same rules and explanations. */
    groups: Array.from(countsOf(keys), ([key, count]) => {
      // The texts are those of the first call.
      const first = different[keys.indexOf(key)] as ComparedCall;
      return {
        operation: nameOf(first),
        rules: rulesOf(first.sandbox),
        /** Those that the sandbox's answer used. */
        assumptions: assumptionsOf(first.sandbox),
        explained_by: explainedBy(first),
        count,
        request: requestText(first.request, redactor),
        target: answerText(first.target, redactor),
        sandbox: answerText(first.sandbox, redactor),
        differences: first.differences.map(({ path, one, other }) => ({
          path,
          target: shown(redactor, path, one),
          sandbox: shown(redactor, path, other),
        })),
      };
    }),
  };
}

type Group = CompareDocument['groups'][number];

/** The value as it is in the report; null for a missing one, which JSON would leave out. */
const shown = (redactor: TextRedactor, path: string, value: unknown): unknown =>
  redactor.field(path.replace(/.*\./, ''), value) ?? (value === undefined ? '<missing>' : null);

function requestText({ method, target, body }: ReplayRequest, redactor: TextRedactor): string {
  const [path = '', query = ''] = target.split(/(?=\?)/);
  return [method, redactor.text(path) + redactor.query(query), ...(body ? [redactor.body(body)] : [])].join(' ');
}

const answerText = ({ status, responseBody = '' }: RecordedAnswer, redactor: TextRedactor): string =>
  `${status} ${redactor.body(responseBody)}`.trimEnd();

/** The table shows no more of a text, and no more differences of a call. */
const maxCharacters = 300;
const maxDifferences = 10;
const cut = (text: string): string => (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);

const differenceLine = ({ path, target, sandbox }: Group['differences'][number]): string =>
  cut(`${path}: target ${JSON.stringify(target)}, sandbox ${JSON.stringify(sandbox)}`);

function groupLines({ request, target, sandbox, differences, explained_by }: Group): string[] {
  const more = differences.length - maxDifferences;
  return [
    ...(explained_by.length > 0 ? [`explained by ${explained_by.join(' and ')}`] : []),
    ...differences.slice(0, maxDifferences).map(differenceLine),
    ...(more > 0 ? [`… and ${more} more; --json has all`] : []),
    ...[cut(`first call: ${request}`), cut(`target: ${target}`), cut(`sandbox: ${sandbox}`)],
  ];
}

function explanationLine({ assumption, target, sandbox, or, count }: CompareDocument['explanations'][number]): string {
  const flag = shellWord(`${assumption}=${target}`).replace(/^'([\w=/]+)'$/, '$1');
  const others = or.length > 0 ? `; ${or.join(', ')} would explain them, too` : '';
  return (
    `${assumption}: the target answers as with ${target}, the sandbox has ${sandbox} (${counted(count, 'call')}); ` +
    `run with --assume ${flag}${others}`
  );
}

/** A line for each reason. */
export const countLines = (counts: Counts, title = ''): string[] =>
  Object.entries(counts).map(([reason, count]) => `${title}${counted(count, 'call')}, because ${reason}`);

export function compareTable(document: CompareDocument): string {
  const { calls, different, groups, operations, explanations, not_comparable, left_out, stopped } = document;
  const same = Object.keys(operations).filter((name) => groups.every(({ operation }) => operation !== name));
  const lines = tableWithDetails([
    ...same.map((name) => ({ cells: [marks.pass(), name, counted(operations[name] ?? 0, 'call')] })),
    ...groups.map((group) => ({
      cells: [
        marks.fail(),
        group.operation,
        styled('red', `${group.count} of ${counted(operations[group.operation] ?? 0, 'call')} differ`),
        group.rules.join(', '),
      ],
      details: groupLines(group),
    })),
  ]);
  const summary = [
    `${counted(calls, 'call')} compared, ${different} different`,
    ...countLines(not_comparable, 'Not comparable: '),
    ...countLines(left_out, 'Left out: '),
    ...explanations.map(explanationLine),
    ...(stopped === null ? [] : [`Stopped after ${counted(calls, 'call')}: ${stopped}`]),
  ];
  return `${[...lines, '', ...summary].join('\n')}\n`;
}

/** One case per operation. */
export function compareCases({ operations, groups, stopped, calls }: CompareDocument): TestCase[] {
  const cases = Object.keys(operations).map((name): TestCase => {
    const own = groups.filter(({ operation }) => operation === name);
    const count = own.reduce((sum, group) => sum + group.count, 0);
    const result = { classname: 'sachet.compare', name };
    if (count === 0) return { ...result, outcome: 'pass' };
    const message = `${count} of ${counted(operations[name] ?? 0, 'call')} differ`;
    return { ...result, outcome: 'fail', message, text: [message, ...own.flatMap(groupLines)].join('\n') };
  });
  if (stopped === null) return cases;
  const message = `stopped after ${counted(calls, 'call')}: ${stopped}`;
  return [...cases, { classname: 'sachet.compare', name: 'all calls', outcome: 'fail', message }];
}
