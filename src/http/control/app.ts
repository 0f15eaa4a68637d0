// The control API as a separate Hono app: log, guards, then each operation's sandbox, validators and handler.
import { zValidator } from '@hono/zod-validator';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { filled, mcpPath, patternOf, queryValues } from '../../contract/addresses.ts';
import { bounds } from '../../contract/control/bounds.ts';
import {
  type ControlOperation,
  ControlRefusal,
  controlStatusNames,
  idempotencyKey,
  requireValid,
  sandboxIn,
  takesIdempotencyKey,
} from '../../contract/control/control-operation.ts';
import { type ControlReplyOf, controlOperationList, controlOperations } from '../../contract/control/operations.ts';
import { parseFile } from '../../contract/fixtures.ts';
import { limits } from '../../contract/limits.ts';
import { nearestPath } from '../../contract/nearest.ts';
import { Refusal } from '../../contract/refusal.ts';
import { rules } from '../../contract/rules.ts';
import { hex } from '../../domain/hashes.ts';
import { type HostedSandbox, SandboxResetError } from '../../sandbox/hosted-sandbox.ts';
import { earlierReply, type IdempotencyKey, type Reply } from '../../sandbox/idempotency.ts';
import { SandboxDeletedError } from '../../state/store.ts';
import { requestId } from '../../system/random.ts';
import { stopwatch } from '../../system/time.ts';
import { readBody } from '../body.ts';
import type { AnswerMcp, Dependencies } from '../dependencies.ts';
import { guardControl, guardData, keyOwner } from '../guards.ts';
import { hasMemoryForResponse, requireMemoryFor } from '../memory.ts';
import { type Bindings, protectedResponse, protectedStream, type ServiceResponse } from '../response.ts';
import { bearerToken } from '../tokens.ts';
import { decoded, urlParts } from '../urls.ts';
import { ControlCall, type ControlHandlers, type HandledId, requireSandbox } from './call.ts';
import { followEvents, journalHandlers } from './journal.ts';
import { observationHandlers } from './observations.ts';
import { overrideHandlers } from './overrides.ts';
import { recordHandlers } from './records.ts';
import { sandboxHandlers } from './sandboxes.ts';

interface ControlEnv {
  Bindings: Bindings;
  Variables: {
    /** The sandbox in the path. Only set for operations on one. */
    sandbox?: HostedSandbox;
    /** True while `deps.onFailure` runs, and after it threw. */
    isFailing?: boolean;
  };
}

/** @param loadMcp loads what answers MCP; it runs with the first call that has a valid key */
export function controlApp(deps: Dependencies, loadMcp: () => Promise<AnswerMcp>): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>();
  app.use(log(deps));
  app.all(mcpPath, answerMcp(deps, loadMcp));
  app.use(guard(deps));
  for (const operation of controlOperationList) {
    const path = filled(operation.path, (name) => `:${name}`);
    app.on(operation.method, [path], prepare(deps, operation), ...validatorsOf(operation), handle(deps, operation));
  }
  app.notFound(({ req }) => {
    throw unknownRoute(req.path, req.method);
  });
  app.onError((error, c) => {
    // An error from onFailure is for the caller of fetch. Hono calls this again for each middleware that the error
    // passes through.
    if (c.get('isFailing')) throw error;
    c.set('isFailing', true);
    const { status, message, details, headers } = toRefusal(deps, error);
    c.set('isFailing', false);
    const body = { statusCode: status, error: controlStatusNames[status], message, ...(details && { details }) };
    return protectedResponse(c, deps, jsonAnswer(status, body, headers));
  });
  return app;
}

/** The MCP server has the guards, the keys and the body limit of the control API. */
const answerMcp = (deps: Dependencies, load: () => Promise<AnswerMcp>) => async (c: Context<ControlEnv>) => {
  const request = c.req.raw;
  guardControl(deps, request);
  const sandbox = await keyOwner(deps, request);
  if (request.method !== 'POST')
    throw new ControlRefusal(405, `${mcpPath} accepts POST, not ${request.method}`, { headers: { Allow: 'POST' } });
  const body = await readJson(c, {});
  if (Array.isArray(body)) return protectedResponse(c, deps, jsonAnswer(400, batchRefusal));
  const answer = await load();
  return protectedStream(deps, 'data', await answer(request, { body, key: bearerToken(request) ?? '', sandbox }));
};

/** Protocol 2025-06-18 removed batches. */
const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'MCP has no batches: send each message in a request of its own' },
};

/** The sandbox name in a request's path, decoded. */
function sandboxNameIn(path: string): string | undefined {
  const name = sandboxIn(path);
  return name && decoded(name);
}

