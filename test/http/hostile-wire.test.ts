import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { known } from '../cases/requests.ts';
import { Connection, type Wire, type WireAnswer, wire } from '../support/wire.ts';

let server: Wire;
beforeAll(async () => {
  server = await wire({ assumptions: { order_fields: 'echo' } });
});
afterAll(() => server.close());
const sent = (line: string): Promise<WireAnswer> => server.send(line, [server.authorization]);
afterEach(async () => {
  expect((await sent('GET /v2/products')).status).toBe(200);
});

describe('a request that HTTP itself rejects has the error body of the contract (HTTP-2, HTTP-3)', () => {
  const get = 'GET /v2/products HTTP/1.1';
  const host = ['Host: localhost', 'Connection: close'];
  test.each([
    ['a token of 20,000 characters', [get, ...host, `Authorization: Bearer ${'x'.repeat(20_000)}`]],
    ['a path of 20,000 characters', [`GET /v2/products/${'x'.repeat(20_000)} HTTP/1.1`, ...host]],
    ['an unknown expectation', [get, ...host, 'Expect: a-miracle']],
    ['no host', [get, 'Connection: close']],
    ['a host of five numbers', [get, 'Host: 1.2.3.4.5', 'Connection: close']],
    ['a host with a space', [get, 'Host: a b', 'Connection: close']],
    ['a length that is no number', ['POST /v2/orders HTTP/1.1', ...host, 'Content-Length: many']],
    ['two lengths', ['POST /v2/orders HTTP/1.1', ...host, 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['a path in raw UTF-8', ['GET /v2/products/é HTTP/1.1', ...host]],
    ['a bad chunk', ['POST /v2/orders HTTP/1.1', ...host, 'Transfer-Encoding: chunked', '', 'zz']],
  ])('%s', async (_, lines) => {
    const [answer] = await server.exchange([...lines, '', ''].join('\r\n'));
    expect(Object.keys(statusNames), answer?.text).toContain(String(answer?.status));
    expect(errorBody.safeParse(answer?.body).error?.issues ?? [], answer?.text).toEqual([]);
    expect(answer?.body.statusCode).toBe(answer?.status);
  });
});

test('HEAD has the headers of GET, with the length of its body', async () => {
  const headersOf = ({ headers: { date, 'sandbox-request-id': id, ...headers } }: WireAnswer) => headers;
  const paths: [path: string, status: number][] = [
    ['/v2/products', 200],
    [`/v2/orders/${known.pendingOrder}`, 200],
    ['/v2/fulfillments?limit=0', 400],
    ['/v2/products/%zz', 400],
    ['/v2/nothing', 404],
  ];
  for (const [path, status] of paths) {
    const [head, get] = [await sent(`HEAD ${path}`), await sent(`GET ${path}`)];
    expect([head.status, get.status, head.text], path).toEqual([status, status, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
  }
  const [head, get] = [await server.send('HEAD /v2/products'), await server.send('GET /v2/products')];
  expect([head.status, head.text, headersOf(head)]).toEqual([401, '', headersOf(get)]);
});

test('HEAD has no body: the next response on the connection is whole', async () => {
  const line = new Connection(server.port);
  const lines = (method: string) => `${method} /v2/products/${known.product} HTTP/1.1\r\nHost: localhost\r\n`;
  const send = (method: string) =>
    line.send(Buffer.from(`${lines(method)}${server.authorization}\r\n\r\n`), method === 'HEAD');
  expect(await send('HEAD')).toMatchObject({ status: 200, text: '' });
  expect(JSON.parse((await send('GET')).text).client_product.id).toBe(known.product);
  expect(line.opened).toBe(1);
  line.close();
});

test('a path is resolved and decoded before it is routed', async () => {
  const good = ['/v2/x/../products', '/v2/x/%2e%2e/products', 'http://elsewhere.example/v2/products'];
  for (const path of [...good, '/v2/%70roducts', '/%76%32/products'])
    expect((await sent(`GET ${path}`)).status, path).toBe(200);
  for (const id of ['%00', 'x'.repeat(10_000), '%F0%9F%98%80'])
    expect((await sent(`GET /v2/products/${id}`)).body.message).toBe('"id" must be a valid GUID');
  for (const id of ['%zz', '%', '%ff', '%C0%80'])
    expect((await server.send(`GET /v2/products/${id}`)).body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Bad Request',
    });
});
