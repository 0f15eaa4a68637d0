// The check of every response of a test against the published documents accepts correct responses, and finds each kind of error.
import { expect, test } from 'vitest';
import { controlOpenApiPath } from '../../../src/contract/addresses.ts';
import { validOrder } from '../../cases/requests.ts';
import { publishedFetch } from '../../support/published.ts';
import { fixtures } from '../../support/sachet.ts';

const id = '50000000-0000-4000-8000-000000000018';
const products = { client_products: [] };
const created = { order: { id, status: 'Pending', consumer: { id, first_name: null, last_name: null } } };
const notFound = { statusCode: 404, error: 'Not Found', message: 'Not Found' };
const expired = { statusCode: 401, error: 'Unauthorized', message: 'Token expired' };
const strict = { profile: 'strict' } as const;

interface Exchange {
  readonly method?: string;
  readonly path: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Partial<Parameters<typeof publishedFetch>[1]>;
}

/** One call through the check, to a server that gives this response. */
async function exchange({ method = 'GET', path, sent, status, body, headers = {}, options = {} }: Exchange) {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const respond = async () => new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
  const fetch = publishedFetch(respond, { fixtures, ...options });
  const init = { method, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) };
  const response = await fetch(`http://localhost:4010${path}`, init);
  return [response.status, await response.json()];
}

const list: Exchange = { path: '/v2/products', status: 200, body: products };
const order: Exchange = { method: 'POST', path: '/v2/orders', sent: validOrder, status: 201, body: created };
const control: Exchange = { path: '/_admin/sandboxes', status: 200, body: { sandboxes: [] } };
const rejected: Exchange = { ...list, status: 401, body: expired, headers: { 'sandbox-rule': 'AUTH-3' } };
const absent = { path: '/v2/orders', status: 404, body: notFound, options: strict };

test.each<[string, Exchange]>([
  ['a success in a sandbox', { ...list, path: '/sandboxes/w1/v2/products' }],
  ['a success with its assumptions', { ...list, headers: { 'sandbox-assumption': 'product_list=all' } }],
  ['an accepted request', order],
  ['a rejection', rejected],
  ['a status of a fault', { ...list, status: 404, body: notFound, headers: { 'sandbox-fault': 'a' } }],
  ['an operation that is not offered', { ...absent, headers: { 'sandbox-rule': 'order_endpoints' } }],
  ['a response of the control API', control],
  ['a path without an operation', { ...list, path: controlOpenApiPath, body: 7 }],
])('%s passes, and the test gets it whole', async (_, sent) => {
  expect(await exchange(sent)).toEqual([sent.status, sent.body]);
});

test.each<[string, Exchange, string]>([
  ['a status of another operation', { ...list, status: 404, body: notFound }, 'not published'],
  ['an additional key', { ...list, body: { ...products, total: 0 } }, 'must NOT have additional properties'],
  ['a missing key', { ...list, body: {} }, "required property 'client_products'"],
  ['an invalid error body', { ...rejected, body: { error: 'no' } }, "required property 'statusCode'"],
  ['a wrong format', { ...order, body: { order: { ...created.order, id: '7' } } }, 'must match format'],
  ['another choice', { ...order, options: { assumptions: { absent_values: 'omitted' } } }, 'must be string'],
  ['a rule without an example', { ...rejected, headers: { 'sandbox-rule': 'FUL-1' } }, "to include 'FUL-1'"],
  [
    'an assumption of another operation',
    { ...list, headers: { 'sandbox-assumption': 'next_cursor=body' } },
    'products',
  ],
  [
    'an accepted request with an unknown field',
    { ...order, sent: { ...validOrder, gift: 1 } },
    'additional properties',
  ],
  [
    'another operation that is not offered',
    { ...absent, headers: { 'sandbox-rule': 'FUL-2' } },
    'no published operation',
  ],
  ['an additional key of the control API', { ...control, body: { sandboxes: [], more: 1 } }, 'additional properties'],
])('it finds %s', async (_, sent, words) => {
  const error: Error & { actual?: unknown } = await exchange(sent).catch((one) => one);
  expect(`${error.message} ${JSON.stringify(error.actual)}`).toContain(words);
});
