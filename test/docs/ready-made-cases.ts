// The ready-made cases of the shipped fixtures: a table of the documentation lists them, and a test makes every call.

const numbered = (prefix: string) => (n: number) => `${prefix}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [product, consumer, order, fulfillment] = [numbered('20'), numbered('40'), numbered('50'), numbered('60')];

/** Products that each login may order. */
export const ownProduct: Readonly<Record<string, string>> = {
  demo: product(1),
  'read-only': product(1),
  'no-pag': product(13),
  'inactive-pag': product(15),
};

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
const noPermission = 'Insufficient permissions';
const badLogin = 'Invalid username or password';
const login = 'POST /v2/authentication/token';
const twoPages = 'list fulfillments (27: two pages of the default limit)';
const get = (n: number) => `GET /v2/fulfillments/${fulfillment(n)}` as const;

export const readyMadeCases: readonly ReadyMadeCase[] = [
  ['demo', `order product \`${product(1)}\`, duration 30`, {}, 201, 'Pending', 'ORD-24'],
  [
    'demo',
    `the same with \`"consumer": {"id": "${consumer(1)}"}\``,
    { consumerId: consumer(1) },
    201,
    'Pending',
    'ORD-24',
  ],
  ['demo', 'order with duration 90 (its PAG is In Review)', { duration: 90 }, 201, 'Needs Changes', 'ORD-25'],
  ['inactive-pag', `order product \`${product(15)}\``, {}, 201, 'Needs Changes', 'ORD-25'],
  ['no-pag', `order product \`${product(13)}\``, {}, 422, noPag, 'ORD-21'],
  ['demo', `order product \`${product(7)}\` (not active)`, { product: product(7) }, 422, inactive, 'ORD-19'],
  [
    'demo',
    `order product \`${product(8)}\` (discontinued behind)`,
    { product: product(8) },
    422,
    discontinued,
    'ORD-20',
  ],
  [
    'demo',
    `order product \`${product(9)}\` (of another client)`,
    { product: product(9) },
    422,
    foreignProduct,
    'ORD-18',
  ],
  [
    'demo',
    `order for consumer \`${consumer(5)}\` (of another client)`,
    { consumerId: consumer(5) },
    422,
    'Consumer not found',
    'ORD-11',
  ],
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
