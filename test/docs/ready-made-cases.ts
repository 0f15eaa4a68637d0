// The ready-made cases of the shipped fixtures: a table of the documentation lists them, and a test makes every call.

export interface ReadyMadeCase {
  readonly login: string;
  /** The call, for the table. */
  readonly call: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** The differences from the sample order. */
  readonly order?: { readonly product?: string; readonly duration?: number; readonly consumerId?: string };
  readonly status: number;
  readonly answer: string;
  readonly rule: string;
}

const numbered = (prefix: string) => (n: number) => `${prefix}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [product, consumer, order, fulfillment] = [numbered('20'), numbered('40'), numbered('50'), numbered('60')];

/** Products that each login may order. */
export const ownProduct: Readonly<Record<string, string>> = {
  demo: product(1),
  'read-only': product(1),
  'no-pag': product(13),
  'inactive-pag': product(15),
};

type Response = readonly [status: number, answer: string, rule: string];
const orders = (
  login: string,
  call: string,
  changes: ReadyMadeCase['order'],
  ...response: Response
): ReadyMadeCase => ({ ...calls(login, call, 'POST', '/v2/orders', ...response), order: changes ?? {} });
const calls = (
  login: string,
  call: string,
  method: ReadyMadeCase['method'],
  path: string,
  ...[status, answer, rule]: Response
): ReadyMadeCase => ({ login, call, method, path, status, answer, rule });

const inactive = 'The following client products are inactive and cannot be ordered: Ashwagandha Balance';
const discontinued =
  'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule';
const noPag = 'No Packaging Asset Group ID found for the order line';
const inProduction = `/v2/orders/${order(16)}`;
const noPermission = 'Insufficient permissions';
const badLogin = 'Invalid username or password';
const token = '/v2/authentication/token';
const onePackage = (n: number) => `/v2/fulfillments/${fulfillment(n)}`;

export const readyMadeCases: readonly ReadyMadeCase[] = [
  orders('demo', `order product \`${product(1)}\`, duration 30`, {}, 201, 'Pending', 'ORD-24'),
  orders(
    'demo',
    `the same with \`"consumer": {"id": "${consumer(1)}"}\``,
    { consumerId: consumer(1) },
    ...([201, 'Pending', 'ORD-24'] as const),
  ),
  orders('demo', 'order with duration 90 (its PAG is In Review)', { duration: 90 }, 201, 'Needs Changes', 'ORD-25'),
  orders('inactive-pag', `order product \`${product(15)}\``, {}, 201, 'Needs Changes', 'ORD-25'),
  orders('no-pag', `order product \`${product(13)}\``, {}, 422, noPag, 'ORD-21'),
  orders('demo', `order product \`${product(7)}\` (not active)`, { product: product(7) }, 422, inactive, 'ORD-19'),
  orders(
    'demo',
    `order product \`${product(8)}\` (discontinued behind)`,
    { product: product(8) },
    ...([422, discontinued, 'ORD-20'] as const),
  ),
  orders(
    'demo',
    `order product \`${product(9)}\` (of another client)`,
    { product: product(9) },
    ...([422, 'Product does not belong to client', 'ORD-18'] as const),
  ),
  orders(
    'demo',
    `order for consumer \`${consumer(5)}\` (of another client)`,
    { consumerId: consumer(5) },
    ...([422, 'Consumer not found', 'ORD-11'] as const),
  ),
  {
    ...calls(
      'demo',
      `PATCH order \`${order(16)}\` (In Production) with a valid \`shipping_address\``,
      'PATCH',
      inProduction,
      ...([422, 'Order cannot be modified', 'ORD-22'] as const),
    ),
    order: {},
  },
  calls(
    'demo',
    `cancel order \`${order(16)}\``,
    'POST',
    `${inProduction}/cancel`,
    422,
    'Order cannot be canceled',
    'ORD-23',
  ),
  calls(
    'demo',
    `cancel order \`${order(18)}\` (Pending)`,
    'POST',
    `/v2/orders/${order(18)}/cancel`,
    200,
    'Canceled',
    'ORD-23',
  ),
  calls(
    'demo',
    'list fulfillments (27: two pages of the default limit)',
    'GET',
    '/v2/fulfillments',
    ...([200, '20 and a `next_cursor`', 'FUL-3'] as const),
  ),
  calls('demo', `fulfillment \`${fulfillment(1)}\` (delivered)`, 'GET', onePackage(1), 200, 'delivered', 'FUL-1'),
  calls(
    'demo',
    `fulfillment \`${fulfillment(28)}\` (no tracking yet)`,
    'GET',
    onePackage(28),
    200,
    'label_created',
    'FUL-1',
  ),
  calls(
    'demo',
    `fulfillment \`${fulfillment(6)}\` (of another client)`,
    'GET',
    onePackage(6),
    404,
    'Fulfillment not found',
    'FUL-1',
  ),
  orders('read-only', 'order anything', {}, 403, noPermission, 'AUTH-5'),
  calls('no-permissions', 'list products', 'GET', '/v2/products', 403, noPermission, 'AUTH-5'),
  calls('inactive-user', 'log in', 'POST', token, 401, badLogin, '`bad_credentials`'),
  calls('inactive-account', 'log in', 'POST', token, 401, badLogin, 'AUTH-6'),
];
