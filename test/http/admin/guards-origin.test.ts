// The Origin of a control request: none, or the server's own; pages of other sites get nothing, and no leave to read what they get.
import { expect, test } from 'vitest';
import type { EngineOptions } from '../../../src/engine.ts';
import { controlled, everything } from '../../support/control.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const asked = async (headers: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}, method = 'GET') =>
  (await controlled(options).admin(method, '/sandboxes/stage', undefined, { headers })).status;

test.each([
  [{ origin: 'http://localhost:4010' }],
  [{ origin: 'http://LOCALHOST:4010' }],
  [{ origin: 'http://localhost:4010', host: 'localhost:4010' }],
  [{ origin: 'http://127.0.0.1:4010', host: '127.0.0.1:4010' }],
  [{ origin: 'http://[::1]:4010', host: '[::1]:4010' }],
  [{ origin: 'http://w7.localhost:4010', host: 'w7.localhost:4010' }],
  [{ origin: 'http://localhost', host: 'localhost' }],
])('the own origin of %j is answered', async (headers) => {
  expect(await asked(headers)).toBe(200);
});

const foreign = [
  { origin: 'null' },
  { origin: '' },
  { origin: '*' },
  { origin: 'http://evil.example' },
  { origin: 'http://evil.example:4010' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:4011' },
  { origin: 'http://127.0.0.1:4010' },
  { origin: 'http://localhost.evil.com:4010' },
  { origin: 'http://evil.localhost:4010' },
  { origin: 'http://localhost:4010.evil.com' },
  { origin: 'http://localhost:4010@evil.example' },
  { origin: 'localhost:4010' },
  { origin: '//localhost:4010' },
  { origin: 'file://localhost:4010' },
  { origin: 'chrome-extension://localhost:4010' },
  { origin: 'ftp://localhost:4010' },
  { origin: 'http://localhost:4010, http://evil.example' },
  { origin: 'http://evil.example http://localhost:4010' },
  { origin: 'http://localhost:4010', host: '127.0.0.1:4010' },
];

test.each(foreign)('the origin of %j is not', async (headers) => {
  expect(await asked(headers)).toBe(403);
});

test.each(methods)('a page of another site does nothing by %s', async (method) => {
  const server = controlled();
  const before = await everything(server);
  const headers = { origin: 'http://evil.example' };
  expect((await server.admin(method, '/sandboxes/stage/switches', undefined, { headers })).status).toBe(403);
  expect(await everything(server)).toEqual(before);
});

test.each([
  ['https://demo.example', 'https://demo.example', 200],
  ['https://demo.example:8443/sachet/', 'https://demo.example:8443', 200],
  ['https://demo.example', 'https://demo.example:8443', 403],
  ['https://demo.example', 'https://x.demo.example', 403],
  ['https://demo.example', 'https://evil.example', 403],
  ['https://demo.example', 'null', 403],
  ['https://demo.example', 'http://demo.example', 403],
  ['http://demo.example', 'https://demo.example', 403],
])('under the public URL %s the origin %s is answered by %i', async (publicUrl, origin, status) => {
  expect(await asked({ origin, host: 'localhost:4010' }, { publicUrl })).toBe(status);
});

test('an allowed host is no allowed origin', async () => {
  expect(await asked({ origin: 'http://demo.example' }, { allowedHosts: ['demo.example'] })).toBe(403);
});

test('an OPTIONS is no preflight: it needs the key, and no page is let in by it', async () => {
  const { input, admin } = controlled();
  const headers = {
    origin: 'http://localhost:4010',
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, content-type',
  };
  expect((await input('OPTIONS', '/_admin/sandboxes', { headers })).status).toBe(401);
  const { status, headers: answered } = await admin('OPTIONS', '/sandboxes', undefined, { headers });
  expect([status, answered.get('allow')]).toEqual([405, 'GET, POST']);
});
