// HTTP-4: rate limit (429), route (404), token (401), body format (400), permission (403), path, then query (400),
// body schema (422), business rules (422). The first check that fails decides the response.
import { expect, test } from 'vitest';
import type { OperationId } from '../../src/contract/operations.ts';
import { createApp } from '../../src/http/app.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import type { Case } from '../cases/case.ts';
import { prepare } from '../cases/rejected.ts';
import { known, orderWith, unknownId } from '../cases/requests.ts';
import { testSachet } from '../support/sachet.ts';

type Fault = readonly [given: Omit<Case, 'rejection'>, status: number, message: string];

const route: Fault = [{ assumptions: { order_endpoints: 'absent' } }, 404, 'Not Found'];
const token: Fault = [{ user: null }, 401, 'Missing authentication'];
const bodyFormat: Fault = [{ request: { raw: '{' } }, 400, 'Invalid request payload JSON format'];
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

test('an unknown route is 404, whatever else is wrong (HTTP-4)', async () => {
  const sachet = testSachet();
  const calls = ['POST /v2/nothing', 'POST /v2/orders/', 'PUT /v2/orders', `DELETE /v2/orders/${known.pendingOrder}`];
  for (const call of [...calls, 'GET /v2/authentication/token', 'GET /sandboxes/unheard-of/v2/products']) {
    const [method = '', at = ''] = call.split(' ');
    expect((await sachet.call(method, at, method === 'GET' ? {} : { raw: '{' })).status, call).toBe(404);
  }
});

test('a body that is too large is rejected after the token and before the permission (HTTP-4)', async () => {
  const statuses = [];
  for (const user of [null, 'no-permissions']) {
    const { send } = await prepare('orders.create', { user, request: { raw: ' '.repeat(1_048_577) } });
    statuses.push((await send()).status);
  }
  expect(statuses).toEqual([401, 400]);
});

test('all routes fit into one regular expression; a route that does not would slow down every call', async () => {
  const headers = { page: {}, data: {}, service: {} };
  const deps = { headers, health: () => ({ status: 'ok', version: '1.0.0' }) } as unknown as Dependencies;
  const [app, slower] = [deps, deps].map((one) => createApp(one, () => () => Promise.reject(new Error('no console'))));
  const odd = ['/_console/:sandbox', '/_console/_assets/:name', '/_console/:sandbox/:page'];
  for (const at of odd) slower?.get(at, () => new Response());
  // Hono chooses the router at the first request.
  for (const one of [app, slower]) await one?.request('/health', {}, {});
  expect(app?.router.name).toBe('SmartRouter + RegExpRouter');
  expect(slower?.router.name).not.toBe('SmartRouter + RegExpRouter');
});
