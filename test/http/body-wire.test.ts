// Bodies as they come over a connection: by length, in chunks, with a length that is a lie, and left unread.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known, validOrder } from '../cases/requests.ts';
import { chunk, chunked } from '../support/chunks.ts';
import { type Wire, wire } from '../support/wire.ts';

const mebibyte = 1_048_576;
const text = JSON.stringify(validOrder);
const words = 'Payload content length greater than maximum allowed: 1048576';
const json = 'Content-Type: application/json';

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());

const post = (headers: readonly string[], body: string | Uint8Array) =>
  server.send('POST /v2/orders', [server.authorization, ...headers], body);
const ofLength = (bytes: number) => post([json, `Content-Length: ${bytes}`], text.padEnd(bytes));
const inChunks = (bytes: number) =>
  post([json, 'Transfer-Encoding: chunked'], chunked(...(text.padEnd(bytes).match(/[\s\S]{1,60000}/g) ?? [])));

describe('the bound of 1 MiB', () => {
  test.each([
    ['by content-length', ofLength],
    ['in chunks', inChunks],
  ])('takes exactly as much and refuses one byte more, %s', async (_, send) => {
    expect((await send(mebibyte)).status).toBe(201);
    const { status, body } = await send(mebibyte + 1);
    expect([status, body.message]).toEqual([400, words]);
  });

  test('answers before the rest of a huge body has come', async () => {
    const { status, body } = await post([json, `Content-Length: ${64 * mebibyte}`], text);
    expect([status, body.message]).toEqual([400, words]);
  });

  test('answers before the end of chunks that have become too many', async () => {
    const unended = chunk(' '.repeat(mebibyte + 1));
    const { status, body } = await post([json, 'Transfer-Encoding: chunked'], unended);
    expect([status, body.message]).toEqual([400, words]);
  });
});

test('bytes behind the told length are no part of the body', async () => {
  const request = [
    'POST /v2/orders HTTP/1.1',
    'Host: localhost',
    server.authorization,
    json,
    `Content-Length: ${text.length}`,
    '',
    `${text}GET /v2/products HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    server.authorization,
    '',
    '',
  ];
  const answers = await server.exchange(request.join('\r\n'));
  expect(answers.map(({ status }) => status)).toEqual([201, 200]);
});

test('a body without a content type counts as JSON', async () => {
  expect((await post([`Content-Length: ${text.length}`], text)).status).toBe(201);
});

test('a body that is expected to be asked for is asked for', async () => {
  expect((await post([json, `Content-Length: ${text.length}`, 'Expect: 100-continue'], text)).status).toBe(201);
});

test.each([
  ['garbage', '{'],
  ['two mebibytes', ' '.repeat(2 * mebibyte)],
])('a body on a GET is ignored, and the next request on the connection is answered: %s', async (_, body) => {
  const head = (connection: string, length: number) =>
    [
      'GET /v2/products HTTP/1.1',
      'Host: localhost',
      `Connection: ${connection}`,
      server.authorization,
      json,
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n');
  const answers = await server.exchange(head('keep-alive', body.length), body, head('close', 0));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('the content of a body on a cancel is ignored, and malformed JSON is not', async () => {
  const line = `POST /v2/orders/${known.pendingOrder}/cancel`;
  const cancel = async (body: string) =>
    (await server.send(line, [server.authorization, json, `Content-Length: ${body.length}`], body)).status;
  expect([await cancel('{'), await cancel('{}'), await cancel('')]).toEqual([400, 200, 422]);
});
