// The Host of a control request as it comes over a connection: exactly one, of a known name.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Wire, wire } from '../../support/wire.ts';

const adminKey = 'the-key-of-the-wire';
let server: Wire;
beforeAll(async () => {
  server = await wire({ adminKey });
});
afterAll(() => server.close());

const key = `Authorization: Bearer ${adminKey}`;
const send = async (...lines: readonly string[]) => {
  const head = ['GET /_admin/sandboxes HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n');
  return (await server.exchange(head)).map(({ status, body }) => [status, body?.error]);
};

test('one known host is answered', async () => {
  expect(await send('Host: localhost', key)).toEqual([[200, undefined]]);
});

test.each([
  ['two hosts, the second foreign', ['Host: localhost', 'Host: evil.example']],
  ['two hosts, the first foreign', ['Host: evil.example', 'Host: localhost']],
  ['the same host twice', ['Host: localhost', 'Host: localhost']],
  ['no host', []],
  ['an empty host', ['Host:']],
])('%s is 400', async (_, hosts) => {
  expect(await send(...hosts, key)).toEqual([[400, 'Bad Request']]);
});

test('a foreign host is 403, also where the address asked for is ours', async () => {
  expect(await send('Host: evil.example', key)).toEqual([[403, 'Forbidden']]);
  const head = [
    'GET http://localhost/_admin/sandboxes HTTP/1.1',
    'Host: evil.example',
    key,
    'Connection: close',
    '',
    '',
  ];
  const [answer] = await server.exchange(head.join('\r\n'));
  expect(answer?.status).toBe(403);
});
