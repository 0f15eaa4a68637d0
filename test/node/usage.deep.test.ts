// What the caller of the command can mend: exit code 2, one sentence on standard error that names what is wrong, nothing else.
import { describe, expect, test } from 'vitest';
import { folder, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { type Change, fixtureFiles } from '../support/fixture-files.ts';

/** A start that must fail as a usage error; what it said. */
async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = sachetHere(['--port', '0', ...args], env);
  const started = command.until('start', ({ stdout }) => stdout !== '').then(() => 'it started');
  const code = await started.catch(() => command.ended());
  expect({ code, stdout: command.stdout }, command.stderr).toEqual({ code: 2, stdout: '' });
  expect(command.stderr).not.toMatch(/^ +at /m);
  return command.stderr;
}

/** One line, and it is a sentence of the command. */
const oneLine = /^(?:sachet|error): [^\n]+\n$/;

/** The shipped fixtures as files of a folder, some replaced or added. */
const fixturesWith = (files: Readonly<Record<string, string>>, ...changes: readonly Change[]): string =>
  folder({
    ...Object.fromEntries(fixtureFiles(...changes).map(({ name, content }) => [name, JSON.stringify(content)])),
    ...files,
  });

describe('a variable that nothing reads', () => {
  test.each([
    ['SACHET_CLOK', ' Did you mean "SACHET_CLOCK"?'],
    ['SACHET_RANDOMSEED', ' Did you mean "SACHET_RANDOM_SEED"?'],
    ['SACHET_BASEURL', ' Did you mean "SACHET_BASE_URL"?'],
    ['SACHET_WEATHER_OF_TOMORROW', ''],
    ['SACHET_FOO', ''],
  ])('%s ends the start', async (name, meant) => {
    const said = await refused([], { [name]: 'x' });
    expect(said).toMatch(oneLine);
    expect(said).toContain(
      `sachet: unknown variable ${name}.${meant} Unset it, or use one of SACHET_PORT, SACHET_HOST`,
    );
  });

  test('also ends the start of certify and matrix', async () => {
    for (const command of ['certify', 'matrix']) {
      const run = sachetHere([command, '--', 'true'], { SACHET_PROFIL: 'strict' });
      expect(await run.ended()).toBe(2);
      expect(run.stderr).toContain('Did you mean "SACHET_PROFILE"?');
    }
  });

  test('starts the server if a client, a test or Kubernetes has it', async () => {
    const others = ['URL', 'SANDBOX', 'BASE_URL', 'USERNAME', 'PASSWORD', 'COMMAND'];
    const links = {
      SACHET_PORT: 'tcp://10.0.0.1:4010',
      SACHET_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
      SACHET_PORT_4010_TCP_ADDR: '10.0.0.1',
      SACHET_PORT_4010_TCP_PORT: '4010',
      SACHET_PORT_4010_TCP_PROTO: 'tcp',
      SACHET_SERVICE_HOST: '10.0.0.1',
      SACHET_SERVICE_PORT: '4010',
      SACHET_SERVICE_PORT_HTTP: '4010',
      SACHET_DATABASE_PORT: 'tcp://10.0.0.2:5432',
      SACHET_DATABASE_SERVICE_HOST: '10.0.0.2',
    };
    const known = Object.fromEntries(others.map((part) => [`SACHET_${part}`, 'x']));
    const { ready } = await serving(['--port', '0'], { ...known, ...links, SACHET_UNSET: '' });
    expect((await fetch(`${ready.url}/health`)).status).toBe(200);
  });

  test('of Kubernetes for the port leaves the port of a health check as it is', async () => {
    const check = sachetHere(['healthcheck'], { SACHET_PORT: 'tcp://10.0.0.1:1' });
    await check.ended();
    expect(check.stdout + check.stderr).toContain('http://127.0.0.1:4010/health');
  });
});