const log =
  (deps: Dependencies): MiddlewareHandler =>
  async (c, next) => {
    const started = stopwatch();
    await next();
    const { path, method } = c.req;
    const milliseconds = stopwatch() - started;
    deps.log({ method, path, status: c.res.status, milliseconds, sandbox: sandboxNameIn(path) });
  };

const publicPaths = controlOperationList.filter(({ isPublic }) => isPublic).map(({ path }): string => path);

const guard =
  (deps: Dependencies): MiddlewareHandler =>
  async ({ req }, next) => {
    if (publicPaths.includes(req.path)) guardControl(deps, req.raw);
    else await guardData(deps, req.raw, sandboxNameIn(req.path));
    await next();
  };

/** Finds the sandbox, and requires memory: before the body, which may be a whole state, is read. */
const prepare =
  (deps: Dependencies, operation: ControlOperation): MiddlewareHandler<ControlEnv> =>
  async (c, next) => {
    const name = c.req.param('sandbox');
    if (name !== undefined) c.set('sandbox', await requireSandbox(deps, name));
    requireMemoryFor(operation, deps);
    await next();
  };

const handle = (deps: Dependencies, operation: ControlOperation) => async (c: Context<ControlEnv>) => {
  const { req } = c;
  const sandbox = c.get('sandbox');
  // The operations are a list here, so the compiler does not know what their validators output.
  const [query, body]: unknown[] = [req.valid('query' as never), req.valid('json' as never)];
  const input = { params: req.param(), query, body };
  const idempotency = idempotencyOf(deps, operation, req.raw, input);
  // Created after the body has arrived, which may take a while: the time of the call is that of its handling.
  const call = new ControlCall(deps, req.raw, sandbox, idempotency);
  if (operation.id === 'events.follow') return protectedStream(deps, 'data', await followEvents(c, call));
  const earlier = idempotency && (await sandbox?.read((state) => earlierReply(state, idempotency)));
  const reply = earlier ?? (await runHandler(operation.id as HandledId, call, input));
  const answer = jsonAnswer(reply.status, reply.body);
  if (!hasMemoryForResponse(deps, req.method, answer)) throw new Refusal('max_memory');
  return protectedResponse(c, deps, answer);
};

/** A missing handler does not compile. */
const handlers: ControlHandlers = {
  ...sandboxHandlers,
  ...overrideHandlers,
  ...observationHandlers,
  ...journalHandlers,
  ...recordHandlers,
};

/** @param input what the schemas of the operation output */
const runHandler = (id: HandledId, call: ControlCall, input: unknown): Promise<Reply> =>
  (handlers[id] as unknown as (call: ControlCall, input: unknown) => Promise<Reply>)(call, input);

/** The parts of a request before validation. */
export interface OperationInput {
  /** The path parameters, without the sandbox. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Runs an operation in process, for the console: validates the input with its schemas, and calls its handler.
 * @throws ControlRefusal like the control API
 * @example await runOperation(call, 'orders.accept', { params: { id } }); // the order
 */
export async function runControlOperation<Id extends HandledId>(
  call: ControlCall,
  id: Id,
  { params = {}, query = {}, body = {} }: OperationInput = {},
): Promise<ControlReplyOf<Id>['body']> {
  const operation: ControlOperation = controlOperations[id];
  requireMemoryFor(operation, call.deps);
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g))
    if (name !== 'sandbox' && !params[name]) throw new ControlRefusal(404, `${id} needs the path parameter "${name}"`);
  const input = {
    params,
    query: operation.query && parse(operation.query, query, 'query'),
    body: operation.body && parse(operation.body, body, 'json'),
  };
  const reply = await runHandler(id, call, input);
  return reply.body as ControlReplyOf<Id>['body'];
}

// Validation of the query and the JSON body.

type Target = 'query' | 'json';

/** The middleware that validates an operation's query and body; the handler gets both from `c.req.valid`. */
function validatorsOf({ query, body, ...size }: ControlOperation): MiddlewareHandler[] {
  const validators: MiddlewareHandler[] = [];
  if (query) validators.push(validator('query', query, async (c) => queryValues(urlParts(c.req.url).search)));
  if (body) validators.push(validator('json', body, (c) => readJson(c, size)));
  return validators;
}

/**
 * Hono's validator of the value that `read` returns. On its own it would drop query parameters without a name, accept
 * a body of any size and depth, and treat other media types as `{}`.
 */
const validator =
  (target: Target, schema: z.ZodType, read: (c: Context) => Promise<unknown>): MiddlewareHandler =>
  async (c, next) => {
    const value = await read(c);
    if (target === 'json') c.req.json = async <T>() => value as T;
    const validationFunction = () => ({ success: true, data: parse(schema, value, target) }) as const;
    return zValidator(target, schema, undefined, { validationFunction })(c, next);
  };

