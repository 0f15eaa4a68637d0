// Where a command's results go: to people as text, to programs as JSON or as JUnit XML, chosen by its flags.
import { closeSync, mkdirSync, openSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { xmlLines, xmlText } from '../../http/markup.ts';
import { reasonOf } from '../../stores/folder/file-system.ts';
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
  /** Missing if there is no result in this form. */
  readonly document?: unknown;
  readonly text?: string;
}

/** @param printed what standard output gets otherwise */
export const junitFlag = (printed = 'report'): Option =>
  new Option(
    '--junit [file]',
    `write the results as JUnit XML to this file; without a file, print the XML instead of the ${printed}`,
  );

/** A file that a command writes its results to. `what` names it in messages, after "cannot write". */
interface OutputFile {
  readonly path: string;
  readonly what: string;
}

/**
 * Before the work: prepares the JUnit file, and the command's own files. Returns the function that prints the results
 * and writes the files: all of them, or none.
 * @param own the command's own files; their texts come after the results, in the same order
 * @throws UsageError if a file cannot be written, or both forms would go to standard output
 */
export function prepareOutputs({ json, junit }: Outputs, own: readonly OutputFile[] = []) {
  if (junit === true && json)
    throw new UsageError('--json and --junit both print to standard output; pass a file to --junit');
  const junitFiles = typeof junit === 'string' ? [{ path: junit, what: `the JUnit file ${junit}` }] : [];
  const write = prepareFiles([...junitFiles, ...own]);
  return ({ suite, cases, document, text = '' }: Results, ...texts: readonly string[]): void => {
    const xml = junit === undefined ? '' : junitDocument(suite, cases);
    // Printed first: if a file cannot be written, the output is still complete.
    if (json) process.stdout.write(document === undefined ? '' : `${JSON.stringify(document)}\n`);
    else process.stdout.write(junit === true ? xml : text);
    write([...junitFiles.map(() => xml), ...texts]);
  };
}

/**
 * Checks that all files can be written, then removes those of an earlier run. Returns the function that writes them:
 * after the work, a file that cannot be written is not a usage error.
 */
function prepareFiles(files: readonly OutputFile[]): (texts: readonly string[]) => void {
  for (const { path, what } of files) tryToWrite(what, () => checkFile(path));
  for (const { path, what } of files) tryToWrite(what, () => removeFile(path));
  return (texts) => {
    try {
      for (const [at, { path, what }] of files.entries())
        tryToWrite(what, () => writeFileSync(path, texts[at] ?? ''), Error);
    } catch (error) {
      for (const { path } of files) removeFile(path);
      throw error;
    }
  };
}

/** Makes the file's folder, and tries to open the file. An earlier file stays as it is. */
function checkFile(path: string): void {
  makeFolder(dirname(path));
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new Error('it is a folder');
  // Opening a pipe would wait for its reader.
  if (existing && !existing.isFile()) return;
  closeSync(openSync(path, 'a'));
  // For a broken link, this is the target.
  if (!existing) rmSync(realpathSync(path));
}

/** Removes a file, or a link to one; not a pipe or a device. */
function removeFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
}

/**
 * Creates a folder and its parents. `mkdirSync` with `recursive` never returns if they cannot be created (/proc).
 * @throws Error that names the folder
 */
export function makeFolder(path: string): void {
  if (dirname(path) !== path) makeFolder(dirname(path));
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) return;
  if (existing) throw new Error(`${path} is a file, not a folder`);
  try {
    mkdirSync(path);
  } catch (error) {
    throw new Error(`the folder ${path} cannot be created: ${reasonOf(error as Error)}`);
  }
}

/** @throws an error of the kind, with the name that `what` gives the file */
export function tryToWrite<T>(what: string, write: () => T, Kind: new (message: string) => Error = UsageError): T {
  try {
    return write();
  } catch (error) {
    throw new Kind(`cannot write ${what}: ${reasonOf(error as Error)}`);
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
