// `sachet certify` with the command of a client that runs a round per line: a correct client is certified, and an incorrect one fails where it is
// incorrect; the process of the client, scenarios of one's own, the reports, and usage errors.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { served } from '../library/starts.ts';
import { folder, gone, inMachineTime, root, sachet } from '../support/command.ts';
import { errorHere, resultHere, sachetHere } from '../support/command-here.ts';
import { fixtureFiles, shippedFiles } from '../support/fixture-files.ts';
import { broken, failed, reportOf } from './certify.ts';
import { readXml } from './xml.ts';

/** The command of the client `certified-client.mjs`: correct without arguments, else with these faults. */
const client = (...faults: readonly string[]): readonly string[] => [
  process.execPath,
  join(root, 'test/support/certified-client.mjs'),
  ...faults,
];

async function certification(args: readonly string[], command: readonly string[] = client()) {
  const running = sachetHere(['certify', '--json', ...args, '--', ...command]);
  return { ...(await reportOf(running)), stderr: running.stderr };
}

const all = shippedFiles('scenarios').map(({ name }) => name.replace(/^.*\/|\.json$/g, ''));
/** `slow-service` takes real time. */
const quick = all.filter((name) => name !== 'slow-service');
const only = (...names: readonly string[]): string[] => ['--only', names.join(',')];
const example = [process.execPath, join(root, 'examples/certify.mjs')];

test('every scenario certifies the client of docs/how-to/certify-a-client.md, in an order that the seed decides', async () => {
  const report = await certification(['--seed', 'certify'], example);
  expect(failed(report)).toEqual([]);
  expect(report).toMatchObject({ code: 0, certified: true, left_out: [], seed: 'certify', sandbox: 'stage' });
  expect(report.scenarios.map(({ name }) => name)).toEqual(all);
  expect(report.client).toEqual(example);
  const lines = report.stderr.trimEnd().split('\n');
  const walked = lines.map((line) => /^\d+\/14 (\S+): pass after [\d.]+ s$/.exec(line)?.[1]);
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(all.map((_, index) => index + 1));
  expect(walked.toSorted()).toEqual(all);
  expect(walked).not.toEqual(all);
});

test('the same client is certified where the service has only the endpoints of the contract', async () => {
  const report = await certification(['--profile', 'strict', ...only(...quick)], example);
  expect([failed(report), report.code]).toEqual([[], 0]);
  expect(report.assumptions).toEqual({ order_endpoints: 'absent' });
  const lost = report.scenarios.find(({ name }) => name === 'lost-answer');
  expect(lost?.expect).toMatchObject([{ match: { operation: 'orders.create' }, came: 1 }]);
  expect(lost?.outcomes).toEqual([{ id: 'label_downloaded', reached: true }]);
});

test.each([
  ['makes as few calls as possible', 'minimal', [], all],
  ['makes as few calls as possible', 'minimal', ['--profile', 'strict'], quick],
  ['ignores every response', 'ignoring', [], quick],
])('a client that %s passes no scenario (%s %j)', async (_, way, flags, names) => {
  const cheating = [process.execPath, join(root, 'test/support/cheating-client.mjs'), way];
  const report = await certification([...flags, ...only(...names)], cheating);
  expect([report.code, report.certified, failed(report)]).toEqual([1, false, names]);
});

