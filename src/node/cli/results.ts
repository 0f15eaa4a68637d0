// Files that reports are written into: that they can be is tried before the work.

import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { xmlLines, xmlText } from '../../http/xml-text.ts';
import { UsageError } from '../../stores/errors.ts';

/**
 * Makes its folder, and leaves what is there as it is.
 * @param what how it is told, behind "cannot write"
 * @throws UsageError where it cannot be written.
 */
export const prepareFile = (path: string, what: string): void =>
  writing(what, () => {
    const former = statSync(path, { throwIfNoEntry: false });
    if (former?.isDirectory()) throw new Error('it is a folder');
    mkdirSync(dirname(path), { recursive: true });
    tryToOpen(path, former);
  });

/** Takes away what an earlier run has left there. @throws UsageError where it cannot. */
export const removeFormer = (path: string, what: string): void =>
  writing(what, () => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  });

/** Only opening tells all that may be in the way, such as a link to nowhere. A pipe would wait for whoever reads it. */
function tryToOpen(path: string, former: Stats | undefined): void {
  if (former && !former.isFile()) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'a'));
  if (!former) rmSync(realpathSync(path));
}

/** After the work: a file that cannot be written is no mistake of the command line any more. */
export class NotWrittenError extends Error {
  override readonly name = 'NotWrittenError';
}

/** @throws NotWrittenError where it cannot be written. */
export const writeReport = (path: string, what: string, text: string): void =>
  writing(what, () => writeFileSync(path, text), NotWrittenError);

function writing(what: string, write: () => void, Kind: typeof UsageError | typeof NotWrittenError = UsageError): void {
  try {
    write();
  } catch (error) {
    throw new Kind(`cannot write ${what}: ${(error as Error).message}`);
  }
}

// Results as JUnit XML, which CI systems read.

/** One thing that was tried. */
export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly seconds?: number | undefined;
  readonly outcome: 'pass' | 'fail' | 'skip';
  /** Why, on one line. */
  readonly message?: string | undefined;
  /** Why, at length. Default: the message again, as not every CI shows that of a failure. */
  readonly text?: string | undefined;
  readonly output?: string | undefined;
}

/** A suite of test cases as one document. */
export function junitDocument(suite: string, cases: readonly TestCase[]): string {
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const totals = {
    name: suite,
    tests: cases.length,
    failures: count('fail'),
    errors: 0,
    skipped: count('skip'),
    time: seconds.toFixed(3),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    `<testsuite${attributes(totals)}>`,
    ...cases.map(testCase),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ name, classname, seconds, outcome, message, text, output }: TestCase): string {
  const told = {
    fail: element('failure', { message }, text ?? message),
    skip: element('skipped', { message }),
    pass: '',
  }[outcome];
  const printed = output ? element('system-out', {}, output) : '';
  return element('testcase', { classname, name, time: seconds?.toFixed(3) }, undefined, told + printed);
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributes = (values: Attributes): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${xmlText(String(value))}"`]))
    .join('');

const element = (name: string, values: Attributes, text = '', inner = xmlLines(text)): string =>
  inner === '' ? `<${name}${attributes(values)}/>` : `<${name}${attributes(values)}>${inner}</${name}>`;

// Where the results of a command go: to people as text, to programs as JSON or as JUnit XML, by its flags.

/** What `--json` and `--junit` were given. */
export interface Outputs {
  readonly json: boolean;
  /** A file, or true for standard output. */
  readonly junit?: string | true | undefined;
}

/** Each form is made when it is asked for. */
export interface Results {
  /** What the suite of the JUnit document is called. */
  readonly suite: string;
  readonly cases: () => readonly TestCase[];
  readonly document: () => unknown;
  readonly text: () => string;
}

export const junitFlag = (): Option =>
  new Option(
    '--junit [file]',
    'write the results as JUnit XML into this file; without one, print that instead of the table',
  );

/**
 * Before the work: makes the folder of a JUnit file, and takes away what an earlier run has left there.
 * @throws UsageError where the file cannot be written, or JSON shall be printed, too.
 */
export function prepareOutputs({ json, junit }: Outputs): void {
  if (junit === true && json)
    throw new UsageError('--json and --junit both print to standard output; give --junit a file');
  if (junit === undefined || junit === true) return;
  prepareFile(junit, junitFile(junit));
  removeFormer(junit, junitFile(junit));
}

/** Prints what the flags ask for, and then writes it: no file takes away what is printed. @throws NotWrittenError */
export function printResults({ json, junit }: Outputs, { suite, cases, document, text }: Results): void {
  const xml = junit === undefined ? '' : junitDocument(suite, cases());
  if (json) process.stdout.write(`${JSON.stringify(document())}\n`);
  else process.stdout.write(junit === true ? xml : text());
  if (typeof junit === 'string') writeReport(junit, junitFile(junit), xml);
}

const junitFile = (path: string): string => `the JUnit file ${path}`;
