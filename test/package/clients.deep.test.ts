// The package in projects with other tools, in the versions of test/package/clients: test runners, a DOM, msw, undici,
// and TypeScript, old and new, that compiles to ES modules and to CommonJS.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { served } from '../library/starts.ts';
import { root } from '../support/command.ts';
import { namedBlocks } from '../support/markdown.ts';
import { ended, useInstalled } from './package-folder.ts';

const calls = `
  const sandbox = await sachet.createSandbox();
  const client = sandbox.client();
  expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
  // Parts that load later: a label, the document, a page of the console.
  const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
  expect((await (await sandbox.fetch(fulfillments[0].label_url)).text()).slice(0, 5)).toBe('%PDF-');
  expect((await sachet.fetch('/_docs/openapi.json')).status).toBe(200);
  expect((await sachet.fetch('/_console')).status).toBeLessThan(400);
`;
const inProcess = `
test('in process', async () => {
  const sachet = createSachet();
  ${calls}
});
`;

/** Jest, in each environment. */
const jestTest = `
const { ControlError, FixturesError, createSachet, sampleOrder } = require('sachet');
const { serve } = require('sachet/node');
${inProcess}
test('on a port', async () => {
  const sachet = await serve();
  ${calls}
  await sachet.close();
});

test('fake timers do not stop it', async () => {
  jest.useFakeTimers();
  const sandbox = await createSachet().createSandbox({ scenario: 'maintenance' });
  expect((await sandbox.fetch('/v2/products')).status).toBe(500);
  jest.useRealTimers();
});

test('errors are of its classes', async () => {
  await expect(createSachet().sandbox('nope').get()).rejects.toThrow(ControlError);
  expect(() => createSachet({ fixtures: { pags: 1 } })).toThrow(FixturesError);
});
`;

const jestMswTest = `/** @jest-environment node */
const { setupServer } = require('msw/node');
const { createSachet } = require('sachet');
const { handlers } = require('sachet/msw');

test('msw answers from a sandbox', async () => {
  const sandbox = await createSachet().createSandbox();
  const server = setupServer(...handlers(sandbox, 'https://api.example.com'));
  server.listen({ onUnhandledRequest: 'error' });
  expect((await fetch('https://api.example.com/v2/products')).status).toBe(401);
  await sandbox.switches.set({ connection: { drop: 'before_processing' } });
  await expect(fetch('https://api.example.com/v2/products')).rejects.toThrow('Failed to fetch');
  server.close();
});
`;

/** For a page with the origin of the server. */
const domTest = `
import { createSachet, sampleOrder } from 'sachet';
import { test } from 'sachet/vitest';
import { expect } from 'vitest';
${inProcess}
const get = (url) =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new Error('no response'));
    xhr.send();
  });

test('on a port, fetch and XMLHttpRequest', async ({ sandbox }) => {
  const { baseUrl, login } = sandbox;
  expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(201);
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(login) };
  expect((await fetch(baseUrl + '/v2/authentication/token', init)).status).toBe(200);
  expect(await get(baseUrl + '/v2/products')).toBe(401);
});
`;

