// Compressed bodies over a connection: inflated as they come, and what is too much answered before it has come.
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { chunk, chunked } from '../support/chunks.ts';
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
  const bytes = Array.from(packed, (byte) => Uint8Array.of(byte));
  expect(await ofLength(packed)).toEqual(taken);
  expect(await ofLength(deflateSync(text), 'deflate')).toEqual(taken);
  expect(await inChunks(chunked(packed))).toEqual(taken);
  expect(await inChunks(chunked(...bytes))).toEqual(taken);
});

test('a bomb is refused, by length and in chunks', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
  expect(await ofLength(bomb)).toEqual(tooLarge);
  expect(await inChunks(chunked(bomb))).toEqual(tooLarge);
});

test('what does not inflate is refused, by length and in chunks', async () => {
  expect(await ofLength(Buffer.from(text))).toEqual(notInflated);
  expect(await ofLength(packed.subarray(0, -1))).toEqual(notInflated);
  expect(await inChunks(chunked(Buffer.from(text)))).toEqual(notInflated);
});

test('a compressed body on a read is ignored, and the next request on the connection is answered', async () => {
  const head = (connection: string, length: number) =>
    `GET /v2/products HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n${server.authorization}\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\n\r\n`;
  const answers = await server.exchange(head('keep-alive', 1), '{', head('close', 0));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

describe('the connection', () => {
  const bad = Buffer.from(text);
  const bomb = gzipSync(Buffer.alloc(2 * mebibyte));
  const byLength = (body: Uint8Array): [string, Uint8Array] => [`Content-Length: ${body.length}`, body];
  const byChunks = (body: Uint8Array): [string, Uint8Array] => ['Transfer-Encoding: chunked', body];

  const request = (connection: string, [framing, body]: [string, Uint8Array]): Buffer => {
    const all = [
      'Host: localhost',
      `Connection: ${connection}`,
      server.authorization,
      'Content-Encoding: gzip',
      framing,
    ];
    return Buffer.concat([Buffer.from(['POST /v2/orders HTTP/1.1', ...all, '', ''].join('\r\n')), body]);
  };

  test.each([
    ['taken, by length', byLength(packed), 201],
    ['taken, in chunks', byChunks(chunked(packed)), 201],
    ['of no gzip, by length', byLength(bad), 400],
    ['of no gzip, in chunks', byChunks(chunked(bad)), 400],
    ['cut off, by length', byLength(packed.subarray(0, -1)), 400],
    ['of a wrong checksum, in chunks', byChunks(chunked(packed.with(packed.length - 6, 0))), 400],
    ['of too much', byLength(bomb), 400],
  ])('stays open behind a body that has come: %s', async (_, body, status) => {
    const answers = await server.exchange(request('keep-alive', body), request('close', body));
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  });

  test.each([
    ['of too much, in chunks', byChunks(chunk(Buffer.alloc(mebibyte + 1)))],
    ['of too much, by length', [`Content-Length: ${mebibyte + 1}`, bad] as [string, Uint8Array]],
  ])('is closed behind a body that has not come: %s', async (_, body) => {
    const [answer, ...more] = await server.exchange(request('keep-alive', body));
    expect([answer?.status, answer?.headers.connection, more]).toEqual([400, 'close', []]);
  });
});
