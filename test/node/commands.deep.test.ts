// The commands about a server: `sachet requests` and `sachet report` print its journal and its conduct report, `sachet openapi` prints a document,
// and `sachet healthcheck` ends with exit code 0 if the server on this machine is ready, else with 1.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conductRuleIds } from '../../src/contract/control/conduct.ts';
import { serverFlags } from '../../src/node/cli/healthcheck.ts';
import { version } from '../../src/version.ts';
import { served } from '../library/starts.ts';
import {
  type Command,
  call,
  folder,
  freePort,
  hasV6,
  inMachineTime,
  listening,
  resultOf,
  sachet,
  serving,
} from '../support/command.ts';
import { errorHere, resultHere, sachetHere } from '../support/command-here.ts';
import { fixturesWithUser } from '../support/fixture-files.ts';
import { baseUrlIn, exampleIn, type Json, operationIn, operationsIn } from '../support/openapi-document.ts';
import { readXml } from './xml.ts';

const adminKey = 'fake-admin-key';
const withKey = { SACHET_ADMIN_KEY: adminKey };

/** An entry of the journal. */
const entry = (id: string, more: object = {}) => ({
  ...{ id, completed: true, received_at: '2026-01-02T03:04:05.678Z', method: 'GET', path: '/v2/products', status: 200 },
  ...{ operation: null, rules: [], duration_ms: 1.25, decision: { sentence: 'All is well.', reason: null } },
  ...more,
});

/** A server that responds like the journal of the sandbox `stage`, and can break its connections. */
async function fakeJournal(requests: readonly object[] = []) {
  let stream: ServerResponse | undefined;
  /** The Last-Event-ID of each connection to the events. */
  const connections: (string | undefined)[] = [];
  const journal = { requests, connections, dropped: 0, status: undefined as number | undefined };
  const server = createServer(({ url, headers }, response) => {
    const isKnown = journal.status === undefined && headers.authorization === `Bearer ${adminKey}`;
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (isKnown && url === '/_admin/sandboxes/stage/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 50\n\n: here\n\n');
      stream = response;
      connections.push(headers['last-event-id'] as string | undefined);
    } else if (isKnown && url === '/_admin/sandboxes/stage/requests')
      send(200, { requests: journal.requests, dropped: journal.dropped, oldest: null });
    else {
      const status = journal.status ?? (isKnown ? 404 : 401);
      send(status, { message: status === 404 ? `There is no sandbox "${url?.split('/')[3]}"` : 'So it is.' });
    }
  });
  onTestFinished(() => server.closeAllConnections());
  return Object.assign(journal, {
    url: `http://127.0.0.1:${await listening(server)}`,
    write: (bytes: string | Uint8Array): void => void stream?.write(bytes),
    break: (): void => void stream?.destroy(),
  });
}

test('requests prints a line per request, with the reason of a rejection, or JSON; no text can forge a line', async () => {
  const journal = await fakeJournal([
    entry('a'),
    entry('b', {
      ...{ method: 'POST', path: '/v2/orders', status: 422, rules: ['ORD-15', 'ORD-16', 'ORD-15'] },
      decision: { sentence: 'Rejected by ORD-15.', reason: 'city has 50 characters (max 49)' },
    }),
    entry('c', { status: null, duration_ms: null, decision: null }),
    entry('d', {
      more: { than: 'known' },
      path: '/v2/x\n\u001b[2J',
      status: 404,
      decision: { sentence: '', reason: 'a\u2028b\u202ec' },
    }),
  ]);
  const { url, requests } = journal;
  const { code, stdout, stderr } = await resultHere(['requests', '--url', url], withKey);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    '2026-01-02T03:04:05.678Z GET /v2/products 200 1.3 ms',
    '2026-01-02T03:04:05.678Z POST /v2/orders 422 ORD-15,ORD-16 city has 50 characters (max 49) 1.3 ms',
    '2026-01-02T03:04:05.678Z GET /v2/products - -',
  ]);
  expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
  expect(stdout.trimEnd().split('\n')).toHaveLength(4);
  const tail = await resultHere(['requests', '--url', url, '--tail', '2'], withKey);
  expect(tail.stdout.trimEnd().split('\n')).toEqual(stdout.trimEnd().split('\n').slice(-2));
  expect(await resultHere(['requests', '--url', url, '--tail', '0'], withKey)).toMatchObject({ stdout: '', stderr });
  journal.dropped = 3;
  const json = await resultHere(['requests', '--json', '--url', `${url}/`, '--admin-key', adminKey]);
  expect(
    json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(requests);
  expect(json.stderr).toBe('sachet: 3 earlier requests are no longer in the journal\n');
});

