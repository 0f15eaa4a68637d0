// The control API as a Hono app of its own: log, guards, then for each operation its sandbox, the validators and the handler.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { filled, patternOf } from '../../contract/addresses.ts';
import {
  type ControlOperation,
  ControlRefusal,
  controlStatusNames,
  sandboxIn,
} from '../../contract/control/control-operation.ts';
import { controlOperationList } from '../../contract/control/operations.ts';
import { Refusal } from '../../contract/refusal.ts';
import { rules } from '../../contract/rules.ts';
import { type HostedSandbox, SandboxResetError } from '../../sandbox/hosted-sandbox.ts';
import { earlierReply } from '../../sandbox/idempotency.ts';
import { SandboxGone } from '../../state/store.ts';
import { requestId } from '../../system/random.ts';
import { stopwatch } from '../../system/time.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Bindings, ServiceResponse } from '../exchange.ts';
import { requireMemoryFor, requireMemoryForResponse } from '../memory.ts';
import { protectedAnswer, protectedResponse } from '../response.ts';
import { controlCall, type HandledId, requireSandbox } from './call.ts';
import { pass } from './guards.ts';
import { handled } from './handlers.ts';
import { followEvents } from './journal.ts';
import { idempotencyOf, validatorsOf } from './validation.ts';

interface ControlEnv {
  Bindings: Bindings;
  Variables: {
    /** The sandbox in the path. Only set for operations on one. */
    sandbox?: HostedSandbox;
    /** True while `edge.onFailure` runs, and after it threw. */
    isFailing?: boolean;
  };
}

export function controlApp(deps: Dependencies): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>();
  app.use(logged(deps), guarded(deps));
  for (const operation of controlOperationList)
    app.on(operation.method, [routeOf(operation)], ...stagesOf(deps, operation), handlerOf(deps, operation));
  app.notFound(({ req }) => {
    throw unknownRoute(req.path, req.method);
  });
  app.onError((error, context) => {
    // An error from onFailure is for the caller of fetch. Hono calls this again for each middleware that the error passes through.
    if (context.get('isFailing')) throw error;
    context.set('isFailing', true);
    const refusal = toRefusal(deps, error);
    context.set('isFailing', false);
    return protectedResponse(context, deps, refusalAnswer(refusal));
  });
  return app;
}

/** `/_admin/sandboxes/{sandbox}/clock` → `/_admin/sandboxes/:sandbox/clock` */
const routeOf = ({ path }: ControlOperation): string => filled(path, (name) => `:${name}`);

/** The sandbox name in a request's path, decoded as Hono decodes path parameters. */
function sandboxNameIn(path: string): string | undefined {
  const name = sandboxIn(path);
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name;
  }
}

const logged = (deps: Dependencies): MiddlewareHandler => {
  return async (context, next) => {
    const started = stopwatch();
    await next();
    const { path, method } = context.req;
    const { status } = context.res;
    deps.log({ method, path, status, milliseconds: stopwatch() - started, sandbox: sandboxNameIn(path) });
  };
};

const guarded = (deps: Dependencies): MiddlewareHandler => {
  return async ({ req }, next) => {
    const guards = [...deps.guards.browser, ...deps.guards.key];
    await pass(guards, { deps, request: req.raw, sandboxName: sandboxNameIn(req.path) });
    await next();
  };
};

/** What runs before the handler: nothing of the body, which may be a whole state, is read before there is a sandbox and memory for it. */
function stagesOf(deps: Dependencies, operation: ControlOperation): MiddlewareHandler<ControlEnv>[] {
  const prepare: MiddlewareHandler<ControlEnv> = async (context, next) => {
    const name = context.req.param('sandbox');
    if (name !== undefined) context.set('sandbox', await requireSandbox(deps, name));
    requireMemoryFor(operation, deps);
    await next();
  };
  return [prepare, ...validatorsOf(operation)];
}

function handlerOf(deps: Dependencies, operation: ControlOperation) {
  return async (context: Context<ControlEnv>): Promise<Response> => {
    const { req } = context;
    const sandbox = context.get('sandbox');
    // The operations are a list here, so the compiler does not know what their validators output.
    const [query, body]: unknown[] = [req.valid('query' as never), req.valid('json' as never)];
    const input = { params: req.param(), query, body };
    const idempotency = idempotencyOf(deps, operation, req.raw, input);
    // Made after the body has arrived, which may take a while: a call has the time of its handling.
    const call = controlCall(deps, req.raw, sandbox, idempotency);
    if (operation.id === 'events.follow') return protectedAnswer(deps, 'data', await followEvents(context, call));
    const earlier = idempotency && (await sandbox?.read((state) => earlierReply(state, idempotency)));
    const reply = earlier ?? (await handled(operation.id as HandledId, call, input));
    const answer = jsonAnswer(reply.status, reply.body);
    requireMemoryForResponse(deps, req.method, answer);
    return protectedResponse(context, deps, answer);
  };
}

/** The refusal for an unknown path, or for a path without this method. */
function unknownRoute(path: string, method: string): ControlRefusal {
  const methods = controlOperationList
    .filter((operation) => patternOf(operation.path).test(path))
    .map((one) => one.method);
  if (methods.length === 0) return new ControlRefusal(404, `The control API has no ${path.slice(0, 200)}`);
  const allowed = [...new Set(methods)].join(', ');
  return new ControlRefusal(405, `${path} takes ${allowed}, not ${method}`, { headers: { Allow: allowed } });
}

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

/** A refusal in the contract's error body. */
function refusalAnswer({ status, message, details, headers }: ControlRefusal): ServiceResponse {
  const body = { statusCode: status, error: controlStatusNames[status], message, ...(details && { details }) };
  return jsonAnswer(status, body, headers);
}

/** The refusal for an error that a call threw. Bugs and failures of the store are reported, and answered with 500. */
export function toRefusal(deps: Dependencies, error: unknown): ControlRefusal {
  if (error instanceof ControlRefusal) return error;
  if (error instanceof SandboxResetError)
    return new ControlRefusal(409, 'The sandbox began anew while this waited; nothing was done, send it again');
  if (error instanceof SandboxGone) return new ControlRefusal(404, 'The sandbox was deleted');
  if (error instanceof Refusal) return serviceRefusal(error);
  deps.onFailure(error, requestId());
  return new ControlRefusal(500, 'An internal server error occurred');
}

const serviceRefusal = ({ judgedAs }: Refusal): ControlRefusal =>
  judgedAs === 'max_memory'
    ? new ControlRefusal(500, 'The memory of the server is full; reset or delete sandboxes, or remove snapshots')
    : new ControlRefusal(422, `What is required: ${rules[judgedAs].requires}`);
