// The client of `sachet certify` as a process: its environment, its lines, scenarios of one's own, and that no process remains.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { folder, gone, sachet } from '../support/command.ts';
import { fixtureFiles } from '../support/fixture-files.ts';
import { certification, client, failed, reportOf } from './certify.ts';

/** A client that writes down its environment and its processes. */
function noting(way: 'noting' | 'leaving' | 'lingering' = 'noting') {
  const path = join(folder(), 'notes.json');
  const notes = () =>
    JSON.parse(readFileSync(path, 'utf8')) as { pids: number[]; env: Readonly<Record<string, string>> };
  return { command: client(way, path), notes };
}

const noPag = ['--only', 'no-pag'];

describe('the environment of the client', () => {
  test('names a new server and a login, also under names of --env; its child is ended, too', async () => {
    const { command, notes } = noting('leaving');
    const report = await certification([...noPag, '--env', 'API_ROOT={base_url}/v2,API_USER=username'], command);
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
    const report = await certification([...noPag, ...flags], command);
    expect(report).toMatchObject({ code: 0, sandbox: 'production' });
    expect(report.assumptions).toEqual({ list_order: 'oldest_first', order_endpoints: 'absent' });
    const { env, pids } = notes();
    await gone(pids);
    expect(env.SACHET_ASSUME?.split(',').sort()).toEqual(['list_order=oldest_first', 'order_endpoints=absent']);
    const SACHET_BASE_URL = `${env.SACHET_URL}/sandboxes/production`;
    expect(env).toMatchObject({ SACHET_SANDBOX: 'production', SACHET_BASE_URL });
  });

  test('names the sandbox of a running server, which is restored at the end', async () => {
    const server = await serve({ assumptions: { list_order: 'oldest_first' } });
    onTestFinished(() => server.close());
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
  const report = await certification(['--only', 'doorstep,lost-answer,no-pag'], client('writing,talkative', path));
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
    expect(report.stderr).toMatch(/expected at most 1 of fulfillments\.list, but [34] came/);
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
