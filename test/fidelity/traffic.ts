// Calls that show the choices of a sandbox, and random ones: what a recording of the service may have.
import fc from 'fast-check';
import type { Sandbox } from '../../src/client/sandbox.ts';
import { orderBody } from '../contract/joi/order-bodies.ts';
import {
  consumerId,
  fulfillmentId,
  orderLine,
  orderOf,
  productId,
  products,
  someOrder,
} from '../support/order-requests.ts';
import { passwordOf } from '../support/sachet.ts';

export type Call = (path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Calls with this authorization: GET without a body, POST with one. A text is sent as it is. */
const callerOf =
  ({ fetch }: Sandbox, authorization?: string): Call =>
  (path, body) =>
    fetch(path, {
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

export async function logIn(sandbox: Sandbox, username = 'demo') {
  const credentials = { username, password: passwordOf(username) };
  const response = await callerOf(sandbox)('/v2/authentication/token', credentials);
  const tokens = (await response.json()) as Record<'access_token' | 'refresh_token', string>;
  return { call: callerOf(sandbox, `Bearer ${tokens.access_token}`), refresh_token: tokens.refresh_token };
}

/** Logins and tokens: right, wrong, missing, replaced. */
export async function tokenCalls(sandbox: Sandbox): Promise<void> {
  const { call, refresh_token } = await logIn(sandbox);
  const anonymous = callerOf(sandbox);
  await call('/v2/products');
  await anonymous('/v2/products');
  await callerOf(sandbox, 'Bearer nonsense')('/v2/products');
  await anonymous('/v2/authentication/token', { username: 'demo', password: 'wrong' });
  for (const token of ['nonsense', refresh_token, refresh_token])
    await anonymous('/v2/authentication/refresh-token', { refresh_token: token });
  await call('/v2/products');
}

/** Reads: lists, pages, single records, parameters of the wrong form, records of another client. */
export async function readCalls(sandbox: Sandbox, call: Call): Promise<void> {
  const paths = [
    ...['products', `products/${productId(1)}`, `products/${products.inactive}`, 'products', 'products/x'],
    ...[`consumers/${consumerId(1)}`, 'fulfillments', 'fulfillments?limit=abc', 'fulfillments?limit=1000'],
    ...['fulfillments?limit=80', 'fulfillments?limit=2', 'orders', 'consumers', 'orders/x'],
  ];
  for (const path of paths) await call(`/v2/${path}`);
  const other = await logIn(sandbox, 'other-brand');
  await other.call(`/v2/products/${products.foreign}`);
  await call('/v2/orders', orderOf({ contents: [{ client_product_id: products.foreign }] }));
  await call(`/v2/products/${products.foreign}`);
  const answer = (await (await call(`/v2/fulfillments/${fulfillmentId(1)}`)).json()) as {
    fulfillment: { label_url: string };
  };
  await call(answer.fulfillment.label_url);
  const limited = await logIn(sandbox, 'read-only');
  await limited.call('/v2/orders', someOrder());
}

const named = { first_name: 'Ada', last_name: 'Lovelace' };
const phone_number = '+12025550123';
const withConsumer = (consumer: object) => someOrder({ consumer });
const contents = [{ client_product_id: products.good }];

/** Orders, good and bad, one trait each. */
const directedOrders: readonly unknown[] = [
  someOrder(),
  orderOf({ contents: [{ client_product_id: products.foreign }] }),
  orderOf({ contents: [{ client_product_id: products.inactive }] }),
  someOrder({ shipping_address: { address1: '1 Main Street' } }),
  withConsumer({ first_name: 'Ada', phone_number: '1'.repeat(16), email: '' }),
  withConsumer({ ...named, phone_number: '12345', email: 'a@example.com' }),
  withConsumer(named),
  withConsumer({ ...named, email: 'a@example.com' }),
  withConsumer({ ...named, phone_number }),
  withConsumer({ ...named, phone_number, email: 'twice@example.com' }),
  withConsumer({ ...named, phone_number, email: 'twice@example.com' }),
  withConsumer({ ...named, first_name: ' ', phone_number, email: 'b@example.com' }),
  withConsumer({ id: null }),
  someOrder({ surprise: 1 }),
  someOrder({ order_lines: [{ duration: '30', pouches: [{ contents }] }] }),
  someOrder({ order_lines: [orderLine(), { pouches: [] }] }),
  someOrder({ order_lines: [{ duration: 30 }] }),
  orderOf({ contents, pack_id: 'PACK-MORNING-01' }),
  orderOf({ contents, time_of_administration: 'Sachet probe' }),
  orderOf({ pack_id: 'Sachet probe' }),
];

export async function orderCalls(call: Call): Promise<void> {
  for (const order of directedOrders) await call('/v2/orders', order);
  await call('/v2/orders', '{"consumer":');
  await call('/v2/orders?limit=2');
}

const realistic = orderBody.map((body): unknown =>
  JSON.parse(
    JSON.stringify(body).replaceAll(/"client_product_id":"[^"]{36}"/g, `"client_product_id":"${products.good}"`),
  ),
);

/** Random orders: most of them nearly valid. */
export async function randomOrders(call: Call, count: number, seed: number): Promise<void> {
  for (const body of fc.sample(realistic, { numRuns: count, seed })) await call('/v2/orders', body);
}
