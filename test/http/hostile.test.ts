// Whatever comes, the answer is one that the contract declares: HTTP-2, HTTP-3.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { allOffered } from '../cases/common.ts';
import { known, validOrder } from '../cases/requests.ts';
import { hostileRequest } from '../support/hostile-requests.ts';
import { type Client, type TestSachet, testSachet } from '../support/sachet.ts';

const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };
const notGuid = { statusCode: 400, error: 'Bad Request', message: '"id" must be a valid GUID' };

let sachet: TestSachet;
let client: Client;
beforeAll(async () => {
  sachet = testSachet({ assumptions: { ...allOffered, order_fields: 'echo' } });
  client = await sachet.login();
});
const authorized = () => ({ headers: { authorization: `Bearer ${client.token}` } });

describe('HEAD', () => {
  test.each(['/v2/products', '/v2/orders', `/v2/products/${known.product}`])(
    'of %s answers as GET, without a body',
    async (path) => {
      const { status, text, headers } = await sachet.call('HEAD', path, authorized());
      expect([status, text]).toEqual([200, '']);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  test.each([
    ['/v2/products', 401],
    ['/v2/authentication/token', 404],
    ['/v2/nothing', 404],
    ['/nothing', 404],
  ])('of %s is refused as GET is, without a body: %i', async (path, expected) => {
    const { status, text } = await sachet.call('HEAD', path);
    expect([status, text]).toEqual([expected, '']);
  });
});

describe('by HTTP-1 there is no route for', () => {
  const paths = [...new Set(operationList.map(({ path }) => path))];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];
  test.each(paths)('a method that %s does not have', async (path) => {
    const has = operationList.filter((operation) => operation.path === path).map(({ method }) => method as string);
    for (const method of methods.filter((name) => !has.includes(name))) {
      const { status, body } = await sachet.call(method, path.replaceAll(/\{\w+\}/g, known.product), authorized());
      expect([method, status, body]).toEqual([method, 404, notFound]);
    }
  });

  test.each(paths)('%s with a slash at its end', async (path) => {
    const { body } = await client.get(`${path.replaceAll(/\{\w+\}/g, known.product)}/`);
    expect(body).toEqual(notFound);
  });

  test.each([
    '/V2/products',
    '/v2/Products',
    '/v2',
    '/v2/',
    '/v2//products',
    '/v2/products/a/b',
    '/v2/%70roduct',
    '/v1/products',
    '/products',
    '/',
    '//v2/products',
    '/v2/products;x=1',
    '/v2/.../products',
  ])('%s', async (path) => {
    const { status, body } = await sachet.call('GET', `http://localhost:4010${path}`, authorized());
    expect([status, body]).toEqual([404, notFound]);
  });
});

describe('an id that is no UUID', () => {
  const odd = [
    '%00',
    '%25zz',
    'a%2e%2e',
    '😀',
    '%F0%9F%98%80',
    'a%2Fb',
    '__proto__',
    'constructor',
    "'%20or%201=1",
    '{}',
    `{${known.product}}`,
  ];
  test.each([...odd, 'x'.repeat(10_000)])('is refused: %.40s', async (id) => {
    const { status, body } = await client.get(`/v2/products/${id}`);
    expect([status, body]).toEqual([400, { ...notGuid, details: [{ field: 'id', message: notGuid.message }] }]);
  });

  test('names nothing by the reading 404, whatever it is', async () => {
    const lenient = await testSachet({ assumptions: { malformed_path_id: '404' } }).login();
    for (const id of odd) {
      const { status, body } = await lenient.get(`/v2/products/${id}`);
      expect([id, status, body.message]).toEqual([id, 404, 'Product not found']);
    }
  });
});

describe('a path with a % that begins no UTF-8', () => {
  const malformed = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };
  const odd = ['%zz', '%', '%a', 'x%', '%e0%a4%a', '%ff', '%C0%80', '%ed%a0%80', '%f5%80%80%80', '%80', '%%', '%u0041'];
  test.each(odd)('is refused before the token: %s', async (id) => {
    for (const path of [`/v2/products/${id}`, `/v2/orders/${id}/fulfillments`, `/sandboxes/stage/v2/products/${id}`]) {
      const { status, body, headers } = await sachet.call('GET', path);
      expect([path, status, body]).toEqual([path, 400, malformed]);
      expect(headers.get('sandbox-rule')).toBe('malformed_path');
    }
  });

  test.each(['400', '404', '422'] as const)('is 400 where malformed_path_id is %s', async (choice) => {
    const { call } = testSachet({ assumptions: { malformed_path_id: choice } });
    expect((await call('GET', '/v2/products/%zz')).body).toEqual(malformed);
  });

  test.each([
    ['GET', '/v2/nothing/%zz'],
    ['PUT', '/v2/products/%zz'],
    ['GET', '/v2/products/%zz/'],
    ['GET', '/v2/%zz'],
    ['GET', '/%zz'],
  ])('is no route where there is none: %s %s', async (method, path) => {
    expect((await sachet.call(method, path, authorized())).body).toEqual(notFound);
  });

  test('is met by no fault', async () => {
    const { call, control } = testSachet();
    const { faults } = control.sandbox('stage');
    await faults.create({ id: 'it', status: 500 });
    expect((await call('GET', '/v2/products/%zz')).status).toBe(400);
    expect((await faults.get('it')).hits).toBe(0);
  });

  test('is no route where the endpoint is not offered', async () => {
    const { call } = testSachet({ assumptions: { order_endpoints: 'absent' } });
    expect((await call('GET', '/v2/orders/%zz')).body).toEqual(notFound);
  });
});

