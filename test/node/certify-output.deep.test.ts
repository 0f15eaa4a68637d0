// The reports of `sachet certify`: JSON, Markdown and JUnit, where they are written, and usage errors.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, resultOf } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { certification, client } from './certify.ts';
import { readXml } from './xml.ts';

const only = ['--only', 'lost-answer,no-pag'];
const certify = (args: readonly string[], command: readonly string[]) =>
  resultOf(sachetHere(['certify', ...only, ...args, '--', ...command]));

test('--json prints these fields, with the command of the client without secrets', async () => {
  const script = join(folder({ 'client.mjs': 'process.stdin.pipe(process.stdout);' }), 'client.mjs');
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const args = ['--token=geheim', 'sachet-demo', '--api-key', 'geheim', '--user', 'demo', token];
  const { code: _, stderr: __, ...report } = await certification(only, [process.execPath, script, ...args]);
  expect(Object.keys(report)).toEqual([
    ...['version', 'server_version', 'seed', 'sandbox', 'assumptions', 'started_at', 'finished_at', 'client'],
    ...['certified', 'left_out', 'scenarios'],
  ]);
  expect(report.version).toBe(report.server_version);
  expect(Date.parse(report.started_at)).toBeLessThan(Date.parse(report.finished_at));
  expect(report.client?.slice(2)).toEqual([
    ...['--token=[redacted]', '[redacted]', '--api-key', '[redacted]', '--user', 'demo', '[redacted]'],
  ]);
});

test('--out writes the JSON and the printed Markdown, --junit a file with a case per scenario', async () => {
  const path = folder();
  const out = join(path, 'reports', 'today');
  const junit = join(path, 'certify.xml');
  const { code, stdout } = await certify(['--out', out, '--junit', junit], client('ordering twice'));
  expect([code, readdirSync(out).sort()]).toEqual([1, ['certification.json', 'certification.md']]);
  expect(readFileSync(join(out, 'certification.md'), 'utf8')).toBe(stdout);
  const report = JSON.parse(readFileSync(join(out, 'certification.json'), 'utf8'));
  expect(report).toMatchObject({ certified: false, scenarios: [{ name: 'lost-answer' }, { name: 'no-pag' }] });
  const [suite] = readXml(readFileSync(junit, 'utf8')).children;
  expect(suite?.attributes).toMatchObject({ name: 'sachet certify', tests: '2', failures: '1' });
  const [lost, noPag] = suite?.children ?? [];
  expect(lost?.attributes).toMatchObject({ classname: 'sachet.certify', name: 'lost-answer' });
  const [failure] = lost?.children ?? [];
  const message = 'expected exactly 1 of orders.create, but 2 came';
  expect([failure?.name, failure?.attributes.message]).toEqual(['failure', message]);
  for (const text of [
    /\norders\.create: expected exactly 1, but 2 came\norder_followed not reached: .+\nno_double_submit: The client /,
    / POST \/v2\/orders 201 Answered with 201 by orders\.create, but the connection switch /,
  ])
    expect(failure?.text).toMatch(text);
  expect([noPag?.attributes.name, noPag?.children]).toEqual(['no-pag', []]);
});

test('a folder that cannot be written is rejected before the first round; old reports are deleted before it', async () => {
  const path = folder({ file: '' });
  mkdirSync(join(path, 'certification.md'));
  const notes = join(path, 'notes.json');
  for (const out of [join(path, 'file'), path]) {
    const result = await certify(['--out', out], client('noting', notes));
    const stderr = expect.stringMatching(/^sachet: cannot write into the folder "[^\n]+": [^\n]+\n$/);
    expect([result, existsSync(notes)]).toEqual([{ code: 2, stdout: '', stderr }, false]);
  }
  const out = folder({ 'certification.json': '{}', 'certification.md': '# Certified', 'mine.md': '' });
  const { code, stderr } = await certify(['--out', out], client('ending', '1'));
  expect([code, readdirSync(out)], stderr).toEqual([1, ['mine.md']]);
});

const key = ['--admin-key', 'some-key-1'];
const url = ['--url', 'http://localhost:4010', ...key];
const command = ['--', ...client()];

test.each([
  ['no client', [], 'no client; put the command after --, for example: sachet certify'],
  ['a server flag without a command', [...key, '--assume', 'next_cursor=meta'], '--assume configures a new server'],
  [
    'a server flag with --url',
    [...url, '--clock', '2030-01-01T00:00:00Z', ...command],
    '--clock configures a new server, but --url names a running one',
  ],
  ['a word before --', ['stray', ...command], 'unexpected "stray" before --'],
  ['a time in words', ['--settle', 'long', ...command], '"long" is not a number of seconds'],
])('%s is a usage error', async (_, args, message) => {
  const { code, stdout, stderr } = await resultOf(sachetHere(['certify', ...args]));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^sachet: [^\n]+\n$/)]);
  expect(stderr).toContain(message);
});