describe('scenarios that no sandbox could start with', () => {
  const scenario = (parts: object) => JSON.stringify({ intent: 'To see.', right_client: 'Looks.', ...parts });

  test.each([
    [
      'an id of a switch',
      { switches: { inactive_pags: { ids: ['30000000-0000-4000-8000-00000000000f'] } } },
      '$.switches.inactive_pags.ids[0]',
    ],
    [
      'an operation',
      { faults: [{ status: 500, match: { operation: 'order.create' } }] },
      '$.faults[0].match.operation',
    ],
    [
      'a user',
      { data: { users: [{ id: '12000000-0000-4000-8000-00000000000f', username: 'x' }] } },
      '$.data.users[0].id',
    ],
  ])('%s that is unknown, with the nearest known one', async (_, parts, path) => {
    const scenarios = folder({ 'bad.json': scenario(parts) });
    const said = await refused(['--scenarios', scenarios, '--scenario', 'bad']);
    expect(said).toContain(`sachet: ${scenarios}/bad.json ${path}: found "`);
    expect(said).toContain('Did you mean "');
  });

  test('two that conflict', async () => {
    const lost = scenario({ faults: [{ id: 'lost', drop: 'mid_body' }] });
    const scenarios = folder({ 'one.json': lost, 'two.json': lost });
    const said = await refused(['--scenarios', scenarios, '--scenario', 'one,two']);
    expect(said).toBe(
      'sachet: two.json $.faults[0].id: found "lost", expected an id that no other fault of the sandbox has\n',
    );
  });

  test('more records than there is room for', async () => {
    const pack = (n: number) => ({ id: `P${n}`, brand_id: '11000000-0000-4000-8000-000000000001', name: 'New' });
    const many = scenario({ data: { packs: Array.from({ length: 30 }, (_, n) => pack(n)) } });
    const said = await refused([
      '--scenarios',
      folder({ 'many.json': many }),
      '--scenario',
      'many',
      '--max-records',
      '30',
    ]);
    expect(said).toContain('many.json $.data: found too many records, expected at most --max-records in a collection');
  });
});

describe('a flag that is no good', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['a port that is no number', ['--port', 'http'], ['--port', 'http']],
    ['a port out of range', ['--port', '65536'], ['--port', '65536']],
    ['a port below 0', ['--port', '-1'], ['--port', '-1']],
    ['an unknown flag', ['--prot', '4010'], ['--prot']],
    ['an unknown command', ['sevre'], ['sevre', 'serve, init, check, scenarios, openapi, requests']],
    ['a flag without its value', ['--random-seed'], ['--random-seed']],
    ['an unknown log format', ['--log', 'xml'], ['--log', 'xml', 'json']],
    ['a public URL that is none', ['--public-url', 'example.com/x'], ['--public-url', 'example.com/x']],
    ['a public URL of another scheme', ['--public-url', 'ftp://example.com'], ['ftp://example.com']],
    ['an unknown assumption', ['--assume', 'next_curser=meta'], ['next_curser', 'next_cursor']],
    ['an unknown reading', ['--assume', 'next_cursor=metta'], ['next_cursor', 'metta', 'link_header']],
    ['an assumption without a reading', ['--assume', 'next_cursor'], ['next_cursor', 'id=choice']],
    ['an unknown profile', ['--profile', 'lax'], ['lax', 'strict']],
    ['a clock that is no instant', ['--clock', 'yesterday'], ['yesterday', 'ISO']],
    ['a clock that is no instant, running', ['--clock', 'now+'], ['now', 'ISO']],
    ['a clock that is a bare number', ['--clock', '5'], ['"5"', 'ISO']],
    ['a clock in words', ['--clock', '20 Nov 2026 12:00 UTC'], ['20 Nov 2026', 'ISO']],
    ['a clock on a day that is none', ['--clock', '2026-02-30T00:00:00Z'], ['2026-02-30', 'ISO']],
    ['an address of another machine', ['--host', '203.0.113.7'], ['203.0.113.7', '--host']],
    ['an address that is none', ['--host', 'a b'], ['"a b"', '--host']],
    ['a zone that there is none of', ['--host', 'fe80::1%nowhere'], ['fe80::1%nowhere']],
    ['a folder that is not there', ['--fixtures', '/no/such/folder'], ['/no/such/folder']],
    ['a scenarios folder that is not there', ['--scenarios', '/no/such/folder'], ['scenarios', '/no/such/folder']],
    ['an unknown scenario', ['--scenario', 'no-pga'], ['no-pga', 'lost-answer, maintenance']],
    ['a scenario without a name', ['--scenario', 'no-pag,,maintenance'], ['--scenario', 'empty']],
    ['an allowed host with a scheme', ['--allowed-hosts', 'http://x.test'], ['--allowed-hosts', '"http://x.test"']],
    ['an allowed host with a port', ['--allowed-hosts', 'a.test,b.test:4010'], ['"b.test:4010"', 'port']],
    ['an allowed host with a path', ['--allowed-hosts', 'a.test/x'], ['"a.test/x"', 'path']],
    ['an allowed host that is a pattern', ['--allowed-hosts', '*.test'], ['"*.test"']],
    ['an allowed host that is half an address', ['--allowed-hosts', '10.0.0'], ['"10.0.0"']],
    ['an allowed host that is empty', ['--allowed-hosts', ''], ['--allowed-hosts', '""']],
    ['one sandbox at most', ['--max-sandboxes', '1'], ['--max-sandboxes', '"1"', 'at least 2']],
    ['sandboxes in words', ['--max-sandboxes', 'many'], ['"many"', 'whole number']],
    ['no record at most', ['--max-records', '0'], ['--max-records', '"0"', 'at least 1']],
    ['half a record', ['--max-records', '1.5'], ['"1.5"']],
    ['more records than can be counted', ['--max-records', '1e99'], ['"1e99"']],
  ])('is told: %s', async (_, args, words) => {
    const stderr = await refused(args);
    for (const word of words) expect(stderr).toContain(word);
    expect(stderr).toMatch(oneLine);
  });

  test.each([
    ['a key that is too short', 'short-7'],
    ['a key with a blank', 'open sesame'],
    ['a key that is no ASCII', 'schlüssel-1'],
    ['an empty key', ''],
    ['a key of one character', '?'],
  ])('is told, but not shown: %s', async (_, key) => {
    const stderr = await refused(['--admin-key', key]);
    expect(stderr).toMatch(/--admin-key or SACHET_ADMIN_KEY .*at least 8 visible ASCII/);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toContain(`(${key.length} character${key.length === 1 ? '' : 's'}, not shown)`);
    if (key.length > 1) expect(stderr).not.toContain(key);
    if (key) expect(await refused([], { SACHET_ADMIN_KEY: key })).toBe(stderr);
  });

  test('is told as one of the environment where it comes from there', async () => {
    const stderr = await refused([], { SACHET_LOG: 'loud' });
    expect(stderr).toContain('SACHET_LOG');
    expect(stderr).toContain('loud');
  });
});

