// The output of `sachet matrix`: the table, JUnit, progress, hints, and usage errors.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { built, folder, resultOf, run } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { client, matrix, pagingClient } from './matrix.ts';
import { readXml } from './xml.ts';

const three = ['--only', 'next_cursor=meta,rate_limit,pag_lookup'];
const logsIn = client('await logIn();');
const explanation =
  'GET /v2/fulfillments answered 200. This run used next_cursor=meta: meta.next_cursor, null on the last page (first run: body: next_cursor, null on the last page)';
const linesOf = (stdout: string): string[] => stdout.replace(/in \d+\.\d s/, 'in 1.0 s').split('\n');
const casesIn = (document: string) =>
  readXml(document).children[0]?.children.map(({ attributes, children }) => [
    attributes.classname,
    attributes.name,
    ...children.map(({ name, attributes: { message } }) => [name, message]),
  ]);

test('the table has a line per choice, the first suspicious request, and the assumptions that matter; --junit writes a file as well', async () => {
  const file = join(folder(), 'reports/matrix.xml');
  const { code, stdout, stderr } = await matrix(pagingClient('body'), [...three, '--junit', file]).ended();
  expect([code, stderr]).toEqual([1, '']);
  expect(linesOf(stdout)).toEqual([
    'assumption   choice   result',
    'next_cursor  meta     FAIL',
    `    it exited with code 1; ${explanation}`,
    'pag_lookup   brand    not reached',
    'rate_limit   100/60s  pass',
    '',
    '1 passed, 1 failed, 1 not reached, in 1.0 s',
    'Depends on: next_cursor',
    '',
  ]);
  const xml = readFileSync(file, 'utf8');
  expect(casesIn(xml)).toEqual([
    ['next_cursor', 'meta', ['failure', `it exited with code 1; ${explanation}`], ['system-out', undefined]],
    ['pag_lookup', 'brand', ['skipped', 'not reached']],
    ['rate_limit', '100/60s'],
  ]);
  const totals = { name: 'sachet matrix', tests: '3', failures: '1', skipped: '1' };
  expect(readXml(xml).children[0]?.attributes).toMatchObject(totals);
  expect(xml).toContain('saw 10 of 27 fulfillments</system-out>');
});

test('--output shows the output of failed runs, without control characters', async () => {
  const source = "console.log('one\\u001b[2J\\u001b[31m red\\u001b[0m\\ttab');\nawait logIn();\nawait readAll();";
  const { stdout } = await matrix(pagingClient('body', source), ['--output', '--only', 'next_cursor=meta']).ended();
  const output = 'one\\u{1b}[2J red\ttab\nsaw 10 of 27 fulfillments\n';
  expect(stdout).toContain(`\n\nOutput of the run with next_cursor=meta:\n\n${output}\n0 passed`);
});

test('--junit without a file prints JUnit instead of the table', async () => {
  const { code, stdout } = await matrix(logsIn, ['--only', 'rate_limit', '--junit']).ended();
  expect([code, casesIn(stdout)]).toEqual([0, [['rate_limit', '100/60s']]]);
});

test('the summary says if nothing failed, or if a failure has another reason', async () => {
  const passes = await matrix(logsIn, ['--only', 'rate_limit']).ended();
  expect(linesOf(passes.stdout).slice(-3)).toEqual([
    '1 passed, 0 failed, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    '',
  ]);
  const source = client("await logIn();\nif (assume) fail('');");
  const fails = await matrix(source, ['--all', '--only', 'pag_lookup']).ended();
  expect(linesOf(fails.stdout).slice(-6)).toEqual([
    '    it exited with code 1; no request of the run used pag_lookup=brand',
    '',
    '0 passed, 1 failed, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    'Failed for another reason: pag_lookup',
    '',
  ]);
});

