// The output of a start: the banner with commands to paste, the admin key, the ready record, --help, and the log of calls.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { call, logIn, type Ready, resultOf, root, run, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

const bannerEnd = /Rate-limit the next 3 calls[^\n]*:\n\n(.*)\n\nTurn the rate limit off again:\n\n(.*)\n\n$/s;

/** Pastes a command into a shell; returns its output. */
async function paste(command: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await resultOf(run('sh', [], { no_proxy: '*', ...env }, command));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('the commands of the banner create an order, and turn a rate limit on and off with the new admin key', async ({
  skip,
}) => {
  if ((await run('sh', ['-c', 'command -v curl']).ended()) !== 0) skip('curl is missing');
  const server = sachet(['--port', '0']);
  await server.until('whole banner', ({ stdout }) => bannerEnd.test(stdout));
  const [, url = '', username = '', password = '', command = ''] =
    /ready at (\S+) .*login +(\S+) \/ (\S+)\n.*Create an order:\n\n(.*?)\n\n/s.exec(server.stdout) ?? [];
  const { order } = await paste(command);
  expect(order).toMatchObject({ status: 'Pending', consumer: { first_name: 'Ada' } });
  const token = await logIn({ url, username, password });
  expect((await call('GET', `${url}/v2/orders/${order.id}`, { token })).body.order).toEqual(order);

  const [, on = '', off = ''] = bannerEnd.exec(server.stdout) ?? [];
  const [, key = ''] = /SACHET_ADMIN_KEY='([^']+)'/.exec(on) ?? [];
  expect(key).toMatch(/^[\x21-\x7e]{8,}$/);
  expect(server.stdout.split(key)).toHaveLength(3);
  // No browser sends the fragment of a URL.
  expect(server.stdout).toContain(`console    ${url}/_console/stage/requests#key=${key}\n`);
  expect((await paste(on)).rate_limit).toMatchObject({ burst: 3 });
  expect((await call('GET', `${url}/v2/products`)).status).toBe(429);
  await paste(off, { SACHET_ADMIN_KEY: key });
  expect((await call('GET', `${url}/v2/products`)).status).toBe(401);
  expect(server.stderr).not.toContain(key);
});

test('--version prints the version of the package, and --help all commands or all flags', async () => {
  const printed = async (...args: string[]) => {
    const { code, stdout, stderr } = await resultOf(sachetHere(args));
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const packaged = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  expect([version, await printed('--version')]).toEqual([packaged, `${packaged}\n`]);
  const commands = await printed('--help');
  for (const name of ['serve', 'init', 'check', 'scenarios', 'requests'])
    expect(commands).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  const flags = await printed('serve', '--help');
  for (const flag of ['--port', '--assume', '--no-login-sandboxes', '--admin-key', '--no-debug-headers', 'SACHET_PORT'])
    expect(flags).toContain(flag);
});

describe('the log', () => {
  /** Calls with something that must not be logged, and their lines. */
  async function calls(ready: Ready) {
    const { url } = ready;
    const token = await logIn(ready);
    const page = await call('GET', `${url}/v2/fulfillments?limit=1`, { token });
    const [{ label_url }] = page.body.fulfillments;
    await call('GET', label_url);
    await call('GET', `${url}/v2/products`, { token: 'bad-token-1' });
    await call('POST', `${url}/v2/authentication/token`, { body: { username: 'demo', password: 'wrong-password-1' } });
    await call('GET', `${url}/products?secret=1`);
    await call('GET', `${url}/v2/x%0A12:00:00.000%20GET%20/forged%20200%1B[31m`);
    const secrets = [token, ready.password, page.body.next_cursor, 'bad-token-1', 'wrong-password-1'];
    const lines = [
      ['POST', '/v2/authentication/token', 200],
      ['GET', '/v2/fulfillments', 200],
      ['GET', new URL(label_url).pathname, 200],
      ['GET', '/v2/products', 401],
      ['POST', '/v2/authentication/token', 401],
      ['GET', '/products', 404],
      ['GET', expect.stringContaining('/v2/x'), 404],
    ];
    return { secrets: [...secrets, 'limit=', 'secret=', 'X-Amz'], lines };
  }

  const fromText = (line: string): unknown[] => {
    const match = /^\d\d:\d\d:\d\d\.\d{3} (\w+) (\S.*) (\d{3}) \d+(?:\.\d+)? ms(?: stage)?$/.exec(line);
    return match ? [match[1], match[2], Number(match[3])] : [line];
  };
  const fromJson = (line: string): unknown[] => {
    const { method, path, status, time, milliseconds, sandbox } = JSON.parse(line);
    expect(new Date(time).toISOString()).toBe(time);
    expect(milliseconds).toBeGreaterThan(0);
    expect(['stage', undefined]).toContain(sandbox);
    return [method, path, status];
  };

  test.each([
    ['text, by default', [], fromText],
    ['JSON', ['--log', 'json'], fromJson],
  ])('has a line per call without secrets, as %s', async (_, args, parse) => {
    const server = await serving(args);
    const { secrets, lines } = await calls(server.ready);
    await server.until('line of the last call', ({ stderr }) => /\/v2\/x.*\n$/.test(stderr));
    expect(server.stderr.trimEnd().split('\n').map(parse)).toEqual(lines);
    expect(server.stderr).toMatch(/^[\n\x20-\x7e]*$/);
    for (const secret of secrets) expect(server.stderr).not.toContain(secret);
    expect(server.stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});
