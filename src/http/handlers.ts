// The handlers of the service: one per operation, each one transaction of the domain.
import type { InputOf, OperationId, ReplyOf } from '../contract/operations.ts';
import { orderOperations } from '../contract/orders.ts';
import type { RecordOf } from '../contract/records.ts';
import { addConsumer, getConsumer, listConsumers, presentConsumer } from '../domain/consumers.ts';
import { fulfillmentPresenter, fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../domain/fulfillments.ts';
import { cancelOrder, createOrder, getOrder, listOrders, presentOrder, updateOrder } from '../domain/orders.ts';
import { getProduct, listProducts, presentProduct } from '../domain/products.ts';
import { type Page, presentCursor } from '../domain/reads.ts';
import { expiresIn, logIn, refresh } from '../domain/tokens.ts';
import type { World } from '../domain/world.ts';
import type { RequestContext } from './request-context.ts';
import { jsonResponse, type ServiceResponse } from './response.ts';

/** A missing handler, or an undeclared status or body, does not compile. */
type Handlers = {
  readonly [Id in OperationId]: (request: RequestContext, input: InputOf<Id>) => Promise<ReplyOf<Id>>;
};

type AnyHandler = (
  request: RequestContext,
  input: unknown,
) => Promise<{
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}>;

/** The last stage: the operation itself. @throws Refusal */
export async function runOperation(request: RequestContext): Promise<ServiceResponse> {
  const { operation, input } = request;
  if (!operation) throw new Error('the route stage rejects a request without an operation');
  const handler = handlers[operation.id] as unknown as AnyHandler;
  const { status, body, headers } = await handler(request, input);
  return jsonResponse(status, body, headers);
}

const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

const handlers: Handlers = {
  'authentication.token': async (request, { body }) => {
    const username = request.username ?? body.username;
    const { access, refresh } = await request.write((world) => logIn(world, { ...body, username }));
    const { tokens } = request.deps;
    const [access_token, refresh_token] = await Promise.all([
      tokens.sign(request.sandbox.identity, access),
      tokens.sign(request.sandbox.identity, refresh),
    ]);
    return ok({ access_token, refresh_token, expires_in: expiresIn(access) });
  },
  'authentication.refresh': async (request, { body }) => {
    const { tokens } = request.deps;
    const presented = await tokens.verify(request.sandbox.identity, body.refresh_token);
    const claims = await request.write((world) => refresh(world, presented));
    const access_token = await tokens.sign(request.sandbox.identity, claims);
    return ok({ access_token, expires_in: expiresIn(claims) });
  },

  'products.list': (request) =>
    request.read((world) => ok({ client_products: listProducts(world).map(presentProduct) })),
  'products.get': (request, { params }) =>
    request.read((world) => {
      const client_product = presentProduct(getProduct(world, params.id));
      return ok(isWrapped(world) ? { client_product } : client_product);
    }),

  'consumers.list': (request, { query }) =>
    request.read((world) => {
      const page = listConsumers(world, query);
      return listResponse(request, world, page, {
        consumers: page.rows.map((consumer) => presentConsumer(world, consumer)),
      });
    }),
  'consumers.create': (request, { body }) =>
    request.write((world) => ({
      status: 201,
      body: { consumer: presentConsumer(world, addConsumer(world, body)) },
    })),
  'consumers.get': (request, { params }) =>
    request.read((world) => {
      const consumer = presentConsumer(world, getConsumer(world, params.id));
      return ok(isWrapped(world) ? { consumer } : consumer);
    }),

  'orders.create': (request, { body }) =>
    request.write((world) => {
      const order = presentOrder(world, createOrder(world, body));
      return { status: orderOperations['orders.create'].answersWith(world.assumptions), body: { order } };
    }),
  'orders.list': (request, { query }) =>
    request.read((world) => {
      const page = listOrders(world, query);
      return listResponse(request, world, page, { orders: page.rows.map((order) => presentOrder(world, order)) });
    }),
  'orders.get': (request, { params }) =>
    request.read((world) => ok({ order: presentOrder(world, getOrder(world, params.orderId)) })),
  'orders.update': (request, { params, body }) =>
    request.write((world) => ok({ order: presentOrder(world, updateOrder(world, params.orderId, body)) })),
  'orders.cancel': (request, { params }) =>
    request.write((world) => ok({ order: presentOrder(world, cancelOrder(world, params.orderId)) })),

  'fulfillments.list': (request, { query }) =>
    request.read((world) => {
      const page = listFulfillments(world, query);
      return listResponse(request, world, page, { fulfillments: presentFulfillments(world, page.rows) });
    }),
  'fulfillments.get': (request, { params }) =>
    request.read((world) => {
      const found = getFulfillment(world, params.fulfillmentId);
      return ok({ fulfillment: fulfillmentPresenter(world)(found) });
    }),
  'orders.fulfillments': (request, { params }) =>
    request.read((world) =>
      ok({ fulfillments: presentFulfillments(world, fulfillmentsOfOrder(world, params.orderId)) }),
    ),
};

const isWrapped = (world: World): boolean => world.assumptions.get('single_read_body') === 'wrapped';

/** An empty list depends on no assumption, so it is not presented. */
const presentFulfillments = (world: World, rows: readonly RecordOf<'fulfillments'>[]) =>
  rows.length === 0 ? [] : rows.map(fulfillmentPresenter(world));

/** A list with its next cursor, in the body or in a header (`next_cursor`). */
function listResponse<Body extends object>(
  request: RequestContext,
  world: World,
  { next }: Pick<Page<unknown>, 'next'>,
  list: Body,
): { readonly status: 200; readonly body: Body; readonly headers?: Readonly<Record<string, string>> } {
  request.next = next;
  const { fields, headers } = presentCursor(world, next, () => request.url);
  const body = Object.assign({}, list, fields);
  return headers ? { status: 200, body, headers } : { status: 200, body };
}
