// What `sachet matrix` prints for people and for CI, and what it refuses to begin with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProgressLine } from '../../src/node/matrix/matrix.ts';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { matrix } from '../support/matrix.ts';
import { client, pagingClient } from '../support/written-clients.ts';
import { readXml } from '../support/xml.ts';

const three = ['--only', 'next_cursor=meta,rate_limit,pag_lookup'];
const explanation =
  'GET /v2/fulfillments answered 200. This run used next_cursor=meta: meta.next_cursor, null on the last page (first run: body: next_cursor, null on the last page)';

describe('the table', () => {
  test('has a line per reading, beneath a failure where to look, and what the client depends on', async () => {
    const { code, stdout, stderr } = await matrix(pagingClient('body'), three).told();
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.replace(/in \d+\.\d s/, 'in 1.0 s')).toBe(
      [
        'assumption   choice   result',
        'next_cursor  meta     FAIL',
        `    it exited with code 1; ${explanation}`,
        'pag_lookup   brand    not reached',
        'rate_limit   100/60s  pass',
        '',
        '1 passed, 1 failed, 1 not reached, in 1.0 s',
        'Depends on: next_cursor',
        '',
      ].join('\n'),
    );
  });

  test('tells with --output what each run that failed has printed, which cannot forge a line', async () => {
    const prints = pagingClient(
      'body',
      "console.log('one\\u001b[2J\\u001b[31m red\\u001b[0m\\ttab');\nawait logIn();\nawait readAll();",
    );
    const { stdout } = await matrix(prints, ['--output', ...three]).told();
    expect(stdout).toContain(
      '\n\nOutput of the run with next_cursor=meta:\n\none\\u{1b}[2J red\ttab\nsaw 10 of 27 fulfillments\n\n1 passed',
    );
  });

  test('says so where nothing fails, and why where no request met the reading', async () => {
    const passes = await matrix(client('await logIn();'), ['--only', 'rate_limit']).told();
    expect(passes.stdout).toMatch(
      /\n\n1 passed, 0 failed, 0 not reached, in [\d.]+ s\nDepends on: no assumption that was tried\n$/,
    );
    const fails = await matrix(client("await logIn();\nif (assume) fail('');"), [
      '--all',
      '--only',
      'pag_lookup',
    ]).told();
    expect(fails.stdout).toMatch(
      /\n {4}it exited with code 1; no request of the run used pag_lookup=brand\n\n0 passed, 1 failed, 0 not reached, in [\d.]+ s\nDepends on: no assumption that was tried\nFailed for another reason: pag_lookup\n$/,
    );
  });
});

describe('JUnit', () => {
  const cases = (document: string) =>
    readXml(document).children[0]?.children.map(({ attributes, children }) => [
      attributes.classname,
      attributes.name,
      ...children.map(({ name, attributes: { message } }) => [name, message]),
    ]);
  const expected = [
    ['next_cursor', 'meta', ['failure', `it exited with code 1; ${explanation}`], ['system-out', undefined]],
    ['pag_lookup', 'brand', ['skipped', 'not reached']],
    ['rate_limit', '100/60s'],
  ];

  test('is printed instead of the table, a case per reading', async () => {
    const { code, stdout } = await matrix(pagingClient('body'), [...three, '--junit']).told();
    expect([code, cases(stdout)]).toEqual([1, expected]);
    expect(readXml(stdout).children[0]?.attributes).toMatchObject({
      ...{ name: 'sachet matrix', tests: '3', failures: '1', skipped: '1' },
    });
    expect(stdout).toContain('saw 10 of 27 fulfillments</system-out>');
  });

  test('is written into a file, beside what is printed', async () => {
    const file = join(folder(), 'reports/matrix.xml');
    const { stdout } = await matrix(pagingClient('body'), [...three, '--json', '--junit', file]).told();
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ passed: false }, { passed: true }, { passed: true }] });
    expect(cases(readFileSync(file, 'utf8'))).toEqual(expected);
  });
});

