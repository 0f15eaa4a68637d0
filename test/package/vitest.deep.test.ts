// The package in projects with Vitest: the code blocks of README.md and of the guide, and `sachet/vitest`, which gives one server per run, a
// sandbox per test, and the calls of failed tests. A block is tested if its fence names a file: ```ts refresh.test.ts.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { served } from '../library/starts.ts';
import { call, root } from '../support/command.ts';
import { markdownPages, namedBlocks } from '../support/markdown.ts';
import { asDeveloped, ended, useInstalled } from './package-folder.ts';

/** clients.deep.test.ts runs the blocks of these pages, which need other packages. */
const pagesOfClients = ['guide/jest.md', 'guide/test-runners.md', 'how-to/use-msw.md', 'how-to/use-undici.md'];
/** The blocks with a file name, by path: `docs/guide/vitest/refresh.test.ts`. */
const files = Object.fromEntries(
  markdownPages().flatMap((page) =>
    (pagesOfClients.includes(page.replace('docs/', '')) ? [] : namedBlocks(page))
      .filter(({ language, name }) => ['ts', 'js'].includes(language) && !name.includes('/'))
      .map(({ name, code }) => [join(page.replace(/\.md$/, ''), name), code]),
  ),
);
const names = Object.keys(files);
const isTest = (name: string) => name.endsWith('.test.ts');
const foldersWithServer = names.filter((name) => name.endsWith('vitest.config.mts')).map((name) => dirname(name));
const scripts = names.filter((name) => name.endsWith('.mjs'));

const tsconfig = `{ "compilerOptions": { "strict": true, "skipLibCheck": true, "target": "es2022", "module": "nodenext",
  "lib": ["es2023"], "types": ["node"], "allowJs": true, "checkJs": true, "noEmit": true },
  "include": ["README", "docs"] }`;

const imports = `
import { sampleOrder } from 'sachet';
import { test } from 'sachet/vitest';
import { describe, expect, vi } from 'vitest';
`;

/** Two tests that record their server and their sandbox. */
const good = `${imports}
const record = ({ task, sachet, sandbox }) => Object.assign(task.meta, { url: sachet.baseUrl, sandbox: sandbox.name });

test('an order is placed', async ({ sandbox, sachet, task }) => {
  const response = await sandbox.client().post('/v2/orders', sampleOrder());
  record({ task, sachet, sandbox });
  expect(response.status).toBe(201);
});

test('and no other test sees it', async ({ sandbox, sachet, task }) => {
  record({ task, sachet, sandbox });
  expect((await sandbox.requests.list()).requests).toEqual([]);
  expect((await sandbox.get()).ttl_seconds).toBe(3600);
});
`;

/** Each test but the last fails in its own way. */
const bad = `${imports}
const order = { order_lines: [], note: 'x'.repeat(1000) };
const rejected = async ({ sandbox }) => (await sandbox.client().post('/v2/orders', order)).status;
test('fails', async ({ sandbox }) => expect(await rejected({ sandbox })).toBe(201));
test('is too late', { timeout: 2000 }, async ({ sandbox }) => {
  await rejected({ sandbox });
  await new Promise(() => undefined);
});
test('calls too often', async ({ sandbox }) => {
  for (let n = 0; n < 24; n += 1) await sandbox.fetch('/v2/products/' + n);
  expect.fail('after 24 calls');
});
test('deletes its sandbox', async ({ sandbox }) => {
  await sandbox.delete();
  expect.fail('without a sandbox');
});
test('drops the path', async ({ sandbox }) => {
  for (const base of [sandbox.baseUrl, new URL('/', sandbox.baseUrl)]) await fetch(new URL('/v2/products', base));
  vi.useFakeTimers({ now: 0 });
  expect(await sandbox.received({})).toBe(1);
});
test('logs in without the path', async ({ sandbox }) => {
  const url = new URL('/v2/authentication/token', sandbox.baseUrl);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sandbox.login) });
  expect(answer.status).toBe(200);
  expect((await fetch(new URL('/v2/products', sandbox.baseUrl))).status).toBe(200);
});
test('is as it should be', async ({ sandbox }) => expect(await rejected({ sandbox })).toBe(422));
`;

