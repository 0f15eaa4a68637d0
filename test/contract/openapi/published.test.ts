// The check of every answer against the published documents bites: what no document has makes the fetch of a test reject.
import { describe, expect, test } from 'vitest';
import { controlOpenApiPath } from '../../../src/contract/addresses.ts';
import { validOrder } from '../../cases/requests.ts';
import { publishedFetch } from '../../support/published.ts';
import { fixtures } from '../../support/sachet.ts';

const origin = 'http://localhost:4010';
const id = '50000000-0000-4000-8000-000000000018';
const products = { client_products: [] };
const created = { order: { id, status: 'Pending', consumer: { id, first_name: null, last_name: null } } };
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };
const refused = { statusCode: 401, error: 'Unauthorized', message: 'Token expired' };

interface Faked {
  readonly method?: string;
  readonly path: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call through the check, to a server that answers so. */
function faked(
  { method = 'GET', path, sent, status, body, headers = {} }: Faked,
  by: Partial<Parameters<typeof publishedFetch>[1]> = {},
): Promise<Response> {
  const answer = async () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    });
  const fetch = publishedFetch(answer, { fixtures, ...by });
  return fetch(origin + path, { method, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) });
}

const list: Faked = { path: '/v2/products', status: 200, body: products };
const order: Faked = { method: 'POST', path: '/v2/orders', sent: validOrder, status: 201, body: created };
const control: Faked = { path: '/_admin/sandboxes', status: 200, body: { sandboxes: [] } };
const strict = { profile: 'strict' } as const;
const orders: Faked = {
  path: '/v2/orders',
  status: 404,
  body: notFound,
  headers: { 'sandbox-rule': 'order_endpoints' },
};

test.each<[string, Faked, object]>([
  ['a success', list, {}],
  ['a success in a sandbox', { ...list, path: '/sandboxes/w1/v2/products' }, {}],
  [
    'a success with the assumptions that shaped it',
    { ...list, headers: { 'sandbox-assumption': 'product_list=all' } },
    {},
  ],
  ['a request that is taken', order, {}],
  ['a refusal', { ...list, status: 401, body: refused, headers: { 'sandbox-rule': 'AUTH-3' } }, {}],
  [
    'a status that a fault brings',
    { ...list, status: 400, body: { ...notFound, statusCode: 400 }, headers: { 'sandbox-fault': 'a' } },
    {},
  ],
  ['an operation that is not offered', orders, strict],
  ['an answer of the control API', control, {}],
  ['what is of no operation', { ...list, path: controlOpenApiPath, body: 7 }, {}],
])('%s passes, and reaches the test whole', async (_, exchange, by) => {
  const response = await faked(exchange, by);
  expect([response.status, await response.json()]).toEqual([exchange.status, exchange.body]);
});

describe('the check finds', () => {
  test.each<[string, Faked, object, string]>([
    ['a status that no document has', { ...list, status: 418 }, {}, 'has a status that is not published'],
    [
      'a status of another operation',
      { ...list, status: 422, body: { ...notFound, statusCode: 422 } },
      {},
      'not published',
    ],
    [
      'a body with a key too many',
      { ...list, body: { ...products, total: 0 } },
      {},
      'must NOT have additional properties',
    ],
    ['a body with a key too few', { ...list, body: {} }, {}, "required property 'client_products'"],
    [
      'an error body that is none',
      { ...list, status: 401, body: { error: 'no' } },
      {},
      "required property 'statusCode'",
    ],
    ['a format that is another', { ...order, body: { order: { ...created.order, id: '7' } } }, {}, 'must match format'],
    [
      'a body of another reading',
      { ...order, body: created },
      { assumptions: { absent_values: 'omitted' } },
      'must be string',
    ],
    [
      'a rule without an example',
      { ...list, status: 401, body: refused, headers: { 'sandbox-rule': 'bad_credentials' } },
      {},
      "to include 'bad_credentials'",
    ],
    [
      'an assumption that the operation does not name',
      { ...list, headers: { 'sandbox-assumption': 'next_cursor=body' } },
      {},
      'products 200',
    ],
    [
      'a request that is taken and may not be sent',
      { ...order, sent: { ...validOrder, gift: true } },
      {},
      'additional properties',
    ],
    ['a request without a part that must be sent', { ...order, sent: {} }, {}, "required property 'consumer'"],
    [
      'an answer of its own by an operation that is not offered',
      { ...orders, headers: { 'sandbox-rule': 'FUL-2' } },
      strict,
      'is of no published operation',
    ],
    [
      'a key too many of the control API',
      { ...control, body: { sandboxes: [], more: 1 } },
      {},
      'additional properties',
    ],
    [
      'a request to the control API that may not be sent',
      {
        method: 'POST',
        path: '/_admin/sandboxes/stage/snapshots',
        sent: { name: 'base', more: 1 },
        status: 201,
        body: { name: 'base', created_at: '2026-01-01T00:00:00.000Z' },
      },
      {},
      'additional properties',
    ],
  ])('%s', async (_, exchange, by, words) => {
    const error = await faked(exchange, by).then(
      () => undefined,
      (one: Error & { readonly actual?: unknown }) => one,
    );
    expect(`${error?.message} ${JSON.stringify(error?.actual)}`).toContain(words);
  });
});
