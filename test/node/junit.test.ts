// JUnit documents: what CI systems count, whatever stands in the texts; and where they are written.
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { junitDocument, prepareOutputs, type TestCase } from '../../src/node/cli/results.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { folder } from '../support/command.ts';
import { readXml } from '../support/xml.ts';

const cases: readonly TestCase[] = [
  { classname: 'next_cursor', name: 'meta', seconds: 1.25, outcome: 'pass' },
  {
    classname: 'next_cursor',
    name: 'header',
    seconds: 0.5,
    outcome: 'fail',
    message: 'it "failed"',
    output: 'a\nb\tc\n',
  },
  { classname: 'pag_lookup', name: 'brand', outcome: 'skip', message: 'not reached' },
  { classname: 'token_reuse', name: 'conduct', outcome: 'fail', message: 'in short', text: 'at length,\nin lines' },
];

test('a case each, and what is counted of them', () => {
  const suites = readXml(junitDocument('a <suite>', cases));
  const totals = { name: 'a <suite>', tests: '4', failures: '2', errors: '0', skipped: '1', time: '1.750' };
  expect([suites.name, suites.attributes]).toEqual(['testsuites', totals]);
  const [suite, ...others] = suites.children;
  expect(others).toEqual([]);
  expect([suite?.name, suite?.attributes]).toEqual(['testsuite', totals]);
  const child = (name: string, attributes: object, text = '') => ({ name, attributes, children: [], text });
  expect(suite?.children).toEqual([
    child('testcase', { classname: 'next_cursor', name: 'meta', time: '1.250' }),
    {
      ...child('testcase', { classname: 'next_cursor', name: 'header', time: '0.500' }),
      children: [child('failure', { message: 'it "failed"' }, 'it "failed"'), child('system-out', {}, 'a\nb\tc\n')],
    },
    {
      ...child('testcase', { classname: 'pag_lookup', name: 'brand' }),
      children: [child('skipped', { message: 'not reached' })],
    },
    {
      ...child('testcase', { classname: 'token_reuse', name: 'conduct' }),
      children: [child('failure', { message: 'in short' }, 'at length,\nin lines')],
    },
  ]);
});

test('a suite without cases is one', () => {
  expect(readXml(junitDocument('none', [])).children).toMatchObject([{ attributes: { tests: '0' }, children: [] }]);
});

test.each([
  ['markup', `</testcase>&lt;<!-- ]]> --><b a="c" d='e'>&`, undefined],
  ['what XML has no way to write', 'a\0b\u001b[31mc\uffffd\ud800e\u0007', 'a?b?[31mc?d?e?'],
  ['characters of two units', 'naïve 😀 \u2028', undefined],
])('no text breaks it: %s', (_, text, written = text) => {
  const odd: TestCase = { classname: text, name: text, outcome: 'fail', message: text, text, output: text };
  expect(readXml(junitDocument(text, [odd])).children[0]?.children).toEqual([
    {
      ...{ name: 'testcase', attributes: { classname: written, name: written }, text: '' },
      children: [
        { name: 'failure', attributes: { message: written }, children: [], text: written },
        { name: 'system-out', attributes: {}, children: [], text: written },
      ],
    },
  ]);
});

test('line breaks of Windows are line breaks', () => {
  const document = junitDocument('s', [{ classname: 'c', name: 'n', outcome: 'pass', output: 'a\r\nb' }]);
  expect(readXml(document).children[0]?.children[0]?.children[0]?.text).toBe('a\nb');
});

describe('its file', () => {
  test('stands in a folder that is made for it before the work begins', () => {
    const file = join(folder(), 'reports/sachet/matrix.xml');
    prepareOutputs({ json: true, junit: file });
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  test('of an earlier run is gone before the work begins', () => {
    const file = join(folder({ 'matrix.xml': 'an earlier one' }), 'matrix.xml');
    prepareOutputs({ json: false, junit: file });
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['behind a file', (path: string) => writeFileSync(path, '')],
    ['a link to nowhere', (path: string) => symlinkSync('/no/such/folder/it', path)],
  ])('is refused before the work begins where it is %s', (_, make) => {
    const path = join(folder(), 'it');
    make(path);
    const junit = _ === 'behind a file' ? join(path, 'matrix.xml') : path;
    expect(() => prepareOutputs({ json: false, junit })).toThrow(UsageError);
    expect(() => prepareOutputs({ json: false, junit })).toThrow(`cannot write the JUnit file ${junit}: `);
  });

  test('in place of a link to a file leaves that file alone', () => {
    const path = folder({ other: 'theirs' });
    symlinkSync(join(path, 'other'), join(path, 'it'));
    prepareOutputs({ json: false, junit: join(path, 'it') });
    expect(readdirSync(path)).toEqual(['other']);
  });

  test('may be a link to a file that is not there yet', () => {
    const path = folder();
    const junit = join(path, 'it');
    symlinkSync(join(path, 'other'), junit);
    prepareOutputs({ json: false, junit });
    expect(readdirSync(path)).toEqual(['it']);
  });

  test.skipIf(process.getuid?.() === 0)('is refused where an earlier one cannot be taken away', () => {
    const path = folder({ 'matrix.xml': '' });
    chmodSync(path, 0o500);
    onTestFinished(() => chmodSync(path, 0o700));
    expect(() => prepareOutputs({ json: false, junit: join(path, 'matrix.xml') })).toThrow(UsageError);
  });

  test('takes nothing away of what is printed where it cannot be written after the work', () => {
    const printed: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    onTestFinished(() => write.mockRestore());
    const junit = join(folder(), 'matrix.xml');
    const print = prepareOutputs({ json: false, junit });
    mkdirSync(junit);
    const results = { suite: 's', cases, document: {}, text: 'the table\n' };
    expect(() => print(results)).toThrow(`cannot write the JUnit file ${junit}: `);
    expect(printed).toEqual(['the table\n']);
  });

  test('is needed where JSON is printed, too', () => {
    expect(() => prepareOutputs({ json: true, junit: true })).toThrow('pass a file to --junit');
    expect(() => prepareOutputs({ json: false, junit: true })).not.toThrow();
    expect(() => prepareOutputs({ json: true })).not.toThrow();
  });
});