describe('a query', () => {
  test.each([
    ['limit=1&limit=2', '"limit" must be a number'],
    ['limit=', '"limit" must be a number'],
    ['limit=%zz', '"limit" must be a number'],
    ['cursor=a&cursor=b', '"cursor" must be a string'],
    ['cursor=%zz', '"cursor" contains an invalid value'],
    [`cursor=${'x'.repeat(10_000)}`, '"cursor" contains an invalid value'],
    ['cursor=😀', '"cursor" contains an invalid value'],
    [`order_id=${known.pendingOrder}&order_id=${known.pendingOrder}`, '"order_id" must be a string'],
    ['order_id=%00', '"order_id" must be a valid GUID'],
  ])('of the wrong form is refused: %.60s', async (query, message) => {
    const { status, body } = await client.get(`/v2/fulfillments?${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('key %s is not allowed, as any other', async (key) => {
    const { body } = await client.get(`/v2/fulfillments?${key}=1`);
    expect(body.details).toEqual([{ field: key, message: `"${key}" is not allowed` }]);
  });

  test('ends before a fragment, which is no part of a request', async () => {
    const { status, body } = await client.get('/v2/fulfillments?limit=1#top');
    expect(status).toBe(200);
    expect(body.fulfillments).toHaveLength(1);
    expect((await client.get('/v2/nothing#top')).body).toEqual(notFound);
  });
});

test('strings come back as they were sent, lone surrogates and control characters too', async () => {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }));
  const text = fc.array(unit, { minLength: 1, maxLength: 49 }).map((units) => String.fromCharCode(...units));
  await fc.assert(
    fc.asyncProperty(text, text, async (city, first_name) => {
      const consumer = { first_name, last_name: 'x' };
      const order = { ...validOrder, consumer, shipping_address: { ...validOrder.shipping_address, city } };
      const { body } = await client.post('/v2/orders', order);
      expect([body.order.shipping_address.city, body.order.consumer.first_name]).toEqual([city, first_name]);
      const read = await client.get(`/v2/orders/${body.order.id}`);
      expect(read.body).toEqual(body);
    }),
    { numRuns: 50 },
  );
});

test('any request is answered with a declared status and body (HTTP-2, HTTP-3)', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(hostileRequest, async ({ method, url, authorization, headers, body }) => {
      const token = authorization === 'good' ? `Bearer ${client.token}` : authorization;
      const raw = method === 'GET' || method === 'HEAD' ? {} : { raw: body as BodyInit };
      const given = authorization === 'none' ? headers : { ...headers, authorization: token };
      const { status } = await sachet.call(method, url, { ...raw, headers: given });
      expect(Object.keys(statusNames)).toContain(String(status));
      seen.add(status);
    }),
    { numRuns: 500 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 422]));
});
