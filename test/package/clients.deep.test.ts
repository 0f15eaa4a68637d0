// The package in projects with other tools, in the versions of test/package/clients: Jest, a DOM, TypeScript that compiles to CommonJS,
// an old TypeScript, and msw.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
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

/** Requests with XMLHttpRequest, from a page with the origin of the server. */
const viaXhr = `
const get = (url) =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('GET', url);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new Error('no response'));
    xhr.send();
  });
`;

const vitestDomTest = `
import { createSachet, sampleOrder } from 'sachet';
import { expect, test } from 'vitest';
${inProcess}
`;

const vitestOriginTest = `
import { sampleOrder } from 'sachet';
import { test } from 'sachet/vitest';
import { expect } from 'vitest';
${viaXhr}
test('fetch and XMLHttpRequest', async ({ sandbox }) => {
  const { baseUrl, login } = sandbox;
  expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(201);
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(login) };
  expect((await fetch(baseUrl + '/v2/authentication/token', init)).status).toBe(200);
  expect(await get(baseUrl + '/v2/products')).toBe(401);
});
`;

/** Prints whether the ES module and the CommonJS module are the same library. */
const typescriptUse = `
import { ControlError, createSachet, type Sachet, sampleOrder } from 'sachet';
import { loadFixtures, serve, type ServeOptions } from 'sachet/node';

const statusOf = (error: unknown): number => (error instanceof ControlError ? error.status : 0);
const caught = (error: ControlError): number => error.status;
const options: ServeOptions = { fixtures: loadFixtures('node_modules/sachet/fixtures') };

export async function main(): Promise<void> {
  const server: Sachet = await serve(options);
  const sandbox = await server.createSandbox();
  const order = await sandbox.client().post('/v2/orders', sampleOrder());
  const missing = await server.sandbox('nope').get().then(() => 0, statusOf);
  const again: number = await server.sandbox('nope').get().then(() => 0, caught);
  await server.close();
  const isOne = (await import('sachet')).createSachet === createSachet;
  console.log(JSON.stringify([order.status, missing, again, isOne]));
}
void main();
`;

const versions = (name: string) => readFileSync(join(root, 'test/package/clients', name), 'utf8');
const blocksOf = (page: string, folder: string) =>
  Object.fromEntries(namedBlocks(page).map(({ name, code }) => [join(folder, name), code]));

/** The page has the origin of SACHET_BASE_URL. */
const originConfig = `
const url = process.env.SACHET_BASE_URL;
export default { test: { environmentOptions: { happyDOM: { url }, jsdom: { url } } } };
`;

const project = useInstalled([], {
  'package.json': versions('package.json'),
  'package-lock.json': versions('package-lock.json'),
  'jest/all.test.js': jestTest,
  ...blocksOf('docs/guide/jest.md', 'guide'),
  'guide/package.json': '{}',
  ...blocksOf('docs/how-to/use-msw.md', 'msw'),
  'dom/in-process.test.mjs': vitestDomTest,
  'origin/origin.test.mjs': vitestOriginTest,
  'origin/vitest.config.mjs': originConfig,
  'use.cts': typescriptUse,
  'use.mts': typescriptUse,
});

const adminKey = 'a-key-of-a-test';

/** The environment for a running server. */
async function running(): Promise<Readonly<Record<string, string>>> {
  const server = await serve({ adminKey });
  onTestFinished(() => server.close());
  return { SACHET_BASE_URL: server.baseUrl, SACHET_ADMIN_KEY: adminKey };
}

/** Runs a program of the project. On a busy machine a compiler or a DOM can take a minute to start. */
const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  ended(project(), process.execPath, args, env, 110_000);

describe('Jest', () => {
  const jest = (args: readonly string[], env = {}) =>
    node(['node_modules/jest/bin/jest.js', '--testTimeout', '60000', ...args], env);
  const passed = (tests: number) => ({
    code: 0,
    stderr: expect.stringMatching(`Tests: +${tests} passed, ${tests} total`),
  });

  test.each(['node', 'jsdom'])('in its environment %s', async (environment) => {
    expect(await jest(['--rootDir', 'jest', '--env', environment])).toMatchObject(passed(4));
  });

  test('the tests of its guide, with one server for the run', async () => {
    expect(await jest(['--config', 'guide/jest.config.js'])).toMatchObject(passed(3));
  });
});

const vitest = (root: string, environment: string, env = {}) => {
  const timeouts = ['--testTimeout', '60000', '--hookTimeout', '60000'];
  const args = ['run', '--root', root, '--environment', environment, ...timeouts];
  return node(['node_modules/vitest/vitest.mjs', ...args], env);
};
const passed = { code: 0, stdout: expect.stringMatching(/Tests +1 passed/) };

describe.each(['jsdom', 'happy-dom'])('Vitest with %s', (environment) => {
  test('in process', async () => {
    expect(await vitest('dom', environment)).toMatchObject(passed);
  });

  test('a server, on a page of its origin', async () => {
    expect(await vitest('origin', environment, await running())).toMatchObject(passed);
  });
});

test('msw lets requests pass by one handler', async () => {
  expect(await vitest('msw', 'node')).toMatchObject(passed);
});

describe('TypeScript', () => {
  const compiler = {
    '5.5': ['node_modules/typescript-5.5/bin/tsc'],
    new: [join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig'],
  };
  const options = '--target es2022 --lib es2022 --types node --strict'.split(' ');
  const compile = (version: keyof typeof compiler, ...args: readonly string[]) =>
    node([...compiler[version], ...options, ...args]);
  const silent = { code: 0, stdout: '', stderr: '' };

  test.each([
    ['5.5', 'node16'],
    ['new', 'nodenext'],
  ] as const)('%s compiles by %s to ES modules and to CommonJS, which load one library', async (version, module) => {
    const kind = ['--module', module, '--moduleResolution', module, '--outDir', module];
    expect(await compile(version, ...kind, 'use.mts', 'use.cts')).toEqual(silent);
    for (const file of ['use.mjs', 'use.cjs'])
      expect(await node([join(module, file)])).toEqual({ ...silent, stdout: '[201,404,404,true]\n' });
  });
});