describe('requests --follow', () => {
  const event = (id: number, data: object, name = 'request'): string =>
    `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const pathsIn = (stdout: string): readonly string[] => stdout.match(/(?<= GET )\S+/g) ?? [];

  test('prints each request once, when it is complete, also after a broken connection, until the sandbox is gone', async () => {
    const inFlight = entry('b', { path: '/b', completed: false, status: null, duration_ms: null, decision: null });
    const journal = await fakeJournal([entry('a', { path: '/a' }), inFlight]);
    const command = sachet(['requests', '--follow', '--url', journal.url], withKey);
    const printed = (path: string) => command.until(path, ({ stdout }) => pathsIn(stdout).includes(path));
    await printed('/a');
    journal.write(event(1, entry('a', { path: '/a' })));
    journal.write(event(2, { now: 'x' }, 'clock'));
    for (const byte of Buffer.from(event(3, entry('c', { path: '/cé' })))) journal.write(Uint8Array.of(byte));
    await printed('/cé');
    journal.write(event(4, entry('b', { path: '/b' })));
    await printed('/b');
    journal.break();
    await expect.poll(() => journal.connections.length).toBe(2);
    journal.write(event(8, entry('d', { path: '/d' })));
    await printed('/d');
    expect(journal.connections).toEqual([undefined, '4']);
    expect(pathsIn(command.stdout)).toEqual(['/a', '/cé', '/b', '/d']);
    expect(command.stderr).toBe('sachet: lost the connection; reconnecting\n');
    journal.write('event: missed\ndata: {}\n\n');
    await command.until('note', ({ stderr }) => /some requests are not shown [^\n]*\n$/.test(stderr));
    journal.status = 404;
    journal.break();
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/no sandbox "stage" at [^\n]*\n$/);
  });

  test('works with a real server, whose end breaks the connection', async () => {
    const server = await serving(['--admin-key', adminKey, '--clock', '2031-01-02T03:04:05Z']);
    const { url } = server.ready;
    for (const path of ['/v2/old', '/v2/nothing']) await call('GET', url + path);
    const command = sachet(['requests', '--follow', '--tail', '1', '--url', url], withKey);
    await command.until('former call', ({ stdout }) => stdout.includes('/v2/nothing 404'));
    await call('GET', `${url}/v2/products`);
    const line = /^2031-01-02T03:04:05\.000Z GET \/v2\/products 401 missing_token_message \S.+ \d+\.\d ms$/m;
    await command.until('later call', ({ stdout }) => line.test(stdout));
    expect(command.stdout).not.toContain('/v2/old');
    expect((await resultHere(['requests', '--url', url], withKey)).stdout).toMatch(line);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    await command.until('note', ({ stderr }) => stderr.includes('reconnecting'));
    command.child.kill('SIGINT');
    expect(await command.ended()).toBe(0);
  });
});

test('requests prints those that match the filters, past and new ones', async () => {
  const { baseUrl, adminKey, fetch } = await served({ clock: '2031-01-02T03:04:05Z' });
  const flags = ['--url', baseUrl, '--admin-key', adminKey];
  for (const path of ['/v2/nothing', '/v2/products', '/v2/orders/1']) await fetch(path);
  const listed = async (...filters: readonly string[]) => {
    const { stdout, stderr } = await resultHere(['requests', ...flags, ...filters]);
    return stdout.match(/(?<=Z GET )\S+/g) ?? stderr;
  };
  expect(await listed('--status', '404', '--rule', 'HTTP-1')).toEqual(['/v2/nothing']);
  expect(await listed('--rule', 'missing_token_message', '--tail', '1')).toEqual(['/v2/orders/1']);
  expect(await listed('--method', 'GET', '--operation', 'products.list')).toEqual(['/v2/products']);
  expect(await listed('--path', '/v2/orders/{orderId}', '--since', '2031-01-01T00:00:00Z')).toEqual(['/v2/orders/1']);
  const none = 'sachet: no such request in the sandbox "stage"; --sandbox names another one\n';
  expect(await listed('--status', '422')).toBe(none);
  const command = sachet(['requests', ...flags, '--follow', '--tail', '0', '--status', '404', '--json']);
  await expect
    .poll(async () => {
      for (const path of ['/v2/products', '/v2/nothing']) await fetch(path);
      return command.stdout.split('\n').length > 1;
    })
    .toBe(true);
  expect(command.stdout).toMatch(/^(?:\{"id".*"\/v2\/nothing".*\}\n)+$/);
  for (const [name, value, message] of [
    ['status', '418', 'Expected a status that the service or its storage answers with: 200, '],
    ['rule', 'ORD-155', 'Did you mean "ORD-15"?'],
    ['path', 'v2/orders', 'Expected a path that begins with /'],
  ])
    expect(await errorHere(['requests', ...flags, `--${name}`, `${value}`])).toContain(message);
});

describe('report', () => {
  /** A server whose client met a 429; an impatient one came back at once. */
  async function called(isImpatient: boolean) {
    const server = await served({ clock: '2031-01-02T03:04:05Z' });
    const stage = server.sandbox('stage');
    const client = stage.client({ username: 'demo', password: 'sachet-demo' });
    await client.get('/v2/products');
    await stage.switches.set({ rate_limit: { burst: 1 } });
    await client.get('/v2/products');
    if (!isImpatient) await stage.clock.advance({ seconds: 60 });
    await client.get('/v2/products');
    const report = (...args: readonly string[]) =>
      resultHere(['report', '--url', server.baseUrl, '--admin-key', server.adminKey, ...args]);
    return { stage, report };
  }
  const rowIn = (stdout: string, rule: string) =>
    new RegExp(`(?<=^[✓✗–] {2})${rule} .*`, 'm').exec(stdout)?.[0].split(/ {2,}/);

  test('prints a line per rule, and ends with 0 if no rule failed', async () => {
    const { report } = await called(false);
    const file = join(folder(), 'conduct.xml');
    const { code, stdout, stderr } = await report('--junit', file);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -2).map((line) => line.split(/ +/)[1])).toEqual(conductRuleIds);
    expect(lines.slice(-2)).toEqual(['', '3 passed, 0 failed, 9 not exercised']);
    expect(rowIn(stdout, 'retry_after')).toEqual(['retry_after', 'pass', '1 request']);
    expect(rowIn(stdout, 'token_reuse')).toEqual(['token_reuse', 'pass', '2 requests']);
    expect(rowIn(stdout, 'fresh_label')).toEqual(['fresh_label', 'not_exercised']);
    const xml = readFileSync(file, 'utf8');
    expect(readXml(xml).attributes).toMatchObject({ tests: '12', failures: '0' });
    expect(xml.match(/<skipped message="no call exercised the rule"/g)).toHaveLength(9);
    const empty = await report('--sandbox', 'production');
    expect([empty.code, empty.stderr]).toEqual([0, expect.stringMatching(/sandbox "production".*--sandbox/)]);
  });

  test('prints a failed rule with its advice and its requests, and ends with 1; --json prints the document', async () => {
    const { stage, report } = await called(true);
    const { code, stdout, stderr } = await report();
    expect([code, stderr]).toEqual([1, '']);
    expect(rowIn(stdout, 'retry_after')).toEqual(['retry_after', 'fail', '2 requests']);
    const [limited, again] = (await stage.requests.list()).requests.slice(-2).map(({ id }) => id);
    const lines = stdout.split('\n');
    expect(lines.slice(lines.findIndex((line) => line.startsWith('✗  retry_after')) + 1).slice(0, 4)).toEqual([
      expect.stringMatching(
        /^ {4}The client called products\.list 0 s after a 429 [^\n]*\. After a 429, wait for the seconds /,
      ),
      expect.stringMatching(`^    ${limited} 2031-01-02T03:04:05\\.000Z GET /v2/products 429 `),
      expect.stringMatching(`^    ${again} 2031-01-02T03:04:05\\.000Z GET /v2/products 200 `),
      expect.stringMatching(/^– {2}backoff_on_500 /),
    ]);
    const json = await report('--json');
    expect(json.stdout).toMatch(/^\{.*\}\n$/);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, await stage.report.get()]);
    for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 50 }, () => stage.fetch('/v2/nothing')));
    expect((await report()).stdout).toContain(`    ${limited} (no longer in the journal)\n`);
  });
});

test('seed prints the counts, the login and the page of the orders; a second time it says what to do', async () => {
  const server = await served({ clock: '2031-01-02T03:04:05Z' });
  const seed = (...args: readonly string[]) => [
    'seed',
    '--url',
    server.baseUrl,
    '--admin-key',
    server.adminKey,
    ...args,
  ];
  const { code, stdout, stderr } = await resultHere(seed('--persona', 'sports', '--seed', '7'));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Added Summit Lane Nutrition to the sandbox "stage": 200 orders, \d+ packages, \d+ consumers\n/,
  );
  for (const line of [/orders {5}\d+ Pending, .*\d+ Canceled$/m, /packages {3}\d+ label_created, .*\d+ returned$/m])
    expect(stdout).toMatch(line);
  expect(stdout).toContain('  login      summit-lane / sachet-summit-lane\n');
  expect(stdout).toContain(`  console    ${server.baseUrl}/_console/stage/orders\n`);
  expect(await errorHere(seed('--persona', 'sports'), {}, 1)).toMatch(
    /sandboxes\.seed failed with 409: .*reset the sandbox first/,
  );
  expect(await errorHere(seed('--persona', 'pets'))).toContain('vitamins, sports, clinic');
  const started = process.cpuUsage();
  const json = JSON.parse((await resultHere(seed('--json'))).stdout);
  expect(json.login).toEqual({ username: 'morning-co', password: 'sachet-morning-co' });
  expect(process.cpuUsage(started).user / 1000, 'milliseconds of processor time').toBeLessThan(2000);
});

describe.each([[['requests']], [['requests', '--follow']], [['report']], [['seed']]])(
  '%j ends with one line',
  (args) => {
    const error = (more: readonly string[], code = 1, env: object = withKey) =>
      errorHere([...args, ...more], env, code);

    test('about the server: no server, a wrong key, no such sandbox, an error, another program', async () => {
      const journal = await fakeJournal();
      const wrongKey = await error(['--url', journal.url, '--admin-key', 'wrong-key']);
      expect(wrongKey).toMatch(/^sachet: the admin key does not work(?!.*wrong-key)/);
      expect(await error(['--url', journal.url, '--sandbox', 'w9'])).toContain('no sandbox "w9"');
      journal.status = 302;
      expect(await error(['--url', journal.url])).toMatch(
        /^sachet: http:\S+\/_admin\/sandboxes\/stage\/\w+ redirects to another address, maybe to a login/,
      );
      journal.status = 500;
      expect(await error(['--url', journal.url])).toMatch(/^sachet: [a-z.]+ failed with 500: So it is\.\n$/);
      const other = await listening(createServer((_, response) => void response.end('<html>')));
      expect(await error(['--url', `http://127.0.0.1:${other}`])).toContain('does not answer like a Sachet');
      const url = `http://127.0.0.1:${await freePort()}`;
      expect(await error(['--url', url])).toContain(`sachet: no server answers at ${url} (ECONNREFUSED)`);
    });

    test('about a usage error: no admin key, an invalid URL', async () => {
      expect(await error([], 2, {})).toContain('--admin-key or SACHET_ADMIN_KEY');
      const message = /--url.*"localhost:4010" is not an http or https URL/;
      expect(await error(['--url', 'localhost:4010'], 2)).toMatch(message);
    });
  },
);

