// Which check rejects a request: HTTP-1 to HTTP-4, and odd methods and paths. The checks, of which the first that fails decides the response, are:
// rate limit (429), route (404), token (401), body format (400), permission (403), path, then query (400), body schema (422), business rules (422).
import { describe, expect, test } from 'vitest';
import { type OperationId, operationList } from '../../src/contract/operations.ts';
import { createApp } from '../../src/http/app.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import type { Case } from '../cases/case.ts';
import { allOffered } from '../cases/common.ts';
import { prepare } from '../cases/rejected.ts';
import { known, orderWith, unknownId } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';

type Fault = readonly [given: Omit<Case, 'rejection'>, status: number, message: string];

const route: Fault = [{ assumptions: { order_endpoints: 'absent' } }, 404, 'Not Found'];
const token: Fault = [{ user: null }, 401, 'Missing authentication'];
const bodyFormat: Fault = [{ request: { raw: '{' } }, 400, 'Invalid request payload JSON format'];
const tooLarge: Fault = [
  { request: { raw: ' '.repeat(1_048_577) } },
  400,
  'Payload content length greater than maximum allowed: 1048576',
];
const permission: Fault = [{ user: 'no-permissions' }, 403, 'Insufficient permissions'];
const path: Fault = [{ request: { path: '/v2/orders/42' } }, 400, '"orderId" must be a valid GUID'];
const query: Fault = [{ request: { path: '/v2/orders?limit=none' } }, 400, '"limit" must be a number'];
const unknownProduct = { 'order_lines.0.pouches.0.contents.0.client_product_id': unknownId };
const bodySchema: Fault = [
  { request: { body: orderWith({ ...unknownProduct, 'shipping_address.city': 5 }) } },
  422,
  '"city" must be a string',
];
const contents: Fault = [{ request: { body: orderWith(unknownProduct) } }, 422, 'Product not found'];
const status: Fault = [{ request: { path: `/v2/orders/${known.inProductionOrder}` } }, 422, 'Order cannot be modified'];
const unknownOrder: Fault = [{ request: { path: `/v2/orders/${unknownId}` } }, 404, 'Order not found'];

test.each<[OperationId, readonly Fault[]]>([
  ['orders.create', [token, bodyFormat, permission, bodySchema, contents]],
  ['orders.create', [token, tooLarge, permission]],
  ['orders.list', [route, token, permission, query]],
  ['orders.get', [route, token, permission, path, unknownOrder]],
  ['orders.update', [route, token, bodyFormat, permission, path, bodySchema, status, contents]],
  ['orders.update', [route, token, bodyFormat, permission, path, bodySchema, unknownOrder]],
])('a call of %s that fails at several stages is answered by the first (HTTP-4)', async (id, faults) => {
  const responses: unknown[] = [];
  for (const index of faults.keys()) {
    // All faults from here on; where two set the same, the earlier one counts.
    const given = faults
      .slice(index)
      .map(([one]) => one)
      .reverse();
    const request = Object.assign({}, ...given.map((one) => one.request));
    const { send } = await prepare(id, Object.assign({}, ...given, { request }));
    const { status, body } = await send();
    responses.push([status, body.message]);
  }
  expect(responses).toEqual(faults.map(([, ...expected]) => expected));
});

test('all routes fit into one regular expression; a route that does not would slow down every call', async () => {
  const headers = { page: {}, data: {}, service: {} };
  const deps = { headers, health: () => ({ status: 'ok', version: '1.0.0' }) } as unknown as Dependencies;
  const absent = () => Promise.reject(new Error('not loaded in this test'));
  const [app, slower] = [deps, deps].map((one) => createApp(one, () => ({ console: absent, mcp: absent })));
  const odd = ['/_console/:sandbox', '/_console/_assets/:name', '/_console/:sandbox/:page'];
  for (const at of odd) slower?.get(at, () => new Response());
  // Hono chooses the router at the first request.
  for (const one of [app, slower]) await one?.request('/health', {}, {});
  expect(app?.router.name).toBe('SmartRouter + RegExpRouter');
  expect(slower?.router.name).not.toBe('SmartRouter + RegExpRouter');
});

const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };
const badRequest = { statusCode: 400, error: 'Bad Request', message: 'Bad Request' };

const sachet = testSachet({ assumptions: allOffered });
const client = await sachet.login();
const authorized = { headers: { authorization: `Bearer ${client.token}` } };

describe('there is no route, whatever else is wrong (HTTP-1, HTTP-4)', () => {
  const paths = [...new Set(operationList.map(({ path }) => path))];
  const filled = (path: string) => path.replaceAll(/\{\w+\}/g, known.product);

  test('for other methods of a path, nor with a slash at its end', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];
    for (const path of paths) {
      const has = operationList.filter((operation) => operation.path === path).map(({ method }) => method as string);
      const missing = methods.filter((method) => !has.includes(method)).map((method) => [method, filled(path)]);
      for (const [method = '', to = ''] of [...missing, ['GET', `${filled(path)}/`], ['POST', `${filled(path)}/`]])
        for (const init of [authorized, method === 'GET' ? {} : { raw: '{' }])
          expect((await sachet.call(method, to, init)).body, `${method} ${to}`).toEqual(notFound);
    }
  });

  test('for odd spellings of a path', async () => {
    for (const path of [
      ...['/V2/products', '/v2/Products', '/v2', '/v2/', '/v2//products', '//v2/products', '/v2/products/a/b'],
      ...['/v2/%50roducts', '/v1/products', '/v2/products;x=1', '/v2/.../products'],
      ...['/v2/nothing/%zz', '/v2/%zz', '/%zz'],
    ])
      expect((await sachet.call('GET', `http://localhost:4010${path}`, authorized)).body, path).toEqual(notFound);
  });
});

test('an id that is no UUID is rejected', async () => {
  const message = '"id" must be a valid GUID';
  for (const id of ['%00', '%25zz', '😀', 'a%2Fb', '__proto__', `{${known.product}}`, 'x'.repeat(10_000)]) {
    const { body } = await client.get(`/v2/products/${id}`);
    expect(body, id).toEqual({ ...badRequest, message, details: [{ field: 'id', message }] });
  }
});

describe('a path that cannot be decoded', () => {
  test('is rejected before the token, whatever malformed_path_id says', async () => {
    for (const id of ['%zz', '%', '%a', 'x%', '%e0%a4%a', '%ff', '%C0%80', '%ed%a0%80', '%f5%80%80%80', '%u0041'])
      for (const path of [`/v2/products/${id}`, `/sandboxes/stage/v2/orders/${id}/fulfillments`]) {
        const { body, headers } = await sachet.call('GET', path);
        expect([body, headers.get('sandbox-rule')], path).toEqual([badRequest, 'malformed_path']);
      }
    for (const choice of ['404', '422'] as const) {
      const { call } = testSachet({ assumptions: { malformed_path_id: choice } });
      expect((await call('GET', '/v2/products/%zz')).body).toEqual(badRequest);
    }
  });

  test('meets no fault, and is no route of an endpoint that is not offered or a method that it does not have', async () => {
    const { call, control } = testSachet({ assumptions: { order_endpoints: 'absent' } });
    const { faults } = control.sandbox('stage');
    await faults.create({ id: 'it', status: 500 });
    expect((await call('GET', '/v2/products/%zz')).status).toBe(400);
    expect((await faults.get('it')).hits).toBe(0);
    await faults.delete('it');
    expect((await call('GET', '/v2/orders/%zz')).body).toEqual(notFound);
    expect((await call('PUT', '/v2/products/%zz')).body).toEqual(notFound);
  });
});