/** Prints what it saw as JSON; at the end, whether the ES module and the CommonJS module are the same library. */
const use = `
import { ControlError, connect, createSachet, type Login, type MadeSandbox, type Sachet, sampleOrder } from 'sachet';
import { loadFixtures, loadScenarios, type ServeOptions, serve } from 'sachet/node';

const placed = async (sandbox: MadeSandbox): Promise<number> => {
  const login: Login = sandbox.login;
  return (await sandbox.client(login).post('/v2/orders', sampleOrder())).status;
};
const statusOf = (error: unknown): number => (error instanceof ControlError ? error.status : 0);
const caught = (error: ControlError): number => error.status;

export async function main(): Promise<void> {
  await using sachet: Sachet = createSachet({ clock: '2026-01-01T00:00:00Z', assumptions: { next_cursor: 'meta' } });
  await using sandbox = await sachet.createSandbox({ name: 'w7' });
  const order = await placed(sandbox);
  const { now } = await sandbox.clock.advance({ by: 'PT15M' });
  await sandbox.switches.set({ rate_limit: { burst: 1, match: { operation: 'products.list' } } });
  const standard: typeof fetch = sandbox.fetch;
  const { status, headers } = await standard('/v2/products');
  const match = { operation: 'orders.create', status: 201 } as const;
  const { satisfied } = await sandbox.requests.verify({ match, count: { at_least: 1 } });

  const folder = 'node_modules/sachet/';
  const options: ServeOptions = { fixtures: { ...loadFixtures(folder + 'fixtures'), pags: [] } };
  await using server = await serve(options);
  const remote = connect({ url: server.baseUrl, adminKey: server.adminKey });
  await using other = await remote.createSandbox();
  const missing = await remote.sandbox('nope').get().then(() => 0, statusOf);
  const again: number = await remote.sandbox('nope').get().then(() => 0, caught);
  const sandboxes = (await server.sandboxes()).length;
  const hasNoPag = loadScenarios(folder + 'scenarios').some(({ name }) => name === 'no-pag');
  const isOne = (await import('sachet')).createSachet === createSachet;
  const limited = [status, headers.get('retry-after')];
  const counts = [await placed(other), missing, again, sandboxes];
  console.log(JSON.stringify([order, now, ...limited, satisfied, ...counts, hasNoPag, isOne]));
}
void main();
`;
const printed = '[201,"2026-01-01T00:15:00.000Z",429,"60",true,422,404,404,3,true,true]\n';

/** Only compiled. */
const vitestUse = `
import type { NewSandboxOptions, Sachet } from 'sachet';
import { type SachetFixtures, test } from 'sachet/vitest';
import standard, { sachetServer } from 'sachet/vitest/server';
import { expect, inject } from 'vitest';

export const setups = [standard, sachetServer(), sachetServer({ assumptions: { next_cursor: 'meta' } })];
export const url: string | undefined = inject('sachet')?.url;
export const options = ({ sandboxOptions }: SachetFixtures): NewSandboxOptions => sandboxOptions;

test('an order', async ({ sachet, sandbox }) => {
  const whole: Sachet = sachet;
  expect((await whole.sandbox(sandbox.name).fetch('/v2/products')).status).toBe(401);
});

const mine = test.extend<{ products: () => Promise<Response> }>({
  products: async ({ sandbox }, use) => use(() => sandbox.client().get('/v2/products')),
});
mine('with a client of its own', async ({ products }) => void (await products()));
`;

/** Prints the status of two calls. */
const mswUse = `
import { setupServer } from 'msw/node';
import { createSachet, type Sachet } from 'sachet';
import { handlers } from 'sachet/msw';

export async function main(): Promise<void> {
  const sachet: Sachet = createSachet();
  const server = setupServer(...handlers(sachet, 'https://api.example.com'));
  server.listen();
  server.use(...handlers(await sachet.createSandbox(), new URL('https://shop.example.com')));
  for (const name of ['api', 'shop']) console.log((await fetch('https://' + name + '.example.com/v2/products')).status);
  server.close();
}
void main();
`;

/** Statements that must not compile. */
const wrongUses: readonly string[] = [
  'await sandbox.switches.set({ rate_limits: { burst: 3 } });',
  'await sandbox.switches.set({ rate_limit: { bursts: 3 } });',
  'createSachet({ fixture: { pags: [] } });',
  'createSachet({ fixtures: { pag: [] } });',
  "createSachet({ fixtures: { pags: [{ id: '1' }] } });",
  "createSachet({ assumptions: { next_cursors: 'meta' } });",
  "createSachet({ assumptions: { next_cursor: 'metas' } });",
  "createSachet({ profile: 'lenient' });",
  "await serve({ port: '4010' });",
  'createSachet({ port: 4010 });',
  "handlers('https://api.example.com', sachet);",
  "connect({ url: 'http://localhost:4010' });",
  "await sachet.createSandbox({ seed: 'a' });",
  "await sachet.createSandbox({ assumptions: { next_cursor: 'metas' } });",
  "await sandbox.received({ operation: 'orders.make' });",
  "sachet.sandbox('w7').client();",
  'await sandbox.faults.create({ status: 418 });',
  "await sandbox.clock.advance({ seconds: 'ten' });",
  '(await sandbox.clock.get()).time;',
];
const wrong = [
  `import { connect, createSachet } from 'sachet';`,
  `import { handlers } from 'sachet/msw';`,
  `import { serve } from 'sachet/node';`,
  'const sachet = createSachet();',
  'const sandbox = await sachet.createSandbox();',
  ...wrongUses.flatMap((statement) => ['// @ts-expect-error', statement]),
  'export { connect, handlers, serve };',
].join('\n');

