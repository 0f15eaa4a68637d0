// Good requests: of each operation that needs a token one that succeeds. What a case changes, it changes from here.
import { filled } from '../../src/contract/addresses.ts';
import { type OperationId, type Operations, operationList } from '../../src/contract/operations.ts';
import { samplesOf } from '../../src/openapi/samples.ts';
import { firstReadyUser } from '../../src/sample-order.ts';
import { shippedFixtures } from '../../src/shipped.ts';

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
export const lineWith = (...products: readonly string[]) => ({
  duration: 30,
  pouches: products.map((id) => ({ contents: [{ client_product_id: id }] })),
});

/** The operations that need a token. */
export type TokenOperation = {
  [Id in OperationId]: Operations[Id]['permission'] extends null ? never : Id;
}[OperationId];

interface GoodRequest {
  readonly path: string;
  readonly body?: unknown;
}

const bodies: { readonly [Id in TokenOperation]?: unknown } = {
  'consumers.create': newConsumer,
  'orders.create': validOrder,
  'orders.update': validOrder,
};

const fixtures = shippedFixtures();
const { requests: samples } = samplesOf(fixtures, firstReadyUser(fixtures), validOrder);

/** Their paths have the ids that the examples of the document have. */
export const goodRequests = Object.fromEntries(
  operationList
    .filter(({ permission }) => permission !== null)
    .map(({ id, path }) => {
      const body = bodies[id as TokenOperation];
      return [id, { path: filled(path, (name) => samples[id].params?.[name] ?? ''), ...(body ? { body } : {}) }];
    }),
) as Readonly<Record<TokenOperation, GoodRequest>>;
