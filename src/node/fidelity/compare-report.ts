// The report of `sachet compare`: the differing calls in groups, as a table, as JSON and as test cases. Without secrets.

import { shellWord } from '../../contract/addresses.ts';
import { operationOf } from '../../fidelity/call-to-judge.ts';
import { callName, type RecordedAnswer } from '../../fidelity/difference.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import type { ReplayPlan, ReplayRequest } from '../../fidelity/replay.ts';
import type { TextRedactor } from '../../journal/redaction.ts';
import type { TestCase } from '../cli/results.ts';
import { marks, styled, tableWithDetails } from '../cli/table.ts';
import { counted } from '../printable.ts';
import type { Comparison } from './compare.ts';
import { assumptionsOf, type ComparedCall, countOf, rulesOf } from './sandbox-run.ts';

/** Differing calls of one operation, whose sandbox answers name the same rules. */
interface Group {
  readonly operation: string;
  readonly rules: readonly string[];
  /** Those that the sandbox's answer to the first call used. */
  readonly assumptions: readonly string[];
  /** The choices that explain the differences: `id=choice`. */
  readonly explained_by: readonly string[];
  readonly count: number;
  /** The first such call. */
  readonly request: string;
  readonly target: string;
  readonly sandbox: string;
  readonly differences: readonly { readonly path: string; readonly target: unknown; readonly sandbox: unknown }[];
}

/** For `--json`. */
export interface CompareDocument {
  readonly target: string;
  readonly calls: number;
  readonly different: number;
  /** Calls that are not compared, by the reason. */
  readonly not_comparable: Readonly<Record<string, number>>;
  readonly left_out: Readonly<Record<string, number>>;
  /** Why the target got no further calls; null if it got all. */
  readonly stopped: string | null;
  readonly operations: Readonly<Record<string, number>>;
  readonly explanations: readonly {
    readonly assumption: string;
    readonly target: string;
    readonly sandbox: string;
    readonly or: readonly string[];
    readonly count: number;
  }[];
  readonly groups: readonly Group[];
}

const nameOf = (call: RecordedCall): string => callName(operationOf(call)?.operation.id, call.method, call.path);

export function compareDocument(
  target: string,
  { calls, explanations, stopped }: Comparison,
  { leftOut }: ReplayPlan,
  redactor: TextRedactor,
): CompareDocument {
  const lacking = calls.filter(({ lacks }) => lacks !== undefined);
  const different = calls.filter((one) => countOf(one) > 0);
  const explainedBy = ({ call }: ComparedCall) =>
    explanations.filter((one) => one.calls.has(call)).map(({ assumption, choice }) => `${assumption}=${choice}`);
  const keyOf = (one: ComparedCall) => JSON.stringify([nameOf(one.call), rulesOf(one.sandbox), explainedBy(one)]);
  return {
    target,
    calls: calls.length,
    different: different.length,
    not_comparable: sizesOf(lacking, ({ lacks }) => `${lacks} does not have this record`),
    left_out: leftOut,
    stopped,
    operations: sizesOf(calls, ({ call }) => nameOf(call)),
    explanations: explanations.map(({ assumption, choice, instead, or, calls: explained }) => ({
      ...{ assumption, target: choice, sandbox: instead, or, count: explained.size },
    })),
    groups: Array.from(groupBy(different, keyOf).values(), (all) => groupOf(all, explainedBy, redactor)),
  };
}

function groupBy(calls: readonly ComparedCall[], keyOf: (one: ComparedCall) => string): Map<string, ComparedCall[]> {
  const groups = new Map<string, ComparedCall[]>();
  for (const one of calls) {
    const group = groups.get(keyOf(one)) ?? [];
    groups.set(keyOf(one), group);
    group.push(one);
  }
  return groups;
}

const sizesOf = (...asked: Parameters<typeof groupBy>): Record<string, number> =>
  Object.fromEntries(Array.from(groupBy(...asked), ([key, calls]) => [key, calls.length]));

function groupOf(
  calls: readonly ComparedCall[],
  explainedBy: (one: ComparedCall) => string[],
  redactor: TextRedactor,
): Group {
  const first = calls[0] as ComparedCall;
  const { call, request, target, sandbox, differences } = first;
  return {
    operation: nameOf(call),
    rules: rulesOf(sandbox),
    assumptions: assumptionsOf(sandbox),
    explained_by: explainedBy(first),
    count: calls.length,
    request: requestText(request, redactor),
    target: answerText(target, redactor),
    sandbox: answerText(sandbox, redactor),
    differences: differences.map(({ path, one, other }) => ({
      path,
      ...{ target: shown(redactor, path, one), sandbox: shown(redactor, path, other) },
    })),
  };
}

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

const explanationLine = ({ assumption, target, sandbox, or, count }: CompareDocument['explanations'][number]): string =>
  `${assumption}: the target answers as with ${target}, the sandbox has ${sandbox} (${counted(count, 'call')}); ` +
  `run with --assume ${shellWord(`${assumption}=${target}`).replace(/^'([\w=/]+)'$/, '$1')}${or.length > 0 ? `; ${or.join(', ')} would explain them, too` : ''}`;

const countLines = (title: string, counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).map(([reason, count]) => `${title}: ${counted(count, 'call')}, because ${reason}`);

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
    ...countLines('Not comparable', not_comparable),
    ...countLines('Left out', left_out),
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
