// The settings of the server: flags, their variables, and usage errors with exit code 2 and one line on standard error.
import { once } from 'node:events';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../src/node/cli/command-line.ts';
import { call, folder, logIn, type Ready, readyOf, resultOf, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fixturesWithUser } from '../support/fixture-files.ts';

type Environment = Readonly<Record<string, string>>;

const variableOf = (flag: string) => `SACHET_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;

test('each flag of the server has a variable of its name, and flags of a single run have none', async () => {
  const flags = (await commandLine(['--help'])).commands.flatMap((command) =>
    command.options.map(({ long = '', envVar }) => ({ command: command.name(), flag: long ?? '', variable: envVar })),
  );
  const named = flags.filter(({ variable }) => variable !== undefined);
  expect(named.filter(({ flag, variable }) => variable !== variableOf(flag))).toEqual([]);
  const shared = new Set(flags.filter(({ command }) => command === 'serve').map(({ flag }) => flag));
  for (const flag of ['--url', '--sandbox']) shared.add(flag);
  const isOfRun = ({ command, flag }: (typeof flags)[0]) =>
    command !== 'serve' && (flag === '--json' || !shared.has(flag));
  expect(flags.filter((one) => isOfRun(one) === (one.variable !== undefined))).toEqual([]);
  expect(new Set(flags.filter(isOfRun).map(({ flag }) => flag))).toEqual(
    new Set([
      ...['--control', '--follow', '--json', '--junit', '--env', '--only', '--timeout', '--settle', '--out'],
      ...['--all', '--parallel', '--output', '--seed', '--version'],
    ]),
  );
});

/** The settings that responses of a server show. */
async function settingsOf(ready: Ready) {
  const { url, username, password } = ready;
  const token = await logIn(ready);
  const list = await call('GET', `${url}/v2/fulfillments?limit=1`, { token });
  const [{ label_url, created_at }] = list.body.fulfillments;
  const tagged = { username: `${username}+w1`, password };
  return {
    username,
    nextCursor: 'meta' in list.body ? 'meta' : 'body',
    oldest: created_at < '2026-09-01',
    stamp: /X-Amz-Date=(\d{8}T)/.exec(label_url)?.[1],
    origin: new URL(label_url).origin,
    orders: (await call('GET', `${url}/v2/orders`, { token })).status,
    tagged: (await call('POST', `${url}/v2/authentication/token`, { body: tagged })).status,
  };
}

/** The status of a call with this Host header, which fetch does not allow to set. */
async function statusUnder(host: string, url: string): Promise<number | undefined> {
  const headers = { host, authorization: 'Bearer my-own-key', connection: 'close' };
  const [response] = await once(get(url, { headers }), 'response');
  response.resume();
  return response.statusCode;
}

test('variables set what flags set, and flags override them; --public-url and --host also allow hosts', async () => {
  const variables = {
    ...{ SACHET_PORT: '0', SACHET_JSON: 'true', SACHET_ASSUME: 'next_cursor=meta,list_order=oldest_first' },
    ...{ SACHET_PROFILE: 'strict', SACHET_CLOCK: '2031-01-02T03:04:05Z', SACHET_LOG: 'off' },
    ...{ SACHET_PUBLIC_URL: 'https://sandbox.example', SACHET_NO_LOGIN_SANDBOXES: 'true' },
  };
  const server = sachet([], { ...variables, SACHET_FIXTURES: fixturesWithUser('eve') });
  const ready = await readyOf(server);
  expect(await settingsOf(ready)).toEqual({
    ...{ username: 'eve', nextCursor: 'meta', oldest: true, stamp: '20310102T', orders: 404, tagged: 401 },
    origin: 'https://sandbox.example',
  });
  expect(await statusUnder('sandbox.example', `${ready.url}/v2/products`)).toBe(401);
  expect(server.stderr).toBe('');

  const flags = ['--assume', 'next_cursor=body', '--profile', 'default', '--clock', '2032-01-01T00:00:00Z+'];
  const more = ['--public-url', 'https://flag.example', '--log', 'text', '--fixtures', fixturesWithUser('flo')];
  const env = { ...variables, SACHET_PORT: 'none', SACHET_FIXTURES: '/nowhere' };
  const flagged = await serving([...flags, ...more, '--host', '0.0.0.0'], env);
  expect(await settingsOf(flagged.ready)).toMatchObject({
    ...{ username: 'flo', nextCursor: 'body', stamp: '20320101T', orders: 200, origin: 'https://flag.example' },
  });
  const { url, admin_key: token } = flagged.ready;
  const clock = await call('GET', `${url}/_admin/sandboxes/stage/clock`, { token });
  expect(clock.body).toMatchObject({ frozen: false, now: expect.stringMatching(/^2032-01-01T/) });
  expect(await statusUnder('evil.example', `${url}/v2/products`)).toBe(401);
  await flagged.until('line of a call', ({ stderr }) => stderr.includes('/v2/orders'));
});

test('without settings these are the defaults, also with empty variables and those of Kubernetes or a client', async () => {
  const links = {
    ...{ SACHET_PORT: 'tcp://10.0.0.1:4010', SACHET_PORT_4010_TCP: 'tcp://10.0.0.1:4010' },
    ...{ SACHET_PORT_4010_TCP_ADDR: '10.0.0.1', SACHET_PORT_4010_TCP_PORT: '4010', SACHET_PORT_4010_TCP_PROTO: 'tcp' },
    ...{ SACHET_SERVICE_HOST: '10.0.0.1', SACHET_SERVICE_PORT: '4010', SACHET_SERVICE_PORT_HTTP: '4010' },
    ...{ SACHET_DATABASE_PORT: 'tcp://10.0.0.2:5432', SACHET_DATABASE_SERVICE_HOST: '10.0.0.2' },
  };
  const ofClients = ['URL', 'SANDBOX', 'BASE_URL', 'USERNAME', 'PASSWORD', 'COMMAND'];
  const empty = ['UNSET', 'HOST', 'RANDOM_SEED', 'PROFILE'];
  const entries = [...ofClients.map((name) => [`SACHET_${name}`, 'x']), ...empty.map((name) => [`SACHET_${name}`, ''])];
  const { ready } = await serving([], { ...Object.fromEntries(entries), ...links, SACHET_NO_LOGIN_SANDBOXES: 'false' });
  const year = new Date().getUTCFullYear();
  expect(await settingsOf(ready)).toEqual({
    ...{ username: 'demo', nextCursor: 'body', oldest: false, origin: ready.url, orders: 200, tagged: 200 },
    stamp: expect.stringMatching(new RegExp(`^(?:${year}|${year + 1})`)),
  });
  expect(await statusUnder('evil.example', `${ready.url}/v2/products`)).toBe(403);
  expect((await fetch(`${ready.url}/v2/products`)).headers.has('sandbox-request-id')).toBe(true);
  const { stdout, stderr } = await resultOf(sachetHere(['healthcheck'], { SACHET_PORT: 'tcp://10.0.0.1:1' }));
  expect(stdout + stderr).toContain('http://127.0.0.1:4010/health');
});

test('each of these flags does what its variable does', async () => {
  const switches = { server_error: { burst: 1, match: { operation: 'products.list' } } };
  const mine = JSON.stringify({ intent: 'To see.', right_client: 'Looks.', switches });
  const flags = {
    ...{ '--scenarios': folder({ 'mine.json': mine }), '--scenario': 'mine,no-pag', '--no-debug-headers': 'true' },
    ...{ '--max-sandboxes': '2', '--random-seed': 'a', '--clock': '2031-01-02T03:04:05Z' },
    ...{ '--allowed-hosts': 'sachet,b.test', '--admin-key': 'my-own-key' },
  };
  const args = Object.entries(flags).flatMap(([name, value]) => (value === 'true' ? [name] : [name, value]));
  const env = Object.fromEntries(Object.entries(flags).map(([name, value]) => [variableOf(name), value]));
  const tokens: string[] = [];
  for (const { ready } of await Promise.all([serving(args), serving([], env)])) {
    const { url, username, password } = ready;
    for (const base of [url, `${url}/sandboxes/production`]) {
      const { status, headers } = await fetch(`${base}/v2/products`);
      expect([status, headers.has('sandbox-request-id')]).toEqual([500, false]);
    }
    const body = { username: `${username}+w1`, password };
    expect((await call('POST', `${url}/v2/authentication/token`, { body })).status).not.toBe(200);
    expect(await statusUnder('sachet', `${url}/_admin/sandboxes`)).toBe(200);
    expect(await statusUnder('elsewhere', `${url}/_admin/sandboxes`)).toBe(403);
    tokens.push(await logIn(ready));
  }
  expect(tokens[0]).toBe(tokens[1]);
});

/** Starts the server, which must fail with one line; returns the line. */
async function usageError(args: readonly string[], env: Environment = {}): Promise<string> {
  const { code, stdout, stderr } = await resultOf(sachetHere(['--port', '0', ...args], env));
  expect([code, stdout], stderr).toEqual([2, '']);
  expect(stderr).toMatch(/^(?:sachet|error): [^\n]+\n$/);
  return stderr;
}

describe('usage errors:', () => {
  test.each<[readonly string[], ...string[]]>([
    [['--port', 'http'], '--port', 'http'],
    [['--random-seed', ''], '--random-seed'],
    [['--public-url', 'example.com/x'], 'example.com/x'],
    [['--assume', 'next_cursor=metta'], 'next_cursor', 'metta', 'link_header'],
    [['--profile', 'lax'], 'lax', 'strict'],
    [['--clock', 'yesterday'], 'yesterday', 'ISO'],
    [['--host', '203.0.113.7'], '203.0.113.7', '--host'],
    [['--fixtures', '/no/such/folder'], '/no/such/folder'],
    [['--scenario', 'no-pga'], 'no-pga', 'lost-answer, maintenance', 'Did you mean "no-pag"?'],
    [['--allowed-hosts', 'a.test,b.test:4010'], '"b.test:4010"', 'port'],
    [['--max-sandboxes', '1'], '--max-sandboxes', '"1"', 'at least 2'],
    [['--max-records', '0'], '--max-records', '"0"', 'at least 1'],
  ])('%j', async (args, ...parts) => {
    const message = await usageError(args);
    for (const part of parts) expect(message).toContain(part);
  });

  test.each([
    ['SACHET_CLOK', ' Did you mean "SACHET_CLOCK"?'],
    ['SACHET_RANDOMSEED', ' Did you mean "SACHET_RANDOM_SEED"?'],
    ['SACHET_WEATHER_OF_TOMORROW', ''],
  ])('the unknown variable %s, also of other commands', async (name, hint) => {
    const message = `unknown variable ${name}.${hint} Unset it, or use one of SACHET_PORT, SACHET_HOST`;
    expect(await usageError([], { [name]: 'x' })).toContain(message);
    for (const command of ['certify', 'matrix']) {
      const { code, stderr } = await resultOf(sachetHere([command, '--', 'true'], { [name]: 'x' }));
      expect([code, stderr]).toEqual([2, expect.stringContaining(`unknown variable ${name}.${hint}`)]);
    }
  });

  test.each(['short-7', 'open sesame', 'schlüssel-1', '?', ''])('the admin key %j, which is not shown', async (key) => {
    const message = await usageError(['--admin-key', key]);
    expect(message).toMatch(/--admin-key or SACHET_ADMIN_KEY .*at least 8 visible ASCII/);
    expect(message).toContain(`(${key.length} character${key.length === 1 ? '' : 's'}, not shown)`);
    if (key.length > 1) expect(message).not.toContain(key);
    if (key) expect(await usageError([], { SACHET_ADMIN_KEY: key })).toBe(message);
  });

  test('an unknown command, before its flags', async () => {
    const known = 'serve, init, check, scenarios, openapi, requests, report, certify, matrix, store, healthcheck';
    const stderr = `sachet: unknown command "sevre"; the commands are: ${known}\n`;
    expect(await resultOf(sachetHere(['sevre', '--no-such-flag']))).toEqual({ code: 2, stdout: '', stderr });
  });
});