describe('an incorrect client', () => {
  const faults: readonly (readonly [fault: string, fails: readonly string[], rule: string])[] = [
    ['impatient', ['rate-limit-burst'], 'retry_after'],
    ['ordering twice', ['lost-answer', 'server-errors'], 'no_double_submit'],
    ['never content', ['inactive-pag'], 'needs_changes'],
    ['hoarding', ['doorstep', 'label-expiry'], 'fresh_label'],
    ['stubborn', ['discontinued-product', 'no-pag'], 'no_refused_repeat'],
    ['hasty', ['late-tracking', 'paging-under-change'], 'cursor_to_the_end'],
  ];
  /** The hasty client also misses fulfillments where a scenario is about something else. */
  const missedByHasty = ['maintenance', 'missing-permission', 'server-errors'];

  test('with six faults fails exactly in the scenarios of each fault, by its conduct rule', async () => {
    const report = await certification(only(...quick), client(faults.map(([fault]) => fault).join(',')));
    expect([report.code, report.certified]).toEqual([1, false]);
    expect(report.scenarios.map(({ name }) => name)).toEqual(quick);
    expect(failed(report)).toEqual([...new Set(faults.flatMap(([, fails]) => fails).concat(missedByHasty))].sort());
    expect(broken(report)).toEqual(faults.flatMap(([, fails, rule]) => fails.map((name) => `${name}: ${rule}`)).sort());
  });

  // In other scenarios these clients do not finish a round, or not soon.
  test.each([
    ['forgetful', 'no-pag', 'missing-permission', 'token_reuse'],
    ['hammering', 'lost-answer', 'server-errors', 'backoff_on_500'],
  ])('that is %s passes %s, and fails %s by %s', async (fault, passed, scenario, rule) => {
    const report = await certification(only(passed, scenario), client(fault));
    expect([failed(report), broken(report)]).toEqual([[scenario], [`${scenario}: ${rule}`]]);
  });

  test('is reported with the expected and received calls, the outcomes, and the evidence', async () => {
    const { scenarios, left_out, stderr } = await certification(only('lost-answer'), client('ordering twice'));
    const [result] = scenarios;
    expect(left_out).toEqual(all.filter((name) => name !== 'lost-answer'));
    expect(stderr).toContain('1/1 lost-answer: fail after ');
    const orders = { match: { operation: 'orders.create' }, count: 1, came: 2, satisfied: false };
    expect(result).toMatchObject({ name: 'lost-answer', outcome: 'fail', note: null, expect: [orders] });
    expect(result?.outcomes).toEqual([
      { id: 'order_followed', reached: false },
      { id: 'label_downloaded', reached: true },
    ]);
    const advice = /^The client sent an order again that is stored, although its response was lost\. /;
    const evidence = result?.evidence.map(({ id }) => id);
    expect(result?.conduct).toMatchObject([{ advice: expect.stringMatching(advice), evidence }]);
    const order = { method: 'POST', path: '/v2/orders', status: 201, rules: [] };
    const sentence = expect.stringContaining(', but the connection switch cut the connection ');
    expect(result?.evidence).toMatchObject([{ ...order, sentence }, order]);
  });
});

describe('a client that does not finish a round fails that scenario, and is started again:', () => {
  const walked = only('late-tracking', 'lost-answer', 'no-pag');
  /** The name and the result of the scenario with this number. */
  function at(report: Awaited<ReturnType<typeof certification>>, number: number) {
    const name = new RegExp(`^${number}/3 (\\S+):`, 'm').exec(report.stderr)?.[1] ?? '';
    expect(failed(report)).toEqual([name]);
    return report.scenarios.find((scenario) => scenario.name === name);
  }

  test('it ends, in the round with or before the scenario', async () => {
    const report = await certification(walked, client('ending', '4', 'I give up'));
    const note = /^the client ended with exit code 3 in the round "[0-9a-f]{8}"\nIts last output:\nI give up$/;
    expect(at(report, 2)?.note).toMatch(note);
    expect(report.stderr).toMatch(/^2\/3 \S+: fail [^\n]*exit code 3[^\n]*\n {4}Its last output:\n {4}I give up\n/m);
    const before = await certification(walked, client('ending', '5', 'No.'));
    expect(at(before, 3)).toMatchObject({ note: expect.stringMatching(/"before [0-9a-f]{8}"/), evidence: [] });
  });

  // Real time: a busy machine may need longer than the timeout for a correct round.
  test('it prints nothing until the timeout', inMachineTime, async () => {
    const report = await certification(['--timeout', '3', ...walked], client('silent', '4'));
    expect(at(report, 2)?.note).toMatch(/^the client did not answer the line "[0-9a-f]{8}" within 3 s$/);
  });

  test('its last output is shown without secrets', async () => {
    const output = 'TokenError: my password is sachet-demo, Bearer abc.def, {"token": "geheim"}, KeyError: no key';
    const report = await certification(only('no-pag'), client('ending', '2', output));
    const shown = 'TokenError: my password is [redacted], Bearer [redacted], {"token": [redacted]}, KeyError: no key';
    expect(report.scenarios[0]?.note?.split('\n').at(-1)).toBe(shown);
    for (const secret of ['sachet-demo', 'geheim', 'abc.def']) expect(JSON.stringify(report)).not.toContain(secret);
  });

  test.each([
    ['does not print its first line', '0.5', ['silent', '1'], 'did not answer the line .* within 0.5 s'],
    ['ends before its first line', '60', ['ending', '1', 'No.'], 'ended with exit code 3 in the round .*'],
  ])('but one that %s ends the command', async (_, timeout, faults, what) => {
    const protocol = 'after each round, a client must print the line that it has read to standard output, ';
    const line = `the client ${what}; ${protocol}with a line break, and flush\n`;
    const args = ['--timeout', timeout, ...only('late-tracking', 'no-pag'), '--', ...client(...faults)];
    const stderr = expect.stringMatching(new RegExp(`^sachet: ${line}(?:Its last output:\nNo\\.\n)?$`));
    expect(await resultHere(['certify', ...args])).toEqual({ code: 1, stdout: '', stderr });
  });
});

