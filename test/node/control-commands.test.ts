// The commands that control a running server, their settings, and the scripts that complete them.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDuration, readSettings, settingWords } from '../../src/node/cli/control/settings.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { served } from '../library/starts.ts';
import { folder, resultOf, run } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';

/** A server, and its commands: `sachet('clock advance 1d')`. */
async function started() {
  const server = await served({ clock: '2031-01-02T03:04:05Z', randomSeed: 'commands' });
  const { baseUrl, adminKey } = server;
  const env = { SACHET_BASE_URL: baseUrl, SACHET_ADMIN_KEY: adminKey };
  const stage = server.sandbox('stage');
  const sachet = async (words: string | readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await resultHere(typeof words === 'string' ? words.split(' ') : words, env);
    expect([code, stderr], String(words)).toEqual([0, '']);
    return stdout;
  };
  return { server, stage, baseUrl, env, sachet };
}

const clock = (now: string, frozen = true): string => `now     ${now}\nfrozen  ${frozen}\nrate    1\n`;
const off = /^token_expiry +expire_issued=true\nrate_limit +off\n(?:\w+ +off\n){7}$/;

/** In this order, on one sandbox: the command, and its output. */
const session: readonly (readonly [string, string | RegExp])[] = [
  ['clock show', clock('2031-01-02T03:04:05.000Z')],
  ['clock advance 1h30m', clock('2031-01-02T04:34:05.000Z')],
  ['clock advance PT15M', clock('2031-01-02T04:49:05.000Z')],
  ['clock set 2032-01-01T00:00:00Z', clock('2032-01-01T00:00:00.000Z')],
  ['clock run', /frozen {2}false/],
  ['clock freeze', /frozen {2}true/],
  ['clock freeze 2033-01-01T00:00:00Z', clock('2033-01-01T00:00:00.000Z')],
  ['clock reset', /frozen {2}false/],
  ['switch set token_expiry expire_issued=true', 'token_expiry  expire_issued=true\n'],
  [
    'switch set rate_limit burst=3 retry_after=1 match.operation=orders.create',
    'rate_limit  burst=3 retry_after=1 match.operation=orders.create hits=0 remaining=3\n',
  ],
  ['switch set rate_limit {"burst":2}', 'rate_limit  burst=2 hits=0 remaining=2\n'],
  ['switch clear rate_limit', 'Turned the switch "rate_limit" off.\n'],
  ['switch list', off],
  ['switch clear', 'Turned all switches off.\n'],
  ['switch list', /^(?:\w+ +off\n){9}$/],
  ['fault list', 'The sandbox has no faults.\n'],
  ['fault add status=503 match.operation=orders.create', 'fault-1  match.operation=orders.create status=503 hits=0\n'],
  ['fault add id=slow delay.milliseconds=1', 'slow  delay.milliseconds=1 hits=0\n'],
  ['fault remove fault-1', 'Removed the fault "fault-1".\n'],
  ['fault list', 'slow  delay.milliseconds=1 hits=0\n'],
  ['scenario apply lost-answer', /^name +lost-answer\nintent +\S.*\na correct client +\S.*\n$/],
  ['scenario apply no-pag', /^name +no-pag\n/],
  ['scenario list', /^name +applied_at +intent\n.*\nlost-answer +2\d{3}-\S+Z +The next order/s],
  ['scenario clear no-pag', 'Removed the scenario "no-pag".\n'],
  ['scenario clear', 'Removed all scenarios.\n'],
  [
    'sandbox create w7 clock=2031-01-01T00:00:00Z',
    /^name +w7\nbase_url +http\S+\/w7\nusername +demo\+w7\npassword +sachet-demo\n$/,
  ],
  ['clock show --sandbox w7', clock('2031-01-01T00:00:00.000Z')],
  ['sandbox create environment=production own_key=true', /^name +sandbox-\w+\n(?:.*\n){3}key +\w{20,}\n$/],
  [
    'sandbox list',
    /^name +environment +base_url +last_used_at\nproduction .*\nsandbox-\S+ +production .*\nstage .*\nw7 .*\n$/,
  ],
  ['sandbox delete w7', 'Deleted the sandbox "w7".\n'],
  ['sandbox create --sandbox w8 environment=production', /^name +w8\n/],
  ['sandbox reset', 'Reset the sandbox "stage".\n'],
  ['clock show', clock('2031-01-02T03:04:05.000Z')],
];

