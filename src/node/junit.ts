// Results as JUnit XML, which CI systems read: the document, the flag that asks for it, and where it goes.
import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Option } from 'commander';
import { xmlLines, xmlText } from '../http/xml-text.ts';
import { flag } from './flags.ts';
import { UsageError } from './usage-error.ts';

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

/** What `--junit` was given: a file, or true for standard output. */
export type Junit = string | true;

export const junitFlag = (): Option =>
  flag('--junit [file]', 'write the results as JUnit XML into this file; without one, print that instead of the table');

/**
 * Before the work: makes the file's folder, and takes away what an earlier run has left there.
 * @throws UsageError where the file cannot be written, or JSON shall be printed, too.
 */
export function prepareJunit(junit: Junit | undefined, json: boolean): void {
  if (junit === true && json)
    throw new UsageError('--json and --junit both print to standard output; give --junit a file');
  if (junit === undefined || junit === true) return;
  writing(junit, () => {
    const former = statSync(junit, { throwIfNoEntry: false });
    if (former?.isDirectory()) throw new Error('it is a folder');
    mkdirSync(dirname(junit), { recursive: true });
    if (former?.isFile()) rmSync(junit);
    accessSync(former && !former.isFile() ? junit : dirname(junit), constants.W_OK);
  });
}

/** Writes the document where the flag says. @throws UsageError for a file that cannot be written. */
export function writeJunit(junit: Junit, document: string): void {
  if (junit === true) process.stdout.write(document);
  else writing(junit, () => writeFileSync(junit, document));
}

function writing(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UsageError(`cannot write the JUnit file ${file}: ${(error as Error).message}`);
  }
}
