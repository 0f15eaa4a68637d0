// Methods, cases and slashes over a connection: HEAD is GET without its body, and what is nearly a route is none.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known, validOrder } from '../cases/requests.ts';
import { type Wire, type WireAnswer, wire } from '../support/wire.ts';

let server: Wire;
beforeAll(async () => {
  server = await wire({ assumptions: { order_fields: 'echo' } });
});
afterAll(() => server.close());

const sent = (line: string): Promise<WireAnswer> => server.send(line, [server.authorization]);
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };

describe('HEAD answers as GET, without a body', () => {
  /** Told anew with every answer. */
  const fresh = ['date', 'sandbox-request-id'];
  const headersOf = ({ headers }: WireAnswer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !fresh.includes(name)));

  test.each([
    ['/v2/products', 200],
    [`/v2/products/${known.product}`, 200],
    ['/v2/orders?limit=1', 200],
    [`/v2/orders/${known.pendingOrder}`, 200],
    ['/v2/fulfillments?limit=0', 400],
    ['/v2/products/42', 400],
    ['/v2/products/%zz', 400],
    ['/v2/nothing', 404],
    ['/v2/orders/', 404],
    ['/v2/authentication/token', 404],
  ])('%s', async (path, expected) => {
    const [head, get] = [await sent(`HEAD ${path}`), await sent(`GET ${path}`)];
    expect([head.status, get.status, head.text]).toEqual([expected, expected, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
  });

  test('without a token, too', async () => {
    const [head, get] = [await server.send('HEAD /v2/products'), await server.send('GET /v2/products')];
    expect([head.status, head.text]).toEqual([401, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
  });
});

describe('is no route', () => {
  test.each([
    'PUT /v2/products',
    'DELETE /v2/orders',
    'PATCH /v2/orders',
    'OPTIONS /v2/orders',
    'GET /v2/authentication/token',
    'POST /v2/products',
    'TRACE /v2/products',
    'PROPFIND /v2/products',
    'GET /V2/products',
    'GET /v2/Products',
    'GET /v2/products/',
    `GET /v2/products/${known.product}/`,
    'GET /v2/products//',
    'GET //v2/products',
    'GET /v2//products',
    'GET /v2/orders/x/cancel',
    `POST /v2/orders/${known.pendingOrder}/Cancel`,
    `POST /v2/orders/${known.pendingOrder}/cancel/`,
    'GET /v2',
    'GET /v2/',
    'GET /v2/%50roducts',
  ])('%s', async (line) => {
    const { status, body } = await sent(line);
    expect([status, body]).toEqual([404, notFound]);
  });
});

test('a letter that is written by its code is the letter', async () => {
  expect((await sent('GET /v2/%70roducts')).status).toBe(200);
  expect((await sent('GET /%76%32/products')).status).toBe(200);
});

test.each([
  ['a NUL', '\0'],
  ['a NUL within', 'a\0b'],
  ['half an emoji', '\ud83d'],
  ['the other half', '\ude00'],
  ['both, turned round', '\ude00\ud83d'],
  ['a byte order mark', '\ufeff'],
  ['what is no character', '\uffff'],
])('%s in a text is stored and returned', async (_, last_name) => {
  const order = {
    ...validOrder,
    consumer: { last_name },
    shipping_address: { ...validOrder.shipping_address, city: last_name },
  };
  const text = JSON.stringify(order);
  const head = [server.authorization, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`];
  const created = await server.send('POST /v2/orders', head, text);
  expect(created.status, created.text).toBe(201);
  const read = await sent(`GET /v2/orders/${created.body.order.id}`);
  for (const { body } of [created, read])
    expect([body.order.consumer.last_name, body.order.shipping_address.city]).toEqual([last_name, last_name]);
  const consumer = await sent(`GET /v2/consumers/${created.body.order.consumer.id}`);
  expect(consumer.body.consumer.last_name).toBe(last_name);
});