const options = `${imports}
describe('with options', () => {
  test.override({ sandboxOptions: { clock: '2026-01-01T00:00:00Z', fixtures: { pags: [] } } });
  test('they apply', async ({ sandbox }) => {
    expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
    expect((await sandbox.records.pags.list()).pags).toEqual([]);
  });
});
test('a short Retry-After', async ({ sandbox }) => {
  const retryAfter = async () => (await sandbox.fetch('/v2/products')).headers.get('retry-after');
  const burst = (settings) => sandbox.switches.set({ rate_limit: { burst: 1, ...settings } });
  await burst();
  expect(await retryAfter()).toBe('60');
  sandbox.fastRetries();
  await burst({ retry_after: undefined });
  expect(await retryAfter()).toBe('1');
  await burst({ retry_after: 5 });
  expect(await retryAfter()).toBe('5');
  await sandbox.switches.set({ rate_limit: null, latency: null });
  await sandbox.faults.create({ status: 429, times: 1 });
  expect(await retryAfter()).toBe('1');
  const { requests } = await sandbox.requests.list({ status: 429 });
  expect(requests.at(-1).decision.sentence).toMatch(/ Retry-After is 1\\.$/);
});
test('without', async ({ sandbox }) => expect((await sandbox.clock.get()).frozen).toBe(false));
for (const name of ['---', '(An order)', 'Größe', 'a'.repeat(200), '注文する'])
  test(name, async ({ sandbox }) => expect((await sandbox.fetch('/v2/products')).status).toBe(401));
`;

const timers = `${imports}
test('fake timers do not stop the server', async ({ sandbox }) => {
  vi.useFakeTimers({ now: 0 });
  const { now } = await sandbox.clock.get();
  vi.useRealTimers();
  expect(Number(now.slice(0, 4))).toBeGreaterThan(2025);
});
`;

const config = (setup: string): string =>
  `export default { test: { include: ['tests/*.test.js'], globalSetup: [${setup}], testTimeout: 60000 } };\n`;

const project = useInstalled([asDeveloped('vitest'), asDeveloped('@types/node')], {
  ...files,
  ...{ 'no.config.js': 'export default {};\n', 'tsconfig.json': tsconfig },
  'with-setup.config.js': config("'sachet/vitest/server'"),
  'without-setup.config.js': config(''),
  ...{ 'tests/one.test.js': good, 'tests/two.test.js': good, 'tests/bad.test.js': bad },
  ...{ 'tests/options.test.js': options, 'tests/timers.test.js': timers },
});

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ended(project(), process.execPath, args, env);
const vitestProgram = 'node_modules/vitest/vitest.mjs';

test('the README and the Vitest guide have blocks', () => {
  for (const folder of ['README', 'docs/guide/vitest'])
    for (const name of ['refresh.test.ts', 'vitest.config.mts']) expect(names).toContain(join(folder, name));
});

