/**
 * The hapi reference: a hapi server with the contract's routes, Joi's checks and Boom's errors, as the emulated service is taken to be made. It
 * stores nothing: what passes its checks is answered `passed`.
 */
import { STATUS_CODES } from 'node:http';
import Boom from '@hapi/boom';
import Hapi, {
  type Lifecycle,
  type Request,
  type ResponseObject,
  type ResponseToolkit,
  type RouteOptionsValidate,
  type ServerRoute,
} from '@hapi/hapi';
import Joi from 'joi';
import { type Fault, faultsIn } from '../joi-order.ts';
import { type ReferenceRoute, referenceRoutes } from './schemas.ts';

/** The header of an answer to a request that passed. */
export const passedHeader = 'x-reference-passed';

export interface HapiServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the reference on a free port; `token` is the one that it takes. */
export async function startReference(token: string): Promise<HapiServer> {
  const server = Hapi.server({
    port: 0,
    host: '127.0.0.1',
    debug: false,
    routes: { validate: { options: { abortEarly: false, errors: { label: 'key' } } }, state: { parse: false } },
  });
  server.validator(Joi);
  server.auth.scheme('bearer', () => ({ authenticate: (request, h) => authenticated(request, h, token) }));
  server.auth.strategy('token', 'bearer');
  server.ext('onPostAuth', onlyJson);
  server.ext('onPreResponse', inContract);
  server.route(referenceRoutes.map(routed));
  await server.start();
  return { port: Number(server.info.port), close: () => server.stop({ timeout: 0 }) };
}

function routed({ method, path, isOpen, params, query, body }: ReferenceRoute): ServerRoute {
  const validate: RouteOptionsValidate = {
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { payload: body }),
    failAction: (_, h, error) => failed(h, error),
  };
  const payload = { maxBytes: 1_048_576 };
  return {
    method,
    path,
    options: { auth: isOpen ? false : 'token', validate, ...(method === 'GET' ? {} : { payload }) },
    handler: query ? ofCursors : passed,
  };
}

const passed = (_: Request, h: ResponseToolkit) => h.response({ passed: true }).header(passedHeader, 'yes');

/** A cursor is one that the server gave, and the reference gives none. */
function ofCursors(request: Request, h: ResponseToolkit): Lifecycle.ReturnValue {
  if (!('cursor' in request.query)) return passed(request, h);
  const message = '"cursor" contains an invalid value';
  return refusal(h, 400, message, [{ field: 'cursor', message }]);
}

/** The answer in the contract's body. */
const refusal = (h: ResponseToolkit, status: number, message: string, details?: readonly Fault[]): ResponseObject =>
  h
    .response({ statusCode: status, error: STATUS_CODES[status], message, ...(details && { details }) })
    .code(status)
    .takeover();

function authenticated(request: Request, h: ResponseToolkit, token: string): Lifecycle.ReturnValue {
  const [scheme = '', ...given] = String(request.headers.authorization ?? '')
    .split(' ')
    .filter((part) => part !== '');
  // What is missing hapi says itself: its words, and its challenge.
  if (scheme.toLowerCase() !== 'bearer' || given.length !== 1) throw Boom.unauthorized(null, 'Bearer');
  if (given[0] === token) return h.authenticated({ credentials: {} });
  return refusal(h, 401, 'Token expired').header('WWW-Authenticate', 'Bearer error="invalid_token"');
}

/** The contract takes JSON alone; hapi would make texts and forms of other types. */
function onlyJson(request: Request, h: ResponseToolkit): Lifecycle.ReturnValue {
  const { payload, mime } = request;
  if (request.route.method === 'get' || /^application\/(?:.+\+)?json$/.test(mime ?? '')) return h.continue;
  const isEmpty = payload === null || payload === '' || Object.keys(payload ?? {}).length === 0;
  if (!isEmpty) return refusal(h, 400, 'Unsupported Media Type');
  Object.assign(request, { payload: null });
  return h.continue;
}

/** Joi's faults as the contract's details: of each field the first. 400 for path and query, 422 for the body. */
function failed(h: ResponseToolkit, error: unknown): Lifecycle.ReturnValue {
  if (!(error instanceof Error) || !('details' in error)) throw error;
  const details = faultsIn(error.details as Joi.ValidationErrorItem[]);
  const source =
    'output' in error
      ? (error.output as { payload: { validation: { source: string } } }).payload.validation.source
      : '';
  return refusal(h, source === 'payload' ? 422 : 400, details[0]?.message ?? '', details);
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
