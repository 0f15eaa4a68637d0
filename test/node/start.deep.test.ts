// The start of the server with its settings and their usage errors, its banner and its log, and its end after a signal.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { commandLine } from '../../src/node/cli/command-line.ts';
import { version } from '../../src/version.ts';
import {
  call,
  folder,
  inMachineTime,
  logIn,
  type Ready,
  readyOf,
  resultOf,
  root,
  run,
  sachet,
  serving,
} from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';
import { fixturesWithUser } from '../support/fixture-files.ts';

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
      ...['--all', '--parallel', '--results', '--output', '--seed', '--persona', '--tail', '--version'],
      ...['--method', '--operation', '--path', '--rule', '--since', '--status', '--base-url'],
      ...['--target', '--username', '--password-env', '--allow-writes', '--plan', '--rate', '--max-requests'],
      ...['--known', '--from'],
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
  const { stdout, stderr } = await resultHere(['healthcheck'], { SACHET_PORT: 'tcp://10.0.0.1:1' });
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

const usageError = (args: readonly string[], env = {}) => errorHere(['--port', '0', ...args], env);

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
    for (const command of ['certify', 'matrix'])
      expect(await errorHere([command, '--', 'true'], { [name]: 'x' })).toContain(`unknown variable ${name}.${hint}`);
  });

  test.each(['short-7', 'open sesame', 'schlüssel-1', '?', ''])('the admin key %j, which is not shown', async (key) => {
    const message = await usageError(['--admin-key', key]);
    expect(message).toMatch(/--admin-key or SACHET_ADMIN_KEY .*at least 8 visible ASCII/);
    expect(message).toContain(`(${key.length} character${key.length === 1 ? '' : 's'}, not shown)`);
    if (key.length > 1) expect(message).not.toContain(key);
    if (key) expect(await usageError([], { SACHET_ADMIN_KEY: key })).toBe(message);
  });

  test('an unknown command, before its flags', async () => {
    const known = (await commandLine(['--help'])).commands.map((command) => command.name());
    const message = `sachet: unknown command "sevre"; the commands are: ${known.join(', ')}. Did you mean "serve"?\n`;
    expect(await errorHere(['sevre', '--no-such-flag'])).toBe(message);
    expect(await errorHere(['help', 'sevre'])).toBe(message);
  });
});

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
  expect(server.stdout).toContain(`console    ${url}/_console/stage/start#key=${key}\n`);
  expect((await paste(on)).rate_limit).toMatchObject({ burst: 3 });
  expect((await call('GET', `${url}/v2/products`)).status).toBe(429);
  await paste(off, { SACHET_ADMIN_KEY: key });
  expect((await call('GET', `${url}/v2/products`)).status).toBe(401);
  expect(server.stderr).not.toContain(key);
});

test('the link to the console has a given key, too, unless --no-console-key', async () => {
  const link = async (...args: string[]) => {
    const server = sachet(['--port', '0', '--admin-key', 'my-own-key', '--log', 'off', ...args]);
    await server.until('link', ({ stdout }) => /\/_console\/.*\n/.test(stdout));
    return /_console\/stage\/start(#key=[\w-]+)?/.exec(server.stdout)?.[1];
  };
  expect([await link(), await link('--json')]).toEqual(['#key=my-own-key', '#key=my-own-key']);
  const without = '--no-console-key';
  expect([await link(without), await link(without, '--json')]).toEqual([undefined, undefined]);
});

test('--version prints the version of the package, and --help all commands or all flags', async () => {
  const printed = async (...args: string[]) => {
    const { code, stdout, stderr } = await resultHere(args);
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
    const match = /^\d\d:\d\d:\d\d\.\d{3} (\w+) (\S+) (\d{3}) (?:[\w-]+ \S.* )?\d+(?:\.\d+)? ms(?: stage)?$/.exec(line);
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

/** A connection, and a wait for text that it receives. */
async function connection({ ready }: { readonly ready: Ready }) {
  const socket = connect(Number(new URL(ready.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const received: string[] = [];
  socket.on('data', (data) => received.push(data.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  const until = (text: string) => expect.poll(() => received.join(''), { interval: 5 }).toContain(text);
  return { socket, until };
}

/** The head of a login; the server asks for its body. */
const head = (bytes: number): string =>
  `POST /v2/authentication/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`;

// Real time: the process has to end within a second.
describe('after a signal', inMachineTime, () => {
  test('SIGTERM ends a server that has just started, and SIGINT one with any connections, without a message', async () => {
    const fresh = await serving();
    fresh.child.kill('SIGTERM');
    const server = await serving(['--log', 'off']);
    const [idle, half] = [await connection(server), await connection(server)];
    await connection(server);
    idle.socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    await idle.until('"status":"ok"');
    half.socket.write(head(100));
    await half.until('100 Continue');
    half.socket.write('{"username":');
    server.child.kill('SIGINT');
    expect([await server.ended(1000), server.stderr]).toEqual([0, '']);
    expect(await fresh.ended(1000)).toBe(0);
  });

  test('a call in progress gets its response, and /health is 503 until then', async () => {
    const server = await serving();
    const { socket, until } = await connection(server);
    const { username, password } = server.ready;
    const body = JSON.stringify({ username, password });
    socket.write(head(body.length));
    await until('100 Continue');
    server.child.kill('SIGTERM');
    const health = () => call('GET', `${server.ready.url}/health`);
    await expect.poll(health, { interval: 10 }).toMatchObject({ status: 503, body: { status: 'draining' } });
    socket.write(body);
    await until('connection: close');
    await until('"expires_in":86400');
    expect(await server.ended(1000)).toBe(0);
  });

  test('a second signal ends the server without a wait for the call in progress', async () => {
    const server = await serving();
    const { socket, until } = await connection(server);
    socket.write(head(100));
    await until('100 Continue');
    server.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.ready.url}/health`)).status, { interval: 10 }).toBe(503);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe('SIGTERM');
  });

  test('an event stream and a delayed call end at once', async () => {
    const server = await serving();
    const { url, admin_key: adminKey } = server.ready;
    const token = await logIn(server.ready);
    const stage = controlClient({ url, adminKey }).sandbox('stage');
    await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
    const headers = { authorization: `Bearer ${adminKey}` };
    const events = await fetch(`${url}/_admin/sandboxes/stage/events`, { headers });
    const delayed = call('GET', `${url}/v2/products`, { token });
    await expect.poll(async () => (await stage.requests.list({ operation: 'products.list' })).requests.length).toBe(1);
    server.child.kill('SIGTERM');
    expect((await delayed).status).toBe(200);
    expect(await events.text()).toContain('event: state');
    expect(await server.ended()).toBe(0);
  });
});
