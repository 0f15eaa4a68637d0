// Protection from pages of other sites: the headers of responses, and over a port the requests that are rejected before a sandbox gets them.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { debugHeaderNames } from '../../../src/contract/operation.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import type { Answered } from '../../../src/http/dependencies.ts';
import { serve } from '../../../src/node/serve.ts';
import { bearer } from '../../support/control.ts';
import { type CallInit, testSachet } from '../../support/sachet.ts';
import { ask, crossSite, type Target, target } from './unprotected.ts';

const sachet = testSachet();
const withKey: CallInit = { headers: bearer(sachet.adminKey) };
const foreign: CallInit = { headers: { host: 'evil.example' } };

const service = { nosniff: 'nosniff', resource: null, opener: null, ancestors: null };
const data = { ...service, resource: 'same-origin' };
const page = { ...data, opener: 'same-origin', ancestors: "frame-ancestors 'none'" };

async function protectionOf(method: string, path: string, init: CallInit): Promise<typeof page | object> {
  const { headers } = await sachet.call(method, path, init);
  expect([...headers.keys()].filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  const [ancestors = null] = /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '') ?? [];
  return {
    nosniff: headers.get('x-content-type-options'),
    resource: headers.get('cross-origin-resource-policy'),
    opener: headers.get('cross-origin-opener-policy'),
    ancestors,
  };
}

test('pages have all protections, documents, assets and the control API fewer, the service and the storage one', async () => {
  const calls: readonly (readonly [protection: object, call: string, init?: CallInit])[] = [
    [page, 'GET /_docs'],
    [page, 'HEAD /_docs'],
    [page, 'GET /sandboxes/nobody/_docs'],
    [page, 'GET /_tracking/1ZA10E830367228528'],
    [page, 'GET /sandboxes/nobody/_tracking/1Z'],
    [page, 'GET /_console'],
    [page, 'GET /_console/stage/nothing'],
    [page, 'GET /_console/_assets/console.css'],
    [page, 'GET /_console/stage/requests', foreign],
    [page, 'GET /_console/_top/stage', withKey],
    [page, 'GET /_console/_content/stage/orders', withKey],
    [page, 'HEAD /_console/_live/stage', withKey],
    [page, 'POST /_console/_do/stage/switches.clear', withKey],
    [page, 'POST /_console/_new-order/stage'],
    [data, 'GET /_docs/openapi.json'],
    [data, 'GET /sandboxes/nobody/_docs/openapi.json'],
    [data, 'GET /_docs/start.js'],
    [data, 'GET /_admin/sandboxes'],
    [data, 'GET /_admin/sandboxes', withKey],
    [data, 'GET /_admin/sandboxes', foreign],
    [data, 'HEAD /_admin/sandboxes/stage/events', withKey],
    [data, 'OPTIONS /_admin/sandboxes', withKey],
    [data, 'GET /health'],
    [service, 'GET /v2/products'],
    [service, 'OPTIONS /v2/products'],
    [service, 'GET /v2/nothing'],
    [service, 'POST /v2/authentication/token'],
    [service, 'GET /sandboxes/nobody/v2/products'],
    [service, 'GET /_storage/labels/x.pdf'],
  ];
  for (const [expected, call, init = {}] of calls) {
    const [method = '', path = ''] = call.split(' ');
    expect(await protectionOf(method, path, init), call).toEqual(expected);
  }
});

test('unchanged assets and successful responses are protected, too, as the journal shows', async () => {
  const { headers } = await sachet.call('GET', '/_docs/page.css');
  const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
  expect((await sachet.call('GET', '/_docs/page.css', known)).status).toBe(304);
  expect(await protectionOf('GET', '/_docs/page.css', known)).toEqual(data);
  const client = await sachet.login();
  expect((await client.get('/v2/products')).headers.get('x-content-type-options')).toBe('nosniff');
  const { requests } = await sachet.control.sandbox('stage').requests.list();
  expect(requests.at(-1)).toMatchObject({ response: { headers: { 'x-content-type-options': 'nosniff' } } });
});

