/**
 * The hapi reference: a hapi server with the routes of the contract, Joi's validation and Boom's errors, as the emulated service is assumed to be.
 * It stores nothing: a request that is valid is answered `passed`.
 */
import { STATUS_CODES } from 'node:http';
import Boom from '@hapi/boom';
import Hapi, { type Lifecycle, type Request, type ResponseToolkit, type ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import {
  type Fault,
  faultsIn,
  guid,
  joiOrder,
  ORDER_READINGS,
  type OrderChoices,
} from '../../contract/joi/joi-order.ts';

/** A route of the reference. */
interface ReferenceRoute {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Called without a token. */
  readonly isOpen?: boolean;
  readonly params?: Joi.ObjectSchema;
  readonly query?: Joi.ObjectSchema;
  readonly body?: Joi.ObjectSchema;
}

const choices = Object.fromEntries(
  Object.entries(ORDER_READINGS).map(([id, [usual]]) => [id, usual]),
) as unknown as OrderChoices;

const withStrings = (...names: readonly string[]) =>
  Joi.object(Object.fromEntries(names.map((name) => [name, Joi.string().required()]))).required();

const page = { limit: Joi.number().integer().min(1), cursor: Joi.string() };
const order = joiOrder(choices, []);
const postOrders = { method: 'POST', path: '/v2/orders' } as const;
const someFields = order.fork(['consumer', 'shipping_address', 'order_lines'], (field) => field.optional()).min(1);
const ofOrder = Joi.object({ orderId: guid });
const withId = Joi.object({ id: guid });

export const referenceRoutes: readonly ReferenceRoute[] = [
  { method: 'POST', path: '/v2/authentication/token', isOpen: true, body: withStrings('username', 'password') },
  { method: 'POST', path: '/v2/authentication/refresh-token', isOpen: true, body: withStrings('refresh_token') },
  { method: 'GET', path: '/v2/products' },
  { method: 'GET', path: '/v2/products/{id}', params: withId },
  { method: 'GET', path: '/v2/consumers/{id}', params: withId },
  { method: 'GET', path: '/v2/orders', query: Joi.object(page) },
  { ...postOrders, body: order },
  { method: 'GET', path: '/v2/orders/{orderId}', params: ofOrder },
  { method: 'PATCH', path: '/v2/orders/{orderId}', params: ofOrder, body: someFields },
  { method: 'POST', path: '/v2/orders/{orderId}/cancel', params: ofOrder },
  { method: 'GET', path: '/v2/orders/{orderId}/fulfillments', params: ofOrder },
  { method: 'GET', path: '/v2/fulfillments', query: Joi.object({ ...page, order_id: guid }) },
  { method: 'GET', path: '/v2/fulfillments/{fulfillmentId}', params: Joi.object({ fulfillmentId: guid }) },
];

/** The header of the response to a valid request. */
export const passedHeader = 'x-reference-passed';

export type HapiServer = Awaited<ReturnType<typeof startReference>>;

/** What makes a service of the reference. */
interface ReferenceService {
  readonly order: Joi.ObjectSchema;
  /** Answer valid requests of routes, by `GET /v2/products`. The service has no other routes. */
  readonly handlers: Readonly<Record<string, Lifecycle.Method>>;
  readonly isToken: (text: string) => boolean;
}

/**
 * Starts the reference on a free port.
 * @param service the one token that it accepts, or how it answers
 */
export async function startReference(service: string | ReferenceService) {
  const isToken = typeof service === 'string' ? (text: string) => text === service : service.isToken;
  const server = Hapi.server({
    port: 0,
    host: '127.0.0.1',
    debug: false,
    routes: { validate: { options: { abortEarly: false, errors: { label: 'key' } } }, state: { parse: false } },
  });
  server.validator(Joi);
  server.auth.scheme('bearer', () => ({ authenticate: (request, h) => authenticated(request, h, isToken) }));
  server.auth.strategy('token', 'bearer');
  server.ext('onPostAuth', onlyJson);
  server.ext('onPreResponse', inContract);
  server.route(typeof service === 'string' ? referenceRoutes.map((route) => routed(route)) : routesOf(service));
  await server.start();
  return { port: Number(server.info.port), close: () => server.stop({ timeout: 0 }) };
}

const routesOf = ({ order: body, handlers }: ReferenceService): ServerRoute[] =>
  referenceRoutes.flatMap((route) => {
    const handler = handlers[`${route.method} ${route.path}`];
    const isOrder = route.method === postOrders.method && route.path === postOrders.path;
    return handler ? [routed(isOrder ? { ...route, body } : route, handler)] : [];
  });

function routed({ method, path, isOpen, params, query, body }: ReferenceRoute, own?: Lifecycle.Method): ServerRoute {
  const checked = { ...(params && { params }), ...(query && { query }), ...(body && { payload: body }) };
  const validate = { ...checked, failAction: (_: Request, h: ResponseToolkit, error?: Error) => failed(h, error) };
  const payload = { maxBytes: 1_048_576 };
  return {
    method,
    path,
    options: { auth: isOpen ? false : 'token', validate, ...(method === 'GET' ? {} : { payload }) },
    handler: own ?? (query ? ofCursors : passed),
  };
}

const passed = (_: Request, h: ResponseToolkit) => h.response({ passed: true }).header(passedHeader, 'yes');

/** The reference issues no cursors, so that none is good. */
function ofCursors(request: Request, h: ResponseToolkit): Lifecycle.ReturnValue {
  if (!('cursor' in request.query)) return passed(request, h);
  const message = '"cursor" contains an invalid value';
  return refusal(h, 400, message, [{ field: 'cursor', message }]);
}

/** The error body of the contract. */
export const refusal = (h: ResponseToolkit, status: number, message: string, details?: readonly Fault[]) =>
  h
    .response({ statusCode: status, error: STATUS_CODES[status], message, ...(details && { details }) })
    .code(status)
    .takeover();

function authenticated(
  request: Request,
  h: ResponseToolkit,
  isToken: (text: string) => boolean,
): Lifecycle.ReturnValue {
  const [scheme = '', ...given] = String(request.headers.authorization ?? '')
    .split(' ')
    .filter((part) => part !== '');
  // hapi's own message and challenge for a missing token.
  if (scheme.toLowerCase() !== 'bearer' || given.length !== 1) throw Boom.unauthorized(null, 'Bearer');
  if (isToken(given[0] ?? '')) return h.authenticated({ credentials: {} });
  return refusal(h, 401, 'Token expired').header('WWW-Authenticate', 'Bearer error="invalid_token"');
}

/** The contract takes only JSON; hapi parses texts and forms, too. */
function onlyJson(request: Request, h: ResponseToolkit): Lifecycle.ReturnValue {
  const { payload, mime } = request;
  if (request.route.method === 'get' || /^application\/(?:.+\+)?json$/.test(mime ?? '')) return h.continue;
  const isEmpty = payload === null || payload === '' || Object.keys(payload ?? {}).length === 0;
  if (!isEmpty) return refusal(h, 400, 'Unsupported Media Type');
  Object.assign(request, { payload: null });
  return h.continue;
}

/** Joi's errors as the details of the contract, the first of each field. 400 for path and query, 422 for the body. */
function failed(h: ResponseToolkit, error: unknown): Lifecycle.ReturnValue {
  if (!(error instanceof Error) || !('details' in error)) throw error;
  const details = faultsIn(error.details as Joi.ValidationErrorItem[]);
  const { output } = error as { output?: { payload: { validation: { source: string } } } };
  return refusal(h, output?.payload.validation.source === 'payload' ? 422 : 400, details[0]?.message ?? '', details);
}

/** hapi's own errors, with the statuses that the contract has. */
function inContract({ response }: Request, h: ResponseToolkit): Lifecycle.ReturnValue {
  if (!('isBoom' in response)) return h.continue;
  const { statusCode, payload } = response.output;
  const isOfBody = statusCode === 413 || statusCode === 415;
  const answer = refusal(h, isOfBody ? 400 : statusCode, payload.message);
  const challenge = response.output.headers['WWW-Authenticate'];
  return challenge === undefined ? answer : answer.header('WWW-Authenticate', String(challenge));
}
