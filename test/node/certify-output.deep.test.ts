// The reports of `sachet certify`: JSON, Markdown and JUnit, where they are written, and usage errors.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { certification, client } from './certify.ts';
import { readXml } from './xml.ts';

const only = ['--only', 'lost-answer,no-pag'];
const orderingTwice = client('ordering twice');

async function certify(args: readonly string[], command: readonly string[] = orderingTwice) {
  const running = sachetHere(['certify', ...only, ...args, '--', ...command]);
  const code = await running.ended();
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test('--json prints these fields', async () => {
  const { code: _, stderr: __, ...report } = await certification(only, orderingTwice);
  expect(Object.keys(report)).toEqual([
    ...['version', 'server_version', 'seed', 'sandbox', 'assumptions', 'started_at', 'finished_at', 'client'],
    ...['certified', 'left_out', 'scenarios'],
  ]);
  expect(report.version).toBe(report.server_version);
  expect(Date.parse(report.started_at)).toBeLessThan(Date.parse(report.finished_at));
});

test('--out writes the JSON and the printed Markdown; --junit with a file writes that, too', async () => {
  const path = folder();
  const out = join(path, 'reports', 'today');
  const junit = join(path, 'certify.xml');
  const { code, stdout } = await certify(['--out', out, '--junit', junit]);
  expect([code, readdirSync(out).sort()]).toEqual([1, ['certification.json', 'certification.md']]);
  expect(readFileSync(join(out, 'certification.md'), 'utf8')).toBe(stdout);
  const report = JSON.parse(readFileSync(join(out, 'certification.json'), 'utf8'));
  expect(report).toMatchObject({ certified: false, scenarios: [{ name: 'lost-answer' }, { name: 'no-pag' }] });
  expect(readXml(readFileSync(junit, 'utf8')).attributes).toMatchObject({ tests: '2', failures: '1' });
});

test('--junit prints a case per scenario', async () => {
  const { code, stdout } = await certify(['--junit']);
  const [suite] = readXml(stdout).children;
  expect([code, suite?.attributes]).toMatchObject([1, { name: 'sachet certify', tests: '2', failures: '1' }]);
  const [lost, noPag] = suite?.children ?? [];
  expect(lost?.attributes).toMatchObject({ classname: 'sachet.certify', name: 'lost-answer' });
  const [failure] = lost?.children ?? [];
  const message = 'expected exactly 1 of orders.create, but 2 came';
  expect([failure?.name, failure?.attributes.message]).toEqual(['failure', message]);
  expect(failure?.text).toMatch(
    /\norders\.create: expected exactly 1, but 2 came\norder_followed not reached: [^\n]+\nno_double_submit: The client /,
  );
  expect(failure?.text).toMatch(
    / POST \/v2\/orders 201 Answered with 201 by orders\.create, but the connection switch /,
  );
  expect([noPag?.attributes.name, noPag?.children]).toEqual(['no-pag', []]);
});

test('a folder that cannot be written is rejected before the first round; old reports are deleted before it', async () => {
  const path = folder({ file: '' });
  mkdirSync(join(path, 'certification.md'));
  const notes = join(path, 'notes.json');
  for (const out of [join(path, 'file'), path]) {
    const { code, stdout, stderr } = await certify(['--out', out], client('noting', notes));
    expect([code, stdout, existsSync(notes)]).toEqual([2, '', false]);
    expect(stderr).toMatch(/^sachet: cannot write into the folder "[^\n]+": [^\n]+\n$/);
  }
  const out = folder({ 'certification.json': '{}', 'certification.md': '# Certified', 'mine.md': '' });
  const { code, stderr } = await certify(['--out', out], client('ending', '1'));
  expect([code, readdirSync(out)], stderr).toEqual([1, ['mine.md']]);
});

test('the report shows the command of the client without secrets', async () => {
  const script = join(folder(), 'client.mjs');
  writeFileSync(script, "process.stdin.on('data', (line) => process.stdout.write(line));");
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const args = ['--token=geheim', 'sachet-demo', '--api-key', 'geheim', '--user', 'demo', token];
  const report = await certification(only, [process.execPath, script, ...args]);
  expect(report.client?.slice(2)).toEqual([
    ...['--token=[redacted]', '[redacted]', '--api-key', '[redacted]', '--user', 'demo', '[redacted]'],
  ]);
});

const url = ['--url', 'http://localhost:4010'];
const key = ['--admin-key', 'some-key-1'];
const command = ['--', ...client()];

test.each([
  ['no client', [], 'no client; put the command after --, for example: sachet certify'],
  [
    'a server flag without a command',
    [...key, '--assume', 'next_cursor=meta'],
    '--assume configures a new server, but',
  ],
  [
    'a server flag with --url',
    [...url, ...key, '--clock', '2030-01-01T00:00:00Z', ...command],
    '--clock configures a new server, but --url names a running one',
  ],
  ['a word before --', ['stray', ...command], 'unexpected "stray" before --'],
  ['a time in words', ['--settle', 'long', ...command], '"long" is not a number of seconds'],
])('%s is a usage error', async (_, args, message) => {
  const running = sachetHere(['certify', ...args]);
  expect([await running.ended(), running.stdout]).toEqual([2, '']);
  expect(running.stderr).toMatch(/^sachet: [^\n]+\n$/);
  expect(running.stderr).toContain(message);
});
