// The routes of the control API: guards, then the parts of the request, then the handler.
import type { Context, Hono } from 'hono';
import { adminPath, type ControlOperation, sandboxIn } from '../../contract/admin/control-operation.ts';
import { ControlRefusal, controlStatusNames } from '../../contract/admin/refusals.ts';
import { type ControlId, controlOperationList } from '../../contract/admin.ts';
import { explanations } from '../../contract/explanations.ts';
import { quoted } from '../../contract/file-faults.ts';
import { filled, patternOf } from '../../contract/path-template.ts';
import { Refusal } from '../../contract/refusal.ts';
import { machineTime, stopwatch } from '../../control/clock.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { requestId } from '../../control/ids.ts';
import { LifeOverError } from '../../control/keeping-up.ts';
import { SandboxGone } from '../../state/sandbox.ts';
import type { Awaitable } from '../../state/store.ts';
import { urlParts } from '../arrival.ts';
import type { Edge } from '../edge.ts';
import type { ControlCall } from './control-call.ts';
import { guards } from './guards.ts';
import { controlHandlers } from './handlers.ts';
import { bodyOf, queryOf } from './parts.ts';

type AnyHandler = (call: ControlCall, input: unknown) => Awaitable<{ status: number; body: unknown } | Response>;

/** `/_admin/sandboxes/{sandbox}/clock` → `/_admin/sandboxes/:sandbox/clock` */
const routeOf = ({ path }: ControlOperation): string => filled(path, (name) => `:${name}`);

export function addControlRoutes(app: Hono, edge: Edge): void {
  for (const operation of controlOperationList)
    app.on(operation.method, routeOf(operation), (context) =>
      serve(edge, context, (knock) => handle(knock, operation)),
    );
  for (const path of [adminPath, `${adminPath}/*`]) app.all(path, (context) => serve(edge, context, unknown));
}

interface Known {
  readonly edge: Edge;
  readonly context: Context;
  readonly params: Readonly<Record<string, string>>;
}

/** Guards a request, has it done, and answers; what was thrown, too. */
async function serve(edge: Edge, context: Context, act: (known: Known) => Promise<Response>): Promise<Response> {
  const started = stopwatch();
  const { raw: request, path, method } = context.req;
  const params = context.req.param() as Record<string, string>;
  const sandbox = params.sandbox ?? sandboxIn(path);
  let response: Response;
  try {
    for (const guard of guards) await guard.run({ edge, request, sandboxName: sandbox });
    response = await act({ edge, context, params });
  } catch (error) {
    response = refused(edge, error);
  }
  edge.log({ method, path, status: response.status, milliseconds: stopwatch() - started, sandbox });
  return response;
}

async function handle({ edge, context, params }: Known, operation: ControlOperation): Promise<Response> {
  const { raw: request } = context.req;
  const sandbox = params.sandbox === undefined ? undefined : await present(edge, params.sandbox);
  const input = { params, query: queryOf(operation, request), body: await bodyOf(operation, request) };
  const call: ControlCall = {
    edge,
    request,
    origin: edge.publicUrl ?? urlParts(request.url).origin,
    // A body may take its time to come.
    machineTime: machineTime(),
    get sandbox(): HostedSandbox {
      if (!sandbox) throw new Error(`${operation.id} names no sandbox`);
      return sandbox;
    },
  };
  const handler = controlHandlers[operation.id as ControlId] as unknown as AnyHandler;
  const reply = await handler(call, input);
  return reply instanceof Response ? reply : toResponse(reply.status, reply.body);
}

async function present({ sandboxes }: Edge, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (!sandbox)
    throw new ControlRefusal(
      404,
      `There is no sandbox ${quoted(name)}; a login as user+tag makes one, or POST ${adminPath}/sandboxes`,
    );
  sandboxes.use(sandbox, machineTime());
  return sandbox;
}

/** A path that is none, or one that is asked by a method it does not have. */
function unknown({ context }: Known): Promise<Response> {
  const { path, method } = context.req;
  const methods = controlOperationList
    .filter((operation) => patternOf(operation.path).test(path))
    .map((one) => one.method);
  if (methods.length === 0) throw new ControlRefusal(404, `The control API has no ${path.slice(0, 200)}`);
  const allowed = [...new Set(methods)].join(', ');
  throw new ControlRefusal(405, `${path} takes ${allowed}, not ${method}`, { headers: { Allow: allowed } });
}

const json = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

function toResponse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const hasBody = body !== undefined && body !== null;
  return new Response(hasBody ? JSON.stringify(body) : null, {
    status,
    headers: { ...(hasBody ? json : { 'Cache-Control': 'no-store' }), ...headers },
  });
}

/** What was thrown, in the contract's error body; what is no refusal is a bug or a failing store. */
function refused(edge: Edge, error: unknown): Response {
  const { status, message, details, headers } = asRefusal(edge, error);
  const body = { statusCode: status, error: controlStatusNames[status], message, ...(details && { details }) };
  return toResponse(status, body, headers);
}

function asRefusal(edge: Edge, error: unknown): ControlRefusal {
  if (error instanceof ControlRefusal) return error;
  if (error instanceof LifeOverError)
    return new ControlRefusal(409, 'The sandbox began anew while this waited; nothing was done, send it again');
  if (error instanceof SandboxGone) return new ControlRefusal(404, 'The sandbox was deleted');
  if (error instanceof Refusal) return new ControlRefusal(422, `What is required: ${explanations[error.judgedAs]}`);
  edge.onFailure(error, requestId());
  return new ControlRefusal(500, 'An internal server error occurred');
}