/** The value as the schema outputs it. @throws ControlRefusal 400 for a query, 422 for a body */
function parse(schema: z.ZodType, content: unknown, target: Target): unknown {
  const name = target === 'query' ? 'query' : 'body';
  // Unlike `safeParse`, `parseFile` survives bodies with more faults than zod can handle.
  return requireValid(parseFile(schema, { name, content }), target === 'query' ? 400 : 422);
}

/** Maximum depth and number of values of a JSON body. */
export const jsonBounds = { bodyDepth: limits.bodyDepth, bodyValues: bounds.bodyValues };

export function bodyTooLarge({
  bodyBytes = limits.bodyBytes,
  largerBody,
}: Pick<ControlOperation, 'bodyBytes' | 'largerBody'>): ControlRefusal {
  const advice = largerBody === undefined ? '' : `; ${largerBody}`;
  return new ControlRefusal(413, `The body is too large; this operation accepts at most ${bodyBytes} bytes${advice}`);
}

/** The JSON value of the body; `{}` for an empty body. @throws ControlRefusal 400, 413, 415 */
async function readJson(c: Context, size: Pick<ControlOperation, 'bodyBytes' | 'largerBody'>): Promise<unknown> {
  const { bodyBytes = limits.bodyBytes } = size;
  const body = await readBody(c, { bodyBytes, ...jsonBounds });
  if ('value' in body && body.text === null) return {};
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.raw.headers.get('content-type') ?? ''))
    throw new ControlRefusal(
      415,
      'The control API accepts only JSON: send the header `Content-Type: application/json`',
    );
  if ('value' in body) return body.value;
  const rule = body.refusal.judgedAs;
  if (rule === 'body_too_large') throw bodyTooLarge(size);
  if (rule === 'malformed_compression') throw new ControlRefusal(400, rules[rule].message);
  throw new ControlRefusal(
    400,
    `The body must be valid JSON, nested at most ${jsonBounds.bodyDepth} levels deep, with at most ` +
      `${jsonBounds.bodyValues} values and no key __proto__`,
  );
}

/**
 * The Idempotency-Key of a call, with a fingerprint of its operation and input; undefined without the header.
 * @throws ControlRefusal 400 for an invalid key
 */
function idempotencyOf(
  { hashes }: Dependencies,
  operation: ControlOperation,
  { headers }: Request,
  input: unknown,
): IdempotencyKey | undefined {
  const key = takesIdempotencyKey(operation) ? headers.get(idempotencyKey.header) : null;
  if (key === null) return undefined;
  if (!idempotencyKey.form.test(key)) throw new ControlRefusal(400, idempotencyKey.words);
  return { key, fingerprint: hex(hashes.sha256(JSON.stringify([operation.id, input]))) };
}

// Responses and refusals.

const json = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  const hasBody = body !== undefined && body !== null;
  return {
    kind: 'data',
    status,
    headers: { ...(hasBody ? json : { 'Cache-Control': 'no-store' }), ...headers },
    body: hasBody ? JSON.stringify(body) : null,
  };
}

/** The refusal for an unknown path, or for a path without this method. */
function unknownRoute(path: string, method: string): ControlRefusal {
  const methods = controlOperationList
    .filter((operation) => patternOf(operation.path).test(path))
    .map((operation) => operation.method);
  if (methods.length === 0) {
    const nearest = nearestPath(
      path,
      controlOperationList.map((operation) => operation.path),
    );
    const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
    return new ControlRefusal(404, `The control API has no route ${path.slice(0, 200)}${hint}`);
  }
  const allowed = [...new Set(methods)].join(', ');
  return new ControlRefusal(405, `${path} accepts ${allowed}, not ${method}`, { headers: { Allow: allowed } });
}

/** The refusal for an error that a call threw. Bugs and failures of the store are reported, and answered with 500. */
export function toRefusal(deps: Dependencies, error: unknown): ControlRefusal {
  if (error instanceof ControlRefusal) return error;
  if (error instanceof SandboxResetError)
    return new ControlRefusal(
      409,
      'The sandbox was reset during this call, so the call changed nothing; send it again',
    );
  if (error instanceof SandboxDeletedError) return new ControlRefusal(404, 'The sandbox was deleted');
  if (error instanceof Refusal && error.judgedAs === 'max_memory')
    return new ControlRefusal(500, 'The server is out of memory; reset or delete sandboxes, or delete snapshots');
  if (error instanceof Refusal && error.judgedAs === 'max_calls') {
    const { requires, headers } = rules.max_calls;
    const { facts } = error.broken[0];
    return new ControlRefusal(429, `${requires}: ${facts.retryAfterSeconds}`, { headers: headers(facts) });
  }
  if (error instanceof Refusal) return new ControlRefusal(422, rules[error.judgedAs].requires);
  deps.onFailure(error, requestId());
  return new ControlRefusal(500, 'An internal server error occurred');
}
