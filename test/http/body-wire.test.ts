// Bodies over a connection: with content-length, in chunks, compressed, with a wrong length, and left unread.
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { chunk, chunked, type Wire, wire } from '../support/wire.ts';

const mebibyte = 1_048_576;
const text = JSON.stringify(validOrder);
const packed = gzipSync(text);
const json = 'Content-Type: application/json';
const _accepted = [201, 'Pending'];
const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
const _notInflated = [400, 'Invalid compressed payload'];

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());
afterEach(async () => {
  expect((await server.send('GET /v2/products', [server.authorization])).status).toBe(200);
});

type Framed = readonly [header: string, body: string | Uint8Array];
const withLength = (body: string | Uint8Array): Framed => [`Content-Length: ${body.length}`, body];
const inChunks = (body: string | Uint8Array): Framed => ['Transfer-Encoding: chunked', body];

async function post([framing, body]: Framed, ...headers: readonly string[]) {
  const answer = await server.send('POST /v2/orders', [server.authorization, framing, ...headers], body);
  return [answer.status, answer.body.message ?? answer.body.order.status];
}

const head = (line: string, connection: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `Connection: ${connection}`, server.authorization, ...headers, '', ''].join(
    '\r\n',
  );
const statuses = async (...parts: readonly (string | Uint8Array)[]) =>
  (await server.exchange(...parts)).map(({ status }) => status);

test('a body that is too large is answered before it has come', async () => {
  expect(await post([`Content-Length: ${64 * mebibyte}`, text], json)).toEqual(tooLarge);
  expect(await post(inChunks(chunk(' '.repeat(mebibyte + 1))), json)).toEqual(tooLarge);
});

test.each<[string, Framed, number]>([
  ['good, with content-length', withLength(packed), 201],
  ['good, in chunks', inChunks(chunked(packed)), 201],
  ['no gzip, in chunks', inChunks(chunked(text)), 400],
  ['cut off, with content-length', withLength(packed.subarray(0, -1)), 400],
  ['of a wrong checksum, in chunks', inChunks(chunked(packed.with(packed.length - 6, 0))), 400],
  ['too large', withLength(gzipSync(Buffer.alloc(2 * mebibyte))), 400],
])('the connection stays open after a compressed body that has come: %s', async (_, [framing, body], status) => {
  const request = (connection: string) => [
    head('POST /v2/orders', connection, 'Content-Encoding: gzip', framing),
    body,
  ];
  expect(await statuses(...request('keep-alive'), ...request('close'))).toEqual([status, status]);
});

test('the connection is closed after a body that is too large and has not come', async () => {
  for (const [framing, body] of [
    inChunks(chunk(Buffer.alloc(mebibyte + 1))),
    [`Content-Length: ${mebibyte + 1}`, text] as const,
  ]) {
    const [answer, ...more] = await server.exchange(head('POST /v2/orders', 'keep-alive', framing), body);
    expect([answer?.status, answer?.headers.connection, more]).toEqual([400, 'close', []]);
  }
});

test.each([
  ['malformed', '{', json],
  ['two mebibytes', ' '.repeat(2 * mebibyte), json],
  ['not compressed', '{', 'Content-Encoding: gzip'],
])('the body of a GET is ignored, and the next request is answered: %s', async (_, body, header) => {
  const [framing] = withLength(body);
  const get = head('GET /v2/products', 'keep-alive', header, framing);
  expect(await statuses(get, body, head('GET /v2/products', 'close'))).toEqual([200, 200]);
});