/** The document, which is all that the command prints. */
async function documentOf(command: Command): Promise<Json> {
  const { code, stdout, stderr } = await resultOf(command);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\{\n {2}"openapi": "3\.[01]\.\d",\n[\s\S]*\n\}\n$/);
  return JSON.parse(stdout);
}
const printed = (args: readonly string[] = [], env = {}) => documentOf(sachetHere(['openapi', ...args], env));

const idsIn = (document: Json): string[] => operationsIn(document).map(({ shown }) => shown['x-operation']);
const choiceIn = (document: Json, id: string): string => document['x-assumptions'][id].reading;
const loginIn = (document: Json) =>
  exampleIn(operationIn(document, 'authentication.token').shown.requestBody, 'sample') as Record<string, string>;

test('the document of the service, or with --control of the control API, as OpenAPI 3.1 or 3.0', async () => {
  const service = await documentOf(sachet(['openapi']));
  expect([service.info.title, baseUrlIn(service)]).toEqual(['Order and Fulfillment Service', 'http://localhost:4010']);
  expect(idsIn(service)).toContain('orders.list');
  expect([service.openapi, choiceIn(service, 'next_cursor')]).toEqual(['3.1.0', 'body']);
  expect(loginIn(service)).toEqual({ username: 'demo', password: 'sachet-demo' });
  const control = await printed(['--control', '--public-url', 'https://sandbox.example', '--version', '3.0']);
  expect([control.info.title, baseUrlIn(control)]).toEqual(['Sachet control API', 'https://sandbox.example']);
  expect([control.openapi, idsIn(control).includes('sandboxes.create')]).toEqual(['3.0.3', true]);
});