/** Compiled without the types of Node. */
const webUse = `
import { createSachet } from 'sachet';
export const url: string = createSachet().baseUrl;
`;

const versions = (name: string) => readFileSync(join(root, 'test/package/clients', name), 'utf8');
const blocksOf = (page: string, folder: string) =>
  Object.fromEntries(namedBlocks(page).map(({ name, code }) => [join(folder, name), code]));

/** Each environment of Jest. */
const jestConfig = `
const projects = ['node', 'jsdom'].map((testEnvironment) => ({ displayName: testEnvironment, testEnvironment }));
module.exports = { projects };
`;

/** Both DOMs, whose pages have the origin of SACHET_BASE_URL, and msw. */
const vitestConfig = `
const url = process.env.SACHET_BASE_URL;
const time = { testTimeout: 60_000, hookTimeout: 60_000 };
const projects = ['jsdom', 'happy-dom'].map((environment) => ({
  test: { ...time, name: environment, environment, environmentOptions: { happyDOM: { url }, jsdom: { url } }, include: ['*.test.mjs'] },
}));
export default { test: { projects: [...projects, { test: { ...time, name: 'msw', include: ['msw*.test.ts'] } }] } };
`;

const project = useInstalled([], {
  'package.json': versions('package.json'),
  'package-lock.json': versions('package-lock.json'),
  ...{ 'jest/jest.config.js': jestConfig, 'jest/all.test.js': jestTest, 'jest/msw.test.js': jestMswTest },
  ...blocksOf('docs/guide/jest.md', 'guide'),
  'guide/package.json': '{}',
  ...blocksOf('docs/guide/test-runners.md', 'runners'),
  'runners/package.json': '{}',
  ...blocksOf('docs/how-to/use-undici.md', 'undici'),
  'vitest/dom.test.mjs': domTest,
  ...blocksOf('docs/how-to/use-msw.md', 'vitest'),
  'vitest/vitest.config.mjs': vitestConfig,
  ...{ 'use.cts': use, 'use.mts': use, 'msw.cts': mswUse, 'msw.mts': mswUse },
  ...{ 'vitest.mts': vitestUse, 'wrong.mts': wrong, 'web/index.ts': webUse },
});

/** Runs a program of the project. On a busy machine a compiler or a DOM can take a minute to start. */
const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ended(project(), process.execPath, args, env, 110_000);

test.each([
  ['in its environments node and jsdom, and with msw', 'jest', 10],
  ['for the tests of its guide, with one server for the run', 'guide', 3],
])('Jest works %s', async (_, folder, tests) => {
  const config = ['--config', `${folder}/jest.config.js`, '--testTimeout', '60000'];
  const stderr = expect.stringMatching(`Tests: +${tests} passed, ${tests} total`);
  expect(await node(['node_modules/jest/bin/jest.js', ...config])).toMatchObject({ code: 0, stderr });
});

describe('docs/guide/test-runners.md', () => {
  test('each block has at most ten lines', () => {
    const lengths = namedBlocks('docs/guide/test-runners.md').map(({ code }) => code.trim().split('\n').length);
    expect(lengths).toHaveLength(9);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(10);
  });

  const mocha = 'node_modules/mocha/bin/mocha.js';
  const shared = ['--require', './runners/sachet.setup.mjs', 'runners/shared.spec.mjs', 'runners/products.spec.mjs'];
  const jest = ['node_modules/jest/bin/jest.js', '--rootDir', 'runners', 'products.test.js$'];
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'runners/playwright.config.ts'];
  test.each([
    ['node:test', /^# pass 1$/m, ['--test', 'runners/products.test.mjs']],
    ['Mocha', /^ +1 passing /m, [mocha, 'runners/products.spec.mjs']],
    ['Mocha, with one server for the run', /^ +2 passing /m, [mocha, ...shared]],
    ['Mocha, with one server for parallel files', /^ +2 passing /m, [mocha, '--parallel', ...shared]],
    ['Playwright Test, with one server, too', /^ +2 passed /m, [...playwright, 'login.spec.ts', 'shared.spec.ts']],
    ['Jest', /^Tests: +1 passed, 1 total$/m, jest],
  ] as const)('the recipes work: %s', async (_, summary, args) => {
    const { code, stdout, stderr } = await node(args);
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: expect.stringMatching(summary) });
  });
});

