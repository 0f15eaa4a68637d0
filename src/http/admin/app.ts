// The routes of the control API: guards, then the parts of the request, then the handler.
import { Hono } from 'hono';
import { adminPath, type ControlOperation, sandboxIn } from '../../contract/admin/control-operation.ts';
import { ControlRefusal, controlStatusNames } from '../../contract/admin/refusals.ts';
import { type ControlId, controlOperationList } from '../../contract/admin.ts';
import { filled, patternOf } from '../../contract/path-template.ts';
import { earlierReply } from '../../control/answered.ts';
import { stopwatch } from '../../control/clock.ts';
import { protectedAnswer } from '../answer-headers.ts';
import type { Edge } from '../edge.ts';
import type { ServiceResponse } from '../exchange.ts';
import type { App, AppContext, Env } from '../request-context.ts';
import { protectedResponse, requireRoomForResponse } from '../response.ts';
import { requireRoomFor } from '../room.ts';
import { controlCall, present } from './control-call.ts';
import { pass } from './guards.ts';
import { handled } from './handlers.ts';
import { onceOf } from './once.ts';
import { bodyOf, queryOf } from './parts.ts';
import { asRefusal } from './refused.ts';

/** `/_admin/sandboxes/{sandbox}/clock` → `/_admin/sandboxes/:sandbox/clock` */
const routeOf = ({ path }: ControlOperation): string => filled(path, (name) => `:${name}`);

export function controlApp(edge: Edge): App {
  const app: App = new Hono<Env>();
  for (const operation of controlOperationList)
    app.on(operation.method, routeOf(operation), (context) =>
      serve(edge, context, (knock) => handle(knock, operation)),
    );
  for (const path of [adminPath, `${adminPath}/*`]) app.all(path, (context) => serve(edge, context, unknown));
  app.onError((error) => {
    throw error;
  });
  return app;
}

interface Known {
  readonly edge: Edge;
  readonly context: AppContext;
  readonly params: Readonly<Record<string, string>>;
}

/** Guards a request, has it done, and answers; what was thrown, too. */
async function serve(
  edge: Edge,
  context: AppContext,
  act: (known: Known) => Promise<ServiceResponse | Response>,
): Promise<Response> {
  const started = stopwatch();
  const { raw: request, path, method } = context.req;
  const params = context.req.param() as Record<string, string>;
  const sandbox = params.sandbox ?? sandboxIn(path);
  let answer: ServiceResponse | Response;
  try {
    await pass([...edge.guards.browser, ...edge.guards.key], { edge, request, sandboxName: sandbox });
    answer = await act({ edge, context, params });
  } catch (error) {
    answer = refused(edge, error);
  }
  edge.log({ method, path, status: answer.status, milliseconds: stopwatch() - started, sandbox });
  return answer instanceof Response ? protectedAnswer(edge, 'data', answer) : protectedResponse(context, edge, answer);
}

async function handle(
  { edge, context, params }: Known,
  operation: ControlOperation,
): Promise<ServiceResponse | Response> {
  const { raw: request } = context.req;
  const sandbox = params.sandbox === undefined ? undefined : await present(edge, params.sandbox);
  // Before a body is read, which may be a whole state.
  requireRoomFor(operation, edge);
  const input = { params, query: queryOf(operation, context), body: await bodyOf(operation, context) };
  const once = onceOf(edge, operation, request, input);
  // A body may take its time to come, so the time is read behind it.
  const call = controlCall(edge, request, sandbox, once);
  const earlier = once && sandbox && earlierReply(sandbox.root.values, once);
  const reply = earlier ?? (await handled(operation.id as ControlId, call, input));
  if (reply instanceof Response) return reply;
  const response = rendered(reply.status, reply.body);
  requireRoomForResponse(edge, request.method, response);
  return response;
}

/** A path that is none, or one that is asked by a method it does not have. */
function unknown({ context }: Known): Promise<never> {
  const { path, method } = context.req;
  const methods = controlOperationList
    .filter((operation) => patternOf(operation.path).test(path))
    .map((one) => one.method);
  if (methods.length === 0) throw new ControlRefusal(404, `The control API has no ${path.slice(0, 200)}`);
  const allowed = [...new Set(methods)].join(', ');
  throw new ControlRefusal(405, `${path} takes ${allowed}, not ${method}`, { headers: { Allow: allowed } });
}

const json = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

function rendered(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  const hasBody = body !== undefined && body !== null;
  return {
    kind: 'data',
    status,
    headers: { ...(hasBody ? json : { 'Cache-Control': 'no-store' }), ...headers },
    body: hasBody ? JSON.stringify(body) : null,
  };
}

/** What was thrown, in the contract's error body; what is no refusal is a bug or a failing store. */
function refused(edge: Edge, error: unknown): ServiceResponse {
  const { status, message, details, headers } = asRefusal(edge, error);
  const body = { statusCode: status, error: controlStatusNames[status], message, ...(details && { details }) };
  return rendered(status, body, headers);
}