test('over a port HEAD has the headers of GET with the length of its body, and no body', async () => {
  const server = await target();
  onTestFinished(() => server.close());
  const different = ['date', debugHeaderNames.requestId.toLowerCase()];
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await ask(server, path, { method, headers });
    const same = Object.entries(answer.headers).filter(([name]) => !different.includes(name));
    return { ...answer, headers: Object.fromEntries(same) };
  };
  const key = bearer(server.adminKey);
  for (const [path, headers] of [
    ['/health', {}],
    ['/_storage/labels/x.pdf', {}],
    ['/_tracking/1Z', {}],
    ['/_docs', {}],
    ['/_docs/openapi.json', {}],
    ['/_docs/page.css', {}],
    ['/_admin/sandboxes/stage/clock', key],
    ['/_console/_assets/console.css', {}],
    ['/_console/_content/stage/orders', key],
  ] as const) {
    const get = await send('GET', path, headers);
    const head = await send('HEAD', path, headers);
    expect(head, path).toEqual({ ...get, text: '' });
    expect(head.headers['content-length'], path).toBe(String(Buffer.byteLength(get.text)));
  }
  const { etag } = (await send('GET', '/_docs/page.css', {})).headers;
  const unchanged = await send('GET', '/_docs/page.css', { 'if-none-match': `${etag}` });
  expect(unchanged.status).toBe(304);
  expect(await send('HEAD', '/_docs/page.css', { 'if-none-match': `${etag}` })).toEqual(unchanged);
  // Streams have no length, and no cache keeps them.
  for (const path of ['/_admin/sandboxes/stage/events', '/_console/_live/stage']) {
    const { status, headers } = await send('HEAD', path, key);
    expect([status, headers['content-length'], headers['cache-control']], path).toEqual([200, undefined, 'no-store']);
  }
});

const lines: Answered[] = [];
let server: Target;
beforeAll(async () => {
  server = await target([], { log: (line) => lines.push(line) });
});
afterAll(() => server.close());

type Headers = Readonly<Record<string, string>>;
const statusOf = async (path: string, headers: Headers, method = 'GET', at: Pick<Target, 'port'> = server) =>
  (await ask(at, path, { method, headers })).status;

async function started(options: Partial<EngineOptions>): Promise<Target> {
  const other = await target([], options);
  onTestFinished(() => other.close());
  return other;
}

const servicePaths = [
  '/v2/products',
  '/v2/nothing',
  '/sandboxes/nobody/v2/orders',
  '/',
  '/_docs/%2e%2e/v2/products',
  '/_docsx',
];
const publicPaths = ['/_storage/labels/x.pdf', '/_tracking/1Z', '/_docs', '/sandboxes/production/_docs/openapi.json'];