test('settings by flags or variables; flags override variables, also SACHET_URL', async () => {
  const env = {
    ...{ SACHET_ASSUME: 'next_cursor=meta,list_order=oldest_first', SACHET_PROFILE: 'strict' },
    ...{ SACHET_PUBLIC_URL: 'https://env.example/orders/', SACHET_FIXTURES: fixturesWithUser('eve') },
  };
  const ofVariables = await printed([], env);
  expect(baseUrlIn(ofVariables)).toBe('https://env.example/orders');
  expect(JSON.stringify(ofVariables)).not.toContain('localhost');
  expect(['next_cursor', 'list_order', 'order_endpoints'].map((id) => choiceIn(ofVariables, id))).toEqual([
    ...['meta', 'oldest_first', 'absent'],
  ]);
  expect(idsIn(ofVariables)).not.toContain('orders.list');
  expect(loginIn(ofVariables)).toEqual({ username: 'eve', password: 'your-password' });

  const flags = ['--assume', 'next_cursor=header', '--assume', 'consumer_endpoints=assumed', '--profile', 'default'];
  const more = ['--public-url', 'https://flag.example', '--fixtures', fixturesWithUser('flo')];
  const ofFlags = await printed([...flags, ...more], { ...env, SACHET_URL: 'http://localhost:1' });
  expect([baseUrlIn(ofFlags), choiceIn(ofFlags, 'next_cursor'), loginIn(ofFlags).username]).toEqual([
    ...['https://flag.example', 'header', 'flo'],
  ]);
  expect(idsIn(ofFlags)).toEqual(expect.arrayContaining(['orders.list', 'consumers.create']));
});

