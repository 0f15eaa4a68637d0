// What a start prints: a record for a program, a banner for a person, and nothing else on standard output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
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

describe('the banner', () => {
  const curlIsThere = async (): Promise<boolean> => (await run('sh', ['-c', 'command -v curl']).ended()) === 0;
  /** Starts with a banner, pastes its commands into a shell, and gives what that printed. */
  async function pasted(args: readonly string[] = []) {
    const server = sachet(['--port', '0', ...args]);
    await server.until('whole banner', ({ stdout }) => /Create an order:\n\n[\s\S]*\n\n$/.test(stdout));
    const [, commands = ''] = /Create an order:\n\n([\s\S]*)\n\n$/.exec(server.stdout) ?? [];
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

test('npm start prints the record and nothing of its own', async () => {
  const npm = run('npm', ['start', '--', '--port', '0', '--json']);
  const ready = await readyOf(npm);
  expect((await call('GET', `${ready.url}/health`)).status).toBe(200);
  process.kill(ready.pid, 'SIGTERM');
  await npm.ended();
  expect(npm.stdout).toMatch(/^\{.*\}\n$/);
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
  for (const flag of ['--port', '--assume', '--no-login-sandboxes', 'SACHET_PORT'])
    expect(command.stdout).toContain(flag);
});
