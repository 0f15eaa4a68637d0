// JUnit documents: the cases and their counts, whatever the texts contain, and their files.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { junitDocument, prepareOutputs, type TestCase } from '../../src/node/cli/results.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { folder } from '../support/command.ts';
import { readXml } from './xml.ts';

const cases: readonly TestCase[] = [
  { classname: 'next_cursor', name: 'meta', seconds: 1.25, outcome: 'pass' },
  { classname: 'next_cursor', name: 'header', seconds: 0.5, outcome: 'fail', message: 'a "b"', output: 'a\r\nb\n' },
  { classname: 'pag_lookup', name: 'brand', outcome: 'skip', message: 'not reached' },
  { classname: 'token_reuse', name: 'conduct', outcome: 'fail', message: 'in short', text: 'at length,\nin lines' },
];

test('a document has a case per result, and counts them', () => {
  const suites = readXml(junitDocument('a <suite>', cases));
  const totals = { name: 'a <suite>', tests: '4', failures: '2', errors: '0', skipped: '1', time: '1.750' };
  const element = (name: string, attributes: object, text = '', ...children: object[]) => ({
    ...{ name, attributes, children, text },
  });
  const failure = element('failure', { message: 'a "b"' }, 'a "b"');
  const conduct = element('failure', { message: 'in short' }, 'at length,\nin lines');
  const skipped = element('skipped', { message: 'not reached' });
  const output = element('system-out', {}, 'a\nb\n');
  expect([suites.name, suites.attributes]).toEqual(['testsuites', totals]);
  expect(suites.children).toMatchObject([
    element(
      'testsuite',
      totals,
      expect.any(String),
      element('testcase', { classname: 'next_cursor', name: 'meta', time: '1.250' }),
      element('testcase', { classname: 'next_cursor', name: 'header', time: '0.500' }, '', failure, output),
      element('testcase', { classname: 'pag_lookup', name: 'brand' }, '', skipped),
      element('testcase', { classname: 'token_reuse', name: 'conduct' }, '', conduct),
    ),
  ]);
  expect(readXml(junitDocument('none', [])).children).toMatchObject([{ attributes: { tests: '0' }, children: [] }]);
});

test.each([
  ['markup', `</testcase>&lt;<!-- ]]> --><b a="c" d='e'>&`, undefined],
  ['characters that XML does not have', 'a\0b\u001b[31mc\uffffd\ud800e\u0007', 'a?b?[31mc?d?e?'],
  ['characters outside of ASCII', 'naïve 😀 \u2028', undefined],
])('a document stays well-formed with %s', (_, text, written = text) => {
  const odd: TestCase = { classname: text, name: text, outcome: 'fail', message: text, text, output: text };
  expect(readXml(junitDocument(text, [odd])).children[0]?.children).toMatchObject([
    {
      attributes: { classname: written, name: written },
      children: [
        { name: 'failure', attributes: { message: written }, text: written },
        { name: 'system-out', text: written },
      ],
    },
  ]);
});

test('before the work, the folder of the file is created, an old file is deleted, and a link is not followed', () => {
  const path = folder({ 'matrix.xml': 'an old one', other: 'theirs' });
  const nested = join(path, 'reports/sachet/matrix.xml');
  prepareOutputs({ json: true, junit: nested });
  expect(readdirSync(dirname(nested))).toEqual([]);
  prepareOutputs({ json: false, junit: join(path, 'matrix.xml') });
  symlinkSync(join(path, 'other'), join(path, 'link'));
  prepareOutputs({ json: false, junit: join(path, 'link') });
  expect(readdirSync(path).sort()).toEqual(['other', 'reports']);
  symlinkSync(join(path, 'new'), join(path, 'link'));
  prepareOutputs({ json: false, junit: join(path, 'link') });
  expect(readdirSync(path).sort()).toEqual(['link', 'other', 'reports']);
});

test('a link to a missing folder is rejected before the work', () => {
  const junit = join(folder(), 'it');
  symlinkSync('/no/such/folder/it', junit);
  const prepare = () => prepareOutputs({ json: false, junit });
  expect(prepare).toThrow(UsageError);
  expect(prepare).toThrow(`cannot write the JUnit file ${junit}: `);
});

test('a file that cannot be written after the work is an error, but the result is printed', () => {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const junit = join(folder(), 'matrix.xml');
  const print = prepareOutputs({ json: false, junit });
  mkdirSync(junit);
  const results = { suite: 's', cases, document: {}, text: 'the table\n' };
  expect(() => print(results)).toThrow(`cannot write the JUnit file ${junit}: `);
  expect(printed).toEqual(['the table\n']);
  expect(() => readFileSync(junit)).toThrow('EISDIR');
});