describe('a request of a page of another site', () => {
  test('is rejected for every path of the service, and leaves no traces', async () => {
    const before = await server.traces();
    for (const path of servicePaths) {
      const answer = await ask(server, path, { headers: crossSite('no-cors', 'image') });
      expect(answer, path).toMatchObject({ status: 403, headers: { 'sandbox-rule': 'cross_site' } });
      const message = 'The service does not answer pages of another site';
      expect(JSON.parse(answer.text), path).toEqual({ statusCode: 403, error: 'Forbidden', message });
    }
    expect(await server.traces()).toBe(before);
  });

  test('is rejected whatever the page does with it, without waiting for the body', async () => {
    for (const [mode, dest, method] of [
      ['cors', 'empty', 'OPTIONS'],
      ['no-cors', 'script', 'GET'],
      ['navigate', 'iframe', 'GET'],
      ['navigate', 'document', 'POST'],
    ] as const)
      expect(await statusOf('/v2/products', crossSite(mode, dest), method), `${mode} ${dest} ${method}`).toBe(403);
    expect(await statusOf('/v2/products', { 'sec-fetch-site': 'cross-site' })).toBe(403);
    const headers = { ...crossSite('no-cors', 'empty'), 'content-length': '1000' };
    expect((await ask(server, '/v2/orders', { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });

  // Chromium sends no Sec-Fetch-Site there.
  test('is rejected if it opens a web socket', async () => {
    const before = await server.traces();
    const socket = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    expect(await statusOf('/v2/products', { ...socket, origin: 'http://127.0.0.1:9' })).toBe(403);
    expect(await server.traces()).toBe(before);
  });

  test('is answered if it follows a link, and for what may be linked from anywhere', async () => {
    const image = crossSite('no-cors', 'image');
    const link = crossSite('navigate', 'document');
    expect([await statusOf('/v2/products', link), await statusOf('/_tracking/1Z', link)]).toEqual([401, 404]);
    // A tracking page may be linked and not shown.
    expect(await statusOf('/_tracking/1Z', image)).toBe(403);
    for (const [path, expected] of [
      ['/_storage/labels/x.pdf', 403],
      ['/_docs', 200],
      ['/sandboxes/production/_docs/openapi.json', 200],
      ['/health', 200],
    ] as const) {
      const { status, headers } = await ask(server, path, { headers: image });
      expect([status, headers['sandbox-rule'] === 'cross_site'], path).toEqual([expected, false]);
    }
  });
});

test('other clients are answered, and in process everything is', async () => {
  for (const headers of [
    {},
    { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  ] as const)
    expect(await statusOf('/v2/products', headers), JSON.stringify(headers)).toBe(401);
  const headers = { host: 'evil.example', ...crossSite('no-cors', 'image') };
  expect((await testSachet().call('GET', '/v2/products', { headers })).status).toBe(401);
});

describe('an unknown host', () => {
  const host = 'evil.example:4010';

  test('is rejected for every path but health, with a message and a log line; no sandbox is involved', async () => {
    const before = await server.traces();
    const similar = ['/healthy', '/_administration', '/%5Fadmin/sandboxes', '/_admin/../v2/products'];
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'sandbox-rule': 'unknown_host',
    };
    const message =
      'The service does not accept the host "evil.example". To allow it, use --allowed-hosts evil.example';
    for (const path of [...servicePaths, ...publicPaths, ...similar]) {
      const answer = await ask(server, path, { headers: { host } });
      expect(answer, path).toMatchObject({ status: 403, headers });
      expect(JSON.parse(answer.text), path).toEqual({ statusCode: 403, error: 'Forbidden', message });
      const { pathname } = new URL(path, 'http://localhost');
      expect(lines.at(-1)).toMatchObject({ method: 'GET', path: pathname, status: 403, sandbox: undefined });
    }
    for (const path of ['/_admin/sandboxes', '/_console/_top/stage']) {
      const { status, text } = await ask(server, path, { headers: { host } });
      expect([status, text]).toEqual([403, expect.stringContaining('The control API does not accept the host')]);
    }
    expect(await server.traces()).toBe(before);
    for (const path of ['/health', '/health?x']) expect(await statusOf(path, { host })).toBe(200);
  });

  // More hosts: test/http/admin/guards.test.ts.
  test('is any but those of this machine; a malformed one is 400', async () => {
    const expected: Readonly<Record<string, number>> = {
      localhost: 401,
      'host.docker.internal:4010': 401,
      'host.containers.internal': 401,
      'localhost.evil.com': 403,
      // The adapter of Hono rejects these.
      'localhost, localhost': 400,
      'user@localhost': 400,
      '::1': 400,
    };
    const seen = Object.keys(expected).map(async (one) => [one, await statusOf('/v2/products', { host: one })]);
    expect(Object.fromEntries(await Promise.all(seen))).toEqual(expected);
    for (const one of ['a!b', 'local(host)', 'localhost,localhost']) {
      const { status, headers, text } = await ask(server, '/v2/products', { headers: { host: one } });
      expect([status, headers['sandbox-rule']], one).toEqual([400, 'malformed_host']);
      const message = `A request has exactly one Host header; found ${JSON.stringify(one)}`;
      expect(JSON.parse(text)).toEqual({ statusCode: 400, error: 'Bad Request', message });
      const control = await ask(server, '/_admin/sandboxes', { headers: { host: one } });
      expect([control.status, JSON.parse(control.text).message]).toEqual([400, message]);
    }
  });

  test('is not one that is allowed, nor the host of the public URL', async () => {
    const made = await started({ allowedHosts: ['Demo.example'], publicUrl: 'https://sachet.example.com/below' });
    const hosts = ['demo.example', 'sachet.example.com', 'x.demo.example'];
    const statuses = hosts.map((one) => statusOf('/v2/products', { host: one }, 'GET', made));
    expect(await Promise.all(statuses)).toEqual([401, 401, 403]);
  });

  test('is accepted by the service, not by the control API, if other machines reach the port', async () => {
    const made = await started({ takesAnyHost: true });
    const ofService = ['/v2/products', '/_docs', '/_tracking/1Z', '/health'];
    const paths = [...ofService, '/_admin/sandboxes', '/_console/stage/requests'];
    const statuses = paths.map((path) => statusOf(path, { host }, 'GET', made));
    expect(await Promise.all(statuses)).toEqual([401, 200, 404, 200, 403, 403]);
    expect(await statusOf('/v2/products', { host, ...crossSite('no-cors', 'empty') }, 'GET', made)).toBe(403);
    for (const [address, expected] of [
      ['127.0.0.1', 403],
      ['0.0.0.0', 401],
    ] as const) {
      await using sachet = await serve({ host: address });
      const port = Number(new URL(sachet.baseUrl).port);
      expect(await statusOf('/v2/products', { host }, 'GET', { port }), address).toBe(expected);
    }
  });
});