test('the document of a running server, for each sandbox as it is now', async () => {
  const { url } = (await serving(['--assume', 'next_cursor=meta', '--admin-key', 'my-own-key', '--log', 'off'])).ready;
  const control = (method: string, path: string, body?: unknown) =>
    call(method, `${url}/_admin/sandboxes${path}`, { token: 'my-own-key', body });
  await control('POST', '', { name: 'w7', assumptions: { order_endpoints: 'absent' } });
  const seen = (document: Json) => [baseUrlIn(document), idsIn(document).includes('orders.list')];

  const env = { SACHET_ASSUME: 'next_cursor=header', SACHET_PROFILE: 'strict', SACHET_PUBLIC_URL: 'https://a.example' };
  const stage = await printed(['--url', url], env);
  expect([...seen(stage), choiceIn(stage, 'next_cursor')]).toEqual([url, true, 'meta']);
  expect(stage).toEqual((await call('GET', `${url}/_docs/openapi.json`)).body);
  expect(await printed(['--url', url, '--version', '3.0'])).toMatchObject({ openapi: '3.0.3', servers: [{ url }] });
  const ofServer = await printed(['--control', '--url', url]);
  expect([ofServer.info.title, baseUrlIn(ofServer)]).toEqual(['Sachet control API', url]);

  expect(seen(await printed(['--url', `${url}/`, '--sandbox', 'w7']))).toEqual([`${url}/sandboxes/w7`, false]);
  await control('PATCH', '/w7/assumptions', { order_endpoints: 'assumed' });
  const changed = await printed([], { SACHET_URL: url, SACHET_SANDBOX: 'w7' });
  expect(seen(changed)).toEqual([`${url}/sandboxes/w7`, true]);
  expect((await control('GET', '/w7/requests')).body.requests).toEqual([]);
  const missing = await errorHere(['openapi', '--url', url, '--sandbox', 'w9'], {}, 1);
  expect(missing).toContain(`no sandbox "w9" at ${url}; create it with \`sachet sandbox create w9\`, or pass`);
});

