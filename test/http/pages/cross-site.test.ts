// What a browser says that a page of another site has it send, over any port: the service refuses it before a sandbox sees it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask, fromAfar } from '../../support/page-attacks.ts';
import { testSachet } from '../../support/sachet.ts';
import { type Target, target } from '../../support/unprotected.ts';

let server: Target;
beforeAll(async () => {
  server = await target();
});
afterAll(() => server.close());

const asked = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  (await ask(server, path, { method, headers })).status;

const service = [
  '/v2/products',
  '/v2/nothing',
  '/sandboxes/production/v2/products',
  '/sandboxes/nobody/v2/orders',
  '/',
  '/v2/_docs',
  '/_docs/../v2/products',
  '/_docs/%2e%2e/v2/products',
  '/_docsx',
];

describe('refused', () => {
  test.each(service)('is %s', async (path) => {
    const before = await server.traces();
    const answer = await ask(server, path, { headers: fromAfar('no-cors', 'image') });
    expect(answer).toMatchObject({ status: 403, headers: { 'sandbox-rule': 'cross_site' } });
    expect(JSON.parse(answer.text)).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'The service does not answer pages of another site',
    });
    expect(await server.traces()).toBe(before);
  });

  test.each([
    ['a fetch', 'cors', 'empty', 'GET'],
    ['a fetch that reads nothing', 'no-cors', 'empty', 'POST'],
    ['a script', 'no-cors', 'script', 'GET'],
    ['a frame', 'navigate', 'iframe', 'GET'],
    ['an object', 'navigate', 'object', 'GET'],
    ['a form', 'navigate', 'document', 'POST'],
    ['a socket', 'websocket', 'websocket', 'GET'],
    ['a preflight', 'cors', 'empty', 'OPTIONS'],
    ['a head', 'navigate', 'document', 'HEAD'],
  ])('is %s', async (_, mode, dest, method) => {
    expect(await asked('/v2/products', fromAfar(mode, dest), method)).toBe(403);
  });

  // Chromium says nothing of the site there.
  test('is a socket of a page, whatever its site', async () => {
    const socket = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const before = await server.traces();
    expect(await asked('/v2/products', { ...socket, origin: 'http://127.0.0.1:9' })).toBe(403);
    expect(await server.traces()).toBe(before);
  });

  test('is an image of a tracking page, which may be linked and not shown; a link to it is followed', async () => {
    const of = async (headers: ReturnType<typeof fromAfar>) => (await ask(server, '/_tracking/1Z', { headers })).status;
    expect([await of(fromAfar('no-cors', 'image')), await of(fromAfar('navigate', 'document'))]).toEqual([403, 404]);
  });

  test('is what comes without the other headers', async () => {
    expect(await asked('/v2/products', { 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  test('is it where other machines reach the port, too', async () => {
    const made = await target([], { takesAnyHost: true });
    onTestFinished(() => made.close());
    const headers = { host: 'sachet.example.com', ...fromAfar('no-cors', 'empty') };
    expect((await ask(made, '/v2/products', { headers })).status).toBe(403);
  });

  test('no byte of a body is waited for', async () => {
    const headers = { ...fromAfar('no-cors', 'empty'), 'content-length': '1000' };
    const { status } = await ask(server, '/v2/orders', { method: 'POST', headers, body: '{}' });
    expect(status).toBe(403);
  });
});

describe('answered', () => {
  test.each([
    ['a client', {}],
    [
      'a client that would rather speak HTTP/2',
      { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' },
    ],
    ['a page of its own origin, also by a proxy', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['an address that was typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['a link that is followed', fromAfar('navigate', 'document')],
  ])('is %s', async (_, headers) => {
    expect(await asked('/v2/products', headers)).toBe(401);
  });

  test.each([
    ['/_storage/labels/x.pdf', 403],
    ['/sandboxes/production/_storage/labels/x.pdf', 403],
    ['/_docs', 200],
    ['/sandboxes/production/_docs/openapi.json', 200],
    ['/health', 200],
  ])('is %s, which may be linked from anywhere', async (path, status) => {
    const { status: answered, headers } = await ask(server, path, { headers: fromAfar('no-cors', 'image') });
    expect([answered, headers['sandbox-rule']]).not.toEqual([403, 'cross_site']);
    expect(answered).toBe(status);
  });

  test('is everything in process, where no browser is', async () => {
    const { status } = await testSachet().call('GET', '/v2/products', { headers: fromAfar('no-cors', 'image') });
    expect(status).toBe(401);
  });
});
