// The ready-made cases of the shipped fixtures. A table of the documentation is made from this list, and a test makes
// every call.

export interface ReadyMadeCase {
  readonly login: string;
  /** What to do, for the table. */
  readonly call: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** The differences from the sample order. */
  readonly order?: { readonly products?: readonly string[]; readonly duration?: number; readonly consumerId?: string };
  readonly status: number;
  readonly answer: string;
  readonly rule: string;
}

const product = (n: number) => `20000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const consumer = (n: number) => `40000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const order = (n: number) => `50000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const fulfillment = (n: number) => `60000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Products that each login may order. */
export const ownProduct: Readonly<Record<string, string>> = {
  demo: product(1),
  'read-only': product(1),
  'no-permissions': product(1),
  'other-brand': product(9),
  'no-pag': product(13),
  'inactive-pag': product(15),
};

const ordering = { method: 'POST', path: '/v2/orders' } as const;

export const readyMadeCases: readonly ReadyMadeCase[] = [
  {
    login: 'demo',
    call: `order product \`${product(1)}\`, duration 30`,
    ...ordering,
    order: {},
    status: 201,
    answer: 'Pending',
    rule: 'ORD-24',
  },
  {
    login: 'demo',
    call: `the same with \`"consumer": {"id": "${consumer(1)}"}\``,
    ...ordering,
    order: { consumerId: consumer(1) },
    status: 201,
    answer: 'Pending',
    rule: 'ORD-24',
  },
  {
    login: 'demo',
    call: 'order with duration 90 (its PAG is In Review)',
    ...ordering,
    order: { duration: 90 },
    status: 201,
    answer: 'Needs Changes',
    rule: 'ORD-25',
  },
  {
    login: 'inactive-pag',
    call: `order product \`${product(15)}\``,
    ...ordering,
    order: {},
    status: 201,
    answer: 'Needs Changes',
    rule: 'ORD-25',
  },
  {
    login: 'no-pag',
    call: `order product \`${product(13)}\``,
    ...ordering,
    order: {},
    status: 422,
    answer: 'No Packaging Asset Group ID found for the order line',
    rule: 'ORD-21',
  },
  {
    login: 'demo',
    call: `order product \`${product(7)}\` (not active)`,
    ...ordering,
    order: { products: [product(7)] },
    status: 422,
    answer: 'The following client products are inactive and cannot be ordered: Ashwagandha Balance',
    rule: 'ORD-19',
  },
  {
    login: 'demo',
    call: `order product \`${product(8)}\` (discontinued behind)`,
    ...ordering,
    order: { products: [product(8)] },
    status: 422,
    answer: 'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule',
    rule: 'ORD-20',
  },
  {
    login: 'demo',
    call: `order product \`${product(9)}\` (of another client)`,
    ...ordering,
    order: { products: [product(9)] },
    status: 422,
    answer: 'Product does not belong to client',
    rule: 'ORD-18',
  },
  {
    login: 'demo',
    call: `order for consumer \`${consumer(5)}\` (of another client)`,
    ...ordering,
    order: { consumerId: consumer(5) },
    status: 422,
    answer: 'Consumer not found',
    rule: 'ORD-11',
  },
  {
    login: 'demo',
    call: `PATCH order \`${order(16)}\` (In Production) with a valid \`shipping_address\``,
    method: 'PATCH',
    path: `/v2/orders/${order(16)}`,
    order: {},
    status: 422,
    answer: 'Order cannot be modified',
    rule: 'ORD-22',
  },
  {
    login: 'demo',
    call: `cancel order \`${order(16)}\``,
    method: 'POST',
    path: `/v2/orders/${order(16)}/cancel`,
    status: 422,
    answer: 'Order cannot be canceled',
    rule: 'ORD-23',
  },
  {
    login: 'demo',
    call: `cancel order \`${order(18)}\` (Pending)`,
    method: 'POST',
    path: `/v2/orders/${order(18)}/cancel`,
    status: 200,
    answer: 'Canceled',
    rule: 'ORD-23',
  },
  {
    login: 'demo',
    call: 'list fulfillments (27: two pages of the default limit)',
    method: 'GET',
    path: '/v2/fulfillments',
    status: 200,
    answer: '20 and a `next_cursor`',
    rule: 'FUL-3',
  },
  {
    login: 'demo',
    call: `fulfillment \`${fulfillment(1)}\` (delivered)`,
    method: 'GET',
    path: `/v2/fulfillments/${fulfillment(1)}`,
    status: 200,
    answer: 'delivered',
    rule: 'FUL-1',
  },
  {
    login: 'demo',
    call: `fulfillment \`${fulfillment(28)}\` (no tracking yet)`,
    method: 'GET',
    path: `/v2/fulfillments/${fulfillment(28)}`,
    status: 200,
    answer: 'label_created',
    rule: 'FUL-1',
  },
  {
    login: 'demo',
    call: `fulfillment \`${fulfillment(6)}\` (of another client)`,
    method: 'GET',
    path: `/v2/fulfillments/${fulfillment(6)}`,
    status: 404,
    answer: 'Fulfillment not found',
    rule: 'FUL-1',
  },
  {
    login: 'read-only',
    call: 'order anything',
    ...ordering,
    order: {},
    status: 403,
    answer: 'Insufficient permissions',
    rule: 'AUTH-5',
  },
  {
    login: 'no-permissions',
    call: 'list products',
    method: 'GET',
    path: '/v2/products',
    status: 403,
    answer: 'Insufficient permissions',
    rule: 'AUTH-5',
  },
  {
    login: 'inactive-user',
    call: 'log in',
    method: 'POST',
    path: '/v2/authentication/token',
    status: 401,
    answer: 'Invalid username or password',
    rule: '`bad_credentials`',
  },
  {
    login: 'inactive-account',
    call: 'log in',
    method: 'POST',
    path: '/v2/authentication/token',
    status: 401,
    answer: 'Invalid username or password',
    rule: 'AUTH-6',
  },
];