const here = ['--url', 'http://localhost:4010'];

test.each<[readonly string[], object, RegExp]>([
  [[...here, '--assume', 'next_cursor=meta'], {}, /--assume .*use only one of them/],
  [['--sandbox', 'w7', '--assume', 'next_cursor=meta'], { SACHET_URL: 'http://localhost:1' }, /--sandbox/],
  [['--control', ...here, '--sandbox', 'w7'], {}, /omit --sandbox or --control/],
  [['--assume', 'next_cursor=nowhere'], {}, /Unknown choice "nowhere" of the assumption next_cursor/],
  [['--version', '2.0'], {}, /'--version <number>' argument '2\.0' is invalid\. Allowed choices are 3\.1, 3\.0/],
])('openapi %j with %j is a usage error', async (args, env, message) => {
  expect(await errorHere(['openapi', ...args], env)).toMatch(message);
});

const healthcheck = (args: readonly string[], env = {}) => resultHere(['healthcheck', ...args], env);

// Real time: the server has to respond within two seconds.
test.each([['0.0.0.0', '127.0.0.1'], ...(hasV6 ? [['::', '[::1]']] : [])])(
  'a server on %s is ready at %s, and does not log the check',
  inMachineTime,
  async (host = '', at = '') => {
    const server = await serving(['--host', host]);
    const { port } = new URL(server.ready.url);
    const stdout = `http://${at}:${port}/health answered 200: {"status":"ok","version":"${version}"}\n`;
    const healthy = { code: 0, stdout, stderr: '' };
    expect(await healthcheck(['--port', port, '--host', host])).toEqual(healthy);
    expect(await healthcheck([], { SACHET_PORT: port, SACHET_HOST: host })).toEqual(healthy);
    expect(await healthcheck(['--port', port], { SACHET_PORT: '1', SACHET_HOST: host })).toEqual(healthy);
    await call('GET', `${server.ready.url}/elsewhere`);
    await server.until('line of the call', ({ stderr }) => /elsewhere[^\n]*\n/.test(stderr));
    expect(server.stderr).toMatch(/^[\d:.]+ GET \/elsewhere 404 [^\n]*\n$/);
  },
);

