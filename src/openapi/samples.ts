// Sample requests of the fixtures, one for each operation, for the examples of the service's OpenAPI document.
import type { Fixtures } from '../contract/fixtures.ts';
import { type OperationId, operationList } from '../contract/operations.ts';
import { collectionNames, type RecordOf, singleNames, unknownId } from '../contract/records.ts';

/** A request that succeeds in a new sandbox. */
export interface SampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body with every field, if `body` has only some. */
  readonly whole?: Readonly<Record<string, unknown>>;
}

export interface Samples {
  readonly requests: { readonly [Id in OperationId]: SampleRequest };
  readonly operator: string;
  /** Names of products that cannot be ordered. */
  readonly inactiveProduct: string;
  readonly discontinuedProduct: string;
}

/** A response of a new sandbox to a sample request. */
export interface SampleAnswer {
  readonly name: string;
  readonly summary: string;
  readonly status: number;
  readonly body: unknown;
}

/** The examples of a document. */
export interface DocumentExamples {
  readonly samples: Samples;
  /** By operation. */
  readonly answers: { readonly [Id in OperationId]?: readonly SampleAnswer[] };
}

export function samplesOf(fixtures: Fixtures, user: RecordOf<'users'> | undefined, order: OrderSample): Samples {
  const own = <T extends { readonly brand_id: string }>(records: readonly T[]): T[] =>
    records.filter(({ brand_id }) => brand_id === user?.brand_id);
  const idOf = (record: { readonly id: string } | undefined): string => record?.id ?? unknownId;
  const [consumer, fulfillment] = [own(fixtures.consumers)[0], own(fixtures.fulfillments)[0]];
  const pending = { orderId: idOf(own(fixtures.orders).find(({ status }) => status === 'Pending')) };
  const product = order.order_lines[0]?.pouches[0]?.contents[0]?.client_product_id ?? unknownId;
  // A list is asked for a page, and an operation without path parameters, query and body for what it is.
  const page = { query: { limit: 2 } };
  const withParts: { readonly [Id in OperationId]?: SampleRequest } = {
    'authentication.token': {
      body: { username: user?.username ?? 'username', password: user?.password ?? 'password' },
    },
    'authentication.refresh': { body: { refresh_token: 'refresh_token' } },
    'products.get': { params: { id: product } },
    'consumers.create': { body: order.consumer },
    'consumers.get': { params: { id: idOf(consumer) } },
    'orders.create': { body: { ...order } },
    'orders.get': { params: pending },
    'orders.update': { params: pending, body: { shipping_address: order.shipping_address }, whole: { ...order } },
    'orders.cancel': { params: pending },
    'orders.fulfillments': { params: { orderId: fulfillment?.order_id ?? unknownId } },
    'fulfillments.get': { params: { fulfillmentId: idOf(fulfillment) } },
  };
  const requests = operationList.map(({ id, query }) => [id, withParts[id] ?? (query ? page : {})]);
  return {
    requests: Object.fromEntries(requests),
    operator: fixtures.operator.name,
    inactiveProduct: own(fixtures.products).find(({ active }) => !active)?.product_name ?? 'A product',
    discontinuedProduct:
      fixtures.operator_products.find(({ discontinued }) => discontinued)?.name ?? 'An operator product',
  };
}

/** The parts of a sample order that other requests use. */
export interface OrderSample {
  readonly consumer: Readonly<Record<string, unknown>>;
  readonly shipping_address: Readonly<Record<string, unknown>>;
  readonly order_lines: readonly {
    readonly pouches: readonly { readonly contents: readonly { readonly client_product_id: string }[] }[];
  }[];
}

/** Examples from the fixtures, by operation. */
export interface ControlExamples {
  readonly bodies: Readonly<Record<string, unknown>>;
  /** Values of `{id}` in the path. */
  readonly ids: Readonly<Record<string, string | undefined>>;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** @param actedOn ids for the operator's actions, by operation */
export function controlExamples(fixtures: Fixtures, actedOn: ControlExamples['ids'] = {}): ControlExamples {
  const bodies: Record<string, unknown> = {};
  const ids: Record<string, string | undefined> = {};
  for (const name of collectionNames) {
    const [row] = fixtures[name] as readonly Row[];
    if (row) Object.assign(bodies, bodiesOf(name, row));
    for (const verb of ['get', 'update', 'delete']) ids[`records.${name}.${verb}`] = row?.id;
  }
  for (const name of singleNames) bodies[`singles.${name}.update`] = fixtures[name];
  return { bodies, ids: { ...ids, ...actedOn } };
}

/**
 * A new record copies one of the fixtures, but for its id, its username, and the duration of a PAG: a brand has one
 * default PAG. An update sets a field to its own value.
 */
function bodiesOf(name: string, { id: _, ...row }: Row) {
  const { username } = row;
  const field = ['name', 'product_name', 'last_name', 'status', 'weight'].find((one) => one in row) ?? 'active';
  return {
    [`records.${name}.create`]: {
      ...row,
      ...(username ? { username: `${username}-2`, password: 'a-new-password' } : {}),
      ...('duration' in row ? { duration: 45 } : {}),
    },
    [`records.${name}.update`]: { [field]: row[field] },
  };
}
