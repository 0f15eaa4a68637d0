// Good requests: of each operation that needs a token one that succeeds. What a case changes, it changes from here.
import { type Operations, operationList } from '../../src/contract/operations.ts';

/** Records of the shipped fixtures; `demo` is the caller, `other-brand` somebody else. */
export const known = {
  product: '20000000-0000-4000-8000-000000000001',
  product2: '20000000-0000-4000-8000-000000000002',
  inactiveProduct: '20000000-0000-4000-8000-000000000007',
  discontinuedProduct: '20000000-0000-4000-8000-000000000008',
  foreignProduct: '20000000-0000-4000-8000-000000000009',
  noPagProduct: '20000000-0000-4000-8000-000000000013',
  inactivePagProduct: '20000000-0000-4000-8000-000000000015',
  consumer: '40000000-0000-4000-8000-000000000001',
  foreignConsumer: '40000000-0000-4000-8000-000000000005',
  pendingOrder: '50000000-0000-4000-8000-000000000018',
  inProductionOrder: '50000000-0000-4000-8000-000000000001',
  foreignOrder: '50000000-0000-4000-8000-000000000015',
  fulfillment: '60000000-0000-4000-8000-000000000001',
  foreignFulfillment: '60000000-0000-4000-8000-000000000006',
  pack: 'PACK-MORNING-01',
  foreignPack: 'PACK-FOCUS-01',
} as const;

/** A UUID that no record has. */
export const unknownId = 'ffffffff-0000-4000-8000-00000000000f';

export const newConsumer = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '+12025550123',
};
const content = { client_product_id: known.product, serving_size: 1 };
const pouch = { time_of_administration: 'Morning', contents: [content] };

export const validOrder = {
  consumer: newConsumer,
  shipping_address: {
    address1: '1 Main Street',
    city: 'Springfield',
    province_name: 'Illinois',
    country_name: 'United States',
    postal_code: '62701',
  },
  order_lines: [{ duration: 30, pouches: [pouch] }],
};

/** The valid order with these values at these dotted paths; undefined removes. */
export function orderWith(patches: Readonly<Record<string, unknown>>): unknown {
  const order = structuredClone(validOrder);
  for (const [path, value] of Object.entries(patches)) put(order, path.split('.'), value);
  return order;
}

function put(target: object, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) Reflect.set(target, key, value);
  else put(Reflect.get(target, key) as object, rest, value);
}

/** An order line that holds these products, a pouch each. */
export const lineOf = (...products: readonly string[]) => ({
  duration: 30,
  pouches: products.map((id) => ({ contents: [{ client_product_id: id }] })),
});

type Ids = keyof Operations;
/** The operations that need a token. */
export type TokenOperation = {
  [Id in Ids]: Operations[Id]['permission'] extends null ? never : Id;
}[Ids];

interface GoodRequest {
  readonly path: string;
  readonly body?: unknown;
}

/** Those that need an id or a body; the others are their path. */
const ownRequests: { readonly [Id in TokenOperation]?: GoodRequest } = {
  'products.get': { path: `/v2/products/${known.product}` },
  'consumers.create': { path: '/v2/consumers', body: newConsumer },
  'consumers.get': { path: `/v2/consumers/${known.consumer}` },
  'orders.create': { path: '/v2/orders', body: validOrder },
  'orders.get': { path: `/v2/orders/${known.pendingOrder}` },
  'orders.update': { path: `/v2/orders/${known.pendingOrder}`, body: validOrder },
  'orders.cancel': { path: `/v2/orders/${known.pendingOrder}/cancel` },
  'orders.fulfillments': { path: `/v2/orders/${known.inProductionOrder}/fulfillments` },
  'fulfillments.get': { path: `/v2/fulfillments/${known.fulfillment}` },
};

export const goodRequests = Object.fromEntries(
  operationList
    .filter(({ permission }) => permission !== null)
    .map(({ id, path }) => [id, ownRequests[id as TokenOperation] ?? { path }]),
) as Readonly<Record<TokenOperation, GoodRequest>>;
