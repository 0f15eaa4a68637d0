// What a start prints: a record for a program, a banner for a person, and nothing else on standard output.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { dist, loadedBy, textOf } from '../support/built-files.ts';
import { call, folder, logIn, readyOf, root, run, sachet, serving } from '../support/command.ts';
import { fixtureFiles } from '../support/fixture-files.ts';

const { version: packaged } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

describe('the ready record of --json', () => {
  test('is one line with these keys, and stays the only line', async () => {
    const server = await serving();
    expect(Object.keys(server.ready)).toEqual(['url', 'admin_key', 'console_url', 'username', 'password', 'pid']);
    expect(server.ready).toMatchObject({ username: 'demo', pid: server.child.pid });
    await call('GET', `${server.ready.url}/v2/products`);
    await server.until('line of the call', ({ stderr }) => stderr.includes('/v2/products'));
    expect(server.stdout).toMatch(/^\{.*\}\n$/);
  });

  test('names a free port for --port 0, another one for each', async () => {
    const [one, two] = await Promise.all([serving(), serving()]);
    expect(one.ready.url).toMatch(/^http:\/\/localhost:[1-9]\d*$/);
    expect(one.ready.url).not.toBe(two.ready.url);
    expect((await call('GET', `${one.ready.url}/health`)).body).toEqual({ status: 'ok', version: packaged });
  });

  test('has a login that is good', async () => {
    const { ready } = await serving();
    const { status } = await call('GET', `${ready.url}/v2/products`, { token: await logIn(ready) });
    expect(status).toBe(200);
  });
});

/** The built files that are loaded with this one. */
const loadedWith = (entry: string): string[] => [...loadedBy(entry, false).keys()];

test('what only a label needs is no part of the start: it is imported with the first one', () => {
  /** A font that only the PDF library names, and the name of the barcode in its own. */
  const isOfLabels = (file: string) => /Times-BoldItalic|bwipp/.test(textOf(file));
  const built = readdirSync(dist).filter((file) => file.endsWith('.js'));
  expect(built.filter(isOfLabels)).toHaveLength(2);
  for (const entry of ['cli.js', 'start.js', 'index.js', 'node.js', 'vitest.js'])
    expect(loadedWith(entry).filter(isOfLabels), entry).toEqual([]);
});

test('a health check loads nothing of the server', () => {
  /** What only the contract says. */
  const isOfServer = (file: string) => textOf(file).includes('authentication.token');
  expect(loadedWith('start.js').some(isOfServer)).toBe(true);
  expect([...loadedWith('cli.js'), ...loadedWith('healthcheck.js')].filter(isOfServer)).toEqual([]);
});

test.each([
  ['the control API', 'The control API has no '],
  ['the documents', 'x-assumptions'],
])('a start does without %s, which is loaded when it is asked for', (_, words) => {
  const built = readdirSync(dist).filter((file) => file.endsWith('.js') && textOf(file).includes(words));
  expect(built).not.toEqual([]);
  expect(loadedWith('start.js').filter((file) => built.includes(file))).toEqual([]);
});

describe('the banner', () => {
  const curlIsThere = async (): Promise<boolean> => (await run('sh', ['-c', 'command -v curl']).ended()) === 0;
  /** Starts with a banner, pastes its commands into a shell, and gives what that printed. */
  async function pasted(args: readonly string[] = []) {
    const server = sachet(['--port', '0', ...args]);
    await server.until('whole banner', ({ stdout }) => /Turn the rate limit off again:\n\n[\s\S]*\n\n$/.test(stdout));
    const [, commands = ''] = /Create an order:\n\n([\s\S]*?)\n\n/.exec(server.stdout) ?? [];
    const shell = run('sh', [], { no_proxy: '*' }, commands);
    expect(await shell.ended(), shell.stderr).toBe(0);
    const [, url = ''] = /ready at (\S+) /.exec(server.stdout) ?? [];
    return { server, url, printed: shell.stdout };
  }

  test('has a base URL, a login, and a command that creates an order', async ({ skip }) => {
    if (!(await curlIsThere())) skip('curl is missing');
    const { server, url, printed } = await pasted();
    const [, username = '', password = ''] = /login +(\S+) \/ (\S+)\n/.exec(server.stdout) ?? [];
    const { order } = JSON.parse(printed);
    expect(order).toMatchObject({ status: 'Pending', consumer: { first_name: 'Ada' } });
    const token = await logIn({ url, username, password, pid: 0 });
    const { body } = await call('GET', `${url}/v2/orders/${order.id}`, { token });
    expect(body.order).toEqual(order);
  });

  test('has a command that works whatever the password holds', async ({ skip }) => {
    if (!(await curlIsThere())) skip('curl is missing');
    const path = ['users', 0, 'password'];
    const to = `it's "$HOME" \`id\` \\n %s !`;
    const files = fixtureFiles({ file: 'accounts.json', path, to }).map(({ name, content }) => [
      name,
      JSON.stringify(content),
    ]);
    const { printed } = await pasted(['--fixtures', folder(Object.fromEntries(files))]);
    expect(JSON.parse(printed).order.status).toBe('Pending');
  });
});

