// HTTP-4: rate limit (429), route (404), token (401), body format (400), permission (403), path, then query (400),
// body schema (422), business rules (422). The first that fails answers.
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/contract/operations.ts';
import { stages } from '../../src/http/stages.ts';
import type { Case } from '../cases/case.ts';
import { known, orderWith, unknownId } from '../cases/requests.ts';
import { prepare } from '../support/refused.ts';
import { testSachet } from '../support/sachet.ts';

interface Break {
  readonly stage: string;
  readonly given: Omit<Case, 'refused'>;
  readonly answer: readonly [status: number, message: string];
}

const route: Break = {
  stage: 'route',
  given: { assumptions: { order_endpoints: 'absent' } },
  answer: [404, 'Not Found'],
};
const token: Break = { stage: 'token', given: { user: null }, answer: [401, 'Missing authentication'] };
const bodyFormat: Break = {
  stage: 'body format',
  given: { request: { raw: '{' } },
  answer: [400, 'Invalid request payload JSON format'],
};
const permission: Break = {
  stage: 'permission',
  given: { user: 'no-permissions' },
  answer: [403, 'Insufficient permissions'],
};
const path: Break = {
  stage: 'path',
  given: { request: { path: '/v2/orders/42' } },
  answer: [400, '"orderId" must be a valid GUID'],
};
const query: Break = {
  stage: 'query',
  given: { request: { path: '/v2/orders?limit=none' } },
  answer: [400, '"limit" must be a number'],
};
const unknownProduct = { 'order_lines.0.pouches.0.contents.0.client_product_id': unknownId };
const bodySchema: Break = {
  stage: 'body schema',
  given: { request: { body: orderWith({ ...unknownProduct, 'shipping_address.city': 5 }) } },
  answer: [422, '"city" must be a string'],
};
const contents: Break = {
  stage: 'business rules',
  given: { request: { body: orderWith(unknownProduct) } },
  answer: [422, 'Product not found'],
};
const status: Break = {
  stage: 'business rules',
  given: { request: { path: `/v2/orders/${known.inProductionOrder}` } },
  answer: [422, 'Order cannot be modified'],
};
const unknownOrder: Break = {
  stage: 'business rules',
  given: { request: { path: `/v2/orders/${unknownId}` } },
  answer: [404, 'Order not found'],
};

/** All of these together; what an earlier one says overrides a later one. */
function together(breaks: readonly Break[]): Omit<Case, 'refused'> {
  const given = breaks.toReversed().map((one) => one.given);
  const requests = given.map(({ request }) => request);
  return Object.assign({}, ...given, { request: Object.assign({}, ...requests) });
}

describe.each<[OperationId, readonly Break[]]>([
  ['orders.create', [token, bodyFormat, permission, bodySchema, contents]],
  ['orders.list', [route, token, permission, query]],
  ['orders.get', [route, token, permission, path, unknownOrder]],
  ['orders.update', [route, token, bodyFormat, permission, path, bodySchema, status, contents]],
  ['orders.update', [route, token, bodyFormat, permission, path, bodySchema, unknownOrder]],
])('a call of %s that fails at several stages (HTTP-4)', (id, breaks) => {
  test.each(breaks.map((one, index) => [one.stage, one.answer[1], index] as const))(
    'is answered by the earliest: %s, "%s"',
    async (_, __, index) => {
      const { send } = await prepare(id, together(breaks.slice(index)));
      const answer = await send();
      expect([answer.status, answer.body.message]).toEqual(breaks[index]?.answer);
    },
  );
});

test.each([
  ['POST', '/v2/nothing'],
  ['POST', '/v2/orders/'],
  ['PUT', '/v2/orders'],
  ['DELETE', `/v2/orders/${known.pendingOrder}`],
  ['GET', '/v2/authentication/token'],
  ['GET', '/sandboxes/unheard-of/v2/products'],
])('%s %s is no route, whatever else is wrong (HTTP-4)', async (method, at) => {
  const raw = method === 'GET' ? {} : { raw: '{' };
  const { status: answered } = await testSachet().call(method, at, raw);
  expect(answered).toBe(404);
});

test('a body that is too large is seen after the token and before the permission (HTTP-4)', async () => {
  const request = { raw: ' '.repeat(1_048_577) };
  const statuses = [];
  for (const user of [null, 'no-permissions']) {
    const { send } = await prepare('orders.create', { user, request });
    statuses.push((await send()).status);
  }
  expect(statuses).toEqual([401, 400]);
});

test('the stages stand in one list, in the order of HTTP-4', () => {
  expect(stages.map(({ name }) => name)).toEqual([
    'admission',
    'route',
    'fault',
    'token',
    'bodyFormat',
    'permission',
    'path',
    'query',
    'bodySchema',
    'operation',
  ]);
});
