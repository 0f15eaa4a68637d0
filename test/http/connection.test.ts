// Requests over a connection: bodies with a length, in chunks and compressed; HEAD; what HTTP itself rejects; paths as they were written.
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { known, validOrder } from '../cases/requests.ts';
import { Connection, chunk, chunked, type Wire, wire } from '../support/wire.ts';

const mebibyte = 1_048_576;
const text = JSON.stringify(validOrder);
const packed = gzipSync(text);
const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());
const sent = (line: string) => server.send(line, [server.authorization]);
afterEach(async () => {
  expect((await sent('GET /v2/products')).status).toBe(200);
});

type Framed = readonly [header: string, body: string | Uint8Array];
const withLength = (body: string | Uint8Array): Framed => [`Content-Length: ${body.length}`, body];
const inChunks = (body: string | Uint8Array): Framed => ['Transfer-Encoding: chunked', body];
const head = (line: string, connection: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', `Connection: ${connection}`, server.authorization, ...headers, '', ''].join(
    '\r\n',
  );
const statuses = async (...parts: readonly (string | Uint8Array)[]) =>
  (await server.exchange(...parts)).map(({ status }) => status);

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

test.each<[string, Framed]>([
  ['in chunks', inChunks(chunk(Buffer.alloc(mebibyte + 1)))],
  ['with content-length', [`Content-Length: ${64 * mebibyte}`, text]],
])(
  'a body that is too large is answered before it has come, and ends the connection: %s',
  async (_, [framing, body]) => {
    const [answer, ...more] = await server.exchange(head('POST /v2/orders', 'keep-alive', framing), body);
    const message = 'Payload content length greater than maximum allowed: 1048576';
    expect([answer?.body, answer?.headers.connection, more]).toEqual([{ ...badRequest, message }, 'close', []]);
  },
);

test.each([
  ['malformed', '{', 'Content-Type: application/json'],
  ['two mebibytes', ' '.repeat(2 * mebibyte), 'Content-Type: application/json'],
  ['not compressed', '{', 'Content-Encoding: gzip'],
])('the body of a GET is ignored, and the next request is answered: %s', async (_, body, header) => {
  const get = head('GET /v2/products', 'keep-alive', header, withLength(body)[0]);
  expect(await statuses(get, body, head('GET /v2/products', 'close'))).toEqual([200, 200]);
});

test('what HTTP itself rejects has the error body of the contract (HTTP-2, HTTP-3)', async () => {
  for (const [path, ...headers] of [
    ['/v2/products', 'Host: localhost', 'Expect: a-miracle'],
    ['/v2/products', 'Host: 1.2.3.4.5'],
    ['/v2/products', 'Host: a b'],
    ['/v2/products/é', 'Host: localhost'],
  ]) {
    const [answer] = await server.exchange(
      [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'),
    );
    expect([answer?.status, answer?.body], `${path} ${headers}`).toEqual([400, badRequest]);
  }
});

test('HEAD has the headers of GET and no body: the next response on the connection is whole', async () => {
  for (const [path, status] of [
    ['/v2/products', 200],
    [`/v2/orders/${known.pendingOrder}`, 200],
    ['/v2/fulfillments?limit=0', 400],
    ['/v2/products/%zz', 400],
    ['/v2/nothing', 404],
  ] as const) {
    const line = new Connection(server.port);
    const answers = [];
    for (const method of ['HEAD', 'GET']) {
      const bytes = Buffer.from(head(`${method} ${path}`, 'keep-alive'));
      const { headers, ...answer } = await line.send(bytes, method === 'HEAD');
      const { date: _, 'sandbox-request-id': __, ...same } = headers;
      answers.push({ ...answer, headers: same });
    }
    line.close();
    const [headAnswer, get] = answers;
    expect(headAnswer, path).toEqual({ ...get, text: '' });
    expect([get?.status, get?.headers['content-length']]).toEqual([status, String(Buffer.byteLength(get?.text ?? ''))]);
    expect(line.opened).toBe(1);
  }
});

test('a path is resolved and decoded before it is routed', async () => {
  const good = ['/v2/x/../products', '/v2/x/%2e%2e/products', 'http://elsewhere.example/v2/products'];
  for (const path of [...good, '/v2/%70roducts', '/%76%32/products'])
    expect((await sent(`GET ${path}`)).status, path).toBe(200);
  for (const id of ['%00', 'x'.repeat(10_000), '%F0%9F%98%80'])
    expect((await sent(`GET /v2/products/${id}`)).body.message, id).toBe('"id" must be a valid GUID');
  for (const id of ['%zz', '%', '%ff', '%C0%80'])
    expect((await server.send(`GET /v2/products/${id}`)).body, id).toEqual(badRequest);
});
