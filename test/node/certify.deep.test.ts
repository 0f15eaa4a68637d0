// `sachet certify` over clients that run a round per line: a correct one is certified, and an incorrect one fails where it is incorrect.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inMachineTime, resultOf, root } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { shippedFiles } from '../support/fixture-files.ts';
import { broken, certification, client, failed } from './certify.ts';

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
    const args = ['--timeout', timeout, ...only('late-tracking', 'no-pag')];
    const protocol = 'after each round, a client must print the line that it has read to standard output, ';
    const line = `the client ${what}; ${protocol}with a line break, and flush\n`;
    expect(await resultOf(sachetHere(['certify', ...args, '--', ...client(...faults)]))).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(new RegExp(`^sachet: ${line}(?:Its last output:\nNo\\.\n)?$`)),
    });
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
