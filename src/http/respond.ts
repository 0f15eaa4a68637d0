// One call from its arrival to its answer: the stages of HTTP-4, in order.
import { Refusal } from '../contract/refusal.ts';
import { stopwatch } from '../control/clock.ts';
import { requestId } from '../control/ids.ts';
import { type Body, readBody } from './body.ts';
import { type Arrival, Call, type Reply } from './call.ts';
import type { Edge } from './edge.ts';
import { locate } from './locate.ts';
import { failureReply, refusalReply } from './refuse.ts';
import { admission } from './stages/admission.ts';
import { operation } from './stages/operation.ts';
import { permission } from './stages/permission.ts';
import { bodyFormat, bodySchema, path, query } from './stages/request-parts.ts';
import { route } from './stages/route.ts';
import { token } from './stages/token.ts';

/** A stage lets the call pass, or throws the refusal that answers it. */
export type Stage = (call: Call) => void | Promise<void>;

/** HTTP-4: the first that fails answers. The order is behaviour. */
export const stages: readonly Stage[] = [
  admission,
  route, //       404
  token, //       401
  bodyFormat, //  400
  permission, //  403
  path, //        400
  query, //       400
  bodySchema, //  422
  operation, //   422 by the business rules, else the answer
];

export async function respond(edge: Edge, arrival: Arrival): Promise<Response> {
  const started = stopwatch();
  let call: Call | undefined;
  let reply: Reply;
  try {
    const body = await bodyOf(arrival);
    call = new Call(edge, arrival, await locate(edge, arrival, body), body);
    reply = await passed(call);
  } catch (error) {
    reply = replyTo(error, edge, call);
  }
  const { method, url } = arrival.request;
  const milliseconds = stopwatch() - started;
  edge.log({ method, path: new URL(url).pathname, status: reply.status, milliseconds, sandbox: call?.sandbox.name });
  return toResponse(reply);
}

/** Only an operation that takes a body has it read. */
async function bodyOf({ operation: found, request }: Arrival): Promise<Body | undefined> {
  return found?.body ? readBody(request) : undefined;
}

async function passed(call: Call): Promise<Reply> {
  for (const stage of stages) {
    const passing = stage(call);
    if (passing) await passing;
  }
  if (!call.reply) throw new Error('the last stage gives the answer');
  return call.reply;
}

function replyTo(error: unknown, edge: Edge, call: Call | undefined): Reply {
  if (error instanceof Refusal) return refusalReply(error, call?.terms);
  edge.onFailure(error, requestId());
  return failureReply();
}

export function toResponse({ status, body, headers }: Reply): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}