test('each command changes the sandbox, and prints its new state', async () => {
  const { sachet } = await started();
  for (const [words, output] of session) {
    const printed = await sachet(words);
    if (typeof output === 'string') expect(printed, words).toBe(output);
    else expect(printed, words).toMatch(output);
  }
});

test('an order goes to the doorstep by its id, the beginning of it, the number of its shipment, or "latest"', async () => {
  const { stage, sachet, env } = await started();
  const response = await stage.client({ username: 'demo', password: 'sachet-demo' }).post('/v2/orders', sampleOrder());
  const { id } = ((await response.json()) as { order: { id: string } }).order;
  const row = (status: string) => `id                                    status\n${id}  ${status}\n`;
  const shipment = (status: string) =>
    new RegExp(`^shipment +status +order +id +tracking_number\nSO-50000 +${status} +${id} +\\S+ +\\S+\n$`);
  expect(await sachet(`order hold ${id}`)).toBe(row('On Hold'));
  expect(await sachet(`order release ${id.slice(0, 8)}`)).toBe(row('Pending'));
  expect(await sachet('order accept latest')).toBe(row('Accepted'));
  expect(await sachet('order start-production latest')).toBe(row('In Production'));
  expect(await errorHere(['order', 'deliver', 'latest'], env, 1)).toContain(`${id} has no package; ship it first`);
  expect(await sachet('order ship latest carrier=ups weight=250')).toMatch(shipment('label_created'));
  expect(await sachet('order deliver so-50000')).toMatch(shipment('delivered'));
  expect(await sachet('order lose SO-50000 force=true')).toMatch(shipment('lost'));
  expect(await sachet('order deliver latest')).toMatch(shipment('delivered'));
  expect(await errorHere(['order', 'deliver', 'latest'], env, 1)).toContain('possible actions: return');
  expect(await sachet('order list')).toMatch(new RegExp(`\n${id} +In Production +2031\\S+ +SO-50000 delivered\n$`));
});

