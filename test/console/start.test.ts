// The page to start with: addresses, logins, and programs of first calls that run as they stand.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { firstCallsInCurl, firstCallsInPython, firstCallsInTypeScript } from '../../src/console/pages/code-samples.ts';
import { serve } from '../../src/node/index.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { consoleOf } from '../support/console.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

test('stage is told by both its base URLs, another sandbox by its own alone', async () => {
  const sachet = testSachet();
  const { text, html } = await consoleOf(sachet).see('start');
  expect(text).toContain('Base URL http://localhost:4010/sandboxes/stage Copy');
  expect(text).toContain('Short URL http://localhost:4010 Copy');
  expect(text).toContain('Environment stage');
  expect(html).toContain('href="../sandboxes/stage/_docs"');
  const other = await consoleOf(sachet, 'production').see('start');
  expect(other.text).toContain('Base URL http://localhost:4010/sandboxes/production Copy');
  expect(other.text).toContain('Environment production');
  expect(other.text).not.toContain('Short URL');
});

test('a public URL stands in the place of the origin, and no login makes a sandbox where none may', async () => {
  const sachet = testSachet({ publicUrl: 'https://sachet.example.com', loginSandboxes: false });
  const { text } = await consoleOf(sachet).see('start');
  expect(text).toContain('Base URL https://sachet.example.com/sandboxes/stage');
  expect(text).not.toContain('creates the sandbox');
});

test('the logins are told with their brands and what they may, those who may log in first', async () => {
  const { text } = await consoleOf(testSachet()).see('start');
  expect(text).toContain('demo sachet-demo Copy Daily Grove All');
  expect(text).toContain('no-permissions sachet-no-permissions Copy Daily Grove None: every call gets 403');
  expect(text).toContain('All but consumers:write , orders:write');
  expect(text).toContain('inactive-user sachet-inactive-user Copy Daily Grove ▲ Cannot log in: the user is not active');
  expect(text).toContain('▲ Cannot log in: the account is not active');
  expect(text.indexOf('sachet-inactive-user')).toBeGreaterThan(text.indexOf('sachet-inactive-pag'));
});

test('if every user can do everything, no permission is missing', async () => {
  const { text } = await consoleOf(testSachet({ assumptions: { permissions: 'all' } })).see('start');
  expect(text).toContain('no-permissions sachet-no-permissions Copy Daily Grove All');
});

test('of many logins some are told, and how many more there are', async () => {
  const [first] = fixtures.users;
  const users = Array.from({ length: 23 }, (_, n) => ({
    ...first,
    id: `12000000-0000-4000-8000-0000000001${10 + n}`,
    username: `user-${n}`,
  })) as typeof fixtures.users;
  const { text } = await consoleOf(testSachet({ fixtures: { ...fixtures, users } })).see('start');
  expect(text).toContain('user-19');
  expect(text).not.toContain('user-20');
  expect(text).toContain('… and 3 more.');
});

test('where nobody may log in the page says so, and offers no order', async () => {
  const users = fixtures.users.map((user) => ({ ...user, active: false }));
  const { text, html } = await consoleOf(testSachet({ fixtures: { ...fixtures, users } })).see('start');
  expect(text).toContain('No user of this sandbox can log in: each user or its account is inactive.');
  expect(html).not.toContain('_order/stage');
});

test('where nothing can be ordered the page says whose brand has nothing', async () => {
  const products = fixtures.products.map((product) => ({ ...product, active: false }));
  const { text } = await consoleOf(testSachet({ fixtures: { ...fixtures, products } })).see('start');
  expect(text).toContain('The brand of demo has no product to order');
});

test('names with markup in them are shown as text', async () => {
  const users = fixtures.users.map((user) => ({ ...user, password: `</pre><script>'"` }));
  const { text, html } = await consoleOf(testSachet({ fixtures: { ...fixtures, users } })).see('start');
  expect(text).toContain(`demo </pre><script>'" Copy`);
  expect(html).not.toContain('<script');
});

test('the reset is asked for first, and brings the sandbox back as it was made', async () => {
  const sachet = testSachet();
  const reader = consoleOf(sachet);
  const { html } = await reader.see('start');
  expect(html).toMatch(/hx-post="_do\/stage\/sandboxes.reset"[^>]*hx-confirm="Reset stage\?/);
  await sachet.control.sandbox('stage').assumptions.set({ list_order: 'oldest_first' });
  expect((await reader.act('sandboxes.reset')).status).toBe(200);
  expect((await sachet.control.sandbox('stage').assumptions.get()).list_order).toBe('newest_first');
});

describe('the programs of first calls run as they stand', () => {
  const run = promisify(execFile);
  let server: Awaited<ReturnType<typeof serve>>;
  let folder: string;
  beforeAll(async () => {
    server = await serve({});
    folder = await mkdtemp(join(tmpdir(), 'first-calls-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    ['sh', 'first-calls.sh', firstCallsInCurl],
    [process.execPath, 'first-calls.mjs', firstCallsInTypeScript],
    ['python3', 'first_calls.py', firstCallsInPython],
  ] as const)('%s %s', async (command, file, programOf) => {
    const control = controlClient({ url: server.baseUrl, adminKey: server.adminKey, fetch });
    const name = `calls-${file.replaceAll(/\W|_/g, '-')}`;
    const password = `it's "so" $HOME \\ \`\${1}\``;
    const users = fixtures.users.map((user) => ({ ...user, password }));
    const sandbox = await control.create({ name, fixtures: { ...fixtures, users } });
    const calls = { baseUrl: sandbox.base_url, login: { username: 'demo', password }, order: sampleOrder() };
    const path = join(folder, file);
    await writeFile(path, programOf(calls));
    const { stdout, stderr } = await run(command, [path]);
    expect(stderr).toBe('');
    expect(stdout).toContain('Pending');
    const { requests } = await control.sandbox(name).requests.list();
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['authentication.token', 200],
      ['orders.create', 201],
      ['fulfillments.list', 200],
    ]);
  });
});