const http = (status: number, body: string) => (socket: Socket) =>
  socket.end(`HTTP/1.1 ${status} x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const raw = (text: string) => (socket: Socket) => socket.end(text);
const degraded = JSON.stringify({ status: 'degraded', version, why: 'writes are refused: the disk is full' });
const foreign = /^sachet: .{1,300}; this is not a Sachet server\n$/;
const notReady = /^sachet: no server is ready at [^\n]+\n$/;

test.each<readonly [string, number, (socket: Socket) => unknown, RegExp]>([
  ['a degraded server', 0, http(200, degraded), /^http:\S+\/health answered 200: .*disk is full"\}\n$/],
  ['a server that ends', 1, http(503, '{"status":"draining"}'), /\/health answered 503: \{"status":"draining"\}\n$/],
  ['JSON without a version', 1, http(200, '{"status":"ok"}'), foreign],
  ['a long body', 1, http(200, 'x'.repeat(100_000)), foreign],
  ['a body that breaks', 1, raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":"ok"'), notReady],
  ['a switch of protocols', 1, raw('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'), notReady],
  ['silence', 1, () => undefined, /no complete response within 2000 ms/],
])('%s is exit code %i', async (_, code, respond, message) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).once('data', () => respond(socket));
    onTestFinished(() => void socket.destroy());
  });
  const { stdout, stderr, ...result } = await healthcheck(['--port', String(await listening(server))]);
  const [output, other] = code === 0 ? [stdout, stderr] : [stderr, stdout];
  expect([result.code, output, other]).toEqual([code, expect.stringMatching(message), '']);
});

test('a missing server is exit code 1, and a wrong flag is 2', async () => {
  const port = await freePort();
  const message = `sachet: no server is ready at http://127.0.0.1:${port}/health: ECONNREFUSED\n`;
  expect(await errorHere(['healthcheck', '--port', String(port)], {}, 1)).toBe(message);
  expect(await errorHere(['healthcheck', '--port', '0'])).toContain('port 0 means any free port');
  expect(await errorHere(['healthcheck', 'more'])).toContain('too many arguments');
});

test.each([
  ['node cli --port 8080 --host ::', { port: 8080, host: '::' }],
  ['node cli serve --clock 2026-01-01T00:00:00Z --port=8080 --json', { port: 8080 }],
  ['node cli', {}],
  ['node /other/cli.js --port 8080', {}],
  ['', {}],
])('the flags of process 1, %j, are %j', (words, flags) => {
  const commandLine = words && `${words.replace(' cli', ' /sachet/dist/cli.js').replaceAll(' ', '\0')}\0`;
  expect(serverFlags(commandLine, '/sachet/dist/cli.js')).toEqual(flags);
});

test.each([
  ['node ./dist/cli.js --port 8080', '/sachet/dist/cli.js'],
  ['sachet --port 8080', 'sachet'],
  ['sachet --port 8080', '/usr/local/bin/sachet'],
  ['tini -- /usr/local/bin/sachet --port 8080', './sachet'],
])('the flags of process 1, %j, are found by %s', (words, script) => {
  expect(serverFlags(`${words.replaceAll(' ', '\0')}\0`, script)).toEqual({ port: 8080 });
});
