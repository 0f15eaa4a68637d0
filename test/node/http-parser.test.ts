// The HTTP parser of the port, over HTTP and over TLS. It rejects bytes that two servers could read in different ways, and a request that
// follows them on the connection gets no response.
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { listen, timeouts } from '../../src/node/listen.ts';
import { selfSigned } from '../../src/node/self-signed.ts';
import { inMachineTime } from '../support/command.ts';
import { fixtures, testEngine } from '../support/sachet.ts';
import { answersIn, collected, exchanged, type Wire, wire } from '../support/wire.ts';

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());

const host = 'Host: localhost';
const lines = (...all: readonly string[]): string => [...all, '', ''].join('\r\n');
const next = lines('GET /v2/products HTTP/1.1', host, 'Connection: close');
const get = (...headers: readonly string[]): string => lines('GET /v2/products HTTP/1.1', host, ...headers);
const post = (...headers: readonly string[]): string => lines('POST /v2/orders HTTP/1.1', host, ...headers);
const chunks = (body: string): string => post('Transfer-Encoding: chunked') + body;
const line = (text: string): string => lines(text, host);
const lastChunk = '0\r\n\r\n';

/** Sends each character as one byte. */
const send = (bytes: string) => server.exchange(Buffer.from(bytes, 'latin1'));
const statusesOf = async (bytes: string) => (await send(bytes)).map(({ status }) => status);

const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };
const rejected: readonly string[] = [
  // Bodies of unclear length.
  post('Content-Length: 4', 'Transfer-Encoding: chunked') + lastChunk,
  post('Transfer-Encoding: chunked', 'Content-Length: 4') + lastChunk,
  post('Content-Length: 0', `Content-Length: ${next.length}`),
  post('Content-Length: -1'),
  post('Content-Length: 99999999999999999999999'),
  post('Transfer-Encoding: xchunked') + lastChunk,
  post('Transfer-Encoding: chunked, identity') + lastChunk,
  post('Content-Length : 0'),
  // Heads.
  get('X-A: b', ' c'),
  next.replaceAll('\r\n', '\n'),
  get('X-A: b\rX-B: c'),
  get(': b'),
  get(`X-A: ${'a'.repeat(16_384)}`),
  line(`GET /v2/${'a'.repeat(16_384)} HTTP/1.1`),
  lines('GET /v2/products HTTP/1.1'),
  lines('GET /v2/products HTTP/1.0'),
  'GET /v2/products\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  line('get /v2/products HTTP/1.1'),
  line('OPTIONS * HTTP/1.1'),
  line('GET /v2/products x HTTP/1.1'),
  line('GET v2/products HTTP/1.1'),
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  // Chunks.
  chunks('zz\r\n'),
  chunks('fffffffffffffffff\r\na'),
  chunks('1\r\nab\r\n0\r\n\r\n'),
  chunks(`0;${'a'.repeat(20_000)}\r\n\r\n`),
  chunks(`0\r\nX-T: ${'a'.repeat(20_000)}\r\n\r\n`),
];

test('ambiguous or malformed requests get one 400, and the connection is closed', async () => {
  const headers = expect.objectContaining({ connection: 'close', 'x-content-type-options': 'nosniff' });
  const found = await Promise.all(
    rejected.map(async (bytes) => [
      bytes.slice(0, 120),
      ...(await send(bytes + next)).map((one) => [one.body, one.headers]),
    ]),
  );
  expect(found).toEqual(rejected.map((bytes) => [bytes.slice(0, 120), [badRequest, headers]]));
});

test('unusual requests get their response, and the next request on the connection, too', async () => {
  const accepted = [
    post('Transfer-Encoding: CHUNKED') + lastChunk,
    post('Transfer-Encoding: gzip, chunked') + lastChunk,
    chunks('0;a=b\r\n\r\n'),
    chunks('0\r\nX-T: 1\r\n\r\n'),
    get('X-A: é'),
    get(...Array.from({ length: 500 }, () => 'X: 1')),
    get('Upgrade: websocket'),
    get('Upgrade: h2c', 'HTTP2-Settings: x'),
    line('GET /v2/products#top HTTP/1.1'),
    `\r\n\r\n${get()}`,
  ];
  const found = await Promise.all(accepted.map(async (bytes) => [bytes, await statusesOf(bytes + next)]));
  expect(found).toEqual(accepted.map((bytes) => [bytes, [401, 401]]));
});