test('an unknown command is told before its flags are looked at, with all that there are', async () => {
  const command = sachet(['sevre', '--no-such-flag']);
  expect(await command.ended()).toBe(2);
  const known = 'serve, init, check, scenarios, openapi, requests, report, certify, matrix, store, healthcheck';
  expect(command.stderr).toBe(`sachet: unknown command "sevre"; the commands are: ${known}\n`);
});

test('a port that is in use is told', async () => {
  const { ready } = await serving();
  const { port } = new URL(ready.url);
  const stderr = await refused(['--port', port]);
  expect(stderr).toContain(port);
  expect(stderr).toContain('in use');
  expect(stderr).toMatch(oneLine);
});

describe('fixtures that are no good', () => {
  test('a folder without files is told', async () => {
    const path = folder({ 'notes.txt': '{}' });
    const stderr = await refused(['--fixtures', path]);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(oneLine);
  });

  test('a file that is no JSON is told with its name', async () => {
    const path = fixturesWith({ 'broken.json': '{"users": [' });
    const stderr = await refused(['--fixtures', path]);
    expect(stderr).toContain(`${path}/broken.json`);
    expect(stderr).toContain('JSON');
    expect(stderr).toMatch(oneLine);
  });

  test('a value is told with its file, its JSON path, what was found and what is expected', async () => {
    const path = fixturesWith({}, { file: 'orders.json', path: ['orders', 3, 'status'], to: 'Open' });
    const stderr = await refused(['--fixtures', path]);
    expect(stderr).toMatch(/orders\.json \$\.orders\[3\]\.status: found "Open", expected [^\n]*"Pending"/);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(oneLine);
  });

  test('a dangling reference is told likewise', async () => {
    const to = '99999999-9999-4999-8999-999999999999';
    const path = fixturesWith({}, { file: 'pags.json', path: ['pags', 0, 'brand_id'], to });
    const stderr = await refused(['--fixtures', path]);
    expect(stderr).toMatch(/pags\.json \$\.pags\[0\]\.brand_id: found "9{8}-[^\n]*", expected [^\n]*brands/);
    expect(stderr).toMatch(oneLine);
  });

  test('a folder that is a file is told', async () => {
    const path = `${folder({ 'accounts.json': '{}' })}/accounts.json`;
    const stderr = await refused(['--fixtures', path]);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(oneLine);
  });
});
