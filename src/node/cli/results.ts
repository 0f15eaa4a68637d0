// Where a command's results go: to people as text, to programs as JSON or as JUnit XML, chosen by its flags.
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { xmlLines, xmlText } from '../../http/markup.ts';
import { UsageError } from '../../system/exit-errors.ts';

/** The values of `--json` and `--junit`. */
export interface Outputs {
  readonly json: boolean;
  /** A file, or true for standard output. */
  readonly junit?: string | true | undefined;
}

/** The same results in each form. */
interface Results {
  /** The name of the JUnit suite. */
  readonly suite: string;
  readonly cases: readonly TestCase[];
  readonly document: unknown;
  readonly text: string;
}

/** @param printed what standard output gets otherwise */
export const junitFlag = (printed = 'report'): Option =>
  new Option(
    '--junit [file]',
    `write the results as JUnit XML to this file; without a file, print the XML instead of the ${printed}`,
  );

/**
 * Before the work: prepares the JUnit file. Returns the function that prints the results.
 * @throws UsageError if the file cannot be written, or both forms would go to standard output
 */
export function prepareOutputs({ json, junit }: Outputs): (results: Results) => void {
  if (junit === true && json)
    throw new UsageError('--json and --junit both print to standard output; pass a file to --junit');
  const writeJunit = typeof junit === 'string' ? prepareFile(junit, `the JUnit file ${junit}`) : undefined;
  return ({ suite, cases, document, text }) => {
    const xml = junit === undefined ? '' : junitDocument(suite, cases);
    // Printed first: if the file cannot be written, the output is still complete.
    if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
    else process.stdout.write(junit === true ? xml : text);
    writeJunit?.(xml);
  };
}

/**
 * Makes the folder of a report, tries to open its file, and removes the file of an earlier run. Returns the function
 * that writes it: after the work, a file that cannot be written is not a usage error.
 * @param what the file's name in messages, after "cannot write"
 * @throws UsageError if the file cannot be written
 */
export function prepareFile(path: string, what: string): (text: string) => void {
  tryToWrite(what, () => {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error('it is a folder');
    // Opening a pipe would wait for its reader.
    if (existing && !existing.isFile()) return;
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a'));
    // Removes a link to a file; for a broken link, removes the target that openSync has created.
    rmSync(existing ? path : realpathSync(path));
  });
  return (text) => tryToWrite(what, () => writeFileSync(path, text), Error);
}

/** @throws an error of the kind, with the name that `what` gives the file */
export function tryToWrite<T>(what: string, write: () => T, Kind: new (message: string) => Error = UsageError): T {
  try {
    return write();
  } catch (error) {
    throw new Kind(`cannot write ${what}: ${(error as Error).message}`);
  }
}

/** A test case of a JUnit document. */
export interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly seconds?: number | undefined;
  readonly outcome: 'pass' | 'fail' | 'skip';
  /** The reason, on one line. */
  readonly message?: string | undefined;
  /** The reason at length. Default: the message again, because not every CI shows the message of a failure. */
  readonly text?: string | undefined;
  readonly output?: string | undefined;
}

/** A document of one suite. */
export function junitDocument(suite: string, cases: readonly TestCase[]): string {
  const seconds = cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const totals = attributes({
    name: suite,
    tests: cases.length,
    failures: count('fail'),
    errors: 0,
    skipped: count('skip'),
    time: seconds.toFixed(3),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${totals}>`,
    `<testsuite${totals}>`,
    ...cases.map(testCaseElement),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCaseElement({ name, classname, seconds, outcome, message, text, output }: TestCase): string {
  const result = {
    fail: element('failure', { message }, xmlLines(text ?? message ?? '')),
    skip: element('skipped', { message }),
    pass: '',
  }[outcome];
  const printed = output ? element('system-out', {}, xmlLines(output)) : '';
  return element('testcase', { classname, name, time: seconds?.toFixed(3) }, result + printed);
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributes = (values: Attributes): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${xmlText(String(value))}"`]))
    .join('');

const element = (name: string, values: Attributes, content = ''): string =>
  content === '' ? `<${name}${attributes(values)}/>` : `<${name}${attributes(values)}>${content}</${name}>`;
