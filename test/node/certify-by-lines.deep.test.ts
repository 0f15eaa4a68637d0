// `sachet certify` over clients that make a round per line: a right one is certified, a wrong one fails where it is wrong.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { broken, certification, client, failed } from '../support/certify.ts';
import { folder, root } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { shippedFiles } from '../support/shipped-files.ts';

const all = shippedFiles('scenarios').map(({ name }) => name.replace(/^.*\/|\.json$/g, ''));
/** All but the one that takes real time. */
const quick = all.filter((name) => name !== 'slow-service');
const only = (...names: readonly string[]): string[] => ['--only', names.join(',')];

// The one walk that takes the real time of `slow-service`.
test('the client of docs/how-to/certify-a-client.md is certified by every scenario', async () => {
  const right = [process.execPath, join(root, 'examples/certify.mjs')];
  const report = await certification(['--seed', 'certify'], right);
  expect(failed(report)).toEqual([]);
  expect(report).toMatchObject({ code: 0, certified: true, left_out: [], seed: 'certify', sandbox: 'stage' });
  expect(report.scenarios.map(({ name }) => name)).toEqual(all);
  expect(report.client).toEqual(right);
  const lines = report.stderr.trimEnd().split('\n');
  const walked = lines.map((line) => /^\d+\/14 (\S+): pass after [\d.]+ s$/.exec(line)?.[1]);
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(all.map((_, index) => index + 1));
  expect([...walked].sort()).toEqual(all);
  expect(walked).not.toEqual(all);
});

test('the same client is certified where the service has only the endpoints of the contract', async () => {
  const right = [process.execPath, join(root, 'examples/certify.mjs')];
  const report = await certification(['--profile', 'strict', ...only(...quick)], right);
  expect([failed(report), report.code]).toEqual([[], 0]);
  expect(report.assumptions).toEqual({ order_endpoints: 'absent' });
  const lost = report.scenarios.find(({ name }) => name === 'lost-answer');
  expect(lost?.expect).toMatchObject([{ match: { operation: 'orders.create' }, came: 1 }]);
  expect(lost?.outcomes).toEqual([{ id: 'label_downloaded', reached: true }]);
});

describe('a wrong client fails where it is wrong, and nowhere else', () => {
  const wrongs: readonly (readonly [wrong: string, fails: readonly string[], rule: string, passes: string])[] = [
    ['impatient', ['rate-limit-burst'], 'retry_after', 'server-errors'],
    ['ordering twice', ['lost-answer', 'server-errors'], 'no_double_submit', 'token-expiry'],
    ['never content', ['inactive-pag'], 'needs_changes', 'lost-answer'],
    ['hoarding', ['doorstep', 'label-expiry'], 'fresh_label', 'token-expiry'],
    ['stubborn', ['discontinued-product', 'no-pag'], 'no_refused_repeat', 'missing-permission'],
    ['hasty', ['late-tracking', 'paging-under-change'], 'cursor_to_the_end', 'doorstep'],
  ];
  /** It also misses fulfillments where reading them all is not the point. */
  const missedByHasty = ['maintenance', 'missing-permission', 'server-errors'];

  test.each(wrongs)('%s', async (wrong, fails, rule, passes) => {
    const report = await certification(only(...fails, passes), client(wrong));
    expect([report.code, report.certified]).toEqual([1, false]);
    expect({ failed: failed(report), broken: broken(report) }).toEqual({
      failed: fails,
      broken: fails.map((name) => `${name}: ${rule}`),
    });
    expect(report.scenarios).toHaveLength(fails.length + 1);
  });

  test('one that is all of these', async () => {
    const report = await certification(only(...quick), client(wrongs.map(([wrong]) => wrong).join(',')));
    expect([report.code, report.certified]).toEqual([1, false]);
    expect(report.scenarios.map(({ name }) => name)).toEqual(quick);
    expect(failed(report)).toEqual([...new Set(wrongs.flatMap(([, fails]) => fails).concat(missedByHasty))].sort());
    expect(broken(report)).toEqual(wrongs.flatMap(([, fails, rule]) => fails.map((name) => `${name}: ${rule}`)).sort());
  });

  // Elsewhere these do not come to the end of a round, or not soon.
  test.each([
    ['forgetful', 'no-pag', 'missing-permission', 'token_reuse'],
    ['logging in anew', 'no-pag', 'token-expiry', 'token_reuse'],
    ['hammering', 'lost-answer', 'server-errors', 'backoff_on_500'],
  ])('%s, under two scenarios', async (wrong, passed, scenario, rule) => {
    const report = await certification(only(passed, scenario), client(wrong));
    expect(report.scenarios).toHaveLength(2);
    expect([failed(report), broken(report)]).toEqual([[scenario], [`${scenario}: ${rule}`]]);
  });

  test('doing nothing at all, which breaks no rule', async () => {
    const report = await certification(only('lost-answer', 'slow-service'), client('idle'));
    expect([failed(report), broken(report)]).toEqual([['lost-answer', 'slow-service'], []]);
    expect(report.scenarios.map(({ note }) => note)).toEqual(
      Array(2).fill('no call came while the scenario was applied'),
    );
  });
});

