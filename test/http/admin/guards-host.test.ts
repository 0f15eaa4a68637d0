// The Host of a control request: only names that are known are answered, so that no page can point a name of its own at the server.
import { describe, expect, test } from 'vitest';
import type { EngineOptions } from '../../../src/engine.ts';
import { controlled, told } from '../../support/control.ts';

const asked = async (host: string, options: Partial<EngineOptions> = {}) =>
  told(await controlled(options).admin('GET', '/sandboxes', undefined, { headers: { host } }));

const good = [
  'localhost',
  'localhost:4010',
  'localhost:1',
  'localhost:65535',
  'LOCALHOST',
  'LocalHost:4010',
  '127.0.0.1',
  '127.0.0.1:4010',
  '[::1]',
  '[::1]:4010',
  'sachet.localhost',
  'a.b.localhost:4010',
  'evil.localhost',
];
const foreign = [
  'evil.example',
  'localhost.evil.com',
  'localhost.evil.com:4010',
  'evillocalhost',
  'notlocalhost:4010',
  'localhost.',
  'localhost.:4010',
  'evil.localhost.',
  '127.0.0.1.evil.com',
  '127.0.0.2',
  '127.1',
  '0.0.0.0',
  '2130706433',
  '192.168.0.1:4010',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::2]:4010',
  'demo.example',
];
const malformed = [
  'localhost, localhost',
  'localhost,evil.example',
  'localhost evil.example',
  'user@localhost',
  'localhost@evil.example',
  'localhost/',
  'http://localhost',
  'localhost:port',
  'localhost:4010:4010',
  'evil.example#localhost',
  '::1',
  '[::1',
  'localhost\\evil',
];

test.each(good)('the host %j is answered', async (host) => {
  expect((await asked(host))[0]).toBe(200);
});

test.each(foreign)('the host %j is not answered', async (host) => {
  const [status, message] = await asked(host);
  expect(status).toBe(403);
  expect(message).toContain('--allowed-hosts');
});

test.each(malformed)('the host %j is none', async (host) => {
  const [status, message] = await asked(host);
  expect(status === 400 || status === 403, String(message)).toBe(true);
});

test('without a header, in process, the URL says the host', async () => {
  const { sachet } = controlled();
  const headers = { authorization: `Bearer ${sachet.adminKey}` };
  const statusAt = async (origin: string) =>
    (await sachet.call('GET', `${origin}/_admin/sandboxes`, { headers })).status;
  expect([await statusAt('http://[::1]:4010'), await statusAt('http://evil.example')]).toEqual([200, 403]);
});

describe('--allowed-hosts', () => {
  const allowedHosts = ['demo.example', 'Other.Example', '10.0.0.7'];
  test.each(['demo.example', 'demo.example:8080', 'DEMO.example', 'other.example', '10.0.0.7:4010', 'localhost'])(
    'answer %j too',
    async (host) => {
      expect((await asked(host, { allowedHosts }))[0]).toBe(200);
    },
  );

  test.each(['x.demo.example', 'demo.example.evil.com', 'demo.example.', 'example', '10.0.0.70'])(
    'do not make %j known',
    async (host) => {
      expect((await asked(host, { allowedHosts }))[0]).toBe(403);
    },
  );
});

test.each([
  ['https://demo.example', 'demo.example'],
  ['https://demo.example:8443/', 'demo.example:8443'],
  ['https://Demo.Example', 'demo.example:4010'],
  ['http://[2001:db8::1]:80', '[2001:db8::1]'],
])('under the public URL %s the host %s is answered, and another is not', async (publicUrl, host) => {
  expect((await asked(host, { publicUrl }))[0]).toBe(200);
  expect((await asked('evil.example', { publicUrl }))[0]).toBe(403);
});

test('in process /v2 and /health are answered under any host', async () => {
  const { sachet } = controlled();
  const headers = { host: 'evil.example' };
  expect((await sachet.call('GET', '/health', { headers })).status).toBe(200);
  expect((await sachet.call('GET', '/v2/products', { headers })).status).toBe(401);
});
