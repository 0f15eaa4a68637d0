// Whatever comes over a connection, the answer is one that the contract declares, and the server goes on.
import { METHODS } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { known } from '../cases/requests.ts';
import { Line } from '../support/line.ts';
import { type Wire, type WireAnswer, wire } from '../support/wire.ts';

let server: Wire;
beforeAll(async () => {
  server = await wire();
});
afterAll(() => server.close());
afterEach(async () => {
  const { status } = await server.send('GET /v2/products', [server.authorization]);
  expect(status).toBe(200);
});

/** The one answer to a request written out, but for its end. */
async function answerTo(...lines: readonly string[]): Promise<WireAnswer | undefined> {
  const [answer] = await server.exchange([...lines, '', ''].join('\r\n'));
  return answer;
}

function expectRefusal(answer: WireAnswer | undefined): void {
  expect(Object.keys(statusNames), answer?.text).toContain(String(answer?.status));
  expect(errorBody.safeParse(answer?.body).error?.issues ?? [], `${answer?.status} ${answer?.text}`).toEqual([]);
  expect(answer?.body.statusCode).toBe(answer?.status);
}

describe('a request that HTTP itself would refuse is refused in the words of the contract (HTTP-2, HTTP-3)', () => {
  const host = ['Host: localhost', 'Connection: close'];
  test.each([
    [
      'a token of 20,000 characters',
      ['GET /v2/products HTTP/1.1', ...host, `Authorization: Bearer ${'x'.repeat(20_000)}`],
    ],
    ['a path of 20,000 characters', [`GET /v2/products/${'x'.repeat(20_000)} HTTP/1.1`, ...host]],
    ['an expectation that nobody knows', ['GET /v2/products HTTP/1.1', ...host, 'Expect: a-miracle']],
    ['no host', ['GET /v2/products HTTP/1.1', 'Connection: close']],
    ['a host of five numbers', ['GET /v2/products HTTP/1.1', 'Host: 1.2.3.4.5', 'Connection: close']],
    ['a host that is none', ['GET /v2/products HTTP/1.1', 'Host: a b', 'Connection: close']],
    ['a length that is none', ['POST /v2/orders HTTP/1.1', ...host, 'Content-Length: many']],
    ['two lengths', ['POST /v2/orders HTTP/1.1', ...host, 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['a path in raw UTF-8', ['GET /v2/products/é HTTP/1.1', ...host]],
  ])('%s', async (_, lines) => {
    expectRefusal(await answerTo(...lines));
  });

  test('a chunk that is none, in the middle of a body', async () => {
    const head = ['POST /v2/orders HTTP/1.1', ...host, server.authorization, 'Transfer-Encoding: chunked'];
    expectRefusal(await answerTo(...head, '', 'zz'));
  });
});

// A method that Node's parser does not know never comes to the routes: the first Nodes 20.19 do not know QUERY.
const otherMethods = ['TRACE', 'OPTIONS', 'PROPFIND', 'QUERY', 'DELETE'].filter((method) => METHODS.includes(method));

test.each(otherMethods)('%s of a path is no route (HTTP-1)', async (method) => {
  const { status, body } = await server.send(`${method} /v2/products`, [server.authorization]);
  expect([status, body]).toEqual([404, { statusCode: 404, error: 'Not Found', message: 'Not Found' }]);
});

test.each(['%00', 'x'.repeat(10_000), '%F0%9F%98%80'])('an id that is no UUID is refused: %.20s', async (id) => {
  const { status, body } = await server.send(`GET /v2/products/${id}`, [server.authorization]);
  expect([status, body.message]).toEqual([400, '"id" must be a valid GUID']);
});

test.each(['%zz', '%', '%ff', '%C0%80'])('an id that cannot be decoded is a bad request: %s', async (id) => {
  const { status, body } = await server.send(`GET /v2/products/${id}`);
  expect([status, body]).toEqual([400, { statusCode: 400, error: 'Bad Request', message: 'Bad Request' }]);
});

test.each([
  ['/v2/x/../products', 200],
  ['/v2/x/%2e%2e/products', 200],
  ['http://elsewhere.example/v2/products', 200],
  ['//v2/products', 404],
  ['/v2/../../etc/passwd', 404],
])('a path is resolved before it is routed: %s', async (path, expected) => {
  expect((await server.send(`GET ${path}`, [server.authorization])).status).toBe(expected);
});

test('HEAD sends no body: the next answer on the connection is whole', async () => {
  const line = new Line(server.port);
  const ask = (method: string) =>
    line.send(
      Buffer.from(
        `${method} /v2/products/${known.product} HTTP/1.1\r\nHost: localhost\r\n${server.authorization}\r\n\r\n`,
      ),
      method === 'HEAD',
    );
  expect(await ask('HEAD')).toMatchObject({ status: 200, text: '' });
  expect(JSON.parse((await ask('GET')).text).client_product.id).toBe(known.product);
  expect(line.opened).toBe(1);
  line.close();
});

test('a label is downloaded over the connection that its URL names', async () => {
  const { body } = await server.send(`GET /v2/fulfillments/${known.fulfillment}`, [server.authorization]);
  const url = new URL(body.fulfillment.label_url);
  expect(url.host).toBe(`localhost:${server.port}`);
  const answer = await server.send(`GET ${url.pathname}${url.search}`);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(answer.text.startsWith('%PDF-')).toBe(true);
});