test('undici gets its answers from a sandbox through the interceptor of docs/how-to/use-undici.md', async () => {
  const stdout = expect.stringMatching(/^# pass 3$/m);
  expect(await node(['--test', 'undici/undici.test.mjs'])).toMatchObject({ code: 0, stdout });
});

test('Vitest works with jsdom and happy-dom, in process, on a page of a server, and with msw', async () => {
  const adminKey = 'a-key-of-a-test';
  const { baseUrl } = await served({ adminKey });
  const env = { SACHET_BASE_URL: baseUrl, SACHET_ADMIN_KEY: adminKey };
  const result = await node(['node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest'], env);
  expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests +6 passed \(6\)/) });
});

describe('TypeScript', () => {
  const compiler = {
    '5.5': ['node_modules/typescript-5.5/bin/tsc'],
    new: [join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', '--exactOptionalPropertyTypes'],
  };
  const compile = (version: keyof typeof compiler, options: string, ...files: readonly string[]) =>
    node([...compiler[version], '--target', 'es2022', '--strict', ...options.split(' '), ...files]);
  const ofNode = '--lib es2022 --types node';
  const silent = { code: 0, stdout: '', stderr: '' };

  test.each([
    ['5.5', 'node16'],
    ['new', 'nodenext'],
  ] as const)('%s compiles by %s to ES modules and to CommonJS, which load one library', async (version, module) => {
    const options = `${ofNode} --module ${module} --moduleResolution ${module} --outDir ${module}`;
    expect(await compile(version, options, 'use.mts', 'use.cts')).toEqual(silent);
    for (const file of ['use.mjs', 'use.cjs'])
      expect(await node([join(module, file)])).toEqual({ ...silent, stdout: printed });
  });

  test.each(['5.5', 'new'] as const)('%s resolves the types for bundlers', async (version) => {
    const options = `${ofNode} --module preserve --moduleResolution bundler --noEmit`;
    expect(await compile(version, options, 'use.mts', 'use.cts')).toEqual(silent);
  });

  test('5.5 accepts the handlers of sachet/msw for the msw of both forms', async () => {
    const options = '--lib es2022,dom,dom.iterable --types node --module node16 --moduleResolution node16 --outDir msw';
    expect(await compile('5.5', options, 'msw.mts', 'msw.cts')).toEqual(silent);
    for (const file of ['msw.mjs', 'msw.cjs'])
      expect(await node([join('msw', file)])).toEqual({ ...silent, stdout: '401\n401\n' });
  });

  test('accepts each use of sachet/vitest, and reports every wrong use of the library', async () => {
    const { stdout } = await compile('new', `${ofNode} --module nodenext --noEmit`, 'vitest.mts', 'wrong.mts');
    // The types of the DOMs, which Vitest loads, and of msw have errors of their own. An indented line continues an
    // error.
    const errors = stdout.split('\n').filter((line) => line && !/^(?: |node_modules\/(?!sachet\/))/.test(line));
    // TS2578 reports an expected error that did not occur, in the line above the statement.
    const named = (line: string) => wrong.split('\n')[Number(/^wrong\.mts\((\d+),.*TS2578/.exec(line)?.[1])] ?? line;
    expect(errors.map(named)).toEqual([]);
  });

  test('compiles for a browser without the types of Node', async () => {
    const options = '--module esnext --moduleResolution bundler --lib es2022,dom --noEmit';
    expect(await compile('new', options, '--types', '', 'web/index.ts')).toEqual(silent);
  });
});
