// Bodies over a connection: with content-length, in chunks, compressed, with a wrong length, and left unread.
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { chunk, chunked, type Wire, wire } from '../support/wire.ts';

const mebibyte = 1_048_576;
const text = JSON.stringify(validOrder);
const packed = gzipSync(text);
const json = 'Content-Type: application/json';
const accepted = [201, 'Pending'];
const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notInflated = [400, 'Invalid compressed payload'];

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

test('1 MiB is accepted and one byte more is rejected, with content-length and in chunks', async () => {
  const parts = (bytes: number) => chunked(...(text.padEnd(bytes).match(/[\s\S]{1,60000}/g) ?? []));
  for (const framed of [(bytes: number) => withLength(text.padEnd(bytes)), (bytes: number) => inChunks(parts(bytes))]) {
    expect(await post(framed(mebibyte), json)).toEqual(accepted);
    expect(await post(framed(mebibyte + 1), json)).toEqual(tooLarge);
  }
});

test('a body that is too large is answered before it has come', async () => {
  expect(await post([`Content-Length: ${64 * mebibyte}`, text], json)).toEqual(tooLarge);
  expect(await post(inChunks(chunk(' '.repeat(mebibyte + 1))), json)).toEqual(tooLarge);
});

test('gzip and deflate are inflated, a bomb and what does not inflate are rejected', async () => {
  const gzip = 'Content-Encoding: gzip';
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
  expect(await post(withLength(packed), gzip)).toEqual(accepted);
  expect(await post(withLength(deflateSync(text)), 'Content-Encoding: deflate')).toEqual(accepted);
  expect(await post(inChunks(chunked(...Array.from(packed, (byte) => Uint8Array.of(byte)))), gzip)).toEqual(accepted);
  expect(await post(withLength(bomb), gzip)).toEqual(tooLarge);
  expect(await post(inChunks(chunked(bomb)), gzip)).toEqual(tooLarge);
  expect(await post(withLength(text), gzip)).toEqual(notInflated);
  expect(await post(inChunks(chunked(text)), gzip)).toEqual(notInflated);
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

test('bytes behind the content-length are the next request', async () => {
  const next = head('GET /v2/products', 'close');
  expect(
    await statuses(head('POST /v2/orders', 'keep-alive', json, `Content-Length: ${text.length}`), text, next),
  ).toEqual([201, 200]);
});

test('a body needs no content type, and waits for 100 Continue if it asks for that', async () => {
  expect(await post(withLength(text))).toEqual(accepted);
  expect(await post(withLength(text), json, 'Expect: 100-continue')).toEqual(accepted);
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
