// What `sachet certify` hands on: the reports, where they are written, and in one sentence what its caller can mend.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { certification, client } from '../support/certify.ts';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { readXml } from '../support/xml.ts';

const walked = ['--only', 'lost-answer,no-pag'];
const wrong = client('ordering twice');

async function told(args: readonly string[], command: readonly string[] = wrong) {
  const running = sachetHere(['certify', ...walked, ...args, '--', ...command]);
  const code = await running.ended();
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test('the JSON report has these fields, and no other', async () => {
  const { code: _, stderr: __, ...report } = await certification(walked, wrong);
  expect(Object.keys(report)).toEqual([
    ...[
      'version',
      'server_version',
      'seed',
      'sandbox',
      'assumptions',
      'started_at',
      'finished_at',
      'client',
      'certified',
    ],
    ...['left_out', 'scenarios'],
  ]);
  const [first] = report.scenarios;
  expect(Object.keys(first ?? {})).toEqual([
    ...[
      'name',
      'intent',
      'right_client',
      'outcome',
      'note',
      'duration_ms',
      'expect',
      'outcomes',
      'conduct',
      'evidence',
    ],
  ]);
  expect(Object.keys(first?.conduct[0] ?? {})).toEqual(['id', 'outcome', 'evidence', 'advice']);
  expect(Object.keys(first?.evidence[0] ?? {})).toEqual([
    ...['id', 'received_at', 'method', 'path', 'status', 'rules', 'sentence'],
  ]);
  expect(report.version).toBe(report.server_version);
  expect(Date.parse(report.started_at)).toBeLessThan(Date.parse(report.finished_at));
});

describe('--out', () => {
  test('gets both reports, and they are printed all the same', async () => {
    const out = join(folder(), 'reports', 'today');
    const { code, stdout } = await told(['--out', out]);
    expect([code, readdirSync(out).sort()]).toEqual([1, ['certification.json', 'certification.md']]);
    expect(readFileSync(join(out, 'certification.md'), 'utf8')).toBe(stdout);
    const report = JSON.parse(readFileSync(join(out, 'certification.json'), 'utf8'));
    expect(report).toMatchObject({ certified: false, scenarios: [{ name: 'lost-answer' }, { name: 'no-pag' }] });
  });

  test('that cannot be written into is told before the walk', async () => {
    const path = folder({ file: '' });
    mkdirSync(join(path, 'certification.md'));
    for (const out of [join(path, 'file'), path]) {
      const notes = join(path, 'notes.json');
      const { code, stdout, stderr } = await told(['--out', out], client('noting', notes));
      expect([code, stdout, existsSync(notes)]).toEqual([2, '', false]);
      expect(stderr).toMatch(/^sachet: cannot write into the folder "[^\n]+": [^\n]+\n$/);
    }
  });

  test('has no report of an earlier walk where this one does not come to its end', async () => {
    const out = folder({ 'certification.json': '{}', 'certification.md': '# Certified', 'mine.md': '' });
    const { code, stderr } = await told(['--out', out], client('ending', '1'));
    expect([code, readdirSync(out)], stderr).toEqual([1, ['mine.md']]);
  });
});

describe('--junit', () => {
  test('prints a case per scenario in place of the Markdown', async () => {
    const { code, stdout } = await told(['--junit']);
    const [suite] = readXml(stdout).children;
    expect([code, suite?.attributes]).toMatchObject([1, { name: 'sachet certify', tests: '2', failures: '1' }]);
    const [lost, noPag] = suite?.children ?? [];
    expect(lost?.attributes).toMatchObject({ classname: 'sachet.certify', name: 'lost-answer' });
    const [failure] = lost?.children ?? [];
    expect([failure?.name, failure?.attributes.message]).toEqual([
      'failure',
      'expected exactly 1 of orders.create, but 2 came',
    ]);
    expect(failure?.text).toMatch(
      /\norders\.create: expected exactly 1, but 2 came\norder_followed not reached: the client has to read every order [^\n]+\nno_double_submit: The client sent an order again that is stored, although /,
    );
    expect(failure?.text).toMatch(
      / POST \/v2\/orders 201 Answered with 201 by orders\.create, but the connection switch cut /,
    );
    expect([noPag?.attributes.name, noPag?.children]).toEqual(['no-pag', []]);
  });

  test('with a file is written there', async () => {
    const file = join(folder(), 'certify.xml');
    const { stdout } = await told(['--json', '--junit', file]);
    expect(JSON.parse(stdout)).toMatchObject({ certified: false });
    expect(readXml(readFileSync(file, 'utf8')).attributes).toMatchObject({ tests: '2', failures: '1' });
  });
});

describe('what its caller can mend', () => {
  const url = ['--url', 'http://localhost:4010'];
  const key = ['--admin-key', 'some-key-1'];
  const command = ['--', ...client()];

  test.each([
    ['that the admin key is missing', url, 'no admin key; pass the one'],
    ['that the command is missing', [], 'no client; put the command after --, for example: sachet certify'],
    [
      'a flag of a server that is not made',
      [...key, '--assume', 'next_cursor=meta'],
      '--assume configures a new server, but only a command',
    ],
    [
      'a flag of a server that runs',
      [...url, ...key, '--clock', '2030-01-01T00:00:00Z', ...command],
      '--clock configures a new server, but --url names a running one',
    ],
    ['a command before --', ['node', 'client.js'], 'unexpected "node" before --'],
    ['a second command', ['stray', ...command], 'unexpected "stray" before --'],
    [
      'an unknown scenario',
      ['--only', 'no-pga', ...command],
      'unknown scenario "no-pga"; the server has: discontinued-',
    ],
    ['no time at all', ['--timeout', '0', ...command], '--timeout'],
    ['a time in words', ['--settle', 'long', ...command], '"long" is not a number of seconds'],
    ['a variable that is none', ['--env', 'API_URL=nothing', ...command], '--env'],
    ['two reports on one output', ['--json', '--junit', ...command], '--json and --junit both print'],
    ['a folder without a name', ['--out', '', ...command], '--out'],
  ])('%s', async (_, args, words) => {
    const running = sachetHere(['certify', ...args]);
    expect([await running.ended(), running.stdout]).toEqual([2, '']);
    expect(running.stderr).toMatch(/^sachet: [^\n]+\n$/);
    expect(running.stderr).toContain(words);
  });

  test("what a flag says of a server beats the environment's SACHET_URL", async () => {
    const env = { SACHET_URL: 'http://localhost:1' };
    const running = sachetHere(
      ['certify', '--json', ...walked, '--random-seed', 'mine', '--seed', 'yours', ...command],
      env,
    );
    expect(await running.ended(), running.stderr).toBe(0);
    expect(JSON.parse(running.stdout)).toMatchObject({ seed: 'yours' });
  });
});

test('the words that it is started by are told without their secrets', async () => {
  const script = join(folder(), 'client.mjs');
  writeFileSync(script, "process.stdin.on('data', (line) => process.stdout.write(line));");
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const words = ['--token=geheim', 'sachet-demo', '--api-key', 'geheim', '--user', 'demo', token];
  const { client: told } = await certification(walked, [process.execPath, script, ...words]);
  expect(told?.slice(2)).toEqual([
    ...['--token=[redacted]', '[redacted]', '--api-key', '[redacted]', '--user', 'demo', '[redacted]'],
  ]);
});