test('what was expected, what came, and the calls that show it', async () => {
  const { scenarios, left_out, ...report } = await certification(only('lost-answer'), client('ordering twice'));
  const [result] = scenarios;
  expect(scenarios).toHaveLength(1);
  expect(left_out).toEqual(all.filter((name) => name !== 'lost-answer'));
  expect(report.stderr).toContain('1/1 lost-answer: fail after ');
  const orders = { match: { operation: 'orders.create' }, count: 1, came: 2, satisfied: false };
  expect(result).toMatchObject({ name: 'lost-answer', outcome: 'fail', note: null, expect: [orders] });
  expect(result?.outcomes).toEqual([
    { id: 'order_followed', reached: false },
    { id: 'label_downloaded', reached: true },
  ]);
  const [rule, ...others] = result?.conduct ?? [];
  expect(others).toEqual([]);
  expect(rule?.advice).toMatch(
    /^The client sent an order again that is stored, although its response was lost\. When the response [^\n]*\.$/,
  );
  expect(result?.evidence.map(({ id }) => id)).toEqual(rule?.evidence);
  expect(result?.evidence).toMatchObject([
    {
      method: 'POST',
      path: '/v2/orders',
      status: 201,
      rules: [],
      sentence: expect.stringContaining(', but the connection switch cut the connection '),
    },
    { method: 'POST', path: '/v2/orders', status: 201, rules: [] },
  ]);
});

test('the report lists the calls of paths that do not exist', async () => {
  const script = `
    import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin })) {
      await fetch(process.env.SACHET_BASE_URL + '/v2/authentication/refresh', { method: 'POST' });
      console.log(line);
    }`;
  const path = join(folder({ 'mistyped.mjs': script }), 'mistyped.mjs');
  const { scenarios } = await certification(only('token-expiry'), [process.execPath, path]);
  // Of the round with the scenario, not of the one before it.
  const mistyped = { path: '/v2/authentication/refresh', status: 404, rules: ['HTTP-1'] };
  expect(scenarios[0]?.evidence).toMatchObject([mistyped]);
});

test('the report of a failed scenario without other evidence lists all its calls', async () => {
  const script = `
    import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin })) {
      await fetch(process.env.SACHET_BASE_URL + '/v2/products');
      console.log(line);
    }`;
  const path = join(folder({ 'minimal.mjs': script }), 'minimal.mjs');
  const { scenarios } = await certification(only('token-expiry'), [process.execPath, path]);
  expect(scenarios[0]).toMatchObject({ outcome: 'fail', evidence: [{ path: '/v2/products', status: 401 }] });
});

