// Compressed bodies over a connection: inflated as they come, and what is too much answered before it has come.
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { type Wire, wire } from '../support/wire.ts';

const mebibyte = 1_048_576;
const text = JSON.stringify(validOrder);
const packed = gzipSync(text);

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());
afterEach(async () => {
  expect((await server.send('GET /v2/products', [server.authorization])).status).toBe(200);
});

const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const end = Buffer.from('0\r\n\r\n');

async function post(encoding: string, headers: readonly string[], body: Uint8Array) {
  const all = [server.authorization, 'Content-Type: application/json', `Content-Encoding: ${encoding}`, ...headers];
  const { status, body: answer } = await server.send('POST /v2/orders', all, body);
  return [status, answer.message ?? answer.order.status];
}
const ofLength = (bytes: Uint8Array, encoding = 'gzip') => post(encoding, [`Content-Length: ${bytes.length}`], bytes);
const inChunks = (body: Uint8Array, encoding = 'gzip') => post(encoding, ['Transfer-Encoding: chunked'], body);

const taken = [201, 'Pending'];
const tooLarge = [400, 'Payload content length greater than maximum allowed: 1048576'];
const notInflated = [400, 'Invalid compressed payload'];

test('gzip and deflate are inflated, by length and in chunks', async () => {
  const bytes = Array.from(packed, (byte) => chunk(Uint8Array.of(byte)));
  expect(await ofLength(packed)).toEqual(taken);
  expect(await ofLength(deflateSync(text), 'deflate')).toEqual(taken);
  expect(await inChunks(Buffer.concat([chunk(packed), end]))).toEqual(taken);
  expect(await inChunks(Buffer.concat([...bytes, end]))).toEqual(taken);
});

test('a bomb is refused, by length and in chunks that do not end', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
  expect(await ofLength(bomb)).toEqual(tooLarge);
  expect(await inChunks(chunk(bomb.subarray(0, 30_000)))).toEqual(tooLarge);
});

test('what does not inflate is refused, also before its end has come', async () => {
  expect(await ofLength(Buffer.from(text))).toEqual(notInflated);
  expect(await ofLength(packed.subarray(0, -1))).toEqual(notInflated);
  expect(await inChunks(chunk(Buffer.from(text)))).toEqual(notInflated);
});

test('a compressed body on a read is ignored, and the next request on the connection is answered', async () => {
  const head = (connection: string, length: number) =>
    `GET /v2/products HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n${server.authorization}\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\n\r\n`;
  const answers = await server.exchange(head('keep-alive', 1), '{', head('close', 0));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a whole compressed body leaves its connection open', async () => {
  const request = (connection: string) =>
    `POST /v2/orders HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n${server.authorization}\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
  const answers = await server.exchange(request('keep-alive'), packed, request('close'), packed);
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
});