describe('the progress', () => {
  const terminal = (more: object) => {
    const written: string[] = [];
    return { written, write: (text: string) => written.push(text) > 0, ...more };
  };

  const never = new Promise<{ readonly passed: boolean }>(() => undefined);

  test('is one line of a terminal, no longer than it, and taken away', async () => {
    const screen = terminal({ isTTY: true, columns: 60 });
    const progress = new ProgressLine(screen);
    progress.expect(1);
    await progress.during('first', Promise.resolve({ passed: true }));
    progress.expect(3);
    const failing = progress.during('a=1', Promise.resolve({ passed: false }));
    void progress.during('a=2', never);
    await failing;
    void progress.during(`b=${'long'.repeat(20)}`, never);
    progress.clear();
    expect(screen.written.map((text) => text.replace('\r\u001b[K', '|'))).toEqual(
      [
        '|0 of 1 runs, 0 failed; running: first',
        '|1 of 1 runs, 0 failed; running: nothing',
        '|1 of 4 runs, 0 failed; running: a=1',
        '|1 of 4 runs, 0 failed; running: a=1, a=2',
        '|2 of 4 runs, 1 failed; running: a=2',
        '|2 of 4 runs, 1 failed; running: a=2, b=longlonglonglonglong',
        '|',
      ].map((line) => line.slice(0, 60)),
    );
  });

  test('is nothing where there is no terminal', () => {
    const file = terminal({});
    const progress = new ProgressLine(file);
    void progress.during('first', never);
    progress.clear();
    expect(file.written).toEqual([]);
  });
});

describe('it is refused to begin', () => {
  const form = 'put the command after --, for example: sachet matrix -- npm test';

  test.each<[string, readonly string[], string]>([
    ['without a command', [], `no command to run; ${form}`],
    ['without a command behind --', ['--all', '--'], `no command to run; ${form}`],
    ['without --', ['npm', 'test'], `unexpected "npm" before --; ${form}`],
    [
      'with flags of the command and without --',
      ['npm', 'test', '--reporter', 'dot'],
      `unexpected "npm" before --; ${form}`,
    ],
    ['with an unknown flag', ['--prallel', '2', '--', 'true'], `unknown option '--prallel'; ${form}`],
    ['with words before --', ['npm', '--', 'test'], `unexpected "npm" before --; ${form}`],
    [
      'with -- as the value of a flag',
      ['--random-seed', '--', '--', 'true'],
      `option '--random-seed' needs a value before --; ${form}`,
    ],
    ['with JSON and JUnit on one output', ['--json', '--junit', '--', 'true'], '--json and --junit both print'],
    [
      'with a JUnit file that cannot be',
      ['--junit', '/dev/null/x', '--', 'true'],
      'cannot write the JUnit file /dev/null/x',
    ],
    [
      'with the reading that the first run has',
      ['--only', 'next_cursor=body', '--', 'true'],
      'the first run already uses next_cursor=body; the other choices are: meta, link_header, header',
    ],
    [
      'with an unknown assumption',
      ['--only', 'next_curser', '--', 'true'],
      'Unknown assumption "next_curser". Did you mean "next_cursor"? Use one of: validation_placement, ',
    ],
    [
      'with an unknown reading',
      ['--only', 'list_order,next_cursor=metta', '--', 'true'],
      'Unknown choice "metta" of the assumption next_cursor. Did you mean "meta"? Use one of: body, meta',
    ],
    ['with an empty name', ['--only', 'list_order,', '--', 'true'], '"" does not name an assumption'],
    ['with no run at a time', ['--parallel', '0', '--', 'true'], '"0" is not a whole number of at least 1'],
    ['with no time', ['--timeout', '0', '--', 'true'], '"0" is not a number of seconds'],
    [
      'with a variable without a name',
      ['--env', '=base_url', '--', 'true'],
      '"=base_url" is not of the form NAME=value',
    ],
    [
      'with a variable of nothing known',
      ['--env', 'A=base_ulr', '--', 'true'],
      'unknown name "base_ulr"; use one of base_url, username, password, admin_key, assume, or a text with such names in braces',
    ],
    [
      'with a variable of an unknown name in braces',
      ['--env', 'A={url}/v2', '--', 'true'],
      'unknown name {url}; use one of base_url',
    ],
    ['with an unknown scenario', ['--scenario', 'no-pga', '--', 'true'], 'unknown scenario "no-pga"'],
  ])('%s', async (_, args, words) => {
    const command = sachetHere(['matrix', ...args]);
    expect([await command.ended(), command.stdout]).toEqual([2, '']);
    expect(command.stderr).toContain(words);
    expect(command.stderr).toMatch(/^sachet: [^\n]+\n$/);
  });

  test('flags of the command behind -- are its own', async () => {
    const path = folder({ 'client.mjs': client("note(process.argv.slice(2).join(' '));\nawait logIn();"), notes: '' });
    const notes = join(path, 'notes');
    const words = [process.execPath, join(path, 'client.mjs'), '--all', '--', '--json'];
    const command = sachetHere(['matrix', '--only', 'rate_limit', '--', ...words], { NOTES: notes });
    expect(await command.ended(), command.stderr).toBe(0);
    expect(readFileSync(notes, 'utf8')).toBe('--all -- --json\n--all -- --json\n');
    expect(command.stdout).toContain('rate_limit  100/60s  pass\n');
  });
});