describe('a client whose round is not over', () => {
  const walked = only('late-tracking', 'lost-answer', 'no-pag');
  /** The scenario with this place in the walk. */
  const nameAt = ({ stderr }: { readonly stderr: string }, place: number) =>
    new RegExp(`^${place}/3 (\\S+):`, 'm').exec(stderr)?.[1] ?? '';

  test('as it ends fails that scenario, and is started again for the next', async () => {
    const report = await certification(walked, client('ending', '4', 'I give up'));
    const name = nameAt(report, 2);
    expect(failed(report)).toEqual([name]);
    const note = /^the client ended with exit code 3 in the round "[0-9a-f]{8}"\nIts last output:\nI give up$/;
    expect(report.scenarios.find((one) => one.name === name)?.note).toMatch(note);
    expect(report.stderr).toMatch(/^2\/3 \S+: fail [^\n]*exit code 3[^\n]*\n {4}Its last output:\n {4}I give up\n/m);
  });

  test('as it ends before the scenario is applied fails it likewise', async () => {
    const report = await certification(walked, client('ending', '5', 'No.'));
    const name = nameAt(report, 3);
    expect(failed(report)).toEqual([name]);
    expect(report.scenarios.find((one) => one.name === name)).toMatchObject({
      note: expect.stringMatching(/"before [0-9a-f]{8}"/),
      evidence: [],
    });
  });

  test('as it says nothing fails that scenario when its time is up', inMachineTime, async () => {
    const report = await certification(['--timeout', '3', ...walked], client('silent', '4'));
    const name = nameAt(report, 2);
    expect(failed(report)).toEqual([name]);
    expect(report.scenarios.find((one) => one.name === name)?.note).toMatch(
      /^the client did not answer the line "[0-9a-f]{8}" within 3 s$/,
    );
  });

  test('tells no secret that it prints, and what else it says', async () => {
    const words = 'TokenError: my password is sachet-demo, Bearer abc.def, {"token": "geheim"}, KeyError: no key';
    const report = await certification(only('no-pag'), client('ending', '2', words));
    expect(report.scenarios[0]?.note?.split('\n').at(-1)).toBe(
      'TokenError: my password is [redacted], Bearer [redacted], {"token": [redacted]}, KeyError: no key',
    );
    for (const secret of ['sachet-demo', 'geheim', 'abc.def']) expect(JSON.stringify(report)).not.toContain(secret);
  });
});

test('a journal that somebody clears meanwhile cannot be judged', async () => {
  const report = await certification(only('late-tracking', 'no-pag'), client('clearing'));
  expect(failed(report)).toEqual(['late-tracking', 'no-pag']);
  for (const { note, expect: expected } of report.scenarios) {
    expect(note).toMatch(/^the journal no longer has all calls since the scenario was applied: /);
    expect(expected).toMatchObject([{ came: null, satisfied: false }]);
  }
});

describe('a scenario that is not in force any more fails', () => {
  const takenOff = 'the scenario was removed during the run: someone reset the sandbox, or removed the scenario';

  test.each([
    ['resetting', [takenOff, takenOff]],
    ['taking back', [takenOff, takenOff]],
    [
      'turning off',
      [null, 'overrides of the scenario were turned off or replaced during the run: switch label_expiry'],
    ],
  ])('by %s', async (how, notes) => {
    const report = await certification(only('no-pag', 'label-expiry'), client(how));
    expect(report.certified).toBe(false);
    expect(report.scenarios.map(({ note }) => note).sort()).toEqual([...notes].sort());
  });
});

describe('a client that does not speak so', () => {
  const protocol =
    'after each round, a client must print the line that it has read to standard output, with a line break, and flush';

  test.each([
    ['does not answer its first line', '0.5', ['silent', '1'], 'did not answer the line .* within 0.5 s'],
    ['ends without its answer', '60', ['ending', '1', 'No.'], 'ended with exit code 3 in the round .*'],
  ])('%s, which ends the walk', inMachineTime, async (_, timeout, wrong, what) => {
    const args = ['--timeout', timeout, ...only('late-tracking', 'no-pag')];
    const running = sachetHere(['certify', ...args, '--', ...client(...wrong)]);
    expect([await running.ended(), running.stdout]).toEqual([1, '']);
    expect(running.stderr).toMatch(
      new RegExp(`^sachet: the client ${what}; ${protocol}\n(?:Its last output:\nNo\\.\n)?$`),
    );
  });
});
