// `sachet/vitest` in a consumer's own vitest: one server for a run, a sandbox for every test, and what a failed test tells.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { call } from '../support/command.ts';
import { asDeveloped, ended, useInstalled } from './package-folder.ts';
import { badTest, config, goodTests, namesTest, optionsTest, timersTest } from './vitest-sources.ts';

const consumer = useInstalled([asDeveloped('vitest')], {
  'with-setup.config.js': config(true),
  'without-setup.config.js': config(false),
  ...goodTests,
  'tests/bad.test.js': badTest,
  'tests/options.test.js': optionsTest,
  'tests/names.test.js': namesTest,
  'tests/timers.test.js': timersTest,
});

interface Report {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
      readonly meta: { readonly url?: string; readonly sandbox?: string };
    }[];
  }[];
}

/** Runs the consumer's tests of these files, and tells how each ended and what it was given. */
async function vitest(files: readonly string[], args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = join(consumer(), 'node_modules/vitest/vitest.mjs');
  const outcome = await ended(consumer(), process.execPath, [program, 'run', ...files, ...reporters, ...args], env);
  const written = join(consumer(), 'report.json');
  const report = existsSync(written) ? (JSON.parse(readFileSync(written, 'utf8')) as Report) : { testResults: [] };
  rmSync(written, { force: true });
  return { ...outcome, ...seenIn(report), of: (file: string) => seenIn(report, file) };
}

/** What a report tells of a file, or of all. */
function seenIn({ testResults }: Report, file = '') {
  const tests = testResults.filter(({ name }) => name.endsWith(file)).flatMap((result) => result.assertionResults);
  return {
    failed: tests
      .filter(({ status }) => status !== 'passed')
      .map(({ title, failureMessages }) => [title, failureMessages]),
    count: tests.length,
    urls: new Set(tests.map(({ meta }) => meta.url).filter((url) => url !== undefined)),
    sandboxes: new Set(tests.map(({ meta }) => meta.sandbox).filter((name) => name !== undefined)),
  };
}

const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json'];

const good = ['one.test.js', 'two.test.js'];
const withSetup = ['--config', 'with-setup.config.js'];
const withoutSetup = ['--config', 'without-setup.config.js'];
const adminKey = 'the-key-of-the-run';

/** The URL of a server that runs already. */
async function running(): Promise<string> {
  const server = await serve({ adminKey });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

describe('one server for all files of a run, and for each test a sandbox of its own', () => {
  test.each(['forks', 'threads'])('in %s, by the global setup', async (pool) => {
    const run = await vitest(good, [...withSetup, '--pool', pool]);
    expect(run).toMatchObject({ code: 0, failed: [], count: 4 });
    expect(run.urls.size).toBe(1);
    expect([...run.urls][0]).toMatch(/^http:\/\/localhost:\d+$/);
    expect(run.sandboxes.size).toBe(4);
    // The server of the run ended with it.
    await expect(call('GET', `${[...run.urls][0]}/health`)).rejects.toThrow('fetch failed');
  });

  test.each([
    ['with', withSetup],
    ['without', withoutSetup],
  ])('%s the global setup, where the environment names one that runs', async (_, args) => {
    const url = await running();
    const run = await vitest(good, args, { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey });
    expect(run).toMatchObject({ code: 0, failed: [], count: 4, urls: new Set([url]) });
    expect(run.sandboxes.size).toBe(4);
    // It goes on, and the sandboxes of the tests are gone.
    const { body } = await call('GET', `${url}/_admin/sandboxes`, { token: adminKey });
    expect(body.sandboxes.map(({ name }: { name: string }) => name)).toEqual(['production', 'stage']);
  });
});

test.each(['forks', 'threads'])(
  'without any setup, in %s, each worker has a server, which timers of a test do not reach',
  async (pool) => {
    const run = await vitest([...good, 'timers.test.js'], [...withoutSetup, '--pool', pool]);
    expect(run).toMatchObject({ code: 0, failed: [], count: 5 });
    expect(run.of('timers.test.js').count).toBe(1);
    // Vitest gives each file a worker of its own; the timers' test leaves nothing on record.
    expect([run.urls.size, run.sandboxes.size]).toEqual([2, 4]);
    for (const url of run.urls) await expect(call('GET', `${url}/health`)).rejects.toThrow('fetch failed');
  },
);

describe('before any test it is told', () => {
  test.each([
    ['a server without its key', { SACHET_ADMIN_KEY: '' }, 'SACHET_ADMIN_KEY is not set; set it to the admin key'],
    ['a wrong key', { SACHET_ADMIN_KEY: 'a-wrong-key' }, 'sandboxes.list failed with 401'],
    [
      'a URL where nothing answers',
      { SACHET_BASE_URL: 'http://localhost:1' },
      'no server answers at http://localhost:1',
    ],
  ])('%s', async (_, wrong, words) => {
    const env = { SACHET_BASE_URL: await running(), SACHET_ADMIN_KEY: adminKey, ...wrong };
    const { code, count, stdout, stderr } = await vitest(good, withSetup, env);
    expect({ code, count }).toEqual({ code: 1, count: 0 });
    expect(stdout + stderr).toContain(words);
  });
});

describe('in one run of several files', () => {
  let run: Awaited<ReturnType<typeof vitest>>;
  beforeAll(async () => {
    run = await vitest(['bad.test.js', 'options.test.js', 'names.test.js'], withSetup);
  }, 60_000);

  test('a failed test tells the calls of its sandbox, and why; one that passed tells nothing', () => {
    const { failed } = run.of('bad.test.js');
    expect(failed.map(([title]) => title)).toEqual(['fails', 'is too late', 'calls too often', 'deletes its sandbox']);
    for (const name of ['fails', 'is-too-late'])
      expect(run.stderr).toMatch(
        new RegExp(
          `The sandbox ${name}-\\w+ received 2 calls:\n.* POST /v2/authentication/token 200 .*\n.* POST /v2/orders 422 ORD-.*consumer`,
        ),
      );
    expect(run.stderr).toMatch(/The sandbox calls-too-often-\w+ received 24 calls; the last 20:\n/);
    expect(run.stderr).not.toMatch(/The sandbox (?:deletes-its-sandbox|is-as-it-should-be)/);
  });

  test('what the sandbox is told is set where the test is', () => {
    expect(run.of('options.test.js')).toMatchObject({ failed: [], count: 2 });
  });

  test('a test may have any name', () => {
    expect(run.of('names.test.js')).toMatchObject({ failed: [], count: 5 });
  });
});
