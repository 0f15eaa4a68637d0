// The handlers of the service: one per operation, each one transaction of the domain.
import type { InputOf, OperationId, ReplyOf } from '../contract/operations.ts';
import { orderOperations } from '../contract/orders.ts';
import { Refusal } from '../contract/refusal.ts';
import { createConsumer, getConsumer, listConsumers } from '../domain/consumers.ts';
import { fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../domain/fulfillments.ts';
import { cancelOrder, createOrder, getOrder, listOrders, updateOrder } from '../domain/orders.ts';
import { getProduct, listProducts } from '../domain/products.ts';
import { presentCursor } from '../domain/reads.ts';
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
    const { access, refresh } = await request.write((world) => logIn(world, body));
    const { tokens } = request.deps;
    const [access_token, refresh_token] = await Promise.all([
      tokens.sign(request.sandbox.identity, access),
      tokens.sign(request.sandbox.identity, refresh),
    ]);
    return ok({ access_token, refresh_token, expires_in: expiresIn(access) });
  },
  'authentication.refresh': async (request, { body }) => {
    const { tokens } = request.deps;
    const { identity } = request.sandbox;
    const presented = await tokens.verify(identity, body.refresh_token);
    if (!presented)
      throw new Refusal('bad_refresh_token', { problem: tokens.unverified(identity, body.refresh_token).problem });
    const claims = await request.write((world) => refresh(world, presented));
    const access_token = await tokens.sign(request.sandbox.identity, claims);
    return ok({ access_token, expires_in: expiresIn(claims) });
  },

  'products.list': (request) => request.read((world) => ok({ client_products: listProducts(world) })),
  'products.get': (request, { params }) =>
    request.read((world) => {
      const client_product = getProduct(world, params.id);
      return ok(isWrapped(world) ? { client_product } : client_product);
    }),

  'consumers.list': (request, { query }) =>
    request.read((world) => listResponse(request, world, listConsumers(world, query))),
  'consumers.create': (request, { body }) =>
    request.write((world) => ({ status: 201, body: { consumer: createConsumer(world, body) } })),
  'consumers.get': (request, { params }) =>
    request.read((world) => {
      const consumer = getConsumer(world, params.id);
      return ok(isWrapped(world) ? { consumer } : consumer);
    }),

  'orders.create': (request, { body }) =>
    request.write((world) => {
      const order = createOrder(world, body);
      return { status: orderOperations['orders.create'].answersWith(world.assumptions), body: { order } };
    }),
  'orders.list': (request, { query }) =>
    request.read((world) => listResponse(request, world, listOrders(world, query))),
  'orders.get': (request, { params }) => request.read((world) => ok({ order: getOrder(world, params.orderId) })),
  'orders.update': (request, { params, body }) =>
    request.write((world) => ok({ order: updateOrder(world, params.orderId, body) })),
  'orders.cancel': (request, { params }) => request.write((world) => ok({ order: cancelOrder(world, params.orderId) })),

  'fulfillments.list': (request, { query }) =>
    request.read((world) => listResponse(request, world, listFulfillments(world, query))),
  'fulfillments.get': (request, { params }) =>
    request.read((world) => ok({ fulfillment: getFulfillment(world, params.fulfillmentId) })),
  'orders.fulfillments': (request, { params }) =>
    request.read((world) => ok({ fulfillments: fulfillmentsOfOrder(world, params.orderId) })),
};

const isWrapped = (world: World): boolean => world.assumptions.get('single_read_body') === 'wrapped';

/** A list with its next cursor, in the body or in a header (`next_cursor`). */
function listResponse<List extends { readonly next: string | null }>(
  request: RequestContext,
  world: World,
  { next, ...list }: List,
): { readonly status: 200; readonly body: Omit<List, 'next'>; readonly headers?: Readonly<Record<string, string>> } {
  request.next = next;
  const { fields, headers } = presentCursor(world, next, () => request.url);
  const body = Object.assign(list, fields);
  return headers ? { status: 200, body, headers } : { status: 200, body };
}