const removed = 'the scenario was removed during the run: someone reset the sandbox, or removed the scenario';
const turnedOff = 'overrides of the scenario were turned off or replaced during the run: switch label_expiry';

test.each([
  ['resets the sandbox', 'resetting', [removed, removed]],
  ['turns the switches off', 'turning off', [null, turnedOff]],
  ['clears the journal', 'clearing', Array(2).fill(expect.stringMatching(/^the journal no longer has all calls /))],
])('a scenario fails if somebody %s during it', async (_, way, notes) => {
  const report = await certification(only('no-pag', 'label-expiry'), client(way));
  expect(report.certified).toBe(false);
  expect(report.scenarios.map(({ note }) => note).sort()).toEqual(notes.toSorted());
});

/** A client that writes down its environment and its processes. */
function noting(way: 'noting' | 'leaving' | 'lingering' = 'noting') {
  const path = join(folder(), 'notes.json');
  const notes = () =>
    JSON.parse(readFileSync(path, 'utf8')) as { pids: number[]; env: Readonly<Record<string, string>> };
  return { command: client(way, path), notes };
}

describe('the environment of the client', () => {
  test('names a new server and a login, also under names of --env; its child is ended, too', async () => {
    const { command, notes } = noting('leaving');
    const report = await certification(
      [...only('no-pag'), '--env', 'API_ROOT={base_url}/v2,API_USER=username'],
      command,
    );
    const { env, pids } = notes();
    expect([report.code, pids.length]).toEqual([0, 2]);
    await gone(pids);
    expect(env).toMatchObject({
      ...{ SACHET_USERNAME: 'demo', SACHET_PASSWORD: 'sachet-demo', SACHET_ASSUME: '', SACHET_SANDBOX: 'stage' },
      ...{ SACHET_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), SACHET_URL: env.SACHET_BASE_URL },
      ...{ SACHET_ADMIN_KEY: expect.stringMatching(/^\S{8,}$/) },
      ...{ API_ROOT: `${env.SACHET_BASE_URL}/v2`, API_USER: 'demo' },
    });
    expect(JSON.stringify(report)).not.toContain(env.SACHET_ADMIN_KEY);
  });

  test('names the assumptions, which the report has too, and the sandbox of --sandbox; one that does not end is ended', async () => {
    const { command, notes } = noting('lingering');
    const flags = ['--assume', 'list_order=oldest_first', '--profile', 'strict', '--sandbox', 'production'];
    const report = await certification([...only('no-pag'), ...flags], command);
    expect(report).toMatchObject({ code: 0, sandbox: 'production' });
    expect(report.assumptions).toEqual({ list_order: 'oldest_first', order_endpoints: 'absent' });
    const { env, pids } = notes();
    await gone(pids);
    expect(env.SACHET_ASSUME?.split(',').sort()).toEqual(['list_order=oldest_first', 'order_endpoints=absent']);
    const SACHET_BASE_URL = `${env.SACHET_URL}/sandboxes/production`;
    expect(env).toMatchObject({ SACHET_SANDBOX: 'production', SACHET_BASE_URL });
  });

  test('names the sandbox of a running server, which is restored at the end', async () => {
    const server = await served({ assumptions: { list_order: 'oldest_first' } });
    const key = 'the-key-of-acme-alone';
    const acme = await server.createSandbox({ name: 'acme', own_key: key });
    await acme.switches.set({ inactive_pags: { all: true } });
    const { command, notes } = noting();
    const at = ['--url', `${server.baseUrl}/`, '--sandbox', 'acme', '--only', 'no-pag,rate-limit-burst'];
    const running = sachet(['certify', '--json', ...at, '--', ...command], { SACHET_ADMIN_KEY: key });
    const assumptions = { list_order: 'oldest_first' };
    expect(await reportOf(running)).toMatchObject({ code: 0, certified: true, sandbox: 'acme', assumptions });
    expect(notes().env).toMatchObject({
      ...{ SACHET_URL: server.baseUrl, SACHET_SANDBOX: 'acme', SACHET_ADMIN_KEY: key },
      ...{ SACHET_BASE_URL: `${server.baseUrl}/sandboxes/acme` },
    });
    expect((await acme.switches.get()).inactive_pags).toMatchObject({ all: true });
    expect((await acme.snapshots.list()).snapshots).toEqual([]);
  });
});

