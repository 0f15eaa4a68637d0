// What `sachet learn` and `sachet calibrate` print, and the config file that they write.
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { counted, printable } from '../../client/printable.ts';
import { FilesError } from '../../contract/file-errors.ts';
import {
  configOf,
  type Evidence,
  type Finding,
  type LearnedReport,
  type Observation,
  type SachetConfig,
  settledChoice,
} from '../../contract/observations.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { makeFolder, type Outputs, prepareOutputs, type TestCase, tryToWrite } from '../cli/results.ts';
import { marks, styled, tableWithDetails } from '../cli/table.ts';
import { printProgress } from '../client-output.ts';
import { loadConfig } from '../load-files.ts';

export interface ReportFlags extends Outputs {
  /** The file of an earlier config. */
  readonly config?: string;
  /** The file for the new one. */
  readonly out: string;
}

const urlHint =
  'check the base URL: after it, the paths must be those of the contract, such as https://api.example.com/v2/products';

/**
 * Before the work: reads the earlier config, and checks that the files can be written. Returns the function that prints
 * the report and writes the config; its result is whether there are calls, and no findings.
 * @throws UsageError; ConfigError for a faulty config
 */
export function prepareReport(command: 'learn' | 'calibrate', flags: ReportFlags) {
  const { config, out } = flags;
  const earlier = config === undefined ? undefined : loadConfig(config);
  if (typeof flags.junit === 'string' && resolve(flags.junit) === resolve(out))
    throw new UsageError(`--out and --junit both name ${out}; pass two different files`);
  checkConfigFile(out);
  const print = prepareOutputs(flags);
  return (learned: LearnedReport): boolean => {
    const { report, contradicted } = withEarlier(learned, earlier);
    const text = `${textOfReport(report)}\nConfig: ${printable(out)}\n`;
    print({ suite: `sachet ${command}`, cases: casesOfReport(report, `sachet.${command}`), document: report, text });
    for (const sentence of contradicted) printProgress(`sachet: ${sentence}`);
    writeConfig(out, report, earlier);
    const isUnknown = report.calls === 0 && Object.keys(report.skipped).length > 0;
    if (isUnknown) printProgress(`sachet: no call could be judged; ${urlHint}`);
    return report.findings.length === 0 && report.calls > 0;
  };
}

/**
 * The report with what an earlier config settled. Where answers contradict an earlier choice, they win: `contradicted`
 * has a sentence for each.
 */
export function withEarlier(report: LearnedReport, earlier: SachetConfig = {}) {
  const contradicted: string[] = [];
  const observations = report.observations.map((one) => {
    const { assumption: id, allowed, evidence } = one;
    const choice = earlier.assumptions?.[id];
    const seen = earlier.verified?.[id];
    if (choice === undefined || settledChoice(one) === choice) return one;
    if (!allowed.includes(choice)) {
      const since = evidence ? ` since ${placeOf(evidence)}` : '';
      contradicted.push(
        `${id}: the earlier config has ${choice}, the answers allow only ${allowed.join(', ')}${since}`,
      );
      return one;
    }
    return seen ? { ...one, allowed: [choice], evidence: seen, next: null } : one;
  });
  const merged: LearnedReport = { ...report, observations, facts: { ...earlier.facts, ...report.facts } };
  return { report: merged, contradicted };
}

/** @throws UsageError if the config cannot be written, also because another file is there */
function checkConfigFile(path: string): void {
  tryToWrite(path, () => {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing && !existing.isFile()) throw new Error('it is not a file; pass another path with --out');
    try {
      if (existing) loadConfig(path);
    } catch (error) {
      if (!(error instanceof FilesError)) throw error;
      throw new Error('the file exists and is not a sachet config; move it away, or pass another path with --out');
    }
  });
}

/**
 * Writes the config of a report: all of it, or nothing.
 * @param report with what the earlier config settled
 * @param earlier its choices without evidence stay unless an answer contradicts them
 * @throws Error if the file cannot be written
 */
