// `sachet report`: prints the conduct report of a sandbox of a running server.
import type { Command } from 'commander';
import { counted, printable } from '../../client/printable.ts';
import { bounds } from '../../contract/control/bounds.ts';
import { type ConductReport, conductReport } from '../../contract/control/conduct.ts';
import { controlOf, entryLine, type Remote, readJournal, resultOf } from '../remote-sandbox.ts';
import { addOptions, jsonFlag, type RemoteFlags, remoteFlags, remoteOf } from './flags.ts';
import { junitFlag, type Outputs, prepareOutputs, type TestCase } from './results.ts';
import { marks, styled, tableWithDetails } from './table.ts';

type Rule = ConductReport['rules'][number];

/** A request by its id, on one line. */
type LineOf = (id: string) => string;

export const add = (line: Command): Command =>
  addOptions(line.command('report'), remoteFlags())
    .description('print the conduct report: what a client did right and wrong; exit with 1 if a rule failed')
    .addOption(jsonFlag('print the report as one line of JSON'))
    .addOption(junitFlag())
    .action(report);

async function report(options: RemoteFlags & Outputs): Promise<void> {
  const remote = remoteOf(options);
  const print = prepareOutputs(options);
  const conduct = await resultOf(remote, conductReport, controlOf(remote).report.get());
  const line = isBroken(conduct) ? await readLines(remote) : printable;
  print({ suite: 'sachet report', cases: casesOf(conduct, line), document: conduct, text: toTable(conduct, line) });
  if (conduct.rules.every(({ outcome }) => outcome === 'not_exercised'))
    process.stderr.write(`sachet: ${notExercised(remote)}\n`);
  if (isBroken(conduct)) process.exitCode = 1;
}

const notExercised = ({ sandbox, url }: Remote): string =>
  `no call in sandbox "${sandbox}" at ${url} has exercised a rule since its journal was cleared; point the ` +
  'client there, or pass the sandbox that it called with --sandbox';

const isBroken = ({ rules }: ConductReport): boolean => rules.some(({ outcome }) => outcome === 'fail');

/** A request that the journal has evicted is shown by its id alone. */
async function readLines(remote: Remote): Promise<LineOf> {
  const { requests } = await readJournal(remote);
  const lines = new Map(requests.map((entry) => [entry.id, entryLine(entry)]));
  return (id) => [printable(id), lines.get(id) ?? '(no longer in the journal)'].join(' ');
}

function toTable({ rules }: ConductReport, line: LineOf): string {
  const lines = tableWithDetails(
    rules.map((rule) => ({
      cells: cellsOf(rule),
      details: rule.outcome === 'fail' ? [rule.advice, ...rule.evidence.map(line)] : [],
    })),
  );
  const count = (outcome: Rule['outcome']) => rules.filter((rule) => rule.outcome === outcome).length;
  const counts = `${count('pass')} passed, ${count('fail')} failed, ${count('not_exercised')} not exercised`;
  return `${[...lines, '', counts].join('\n')}\n`;
}

function cellsOf({ id, outcome, evidence }: Rule): string[] {
  const color = { pass: 'green', fail: 'red', not_exercised: 'dim' } as const;
  return [marks[outcomes[outcome]](), id, styled(color[outcome], outcome), requestsIn(evidence.length)];
}

function requestsIn(evidence: number): string {
  if (evidence === 0) return '';
  return counted(evidence, 'request') + (evidence >= bounds.conductEvidence ? ' or more' : '');
}

const outcomes = { pass: 'pass', fail: 'fail', not_exercised: 'skip' } as const;

const casesOf = ({ rules }: ConductReport, line: LineOf): TestCase[] =>
  rules.map(({ id, outcome, advice, evidence }) => ({
    name: id,
    classname: 'sachet.report',
    outcome: outcomes[outcome],
    ...(outcome === 'fail' && { message: advice, text: evidence.map(line).join('\n') }),
    ...(outcome === 'not_exercised' && { message: 'no call exercised the rule' }),
  }));