test('the exported state is a file or standard output, and imports into another sandbox', async () => {
  const { server, stage, sachet, env } = await started();
  const file = join(folder(), 'state.json');
  await stage.switches.set({ maintenance: { for_seconds: 60 } });
  expect(await sachet(['state', 'export', '--out', file])).toBe(`Wrote the state of the sandbox "stage" to ${file}.\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await sachet('state export')).toBe(readFileSync(file, 'utf8'));
  const copy = join(folder(), 'copy.json');
  await sachet(['state', 'export', '--json', '--out', copy]);
  expect(readFileSync(copy, 'utf8')).toBe(readFileSync(file, 'utf8'));
  writeFileSync(copy, '\u001b[2Jred');
  expect(await errorHere(['state', 'import', copy], env)).toContain('\\u{1b}[2Jred');
  // With its base URL and its own key.
  const { baseUrl: url, key } = await server.createSandbox({ name: 'w7', own_key: true });
  const imported = await resultHere(['state', 'import', file, '--url', url, '--key', key ?? '']);
  expect(imported).toEqual({ code: 0, stdout: 'Imported the state into the sandbox "w7".\n', stderr: '' });
  expect((await server.sandbox('w7').switches.get()).maintenance).toMatchObject({ for_seconds: 60 });
});

test('--json prints the response of the control API on one line, and nothing for one without a body', async () => {
  const { stage, sachet } = await started();
  expect(JSON.parse(await sachet('clock show --json'))).toEqual(await stage.clock.get());
  expect(JSON.parse(await sachet('switch --json set rate_limit burst=3'))).toEqual(await stage.switches.get());
  expect(await sachet('switch clear --json')).toBe('');
});

describe('a command ends with a message', () => {
  test('that names the mistake, and what is possible', async () => {
    const { env, baseUrl } = await started();
    const errors: readonly (readonly [string, number, RegExp])[] = [
      ['clock advance 15', 2, /"15" has no unit\. Use 15s, 15m, 15h, 15d or 15w\./],
      ['clock advance 15x', 2, /"15x" is not a duration\. Use 90s, 15m, 2h, 1d or 1h30m, or ISO 8601: PT15M\./],
      ['clock advnce 15m', 2, /unknown command 'advnce' \(Did you mean advance\?\)/],
      ['report --junit-xml=a.xml', 2, /unknown option '--junit-xml=a\.xml' \(Did you mean --junit\?\)/],
      ['serve --tls-certificate a', 2, /unknown option '--tls-certificate' \(Did you mean --tls-cert\?\)/],
      ['clock show --sandbx w7', 2, /unknown option '--sandbx' \(Did you mean --sandbox\?\)/],
      ['switch set token_expirey x=1', 2, /The switches are token_expiry, .*\. Did you mean "token_expiry"\?/],
      ['switch set rate_limit burst', 2, /"burst" is not a setting; write name=value, such as burst=3/],
      ['switch set rate_limit {burst:3}', 2, /the settings object is not valid JSON: /],
      // As of an unset variable in a script: it must not clear all scenarios, or select the only order.
      ['sandbox create ', 2, /'' is invalid for argument 'name'\. The value is empty\./],
      ['scenario clear ', 2, /'' is invalid for argument 'name'\. The value is empty\./],
      ['order cancel ', 2, /'' is invalid for argument 'order'\. The value is empty\./],
      ['fault remove ', 2, /'' is invalid for argument 'id'\. The value is empty\./],
      ['sandbox delete W7', 2, /"W7" is not a sandbox name/],
      ['state import no/such.json', 2, /cannot read no\/such\.json as JSON: ENOENT/],
      ['switch set rate_limit burst=0', 1, /switches\.set failed with 422: rate_limit\.burst: found 0, expected a/],
      ['scenario apply lost-anser', 1, /no scenario "lost-anser"; .*\. Did you mean "lost-answer"\?/],
      ['fault remove nope', 1, /no fault "nope"; `sachet fault list` shows the faults\n$/],
      ['scenario clear nope', 1, /no applied scenario "nope"; `sachet scenario list` shows the scenarios\n$/],
      ['sandbox create stage', 1, /sandboxes\.create failed with 409: The sandbox "stage" is built in/],
      ['sandbox delete stage', 1, /The sandbox stage is built in and cannot be deleted/],
      ['clock show --sandbox w9', 1, /^sachet: no sandbox "w9" at http\S+; create it with `sachet sandbox create w9`/],
      ['clock show --key wrong-key-1', 1, /^sachet: the admin key does not work for sandbox "stage"/],
      ['order accept f', 1, /the id of no order begins with "f"; list the orders to see their ids/],
      ['order accept 5', 1, /the ids of \d+ orders begin with "5"/],
      ['order lose SO-1', 1, /no shipment has the number "SO-1"/],
    ];
    for (const [words, code, message] of errors) expect(await errorHere(words.split(' '), env, code)).toMatch(message);
    const own = { ...env, SACHET_BASE_URL: 'localhost' };
    expect(await errorHere(['clock', 'show'], own)).toContain('SACHET_BASE_URL: "localhost" is not an http');
    expect(await errorHere(['clock', 'show'], { SACHET_BASE_URL: baseUrl })).toContain(
      '--admin-key or SACHET_ADMIN_KEY',
    );
  });

  test('with a line for each further detail of the server', async () => {
    const { env } = await started();
    const { code, stderr } = await resultHere(['switch', 'set', 'rate_limit', 'brst=1', 'for_seconds=0'], env);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^sachet: switches\.set failed with 422: rate_limit\.\S+: found 0/),
      expect.stringMatching(/^ {2}rate_limit: found the unknown key "brst".* Did you mean "burst"\?$/),
      '',
    ]);
  });
});

test.each([
  [['a=1', 'b=x', 'c=true', 'd=null', 'e="1"', 'f='], { a: 1, b: 'x', c: true, d: null, e: '1', f: '' }],
  [
    ['match.operation=orders.create', 'match.body.a.b=1'],
    { match: { operation: 'orders.create', body: { a: { b: 1 } } } },
  ],
  [
    ['permissions=["orders:write"]', 'delay={"min":1}', 'path=/v2?a=b'],
    { permissions: ['orders:write'], delay: { min: 1 }, path: '/v2?a=b' },
  ],
  [['__proto__.a=1', 'code=0123'], { ['__proto__']: { a: 1 }, code: '0123' }],
])('the settings %j are %j', (words, settings) => {
  expect(JSON.stringify(readSettings(words))).toBe(JSON.stringify(settings));
  expect(readSettings([JSON.stringify(settings)])).toEqual(settings);
});

test.each([
  [['a=1', 'a=2'], '"a" is set twice'],
  [['a=1', 'a.b=2'], '"a.b" is set twice, in different ways'],
  [['=1'], '"=1" is not a setting'],
  [['a=[1'], 'the value of a is not valid JSON'],
])('the settings %j are an error', (words, message) => {
  expect(() => readSettings(words)).toThrow(message);
});

test('settings and durations have the form that people write', () => {
  const settings = { burst: 3, match: { operation: 'orders.create', body: { list: [1] } } };
  expect(settingWords(settings)).toBe('burst=3 match.operation=orders.create match.body.list=[1]');
  const typed = ['90s', '15m', '2h', '1d', '1w', '1d12h', '1H30M', 'pt5m', '1 day 3 hours', '90 min'];
  expect(typed.map(readDuration)).toEqual([
    ...['PT90S', 'PT15M', 'PT2H', 'P1D', 'P1W', 'P1DT12H', 'PT1H30M', 'PT5M', 'P1DT3H', 'PT90M'],
  ]);
  for (const text of ['', 'm', '15 x', '1m1h']) expect(() => readDuration(text), text).toThrow('not a duration');
});

test.for<[string, (line: string) => string]>([
  [
    'bash',
    (line) =>
      `COMP_LINE='sachet ${line}' COMP_WORDS=(sachet ${line}); COMP_POINT=\${#COMP_LINE}; ` +
      `COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _sachet; echo "\${COMPREPLY[*]}"`,
  ],
  ['fish', (line) => `echo (complete -C 'sachet ${line}')`],
])('%s completes commands, flags, names and values', async ([shell, complete], { skip }) => {
  const { code, stdout: script } = await resultHere(['completion', shell]);
  expect(code).toBe(0);
  if ((await run('sh', ['-c', `command -v ${shell}`]).ended()) !== 0) skip(`${shell} is missing`);
  const completed = {
    cl: 'clock',
    'clock adv': 'advance',
    'clock advance 1d --sand': '--sandbox',
    'switch --url http://localhost:4010 cle': 'clear',
    '--port 1 sw': '',
    '--sync inter': 'interval',
    'openapi --version 3.0': '3.0',
    'requests --rule ORD-15': 'ORD-15',
    'switch set rate': 'rate_limit',
    'scenario apply lost': 'lost-answer',
    'requests --ta': '--tail',
  };
  const commands = [script, ...Object.keys(completed).map(complete)].join('\n');
  const { stdout, stderr } = await resultOf(run(shell, ['-c', commands]));
  expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', Object.values(completed)]);
});

test('the help of each group has examples', async () => {
  const { stdout } = await resultHere(['help', 'switch']);
  expect(stdout).toContain('\nExamples:\n  sachet switch list\n  sachet switch set token_expiry expire_issued=true\n');
});
