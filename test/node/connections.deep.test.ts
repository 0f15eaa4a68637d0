// Clients that are slow or lose their connection, over a real port: the port closes their connections, and stores only whole requests.
// Clients that leave: test/stress/connections.stress.ts.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { closeStalled, InFlightRequests, timeouts } from '../../src/node/listen.ts';
import { validOrder } from '../cases/requests.ts';
import { inMachineTime, listening } from '../support/command.ts';
import { collected, type Wire, wire } from '../support/wire.ts';

const brief = {
  ...{ headersTimeout: 100, requestTimeout: 200, keepAliveTimeout: 100, timeout: 300 },
  connectionsCheckingInterval: 20,
};
const adminKey = 'the-key-of-the-connections';
const text = JSON.stringify(validOrder);

/** Opens a server for each test. */
function useServer(limits = {}): () => Wire {
  let server: Wire;
  beforeEach(async () => {
    server = await wire({ adminKey }, limits);
  });
  afterEach(() => server.close());
  return () => server;
}

const stageOf = ({ url }: Wire) => controlClient({ url, adminKey }).sandbox('stage');
const ordersOf = async (server: Wire) => (await stageOf(server).records.orders.list()).orders.length;
const head = (server: Wire, line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', server.authorization, ...headers, '', ''].join('\r\n');
const orderHead = (server: Wire, ...headers: readonly string[]) =>
  head(server, 'POST /v2/orders', 'Content-Type: application/json', ...headers);
const orderBytes = (server: Wire) => orderHead(server, `Content-Length: ${text.length}`) + text;

test('the timeouts are those of docs/reference/requests.md', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = timeouts;
  expect([headersTimeout, requestTimeout, keepAliveTimeout, 2 * timeout]).toEqual([15_000, 30_000, 65_000, 60_000]);
});

// Real time: the timeouts are short, and a busy machine may exceed them.
describe('a slow client', inMachineTime, () => {
  const server = useServer(brief);

  test('gets 400 if its request does not end, and its connection is closed', async () => {
    const before = await ordersOf(server());
    for (const part of ['GET /v2/prod', 'GET /v2/products HTTP/1.1\r\nX-', '', orderBytes(server()).slice(0, -1)])
      expect((await server().exchange(part)).map(({ body }) => body)).toEqual([
        { statusCode: 400, error: 'Bad Request', message: 'Bad Request' },
      ]);
    expect(await ordersOf(server())).toBe(before);
  });

  test('gets 400 although it always sends something', async () => {
    const socket = connect(server().port, '127.0.0.1');
    const slowly = setInterval(() => socket.write('X'), 10);
    onTestFinished(() => clearInterval(slowly));
    socket.write('GET /v2/products HTTP/1.1\r\nX-');
    expect((await collected(socket)).toString()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('loses an idle connection, but not during a delayed call', async () => {
    const [response, ...more] = await server().exchange(head(server(), 'GET /v2/products'));
    expect([response?.status, response?.headers['keep-alive'], more]).toEqual([200, 'timeout=0', []]);
    await stageOf(server()).switches.set({ latency: { milliseconds: 2 * brief.timeout } });
    expect((await server().send('GET /v2/products', [server().authorization])).status).toBe(200);
  });

  test('loses its connection if it does not read the response', async () => {
    const stalling = createServer((_, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)));
    stalling.timeout = brief.timeout;
    closeStalled(stalling, new InFlightRequests(stalling));
    const client = connect(await listening(stalling), '127.0.0.1').pause();
    onTestFinished(() => void client.destroy());
    client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [connection] = (await once(stalling, 'connection')) as [Socket];
    await once(connection, 'close');
  });

  test('gets the responses to its former requests before an unfinished body that nobody needs, or a broken chunk', async () => {
    await stageOf(server()).switches.set({ latency: { milliseconds: 50 } });
    const before = orderBytes(server()) + head(server(), 'GET /v2/products');
    for (const [last, status] of [
      [`${head(server(), 'GET /v2/products', 'Content-Length: 9')}{`, 200],
      [`${orderHead(server(), 'Transfer-Encoding: chunked')}zz\r\n`, 400],
    ] as const)
      expect((await server().exchange(before, last)).map((one) => one.status)).toEqual([201, 200, status]);
  });

  test.each([
    ['in chunks', 'Transfer-Encoding: chunked', (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`],
    ['with its length', 'Content-Length: 99999999', (part: string) => part],
  ])('that sends too long a body %s gets 400, and its connection is closed', async (_, header, encode) => {
    const socket = connect({ port: server().port, allowHalfOpen: true });
    const all = collected(socket);
    socket.write(head(server(), 'POST /v2/orders', header));
    const sendPart = () => socket.write(encode(' '.repeat(100_000)));
    for (let part = 0; part < 20; part += 1) sendPart();
    const sending = setInterval(sendPart, 1);
    onTestFinished(() => clearInterval(sending));
    const received = (await all).toString();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(received.toLowerCase()).toContain('connection: close');
    expect(received).toContain('Payload content length greater than maximum allowed');
  });
});

describe('a connection that the switch breaks', () => {
  const server = useServer();

  test('mid_body sends the head and half of the body; the order is stored', async () => {
    const before = await ordersOf(server());
    await stageOf(server()).switches.set({ connection: { drop: 'mid_body', burst: 1 } });
    const authorization = server().authorization.replace(/^Authorization: /, '');
    const sent = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };
    const [response] = await once(request(`${server().url}/v2/orders`, sent).end(text), 'response');
    const chunks: string[] = [];
    response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([response.statusCode, response.headers['sandbox-fault']]).toEqual([201, 'connection']);
    expect(chunks.join('')).toMatch(/^\{"order":\{"id":"/);
    expect(chunks.join('')).toHaveLength(Math.ceil(Number(response.headers['content-length']) / 2));
    expect(await ordersOf(server())).toBe(before + 1);
  });

  test.each(['before_processing', 'after_processing', 'mid_body'] as const)(
    '%s leaves other connections alone, and sends the responses to former requests first',
    async (drop) => {
      await stageOf(server()).switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.list' } } });
      const socket = connect(server().port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const products = head(server(), 'GET /v2/products');
      socket.write(products + products + head(server(), 'GET /v2/orders'));
      const others = Array.from({ length: 3 }, () => server().send('GET /v2/products', [server().authorization]));
      const received = await textOf(socket);
      expect(received.match(/"client_products"/g)).toHaveLength(2);
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(drop === 'mid_body' ? 3 : 2).fill('HTTP/1.1 200'));
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    },
  );
});
