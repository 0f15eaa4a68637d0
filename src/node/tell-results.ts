// Where the results of a command go: to people as text, to programs as JSON or as JUnit XML, by its flags.
import { Option } from 'commander';
import { junitDocument, type TestCase } from './junit.ts';
import { prepareFile, removeFormer, writeReport } from './report-files.ts';
import { UsageError } from './usage-error.ts';

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
export function tellResults({ json, junit }: Outputs, { suite, cases, document, text }: Results): void {
  const xml = junit === undefined ? '' : junitDocument(suite, cases());
  if (json) process.stdout.write(`${JSON.stringify(document())}\n`);
  else process.stdout.write(junit === true ? xml : text());
  if (typeof junit === 'string') writeReport(junit, junitFile(junit), xml);
}

const junitFile = (path: string): string => `the JUnit file ${path}`;
