// Good requests made of the fixtures, one for each operation: what the examples of a document begin with.
import type { Fixtures } from '../contract/fixtures.ts';
import type { OperationId } from '../contract/operations.ts';
import type { RecordOf } from '../contract/records.ts';

/** A request that succeeds in a new sandbox; `params` are those of the path. */
export interface SampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body with every field that there may be, where `body` has only some. */
  readonly whole?: Readonly<Record<string, unknown>>;
}

/** What the examples of a document are made of. */
export interface Samples {
  readonly requests: { readonly [Id in OperationId]: SampleRequest };
  readonly operator: string;
  /** Names of what cannot be ordered. */
  readonly inactiveProduct: string;
  readonly discontinuedProduct: string;
}

/** What a new sandbox answered to the sample request of an operation, by itself or as it was bent. */
export interface SampleAnswer {
  readonly name: string;
  readonly summary: string;
  readonly status: number;
  readonly body: unknown;
}

/** All that a document shows as examples. */
export interface Illustrated {
  readonly samples: Samples;
  /** By operation. */
  readonly answers: { readonly [Id in OperationId]?: readonly SampleAnswer[] };
}

/** Stands for what the fixtures do not have: an id that no record has. */
export const unknownId = 'ffffffff-0000-4000-8000-00000000000f';

/** The sample requests of a user. */
export function samplesOf(fixtures: Fixtures, user: RecordOf<'users'> | undefined, order: OrderSample): Samples {
  const own = <T extends { readonly brand_id: string }>(records: readonly T[]): T[] =>
    records.filter(({ brand_id }) => brand_id === user?.brand_id);
  const idOf = (record: { readonly id: string } | undefined): string => record?.id ?? unknownId;
  const [consumer, fulfillment] = [own(fixtures.consumers)[0], own(fixtures.fulfillments)[0]];
  const pending = { orderId: idOf(own(fixtures.orders).find(({ status }) => status === 'Pending')) };
  const product = order.order_lines[0]?.pouches[0]?.contents[0]?.client_product_id ?? unknownId;
  const page = { query: { limit: 2 } };
  return {
    requests: {
      'authentication.token': {
        body: { username: user?.username ?? 'username', password: user?.password ?? 'password' },
      },
      'authentication.refresh': { body: { refresh_token: 'refresh_token' } },
      'products.list': {},
      'products.get': { params: { id: product } },
      'consumers.list': page,
      'consumers.create': { body: order.consumer },
      'consumers.get': { params: { id: idOf(consumer) } },
      'orders.create': { body: { ...order } },
      'orders.list': page,
      'orders.get': { params: pending },
      'orders.update': { params: pending, body: { shipping_address: order.shipping_address }, whole: { ...order } },
      'orders.cancel': { params: pending },
      'orders.fulfillments': { params: { orderId: fulfillment?.order_id ?? unknownId } },
      'fulfillments.list': page,
      'fulfillments.get': { params: { fulfillmentId: idOf(fulfillment) } },
    },
    operator: fixtures.operator.name,
    inactiveProduct: own(fixtures.products).find(({ active }) => !active)?.product_name ?? 'A product',
    discontinuedProduct:
      fixtures.operator_products.find(({ discontinued }) => discontinued)?.name ?? 'A product behind it',
  };
}

/** The parts of the sample order that other requests are made of. */
export interface OrderSample {
  readonly consumer: Readonly<Record<string, unknown>>;
  readonly shipping_address: Readonly<Record<string, unknown>>;
  readonly order_lines: readonly {
    readonly pouches: readonly { readonly contents: readonly { readonly client_product_id: string }[] }[];
  }[];
}