test('the lines do not name the scenario, and other output of the client is ignored', async () => {
  const path = join(folder(), 'lines.txt');
  const report = await certification(only('doorstep', 'lost-answer', 'no-pag'), client('writing,talkative', path));
  expect([report.code, failed(report)]).toEqual([0, []]);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(new Set(lines).size).toBe(7);
  for (const line of lines) expect(line).toMatch(/^(?:before )?[0-9a-f]{8}$/);
});

const texts = { intent: 'To see.', right_client: 'Looks.' };
/** Arguments for scenarios of one's own, and only these. */
const scenarios = (files: Readonly<Record<string, object>>, ...more: readonly string[]): string[] => {
  const contents = Object.entries(files).map(([name, file]) => [`${name}.json`, JSON.stringify({ ...texts, ...file })]);
  const names = [...Object.keys(files), ...more].join(',');
  return ['--scenarios', folder(Object.fromEntries(contents)), '--only', names];
};

test('a seed repeats the order, the ids and the data; without one they are random', async () => {
  const looks = {
    expect: [{ match: { operation: 'fulfillments.get' }, count: { at_least: 1 } }],
    outcomes: [{ id: 'all_fulfillments_read' }],
  };
  const args = scenarios({ a: looks, b: looks, c: looks, d: looks });
  const walk = async (...seed: readonly string[]) => {
    const { stderr, scenarios: results, seed: printed } = await certification([...args, ...seed]);
    const paths = results.flatMap(({ evidence }) => evidence.map(({ path }) => path));
    return { seed: printed, names: stderr.match(/(?<=^\d\/4 )\S+(?=:)/gm), paths };
  };
  const first = await walk();
  expect(first.seed).toMatch(/^[0-9a-z]{8}$/);
  expect(first.names).toHaveLength(4);
  expect(await walk('--seed', first.seed)).toEqual(first);
  const other = await walk();
  expect(other.seed).not.toBe(first.seed);
  expect(other.paths).not.toEqual(first.paths);
});