test('all blocks compile', async () => {
  expect(await node([join(root, 'node_modules/typescript/bin/tsc')])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each([
  ...foldersWithServer.map(
    (folder) => [`${folder}, with the server of its configuration`, ['--root', folder]] as const,
  ),
  ['README, docs, without a configuration', ['--config', 'no.config.js', 'README', 'docs']] as const,
])('the tests of %s pass', async (_, args) => {
  const [flag, folder] = args;
  const count = names.filter((name) => isTest(name) && (flag === '--config' || dirname(name) === folder)).length;
  // Vitest's own limit of 5 seconds is short for a busy machine.
  const { code, stdout } = await node([vitestProgram, 'run', '--testTimeout=60000', ...args]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(`Test Files +${count} passed`)]);
});

test.each(scripts)('%s prints the values of its comments', async (script) => {
  const stdout = (files[script]?.match(/(?<=console\.log\(.*\); \/\/ ).*\n/g) ?? []).join('');
  expect(stdout).not.toBe('');
  expect(await node([script])).toEqual({ code: 0, stdout, stderr: '' });
});

interface Test {
  readonly title: string;
  readonly status: string;
  readonly meta: { readonly url?: string; readonly sandbox?: string };
}

/** Runs these test files of the project, and returns what they recorded. */
async function vitest(files: readonly string[], args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const program = [vitestProgram, 'run', ...files.map((name) => `${name}.test.js`)];
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json'];
  const outcome = await node([...program, ...reporters, ...args], env);
  const path = join(project(), 'report.json');
  const results: { assertionResults: Test[] }[] = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8')).testResults
    : [];
  rmSync(path, { force: true });
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const recorded = (name: 'url' | 'sandbox') => new Set(tests.flatMap(({ meta }) => meta[name] ?? []));
  return {
    ...outcome,
    count: tests.length,
    failed: tests.filter(({ status }) => status !== 'passed').map(({ title }) => title),
    urls: recorded('url'),
    sandboxes: recorded('sandbox'),
  };
}

const withSetup = ['--config', 'with-setup.config.js'];
const withoutSetup = ['--config', 'without-setup.config.js'];
const adminKey = 'the-key-of-the-run';

const expectGone = async (urls: Iterable<string>) => {
  for (const url of urls) await expect(call('GET', `${url}/health`)).rejects.toThrow('fetch failed');
};

describe('all tests of a run share a server, and have a sandbox each:', () => {
  test('the server of the global setup', async () => {
    const result = await vitest(['one', 'two'], [...withSetup, '--pool', 'threads']);
    expect(result).toMatchObject({ code: 0, failed: [], count: 4 });
    expect([result.urls.size, result.sandboxes.size]).toEqual([1, 4]);
    await expectGone(result.urls);
  });

  test.each([
    ['with', withSetup],
    ['without', withoutSetup],
  ])('the server of the environment, %s the global setup', async (_, args) => {
    const { baseUrl: url } = await served({ adminKey });
    const result = await vitest(['one', 'two'], args, { SACHET_BASE_URL: url, SACHET_ADMIN_KEY: adminKey });
    expect(result).toMatchObject({ code: 0, failed: [], count: 4, urls: new Set([url]) });
    expect(result.sandboxes.size).toBe(4);
    const { body } = await call('GET', `${url}/_admin/sandboxes`, { token: adminKey });
    expect(body.sandboxes.map(({ name }: { name: string }) => name)).toEqual(['production', 'stage']);
  });
});

test.each(['forks', 'threads'])('without a setup, each worker has a server, in %s', async (pool) => {
  const result = await vitest(['one', 'two', 'timers'], [...withoutSetup, '--pool', pool]);
  expect(result).toMatchObject({ code: 0, failed: [], count: 5 });
  expect([result.urls.size, result.sandboxes.size]).toEqual([2, 4]);
  await expectGone(result.urls);
});

test.each([
  ['', 'SACHET_ADMIN_KEY is not set; set it to the admin key'],
  ['a-wrong-key', 'sandboxes.list failed with 401'],
])('the admin key "%s" ends the run before its tests', async (key, message) => {
  const env = { SACHET_BASE_URL: (await served()).baseUrl, SACHET_ADMIN_KEY: key };
  const { code, count, stdout, stderr } = await vitest(['one'], withSetup, env);
  expect({ code, count }).toEqual({ code: 1, count: 0 });
  expect(stdout + stderr).toContain(message);
});

test('the error of a failed test has the calls of its sandbox; options and names of tests do not matter', async () => {
  const { failed, count, stderr } = await vitest(['bad', 'options'], withSetup);
  const names = ['fails', 'is too late', 'calls too often', 'deletes its sandbox', 'drops the path'];
  expect([failed, count]).toEqual([[...names, 'logs in without the path'], 15]);
  for (const name of ['fails', 'is-too-late'])
    expect(stderr).toMatch(
      new RegExp(
        `Error: .*[^]*?\n\nThe sandbox ${name}-\\w+ received 2 calls:\n.* POST /v2/authentication/token 200 .*\n` +
          ' +request  .*"demo\\+.*\n +response .*\n.* POST /v2/orders 422 ORD-.*consumer.*\n' +
          ' +request  (?=.{1000}\n).*"note":"x+…\n +response {"statusCode":422,',
      ),
    );
  expect(stderr).toMatch(
    /The sandbox calls-too-often-\w+ received 24 calls; the last 20:\n.* GET \/v2\/products\/4 401 .*\n.*\/5 401 /,
  );
  expect(stderr).toMatch(
    /The sandbox (drops-the-path-\w+) received 0 calls\. 2 calls reached stage meanwhile: does your client drop \/sandboxes\/\1\?\n/,
  );
  expect(stderr).toMatch(
    /The sandbox (logs-in-without-the-path-\w+) received 1 call:\n.*\n.*\n.*\n1 call reached stage meanwhile: does .* drop .*\/\1\?\n/,
  );
  expect(stderr).not.toMatch(/The sandbox (?:deletes-its-sandbox|is-as-it-should-be)/);
});

describe('with an old Vitest', () => {
  const version = '2.1.9';
  // npm also accepts this version, although it is too old for `sachet/vitest`.
  const old = useInstalled([`vitest@${version}`], {
    'library.test.js': `import { createSachet } from 'sachet';
import { expect, test } from 'vitest';
test('the library', async () => expect((await createSachet().fetch('/health')).status).toBe(200));
`,
    'fixture.test.js': `import { test } from 'sachet/vitest';\ntest('the fixture', () => undefined);\n`,
  });

  test('the library works, and sachet/vitest names the version that it needs', async () => {
    const run = (file: string) => ended(old(), process.execPath, [vitestProgram, 'run', file]);
    expect(await run('library')).toMatchObject({ code: 0 });
    const message = `sachet/vitest needs Vitest 3.2 or newer, but this project has Vitest ${version}. Update it`;
    expect(await run('fixture')).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
