// The ready-made cases of the shipped fixtures: a table of the documentation lists them, and a test makes every call.
import {
  consumerId as consumer,
  fulfillmentId as fulfillment,
  orderId as order,
  productId as product,
} from '../support/order-requests.ts';

/** The differences from the sample order. */
type Order = { readonly product?: string; readonly duration?: number; readonly consumerId?: string };
export type ReadyMadeCase = readonly [
  login: string,
  /** For the table. */
  call: string,
  request: Order | `${'GET' | 'POST' | 'PATCH'} ${string}`,
  status: number,
  answer: string,
  rule: string,
];

const inactive = 'The following client products are inactive and cannot be ordered: Ashwagandha Balance';
const discontinued =
  'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule';
const foreignProduct = 'Product does not belong to client';
const noPag = 'No Packaging Asset Group ID found for the order line';
const inProduction = `/v2/orders/${order(16)}`;
const modifying = `PATCH order \`${order(16)}\` (In Production) with a valid \`shipping_address\``;
const ordering = (n: number) => `order product \`${product(n)}\``;
const known = `the same with \`"consumer": {"id": "${consumer(1)}"}\``;
const unknown = `order for consumer \`${consumer(5)}\` (of another client)`;
const noPermission = 'Insufficient permissions';
const badLogin = 'Invalid username or password';
const login = 'POST /v2/authentication/token';
const twoPages = 'list fulfillments (27: two pages of the default limit)';
const get = (n: number) => `GET /v2/fulfillments/${fulfillment(n)}` as const;

export const readyMadeCases: readonly ReadyMadeCase[] = [
  ['demo', `${ordering(1)}, duration 30`, {}, 201, 'Pending', 'ORD-24'],
  ['demo', known, { consumerId: consumer(1) }, 201, 'Pending', 'ORD-24'],
  ['demo', 'order with duration 90 (its PAG is In Review)', { duration: 90 }, 201, 'Needs Changes', 'ORD-25'],
  ['inactive-pag', ordering(15), { product: product(15) }, 201, 'Needs Changes', 'ORD-25'],
  ['no-pag', ordering(13), { product: product(13) }, 422, noPag, 'ORD-21'],
  ['demo', `${ordering(7)} (not active)`, { product: product(7) }, 422, inactive, 'ORD-19'],
  ['demo', `${ordering(8)} (discontinued behind)`, { product: product(8) }, 422, discontinued, 'ORD-20'],
  ['demo', `${ordering(9)} (of another client)`, { product: product(9) }, 422, foreignProduct, 'ORD-18'],
  ['demo', unknown, { consumerId: consumer(5) }, 422, 'Consumer not found', 'ORD-11'],
  ['demo', modifying, `PATCH ${inProduction}`, 422, 'Order cannot be modified', 'ORD-22'],
  ['demo', `cancel order \`${order(16)}\``, `POST ${inProduction}/cancel`, 422, 'Order cannot be canceled', 'ORD-23'],
  ['demo', `cancel order \`${order(18)}\` (Pending)`, `POST /v2/orders/${order(18)}/cancel`, 200, 'Canceled', 'ORD-23'],
  ['demo', twoPages, 'GET /v2/fulfillments', 200, '20 and a `next_cursor`', 'FUL-3'],
  ['demo', `fulfillment \`${fulfillment(1)}\` (delivered)`, get(1), 200, 'delivered', 'FUL-1'],
  ['demo', `fulfillment \`${fulfillment(28)}\` (no tracking yet)`, get(28), 200, 'label_created', 'FUL-1'],
  ['demo', `fulfillment \`${fulfillment(6)}\` (of another client)`, get(6), 404, 'Fulfillment not found', 'FUL-1'],
  ['read-only', 'order anything', {}, 403, noPermission, 'AUTH-5'],
  ['no-permissions', 'list products', 'GET /v2/products', 403, noPermission, 'AUTH-5'],
  ['inactive-user', 'log in', login, 401, badLogin, '`bad_credentials`'],
  ['inactive-account', 'log in', login, 401, badLogin, 'AUTH-6'],
];
