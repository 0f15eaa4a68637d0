// What Node's HTTP parser makes of bytes that are no request, or that two servers could read differently: pinned, since a client sees it.
// Behind each that is refused stands a whole request, which must get no answer of its own.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { listen } from '../../src/node/listen.ts';
import { fixtures } from '../support/sachet.ts';
import { exchanged, type Wire, wire } from '../support/wire.ts';

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());

const host = 'Host: localhost';
const lines = (...all: readonly string[]): string => [...all, '', ''].join('\r\n');
const behind = lines('GET /v2/products HTTP/1.1', host, 'Connection: close');
const get = (...headers: readonly string[]): string =>
  lines('GET /v2/products HTTP/1.1', host, ...headers, 'Connection: close');
const post = (...headers: readonly string[]): string => lines('POST /v2/orders HTTP/1.1', host, ...headers);
const chunks = (body: string): string => post('Transfer-Encoding: chunked') + body;
const line = (text: string): string => lines(text, host, 'Connection: close');
const lastChunk = '0\r\n\r\n';

type Cases = Readonly<Record<string, string>>;
/** Sends bytes as they are, each character one byte, and gives the statuses that came back. */
const statusesOf = async (bytes: string): Promise<(number | undefined)[]> =>
  (await server.exchange(Buffer.from(bytes, 'latin1'))).map(({ status }) => status);

const smuggling: Cases = {
  'a length and chunks': post('Content-Length: 4', 'Transfer-Encoding: chunked') + lastChunk,
  'chunks and a length': post('Transfer-Encoding: chunked', 'Content-Length: 4') + lastChunk,
  'two lengths': post('Content-Length: 0', `Content-Length: ${behind.length}`),
  'the same length twice': post('Content-Length: 0', 'Content-Length: 0'),
  'a list of lengths': post('Content-Length: 0, 0'),
  'a length with a plus': post('Content-Length: +0'),
  'a negative length': post('Content-Length: -1'),
  'a hexadecimal length': post('Content-Length: 0x0'),
  'an empty length': post('Content-Length: '),
  'a length beyond any number': post('Content-Length: 99999999999999999999999'),
  'an encoding that only looks like chunks': post('Transfer-Encoding: xchunked') + lastChunk,
  'an identity encoding': post('Transfer-Encoding: identity') + lastChunk,
  'an encoding that does not end in chunks': post('Transfer-Encoding: chunked, identity') + lastChunk,
  'two encodings': post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + lastChunk,
  'an encoding behind a vertical tab': post('Transfer-Encoding:\x0bchunked') + lastChunk,
  'a blank before the colon of a length': post('Content-Length : 0'),
  'a blank before the colon of an encoding': post('Transfer-Encoding : chunked') + lastChunk,
};

const heads: Cases = {
  'a header folded over two lines': get('X-A: b', ' c'),
  'lines that end without a carriage return': behind.replaceAll('\r\n', '\n'),
  'a carriage return within a header': get('X-A: b\rX-B: c'),
  'a NUL in a header': get('X-A: b\0c'),
  'a blank in a header’s name': get('X A: b'),
  'a header without a name': get(': b'),
  'headers of 16 KiB': get(`X-A: ${'a'.repeat(16_384)}`),
  'a path of 16 KiB': line(`GET /v2/${'a'.repeat(16_384)} HTTP/1.1`),
  'no host': lines('GET /v2/products HTTP/1.1', 'Connection: close'),
  'HTTP/1.0 without a host': lines('GET /v2/products HTTP/1.0'),
  'HTTP/0.9': 'GET /v2/products\r\n\r\n',
  'HTTP/1.2': line('GET /v2/products HTTP/1.2'),
  'HTTP/2 by its preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/3.0': line('GET /v2/products HTTP/3.0'),
  'http in small letters': line('GET /v2/products http/1.1'),
  'a method in small letters': line('get /v2/products HTTP/1.1'),
  'a method that nobody knows': line('FETCH /v2/products HTTP/1.1'),
  'the path *': line('OPTIONS * HTTP/1.1'),
  'a path with a blank': line('GET /v2/products x HTTP/1.1'),
  'a path with a tab': line('GET /v2/\tproducts HTTP/1.1'),
  'a path with a backslash': line('GET /v2\\products HTTP/1.1'),
  'a path without its slash': line('GET v2/products HTTP/1.1'),
  'the beginning of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

const badChunks: Cases = {
  'a size that is no number': chunks('zz\r\n'),
  'a negative size': chunks('-1\r\n'),
  'a size with its 0x': chunks('0x1\r\na\r\n0\r\n\r\n'),
  'a size beyond any number': chunks('fffffffffffffffff\r\na'),
  'a chunk longer than its size': chunks('1\r\nab\r\n0\r\n\r\n'),
  'lines that end without a carriage return': chunks('1\na\n0\n\n'),
  'an extension of 20,000 characters': chunks(`0;${'a'.repeat(20_000)}\r\n\r\n`),
  'a trailer of 20,000 characters': chunks(`0\r\nX-T: ${'a'.repeat(20_000)}\r\n\r\n`),
};

describe.each(Object.entries({ 'a body of unclear length': smuggling, 'a head': heads, 'a chunk': badChunks }))(
  '%s is refused, and the connection closed:',
  (_, cases) => {
    test.each(Object.entries(cases))('%s', async (_, bytes) => {
      const answers = await server.exchange(Buffer.from(bytes + behind, 'latin1'));
      const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };
      expect(answers.map(({ body }) => body)).toEqual([badRequest]);
      expect(answers[0]?.headers).toMatchObject({ connection: 'close', 'x-content-type-options': 'nosniff' });
    });
  },
);