test('a run without a request that used the choice is "not met"; JUnit skips it', async () => {
  const file = join(folder(), 'matrix.xml');
  const args = ['--only', 'max_limit,rate_limit', '--junit', file];
  const resets = "token = key;\nawait call('PATCH', '/_admin/sandboxes/stage/assumptions', { max_limit: '100' });";
  const source = client(`${resets}\nawait logIn();\nawait call('GET', '/v2/fulfillments');`);
  const { code, stdout } = await matrix(source, args).ended();
  expect(code).toBe(0);
  expect(linesOf(stdout).slice(1)).toEqual([
    'max_limit   50       not met',
    'rate_limit  100/60s  pass',
    '',
    '1 passed, 0 failed, 1 not met, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    '"not met" means that no request of the run used the choice, so the run proves nothing: does the command cache its tests, or set assumptions itself?',
    '',
  ]);
  expect(casesIn(readFileSync(file, 'utf8'))?.[0]).toEqual(['max_limit', '50', ['skipped', 'not met']]);
});

describe('a hint that parallel runs may disturb each other', () => {
  const lists = "await logIn();\nawait call('GET', '/v2/fulfillments');\n";
  const failsBefore = client(`if (assume.includes('max_limit')) fail('');\n${lists}`);
  const failsAlways = client(`${lists}if (assume) fail('');`);

  test.each([
    ['is given after a failure without the choice', failsBefore, '2', 'max_limit,rate_limit', true],
    ['is given if every choice fails', failsAlways, '2', 'max_limit,rate_limit', true],
    ['is not given with --parallel 1', failsAlways, '1', 'max_limit,rate_limit', false],
    ['is not given if another choice passes', pagingClient('body'), '2', 'next_cursor=meta,rate_limit', false],
  ])('%s', async (_, source, parallel, only, isGiven) => {
    const { code, stdout } = await matrix(source, ['--parallel', parallel, '--only', only]).ended();
    expect(code).toBe(1);
    const hint = 'if your tests cannot run side by side (a port, a file), use --parallel 1\n';
    expect(stdout.endsWith(hint)).toBe(isGiven);
  });
});

const form = 'put the command after --, for example: sachet matrix -- npm test';
const unknownName = 'unknown name "base_ulr"; use one of base_url, username, password, admin_key, assume, or a text';

test.each<readonly [string, string]>([
  ['', `no command to run; ${form}`],
  ['npm test --reporter dot', `unexpected "npm" before --; ${form}`],
  ['--prallel 2 -- true', `unknown option '--prallel'; ${form}`],
  ['--random-seed -- -- true', `option '--random-seed' needs a value before --; ${form}`],
  ['--only next_cursor=body -- true', 'the first run already uses next_cursor=body; the other choices are: meta, link'],
  [
    '--only next_curser -- true',
    'Unknown assumption "next_curser". Did you mean "next_cursor"? Use one of: validation',
  ],
  ['--only list_order,next_cursor=metta -- true', 'Unknown choice "metta" of the assumption next_cursor. Did you mean'],
  ['--env A=base_ulr -- true', unknownName],
  ['--env A={url}/v2 -- true', 'unknown name {url}; use one of base_url'],
])('matrix %s is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await resultOf(sachetHere(['matrix', ...args.split(' ').filter(Boolean)]));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^sachet: [^\n]+\n$/)]);
  expect(stderr).toContain(message);
});

// Writing to this file fails like writing to a full disk.
test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written is exit code 1, unless its reader is gone',
  async () => {
    const words = [process.execPath, '-e', 'require("node:http").get(process.env.SACHET_BASE_URL + "/v2/products")'];
    const args = ['matrix', '--only', 'rate_limit'];
    const junit = await resultOf(sachetHere([...args, '--junit', '/dev/full', '--', ...words]));
    expect([junit.code, junit.stdout]).toEqual([1, expect.stringContaining('rate_limit  100/60s  pass\n')]);
    const noSpace = 'ENOSPC: no space left on device, write';
    expect(junit.stderr).toBe(`sachet: cannot write the JUnit file /dev/full: ${noSpace}\n`);
    const line = [process.execPath, built(), ...args, '--', ...words].map((word) => `'${word}'`).join(' ');
    const full = await resultOf(run('sh', ['-c', `${line} > /dev/full`]));
    expect([full.code, full.stderr]).toEqual([1, `sachet: cannot write to standard output: ${noSpace}\n`]);
    const unread = run('sh', ['-c', `{ ${line}; echo "ended with $?" >&2; } | true`]);
    await unread.ended();
    expect(unread.stderr).toBe('ended with 0\n');
  },
);