export function writeConfig(path: string, report: LearnedReport, earlier: SachetConfig = {}): void {
  const config = configOf(report);
  const kept = report.observations
    .filter(({ assumption, allowed }) => allowed.includes(earlier.assumptions?.[assumption] ?? ''))
    .map(({ assumption }) => [assumption, earlier.assumptions?.[assumption]]);
  const assumptions = { ...Object.fromEntries(kept), ...config.assumptions };
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => {
    writeFileSync(temporary, `${JSON.stringify({ ...config, assumptions }, null, 2)}\n`);
    renameSync(temporary, path);
  };
  try {
    tryToWrite(path, write, Error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The report for people. */
export function textOfReport(report: LearnedReport): string {
  const { calls, findings, observations, facts, skipped } = report;
  const settled = observations.filter((one) => settledChoice(one) !== undefined);
  const open = observations.filter((one) => settledChoice(one) === undefined);
  const sections = [
    section(`Settled: ${settled.length} of ${counted(observations.length, 'assumption')}`, settled.map(settledRow)),
    section(`Open: ${open.length}, with the calls that would decide them`, open.map(openRow)),
    section(`Findings: ${findings.length}`, findings.map(findingRow)),
    section(
      'Facts',
      Object.entries(facts).map(([name, value]) => ({ cells: [name, printable([value].flat().join(', '))] })),
    ),
    section(
      'Calls that could not be judged',
      Object.entries(skipped).map(([reason, count]) => ({ cells: [String(count), printable(reason)] })),
    ),
  ];
  return [`Read ${counted(calls, 'call')} of the service.`, ...sections.flat(), ''].join('\n');
}

type Row = Parameters<typeof tableWithDetails>[0][number];

/** The title and its rows, after an empty line. Without rows there is no section. */
const section = (title: string, rows: readonly Row[]): string[] =>
  rows.length === 0 ? [] : ['', styled('bold', title), ...tableWithDetails(rows)];

/** The call, and where and when it was seen. */
const placeOf = ({ call, source, at }: Evidence): string => printable(`${call} (${source}, ${at})`);

const settledRow = (one: Observation): Row => ({
  cells: [marks.pass(), one.assumption, settledChoice(one) ?? '', one.evidence ? placeOf(one.evidence) : ''],
});

const openRow = ({ assumption, allowed, next }: Observation): Row => ({
  cells: [marks.skip(), assumption, allowed.join(' or ')],
  details: next ? [next] : [],
});

/** Longer lines are cut; `--json` and `--junit` have them whole. */
const maxLineCharacters = 300;

const shortened = (line: string): string =>
  line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters - 1)}…` : line;

const findingRow = (one: Finding): Row => ({
  cells: [marks.fail(), printable(one.rules.join(', ')), counted(one.count, 'call'), placeOf(one.evidence)],
  details: [...one.problems, ...`request: ${one.request}\nanswer: ${one.answer}`.split('\n')].map(shortened),
});

/** The test cases of a report: each assumption, skipped if it is open; each finding, failed. */
export function casesOfReport({ observations, findings }: LearnedReport, classname: string): TestCase[] {
  const assumptions = observations.map((one): TestCase => {
    const { assumption: name, allowed, next } = one;
    if (settledChoice(one) !== undefined) return { name, classname, outcome: 'pass' };
    return { name, classname, outcome: 'skip', message: `open: ${allowed.join(' or ')}${next ? `; ${next}` : ''}` };
  });
  const failed = findings.map(
    ({ rules, problems, request, answer, evidence }): TestCase => ({
      name: `${rules.join(', ')}: ${evidence.call}`,
      classname,
      outcome: 'fail',
      message: problems.join(' '),
      text: [...problems, `request: ${request}`, `answer: ${answer}`, placeOf(evidence)].join('\n'),
    }),
  );
  return [...assumptions, ...failed];
}