test.each([
  ['an unknown expectation gets 400', `${post('Expect: a-miracle')}{"no": "length"}\r\n\r\n`, [400]],
  ['CONNECT gets no response', lines('CONNECT localhost:80 HTTP/1.1', host) + next, []],
  ['HTTP/1.0 gets a response', lines('GET /v2/products HTTP/1.0', host), [401]],
  ['HTTP/1.1 needs a host for /health', lines('GET /health HTTP/1.1'), [400]],
  ['garbage after the last response gets none', `${next}garbage\r\n\r\n`, [401]],
])('%s', async (_, bytes, statuses) => {
  expect(await statusesOf(bytes)).toEqual(statuses);
});

test('HTTP/1.0 needs no host for /health, because load balancers send none', async () => {
  const healthy = { status: 200, body: { status: 'ok' }, headers: { connection: 'close' } };
  expect(await send(lines('GET /health HTTP/1.0'))).toMatchObject([healthy]);
});

test('an unexpected error gets the contract’s 500, and is logged', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const fetch = (): never => {
    throw new Error('a bug of the port');
  };
  const engine = { ...createEngine({ fixtures }), app: { fetch } };
  const { url, close } = await listen(engine, { port: 0, host: '127.0.0.1' });
  onTestFinished(close);
  const [response] = await exchanged(Number(new URL(url).port), [next]);
  expect(written.mock.calls.join()).toContain('a bug of the port');
  const message = 'An internal server error occurred';
  expect(response?.body).toEqual({ statusCode: 500, error: 'Internal Server Error', message });
});

describe('with TLS', async () => {
  const { ca, ...tls } = await selfSigned(['localhost']);

  async function secure(limits: Partial<typeof timeouts> = {}) {
    const address = { port: 0, host: '127.0.0.1', tls };
    const { url, close } = await listen(testEngine({ fixtures }), address, { ...timeouts, ...limits });
    onTestFinished(close);
    const port = Number(new URL(url).port);
    /** The statuses of the responses until the server closes the connection. */
    async function statuses(bytes: string) {
      const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
      const received = collected(socket);
      await once(socket, 'secureConnect');
      socket.write(bytes);
      return answersIn(await received, false).map(({ status }) => status);
    }
    return { port, statuses };
  }

  test('the parser rejects the same requests', async () => {
    const { statuses } = await secure();
    for (const [bytes, expected] of [
      [get() + next, [401, 401]],
      [lines('GET /v2/products HTTP/1.1'), [400]],
      [get() + get(': b'), [401, 400]],
      ['SSH-2.0-x\r\n', [400]],
      [get(`X-A: ${'a'.repeat(16_384)}`), [400]],
    ] as const)
      expect(await statuses(bytes), bytes.slice(0, 60)).toEqual(expected);
  });

  // Later versions of OpenSSL do not recognize HTTP, and close the connection.
  test.skipIf(Number.parseFloat(process.versions.openssl) >= 3.5)(
    'plain HTTP gets a message with the solution',
    async () => {
      const { port } = await secure();
      const bytes = `POST /v2/orders HTTP/1.1\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`;
      const [response] = await exchanged(port, [bytes]);
      const message = 'This port speaks HTTPS; start the URL with https://';
      expect(response?.body).toEqual({ ...badRequest, message });
      expect(await exchanged(port, ['SSH-2.0-x\r\n'])).toEqual([]);
    },
  );

  // Real time: these timeouts are short.
  test('a handshake and the headers have the same timeout', inMachineTime, async () => {
    const limits = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 };
    const { port, statuses } = await secure(limits);
    const began = performance.now();
    expect(await exchanged(port, [])).toEqual([]);
    expect(performance.now() - began).toBeGreaterThan(150);
    expect(await statuses('GET / HTTP/1.1\r\n')).toEqual([400]);
  });
});
