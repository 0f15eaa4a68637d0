// Documents of results: JUnit, whatever the texts contain, its files, and the Markdown report of a certification.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toMarkdown } from '../../src/node/certify/markdown.ts';
import { type Certification, type ScenarioResult, toTable } from '../../src/node/certify/report.ts';
import { junitDocument, prepareOutputs, type TestCase } from '../../src/node/cli/results.ts';
import { table } from '../../src/node/cli/table.ts';
import { nameOf, watchResults } from '../../src/node/matrix/test-results.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { folder } from '../support/command.ts';
import { readXml } from './xml.ts';

const cases: readonly TestCase[] = [
  { classname: 'next_cursor', name: 'meta', seconds: 1.25, outcome: 'pass' },
  { classname: 'next_cursor', name: 'header', seconds: 0.5, outcome: 'fail', message: 'a "b"', output: 'a\r\nb\n' },
  { classname: 'pag_lookup', name: 'brand', outcome: 'skip', message: 'not reached' },
  { classname: 'token_reuse', name: 'conduct', outcome: 'fail', message: 'in short', text: 'at length,\nin lines' },
];

test('a JUnit document has a case per result, and counts them', () => {
  const totals = 'tests="4" failures="2" errors="0" skipped="1" time="1.750"';
  expect(junitDocument('a <suite>', cases)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="a &lt;suite&gt;" ${totals}>
<testsuite name="a &lt;suite&gt;" ${totals}>
<testcase classname="next_cursor" name="meta" time="1.250"/>
<testcase classname="next_cursor" name="header" time="0.500"><failure message="a &quot;b&quot;">a &quot;b&quot;</failure><system-out>a
b
</system-out></testcase>
<testcase classname="pag_lookup" name="brand"><skipped message="not reached"/></testcase>
<testcase classname="token_reuse" name="conduct"><failure message="in short">at length,
in lines</failure></testcase>
</testsuite>
</testsuites>
`);
  expect(readXml(junitDocument('none', [])).children).toMatchObject([{ attributes: { tests: '0' }, children: [] }]);
});

test.each([
  ['markup', `</testcase>&lt;<!-- ]]> --><b a="c" d='e'>&`, undefined],
  ['characters that XML does not have', 'a\0b\u001b[31mc\uffffd\ud800e\u0007', 'a?b?[31mc?d?e?'],
  ['characters outside of ASCII', 'naïve 😀 \u2028', undefined],
])('a JUnit document stays well-formed with %s', (_, text, written = text) => {
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

test('files are written all or none, and earlier ones stay if one cannot be written', () => {
  const path = folder({ 'matrix.xml': 'an old one', file: '' });
  const junit = join(path, 'matrix.xml');
  const other = (name: string) => [{ path: join(path, name), what: 'the other' }];
  const prepare = () => prepareOutputs({ json: false, junit }, other('file/in/it'));
  expect(prepare).toThrow(`cannot write the other: ${join(path, 'file')} is a file, not a folder`);
  expect(readFileSync(junit, 'utf8')).toBe('an old one');
  const long = () => prepareOutputs({ json: false, junit }, other('x'.repeat(300)));
  expect(long).toThrow('cannot write the other: name too long (ENAMETOOLONG)');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const print = prepareOutputs({ json: false, junit }, other('new'));
  mkdirSync(join(path, 'new'));
  expect(() => print({ suite: 's', cases, document: {}, text: '' }, '')).toThrow('cannot write the other: ');
  expect(readdirSync(path).sort()).toEqual(['file', 'new']);
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

test('a table aligns cells with colors and with wide characters', () => {
  const cells = ['\u001b[32mok\u001b[39m', '注文', 'é', '✓', '😀'];
  const lines = table(cells.map((cell) => [cell, 'next']));
  expect(lines.map((line) => stripVTControlCharacters(line))).toEqual([
    ...['ok    next', '注文  next', 'é     next', '✓     next', '😀    next'],
  ]);
});

test('a table takes cells that are longer than any line', () => {
  const long = 'é'.repeat(100_000);
  expect(
    table([
      [long, 'next'],
      ['a', 'b'],
    ]),
  ).toEqual([`${long}  next`, `a${' '.repeat(100_001)}b`]);
});

describe('the results of the tests of a run', () => {
  const json = (...testResults: readonly object[]) => JSON.stringify({ testResults });
  const test1 = (status: string, title: string) => ({ ancestorTitles: ['', 'orders'], title, status });
  const vitest = json(
    {
      name: join(process.cwd(), 'test/a.test.ts'),
      assertionResults: [test1('failed', 'lists'), test1('passed', 'reads')],
    },
    { name: '/b.test.ts', status: 'failed', assertionResults: [] },
  );
  const pytest = '<testsuites><testsuite><testcase classname="a" name="x"><error/></testcase></testsuite></testsuites>';
  const surefire =
    '\ufeff<?xml version="1.0"?><testsuite file="A.java"><testcase name="x &amp; y"><failure>no</failure></testcase>' +
    '<testcase name="z"><skipped/></testcase><testcase name="w"><flakyFailure/></testcase></testsuite>';

  test.each<readonly [string, string, Readonly<Record<string, string>>, readonly string[]]>([
    ['JSON', 'a.json', { 'a.json': vitest }, ['test/a.test.ts: orders > lists', '/b.test.ts: (the whole file)']],
    ['JUnit XML in a folder', '', { 'a.xml': pytest, 'b.xml': surefire, 'c.xml': '<a/>' }, ['a: x', 'A.java: x & y']],
    ['files of a pattern', 'TEST-*.xml', { 'TEST-b.xml': surefire, 'a.xml': pytest }, ['A.java: x & y']],
  ])('are read from %s', (_, name, files, expected) => {
    const path = folder({ 'TEST-old.xml': pytest.replace('name="x"', 'name="old"') });
    const read = watchResults(join(path, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    const { failed_tests, results_problem } = read();
    expect([failed_tests?.map(nameOf), results_problem]).toEqual([expected, null]);
  });
});

const passed: ScenarioResult = {
  ...{ name: 'no-pag', intent: 'No packaging.', right_client: 'Gives up.' },
  ...{ outcome: 'pass', note: null, duration_ms: 123 },
  expect: [{ match: { operation: 'orders.create', rule: 'ORD-21' }, count: 1, came: 1, satisfied: true }],
  outcomes: [{ id: 'label_downloaded', reached: true }],
  conduct: [{ id: 'no_refused_repeat', outcome: 'pass', evidence: [], advice: 'Mend it.' }],
  evidence: [],
};
const certification: Certification = {
  ...{ version: '1.2.3', server_version: '1.2.4', seed: 'certify', sandbox: 'stage', assumptions: {} },
  ...{ started_at: '2026-01-02T03:04:05.678Z', finished_at: '2026-01-02T03:05:05.678Z' },
  ...{ client: ['node', 'client.mjs'], certified: true, left_out: [], scenarios: [passed] },
};

const failed: ScenarioResult = {
  ...{ name: 'lost-answer', intent: 'The answer is lost.', right_client: 'Looks.' },
  ...{
    outcome: 'fail',
    note: 'the client ended with exit code 3\nIts last output:\n# Oh *no* | <b>',
    duration_ms: 2000,
  },
  expect: [
    { match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 }, came: 1, satisfied: true },
    { match: { method: 'GET', path: '/v2/orders', body: { a: '|' } }, count: 0, came: null, satisfied: false },
  ],
  outcomes: [{ id: 'order_followed', reached: false }],
  conduct: [
    { id: 'no_double_submit', outcome: 'fail', evidence: ['a'], advice: 'It came twice.' },
    { id: 'needs_changes', outcome: 'not_exercised', evidence: [], advice: 'Take it.' },
  ],
  evidence: [
    {
      ...{ id: 'a', received_at: '2026-01-02T03:04:05.678Z', method: 'POST', path: '/v2/orders', status: null },
      rules: ['ORD-20', 'ORD-21'],
      sentence: 'consumer.name is "`a|b`". Assumed: list_order=newest_first, rate_limit=off.',
    },
  ],
};

test('the Markdown report of a client that is not certified has everything about the failed scenario first', () => {
  const report = toMarkdown({
    ...{ ...certification, certified: false, client: null, left_out: ['no_pag', 'maintenance'] },
    ...{ assumptions: { next_cursor: 'meta', list_order: 'oldest_first' }, scenarios: [passed, failed] },
  });
  expect(report.startsWith('# Not certified\n\n1 of 2 scenarios passed. Not run: no_pag, maintenance.\n')).toBe(true);
  expect(report.split('\n')).toEqual(
    expect.arrayContaining([
      '| assumptions | next_cursor=meta, list_order=oldest_first |',
      '| client | run separately |',
      '| lost-answer | fail | 2.0 | the client ended with exit code 3 |',
    ]),
  );
  expect(report.slice(report.indexOf('## '), report.indexOf('## Passed: no-pag'))).toBe(`## Failed: lost-answer

Intent: The answer is lost.

A correct client: Looks.

What happened: the client ended with exit code 3<br>Its last output:<br>\\# Oh \\*no\\* \\| \\<b\\>

| calls | expected | came | as expected |
| --- | --- | --- | --- |
| orders.create, status 201 | at least 1 | 1 | yes |
| GET /v2/orders, body {"a":"\\|"} | exactly 0 | unknown | **no** |

| outcome | reached | what the client has to do |
| --- | --- | --- |
| order_followed | **no** | read every order that it placed, or the fulfillments of that order, by the id of the order |

| conduct rule | outcome | advice |
| --- | --- | --- |
| no_double_submit | **fail** | It came twice. |
| needs_changes | **not_exercised** | Take it. |

| received at | call | status | rules | why |
| --- | --- | --- | --- | --- |
| 2026-01-02T03:04:05.678Z | POST /v2/orders | no response | ORD-20, ORD-21 | consumer.name is "\\\`a\\|b\\\`". |

`);
});

test('the printed table has the reasons of a failed scenario, at most five calls, and what to do next', () => {
  const evidence = Array.from({ length: 7 }, () => failed.evidence).flat();
  const scenarios = [passed, { ...failed, evidence }];
  const printed = { ...certification, certified: false, left_out: ['no_pag'], scenarios };
  const [lines, call] = [
    toTable(printed, 'out/certification.md').split('\n'),
    expect.stringMatching(/^ {4}2026-01-02T/),
  ];
  expect(lines).toEqual([
    '   scenario     result  seconds',
    '✓  no-pag       pass    0.1',
    '✗  lost-answer  fail    2.0',
    '    A correct client: Looks.',
    '    the client ended with exit code 3',
    '    Its last output:',
    '    # Oh *no* | <b>',
    '    GET /v2/orders, body {"a":"|"}: expected exactly 0, but an unknown number came',
    expect.stringMatching(/^ {4}order_followed not reached: the client has to read every order/),
    '    no_double_submit: It came twice.',
    '    needs_changes: no call tested this rule. Take it.',
    ...[call, call, call, call, call],
    '    … and 2 more calls, in the Markdown report',
    '',
    '✗ Not certified: 1 of 2 scenarios passed',
    'Not run: no_pag',
    'To repeat it: --seed certify',
    'Report: out/certification.md',
    '',
  ]);
  vi.stubEnv('FORCE_COLOR', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const colored = toTable(printed, undefined);
  expect(colored).toContain('\u001b[31m✗\u001b[39m  lost-answer  \u001b[31mfail\u001b[39m    2.0\n');
  expect(colored).toContain('\nTo write the whole report as Markdown and JSON: --out DIR\n');
});

test('the title of the Markdown report says if scenarios were left out', () => {
  const report = toMarkdown({ ...certification, left_out: ['lost-answer', 'maintenance'] });
  expect(report.startsWith('# Certified for 1 of 3 scenarios\n\n1 of 1 scenarios passed. Not run: ')).toBe(true);
});

test('texts from elsewhere form no Markdown', () => {
  const hostile =
    'a|b\n# c\r\n```\n[x](https://evil.example) <img src=x> &amp; $x$ _y_ www.evil.example a@b.example \\ \u001b[31m\u202e';
  const texts = { name: hostile, intent: hostile, right_client: hostile, note: hostile };
  const report = toMarkdown({ ...certification, sandbox: hostile, scenarios: [{ ...failed, ...texts }] });
  const lines = report.split('\n');
  const marked = lines.filter((line) => /^(?:#|`|\s)/.test(line));
  expect(marked).toEqual(['# Certified', expect.stringMatching(/^## Failed: a\\\|b<br>/)]);
  const row = lines.find((line) => line.startsWith('| sandbox')) ?? '';
  expect(row.split(/(?<!\\)\|/).length).toBe(4);
  // Every sign with a meaning follows a backslash.
  const bare = report.replaceAll('<br>', '').replaceAll(/\\(?:[^\w\s]|_)/g, '');
  for (const sign of ['[', ']', '<', '>', '`', '&', '$', '_y', 'y_', '@', '://', 'www.', '\u001b', '\u202e', '\r'])
    expect(bare, sign).not.toContain(sign);
  expect(report).toContain('\\\\u{1b}');
  const broken = toMarkdown({ ...certification, scenarios: [{ ...failed, intent: 'One.\r\nTwo.\rThree.' }] });
  expect(broken).toContain('\nIntent: One.<br>Two.<br>Three.\n');
});