const read: Cases = {
  'chunks, in capital letters': post('Transfer-Encoding: CHUNKED') + lastChunk + behind,
  'chunks of what the header calls gzip': post('Transfer-Encoding: gzip, chunked') + lastChunk + behind,
  'a chunk with an extension': chunks(`0;a=b\r\n\r\n${behind}`),
  'a trailer behind the chunks': chunks(`0\r\nX-T: 1\r\n\r\n${behind}`),
  'a header in Latin-1': lines('GET /v2/products HTTP/1.1', host, 'X-A: é') + behind,
  '500 headers': lines('GET /v2/products HTTP/1.1', host, ...Array.from({ length: 500 }, () => 'X: 1')) + behind,
  'a wish for websockets': lines('GET /v2/products HTTP/1.1', host, 'Upgrade: websocket') + behind,
  'a wish for HTTP/2': lines('GET /v2/products HTTP/1.1', host, 'Upgrade: h2c', 'HTTP2-Settings: x') + behind,
  'a fragment in the path': lines('GET /v2/products#top HTTP/1.1', host) + behind,
  'empty lines before it': `\r\n\r\n${lines('GET /v2/products HTTP/1.1', host)}${behind}`,
};
test.each(Object.entries(read))('is read, and the request behind it: %s', async (_, bytes) => {
  expect(await statusesOf(bytes)).toEqual([401, 401]);
});

test('an expectation that nobody knows is refused once, whatever stands behind it', async () => {
  const expecting = lines('POST /v2/orders HTTP/1.1', host, 'Expect: a-miracle');
  expect(await statusesOf(`${expecting}{"no": "length"}\r\n\r\n`)).toEqual([400]);
});

test('a CONNECT is no request to this server: its connection is closed without a word', async () => {
  expect(await statusesOf(`${lines('CONNECT localhost:80 HTTP/1.1', host)}${behind}`)).toEqual([]);
});

test('HTTP/1.0 is answered, and its connection closed', async () => {
  expect(await statusesOf(lines('GET /v2/products HTTP/1.0', host))).toEqual([401]);
});

test('HTTP/1.0 needs no host for /health alone, which load balancers request so', async () => {
  const [answer, ...more] = await server.exchange(lines('GET /health HTTP/1.0'));
  expect([answer?.status, answer?.body.status, answer?.headers.connection, more]).toEqual([200, 'ok', 'close', []]);
  expect(await statusesOf(lines('GET /health HTTP/1.1'))).toEqual([400]);
});

test('garbage behind the last answer of a connection gets none', async () => {
  expect(await statusesOf(`${behind}garbage\r\n\r\n`)).toEqual([401]);
});

function fails(): never {
  throw new Error('a bug of the edge');
}

test('whatever fails on the way of an answer, there is one', async () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  const engine = createEngine({ fixtures });
  const { url, close } = await listen({ ...engine, app: { fetch: fails } }, { port: 0, host: '127.0.0.1' });
  const [answered] = await exchanged(Number(new URL(url).port), [behind]);
  expect(told.mock.calls.join()).toContain('a bug of the edge');
  expect(answered?.body).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'An internal server error occurred',
  });
  await close();
});
