// Results as JUnit XML, which CI systems read.
import { xmlLines, xmlText } from '../http/xml-text.ts';

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