describe('the admin key', () => {
  /** The banner's commands for a switch: on, and off again. */
  async function switching(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const server = sachet(['--port', '0', ...args], env);
    const form = /Rate-limit the next 3 calls[^\n]*:\n\n([\s\S]*)\n\nTurn the rate limit off again:\n\n([\s\S]*)\n\n$/;
    await server.until('whole banner', ({ stdout }) => form.test(stdout));
    const [, on = '', off = ''] = form.exec(server.stdout) ?? [];
    const [, url = ''] = /ready at (\S+) /.exec(server.stdout) ?? [];
    return { server, on, off, url };
  }

  const statusOf = async (url: string): Promise<number> => (await call('GET', `${url}/v2/products`)).status;

  test('is made where none is given, shown once, and good for the pasted switch', async ({ skip }) => {
    if ((await run('sh', ['-c', 'command -v curl']).ended()) !== 0) skip('curl is missing');
    const { server, on, off, url } = await switching([]);
    const [, key = ''] = /SACHET_ADMIN_KEY='([^']+)'/.exec(on) ?? [];
    expect(key.length).toBeGreaterThanOrEqual(8);
    // In the link to the console, whose fragment no browser sends, and to be exported.
    expect(server.stdout.split(key)).toHaveLength(3);
    expect(server.stdout).toContain(`console    ${url}/_console/stage/requests#key=${key}\n`);
    const turnedOn = run('sh', [], { no_proxy: '*' }, on);
    expect(await turnedOn.ended(), turnedOn.stderr).toBe(0);
    expect(JSON.parse(turnedOn.stdout).rate_limit).toMatchObject({ burst: 3 });
    expect(await statusOf(url)).toBe(429);
    const turnedOff = run('sh', [], { no_proxy: '*', SACHET_ADMIN_KEY: key }, off);
    expect(await turnedOff.ended(), turnedOff.stderr).toBe(0);
    expect(await statusOf(url)).toBe(401);
    expect(server.stderr).not.toContain(key);
  });

  test.each([
    ['--admin-key', ['--admin-key', 'my-own-key'], {}],
    ['SACHET_ADMIN_KEY', [], { SACHET_ADMIN_KEY: 'my-own-key' }],
  ])('is not shown where it is given by %s', async (_, args, env) => {
    const { server, on } = await switching(args, env);
    expect(on).toContain('Bearer $SACHET_ADMIN_KEY');
    expect(server.stdout + server.stderr).not.toContain('my-own-key');
  });

  test('stands in the ready record', async () => {
    const [made, other, given] = await Promise.all([serving(), serving(), serving(['--admin-key', 'my-own-key'])]);
    const keyOf = ({ ready }: typeof made) => (ready as typeof ready & { admin_key: string }).admin_key;
    expect(keyOf(made)).toMatch(/^[\x21-\x7e]{8,}$/);
    expect(keyOf(other)).not.toBe(keyOf(made));
    expect(keyOf(given)).toBe('my-own-key');
    for (const server of [made, given])
      expect(server.ready).toMatchObject({
        console_url: `${server.ready.url}/_console/stage/requests#key=${keyOf(server)}`,
      });
  });
});

test('npm start prints the record and nothing of its own', async () => {
  const npm = run('npm', ['start', '--', '--port', '0', '--json']);
  const ready = await readyOf(npm);
  expect((await call('GET', `${ready.url}/health`)).status).toBe(200);
  process.kill(ready.pid, 'SIGTERM');
  await npm.ended();
  expect(npm.stdout).toMatch(/^\{.*\}\n$/);
  // A newer Node may warn of what it deprecates.
  expect(npm.stderr).not.toMatch(/\(node:\d+\)/);
});

describe('the version', () => {
  test("is the package's", () => {
    expect(version).toBe(packaged);
  });

  test('is what --version prints', async () => {
    const command = sachet(['--version']);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toBe(`${packaged}\n`);
  });
});

test('--help names every flag of serve on standard output', async () => {
  const command = sachet(['serve', '--help']);
  expect(await command.ended()).toBe(0);
  expect(command.stderr).toBe('');
  for (const flag of ['--port', '--assume', '--no-login-sandboxes', '--admin-key', '--no-debug-headers', 'SACHET_PORT'])
    expect(command.stdout).toContain(flag);
});

test('--help names every command', async () => {
  const command = sachet(['--help']);
  expect(await command.ended()).toBe(0);
  for (const name of ['serve', 'init', 'check', 'scenarios', 'requests'])
    expect(command.stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
});
