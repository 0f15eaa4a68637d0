// The client of `sachet certify` as a process: what it is told, which of its lines are answers, and that nothing of it is left.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { certification, client, failed, reportOf } from '../support/certify.ts';
import { folder, sachet } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { gone } from '../support/processes.ts';

/** A client that notes what it was told and what it has started, and those notes. */
function noting(how: 'noting' | 'leaving' | 'lingering' = 'noting') {
  const path = join(folder(), 'notes.json');
  const read = () =>
    JSON.parse(readFileSync(path, 'utf8')) as { pids: number[]; env: Readonly<Record<string, string>> };
  return { command: client(how, path), read, isStarted: () => existsSync(path) };
}

const noPag = ['--only', 'no-pag'];
const quick = ['--only', 'late-tracking,no-pag'];

describe('what the client is told', () => {
  test('where a server of its own is, and how it is entered', async () => {
    const { command, read } = noting();
    const report = await certification([...noPag, '--env', 'API_ROOT={base_url}/v2,API_USER=username'], command);
    const { env } = read();
    expect(env).toMatchObject({ SACHET_USERNAME: 'demo', SACHET_PASSWORD: 'sachet-demo', SACHET_ASSUME: '' });
    expect(env).toMatchObject({ API_ROOT: `${env.SACHET_BASE_URL}/v2`, API_USER: 'demo' });
    expect(env.SACHET_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(env).toMatchObject({ SACHET_URL: env.SACHET_BASE_URL, SACHET_SANDBOX: 'stage' });
    expect(env.SACHET_ADMIN_KEY).toMatch(/^\S{8,}$/);
    expect(JSON.stringify(report)).not.toContain(env.SACHET_ADMIN_KEY);
    expect(report.client).toEqual(command);
  });

  test('the readings that were turned, which the report tells', async () => {
    const { command, read } = noting();
    const turned = ['--assume', 'list_order=oldest_first', '--profile', 'strict'];
    const { assumptions } = await certification([...noPag, ...turned], command);
    expect(assumptions).toEqual({ list_order: 'oldest_first', order_endpoints: 'absent' });
    expect(read().env.SACHET_ASSUME?.split(',').sort()).toEqual(['list_order=oldest_first', 'order_endpoints=absent']);
  });

  test('another sandbox, its base URL, and the server that it is of', async () => {
    const { command, read } = noting();
    const report = await certification(['--sandbox', 'production', ...noPag], command);
    expect([report.code, report.sandbox]).toEqual([0, 'production']);
    const { env } = read();
    expect(env.SACHET_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(env).toMatchObject({
      SACHET_SANDBOX: 'production',
      SACHET_BASE_URL: `${env.SACHET_URL}/sandboxes/production`,
    });
  });

  test('a sandbox of a server that runs already, by its own key', async () => {
    const server = await serve();
    onTestFinished(() => server.close());
    const key = 'the-key-of-acme-alone';
    await server.createSandbox({ name: 'acme', own_key: key });
    const { command, read } = noting();
    const at = ['--url', `${server.baseUrl}/`, '--admin-key', key, '--sandbox', 'acme'];
    expect(await certification([...at, '--only', 'no-pag,rate-limit-burst'], command)).toMatchObject({
      ...{ code: 0, certified: true, sandbox: 'acme' },
    });
    expect(read().env).toMatchObject({
      ...{ SACHET_URL: server.baseUrl, SACHET_SANDBOX: 'acme', SACHET_ADMIN_KEY: key },
      ...{ SACHET_BASE_URL: `${server.baseUrl}/sandboxes/acme` },
    });
  });
});

test('the same seed gives the same order of scenarios, the same ids and the same data, another one others', async () => {
  const own = { intent: 'To see.', right_client: 'Looks.', outcomes: [{ id: 'all_fulfillments_read' }] };
  const looks = { ...own, expect: [{ match: { operation: 'fulfillments.get' }, count: { at_least: 1 } }] };
  const files = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.json`, JSON.stringify(looks)]));
  const scenarios = ['--scenarios', folder(files), '--only', 'a,b,c,d,e,lost-answer'];
  const walk = async (...seed: readonly string[]) => {
    const { stderr, scenarios: results, seed: printed } = await certification([...scenarios, ...seed]);
    const paths = results.flatMap(({ evidence }) => evidence.map(({ path }) => path));
    return { seed: printed, names: stderr.match(/(?<=^\d\/6 )\S+(?=:)/gm), paths };
  };
  const first = await walk();
  expect(first.seed).toMatch(/^[0-9a-z]{8}$/);
  expect(first.names).toHaveLength(6);
  expect(await walk('--seed', first.seed)).toEqual(first);
  const other = await walk();
  expect(other.seed).not.toBe(first.seed);
  expect(other.paths).not.toEqual(first.paths);
});

test('a client is not told which scenario is applied', async () => {
  const path = join(folder(), 'lines.txt');
  await certification(['--only', 'doorstep,lost-answer,no-pag'], client('writing', path));
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const runs = lines.filter((line) => line !== '');
  expect(runs).toHaveLength(7);
  expect(new Set(runs).size).toBe(7);
  for (const line of runs) expect(line).toMatch(/^(?:before )?[0-9a-f]{8}$/);
});

describe("scenarios of one's own", () => {
  const scenarios = (files: Readonly<Record<string, object>>): string =>
    folder(Object.fromEntries(Object.entries(files).map(([name, file]) => [`${name}.json`, JSON.stringify(file)])));
  const own = { intent: 'To see.', right_client: 'Looks.' };

  test('are walked among the others; without expectations any call is enough', async () => {
    const args = ['--scenarios', scenarios({ mine: own }), '--only', 'no-pag,mine'];
    const { scenarios: walked, certified } = await certification(args);
    expect(walked.map(({ name }) => name)).toEqual(['mine', 'no-pag']);
    expect(certified).toBe(true);
    expect(walked[0]).toMatchObject({ ...own, expect: [], outcomes: [], conduct: [], evidence: [] });
  });

  test('fail by more calls than one expects, wherever they are named', async () => {
    const match = { operation: 'fulfillments.list' };
    const mine = { ...own, expect: [{ match, count: { at_most: 1 } }] };
    const report = await certification(['--scenarios', scenarios({ mine }), '--only', 'mine']);
    expect(report.scenarios[0]).toMatchObject({ outcome: 'fail', note: null });
    expect(report.scenarios[0]?.expect).toMatchObject([{ match, came: expect.any(Number), satisfied: false }]);
    expect(report.stderr).toMatch(/expected at most 1 of fulfillments\.list, but [34] came/);
  });

  test('fail if no call tested a conduct rule that they name', async () => {
    const mine = { ...own, conduct: ['retry_after'] };
    const report = await certification(['--scenarios', scenarios({ mine }), '--only', 'mine']);
    expect(report.scenarios[0]).toMatchObject({ outcome: 'fail', conduct: [{ outcome: 'not_exercised' }] });
    expect(report.stderr).toContain('retry_after: no call tested this rule. After a 429, wait ');
  });

  test('leave out what needs endpoints that the service does not have', async () => {
    const needs = 'order_endpoints';
    const match = { operation: 'orders.get' };
    const mine = { ...own, expect: [{ match, count: 1, needs }], outcomes: [{ id: 'order_delivered', needs }] };
    const args = ['--scenarios', scenarios({ mine }), '--only', 'mine'];
    expect((await certification(args)).certified).toBe(false);
    const strict = await certification([...args, '--profile', 'strict']);
    expect(strict.scenarios[0]).toMatchObject({ outcome: 'pass', expect: [], outcomes: [] });
  });

  test('one that the fixtures do not fit cannot be walked', async () => {
    const files = fixtureFiles({
      file: 'catalog.json',
      path: ['operator_products', 0, 'id'],
      to: '21000000-0000-4000-8000-00000000000f',
    }).map(({ name, content }) => [
      name,
      JSON.stringify(content).replaceAll(
        '21000000-0000-4000-8000-000000000001',
        '21000000-0000-4000-8000-00000000000f',
      ),
    ]);
    const args = ['--fixtures', folder(Object.fromEntries(files)), '--only', 'discontinued-product,no-pag'];
    const report = await certification(args);
    expect(failed(report)).toEqual(['discontinued-product']);
    expect(report.scenarios[0]?.note).toMatch(/^the scenario cannot be applied here \(use --only to leave it out\): /);
  });
});

describe('the lines of a client', () => {
  test('are its output where they are no answers', async () => {
    const report = await certification(quick, client('talkative'));
    expect([report.code, failed(report)]).toEqual([0, []]);
  });

  test('do not begin where it cannot be started', async () => {
    const command = sachetHere(['certify', '--', 'no-such-command-here']);
    expect([await command.ended(), command.stdout]).toEqual([2, '']);
    expect(command.stderr).toMatch(/^sachet: the command "no-such-command-here" cannot be started: [^\n]+\n$/);
  });
});

describe('nothing is left', () => {
  test('of a client that ends, with its child', async () => {
    const { command, read } = noting('leaving');
    await certification(noPag, command);
    expect(read().pids).toHaveLength(2);
    await gone(read().pids);
  });

  test('of a client that does not end when no more lines come', async () => {
    const { command, read } = noting('lingering');
    expect((await certification(noPag, command)).code).toBe(0);
    expect(read().pids).toHaveLength(2);
    await gone(read().pids);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s, and a sandbox elsewhere is as before', async (signal, code) => {
    const server = await serve();
    onTestFinished(() => server.close());
    const stage = server.sandbox('stage');
    await stage.switches.set({ rate_limit: { burst: 7 } });
    const { command, read } = noting('lingering');
    const at = ['--url', server.baseUrl, '--admin-key', server.adminKey, '--only', 'slow-service'];
    const running = sachet(['certify', ...at, '--', ...command]);
    await expect
      .poll(async () => (await stage.scenarios.list()).scenarios.some(({ applied_at }) => applied_at))
      .toBe(true);
    running.child.kill(signal);
    expect(await running.ended(), running.stderr).toBe(code);
    expect([running.stdout, read().pids.length]).toEqual(['', 2]);
    await gone(read().pids);
    expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 7 });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });
});

test('a server that runs already is taken where it is named, and gets its sandbox back', async () => {
  const server = await serve({ assumptions: { list_order: 'oldest_first' } });
  onTestFinished(() => server.close());
  const stage = server.sandbox('stage');
  await stage.switches.set({ inactive_pags: { all: true } });
  const running = sachet(['certify', '--json', '--url', server.baseUrl, ...quick, '--', ...client()], {
    SACHET_ADMIN_KEY: server.adminKey,
  });
  const report = await reportOf(running);
  expect(report).toMatchObject({ code: 0, assumptions: { list_order: 'oldest_first' } });
  expect((await stage.switches.get()).inactive_pags).toMatchObject({ all: true });
  expect((await stage.snapshots.list()).snapshots).toEqual([]);
});
