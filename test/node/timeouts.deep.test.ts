// Clients that take their time, over a real port: each is waited for as long as the server's limits say, and its connection is closed then.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { closeStalled, InFlightRequests, timeouts } from '../../src/node/listen.ts';
import { validOrder } from '../cases/requests.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { type Wire, wire } from '../support/wire.ts';

test('the limits are those that docs/reference/requests.md names', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = timeouts;
  expect([headersTimeout, requestTimeout, keepAliveTimeout, 2 * timeout]).toEqual([15_000, 30_000, 65_000, 60_000]);
});

const brief = {
  headersTimeout: 100,
  requestTimeout: 200,
  keepAliveTimeout: 100,
  timeout: 300,
  connectionsCheckingInterval: 20,
};
const adminKey = 'the-key-of-the-patient-ones';
const text = JSON.stringify(validOrder);
const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };

let server: Wire;
beforeEach(async () => {
  server = await wire({ adminKey }, brief);
});
afterEach(() => server.close());

const stage = () => controlClient({ url: server.url, adminKey }).sandbox('stage');
const orders = async () => (await stage().records.orders.list()).orders.length;
const head = (line: string, ...lines: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', server.authorization, ...lines, '', ''].join('\r\n');
const post = () => head('POST /v2/orders', 'Content-Type: application/json', `Content-Length: ${text.length}`);

describe('a request that does not come to its end is refused, and its connection closed', inMachineTime, () => {
  test.each([
    ['in its first line', 'GET /v2/prod'],
    ['in its headers', 'GET /v2/products HTTP/1.1\r\nHost: localhost\r\nX-'],
  ])('%s', async (_, part) => {
    const answers = await server.exchange(part);
    expect(answers.map(({ body }) => body)).toEqual([badRequest]);
  });

  test('before its first byte', async () => {
    expect((await server.exchange('')).map(({ body }) => body)).toEqual([badRequest]);
  });

  test('in its body: no order is stored', async () => {
    const before = await orders();
    const answers = await server.exchange(post(), text.slice(0, -1));
    expect(answers.map(({ body }) => body)).toEqual([badRequest]);
    expect(await orders()).toBe(before);
  });

  test('however slowly it comes', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const slowly = setInterval(() => socket.write('X'), 10);
    onTestFinished(() => clearInterval(slowly));
    socket.write('GET /v2/products HTTP/1.1\r\nX-');
    socket.on('error', () => undefined);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 400 /);
    await once(socket, 'close');
  });
});

test('an idle connection is closed without a word, behind what was answered', inMachineTime, async () => {
  const [answer, ...more] = await server.exchange(head('GET /v2/products'));
  expect([answer?.status, answer?.headers['keep-alive'], more]).toEqual([200, 'timeout=0', []]);
});

test('a call that a fault delays is no idle connection', inMachineTime, async () => {
  await stage().switches.set({ latency: { milliseconds: 2 * brief.timeout } });
  const { status } = await server.send('GET /v2/products', [server.authorization]);
  expect(status).toBe(200);
});

test('a client that takes nothing of its answer is left', inMachineTime, async () => {
  const stalling = createServer((_, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)));
  stalling.timeout = brief.timeout;
  closeStalled(stalling, new InFlightRequests(stalling));
  onTestFinished(() => void stalling.close());
  await once(stalling.listen(0, '127.0.0.1'), 'listening');
  const client = connect((stalling.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [connection] = (await once(stalling, 'connection')) as [Socket];
  await once(connection, 'close');
});

describe('behind an answer', inMachineTime, () => {
  test('a body that nobody asked for and that does not end is no second request', async () => {
    const answers = await server.exchange(head('GET /v2/products', 'Content-Length: 10'), '{');
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test('a request that breaks off in its body is refused behind the answers to the calls before it', async () => {
    await stage().switches.set({ latency: { milliseconds: 50 } });
    const broken = head('POST /v2/orders', 'Transfer-Encoding: chunked');
    const answers = await server.exchange(post() + text + head('GET /v2/products') + broken, 'zz\r\n');
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400]);
  });

  test('what is no request is refused behind the answers to the calls before it', async () => {
    await stage().switches.set({ latency: { milliseconds: 50 } });
    const answers = await server.exchange(head('GET /v2/products'), 'garbage\r\n\r\n', 'more garbage\r\n\r\n');
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  test.each([
    [
      'chunked',
      'Transfer-Encoding: chunked',
      (length: number) => `${length.toString(16)}\r\n${' '.repeat(length)}\r\n`,
    ],
    ['by its length', 'Content-Length: 99999999', (length: number) => ' '.repeat(length)],
  ])('to a body that is too long, %s, the connection is closed, whatever is sent still', async (_, header, part) => {
    const socket = connect({ port: server.port, allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    socket.write(head('POST /v2/orders', header));
    const sending = setInterval(() => socket.write(part(100_000)), 1);
    onTestFinished(() => clearInterval(sending));
    await new Promise((resolve) => socket.once('close', resolve));
    const answer = Buffer.concat(chunks).toString();
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('Payload content length greater than maximum allowed');
  });
});