describe("scenarios of one's own", () => {
  test('pass with any call, and fail by their own expectations', async () => {
    const match = { operation: 'fulfillments.list' };
    const few = { expect: [{ match, count: { at_most: 1 } }] };
    const report = await certification(scenarios({ any: {}, few, rule: { conduct: ['retry_after'] } }, 'no-pag'));
    expect(report.scenarios.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      ...['any: pass', 'few: fail', 'no-pag: pass', 'rule: fail'],
    ]);
    const [any, tooMany, , rule] = report.scenarios;
    expect(any).toMatchObject({ ...texts, expect: [], outcomes: [], conduct: [], evidence: [] });
    expect(tooMany).toMatchObject({ note: null, expect: [{ match, came: expect.any(Number), satisfied: false }] });
    expect(report.stderr).toMatch(/fulfillments\.list: expected at most 1, but [34] came/);
    expect(rule).toMatchObject({ conduct: [{ outcome: 'not_exercised' }] });
    expect(report.stderr).toContain('retry_after: no call tested this rule. After a 429, wait ');
  });

  test('ignore expectations about endpoints that the service does not have', async () => {
    const needs = 'order_endpoints';
    const expected = [{ match: { operation: 'orders.get' }, count: 1, needs }];
    const args = scenarios({ mine: { expect: expected, outcomes: [{ id: 'order_delivered', needs }] } });
    expect((await certification(args)).certified).toBe(false);
    const strict = await certification([...args, '--profile', 'strict']);
    expect(strict.scenarios[0]).toMatchObject({ outcome: 'pass', expect: [], outcomes: [] });
  });

  test('fail if they cannot be applied to the fixtures', async () => {
    const id = '21000000-0000-4000-8000-000000000001';
    const files = fixtureFiles().map(({ name, content }) => [
      name,
      JSON.stringify(content).replaceAll(id, id.replace(/1$/, 'f')),
    ]);
    const args = ['--fixtures', folder(Object.fromEntries(files)), '--only', 'discontinued-product,no-pag'];
    const report = await certification(args);
    expect(failed(report)).toEqual(['discontinued-product']);
    expect(report.scenarios[0]?.note).toMatch(/^the scenario cannot be applied here \(use --only to leave it out\): /);
  });
});

const certify = (args: readonly string[], command: readonly string[]) =>
  resultHere(['certify', ...only('lost-answer', 'no-pag'), ...args, '--', ...command]);

test('--json prints these fields, with the command of the client without secrets', async () => {
  const script = join(folder({ 'client.mjs': 'process.stdin.pipe(process.stdout);' }), 'client.mjs');
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const args = ['--token=geheim', 'sachet-demo', '--api-key', 'geheim', '--user', 'demo', token];
  const { code: _, stderr: __, ...report } = await certification(only('no-pag'), [process.execPath, script, ...args]);
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

test('--out writes the JSON and the Markdown, the table is printed, and --junit writes a file with a case per scenario', async () => {
  const path = folder();
  const out = join(path, 'reports', 'today');
  const junit = join(path, 'certify.xml');
  const { code, stdout } = await certify(['--out', out, '--junit', junit], client('ordering twice'));
  expect([code, readdirSync(out).sort()]).toEqual([1, ['certification.json', 'certification.md']]);
  expect(readFileSync(join(out, 'certification.md'), 'utf8')).toMatch(/^# Not certified\n\n1 of 2 scenarios passed\. /);
  expect(stdout).toMatch(/^ {3}scenario +result +seconds\n✗ {2}lost-answer +fail +\d+\.\d\n {4}A correct client: /);
  expect(stdout).toContain(`\n\n✗ Not certified: 1 of 2 scenarios passed\n`);
  expect(stdout).toContain(`\nReport: ${join(out, 'certification.md')}\n`);
  const report = JSON.parse(readFileSync(join(out, 'certification.json'), 'utf8'));
  expect(report).toMatchObject({ certified: false, scenarios: [{ name: 'lost-answer' }, { name: 'no-pag' }] });
  const [suite] = readXml(readFileSync(junit, 'utf8')).children;
  expect(suite?.attributes).toMatchObject({ name: 'sachet certify', tests: '2', failures: '1' });
  const [lost, noPag] = suite?.children ?? [];
  expect(lost?.attributes).toMatchObject({ classname: 'sachet.certify', name: 'lost-answer' });
  const [failure] = lost?.children ?? [];
  const message = 'orders.create: expected exactly 1, but 2 came';
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
const command = ['--', ...client()];

test.each([
  ['no client', [], 'no client; put the command after --, for example: sachet certify'],
  ['a server flag without a command', [...key, '--assume', 'next_cursor=meta'], '--assume configures a new server'],
  [
    'a server flag with --url',
    ['--url', 'http://localhost:4010', ...key, '--clock', '2030-01-01T00:00:00Z', ...command],
    '--clock configures a new server, but --url names a running one',
  ],
  ['an unknown scenario', ['--only', 'no-pga', ...command], 'unknown scenario "no-pga"; the server has: '],
  ['a word before --', ['stray', ...command], 'unexpected "stray" before --'],
  ['a time in words', ['--settle', 'long', ...command], '"long" is not a number of seconds'],
])('%s is a usage error', async (_, args, message) => {
  expect(await errorHere(['certify', ...args])).toContain(message);
});
