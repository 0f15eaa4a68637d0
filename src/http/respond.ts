// One call from its arrival to its answer: the stages of HTTP-4, in order.
import { Refusal } from '../contract/refusal.ts';
import { stopwatch } from '../control/clock.ts';
import { requestId } from '../control/ids.ts';
import { type Awaitable, andThen, isPromise } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import { type Body, readBody } from './body.ts';
import { Call, type Reply } from './call.ts';
import type { Edge } from './edge.ts';
import { locate } from './locate.ts';
import { failureReply, refusalReply } from './refuse.ts';
import { report } from './report.ts';
import { admission } from './stages/admission.ts';
import { operation } from './stages/operation.ts';
import { permission } from './stages/permission.ts';
import { bodyFormat, bodySchema, path, query } from './stages/request-parts.ts';
import { route } from './stages/route.ts';
import { token } from './stages/token.ts';

/** A stage lets the call pass, or throws the refusal that answers it. */
export type Stage = (call: Call) => Awaitable<void>;

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

/** A call under way, as far as it has come: what a failure is told by. */
interface Passage {
  readonly edge: Edge;
  readonly arrival: Arrival;
  readonly started: number;
  call?: Call;
}

/** Answers at once where nothing has to be waited for, which is what a read over the memory store needs. */
export function respond(edge: Edge, arrival: Arrival): Awaitable<Response> {
  const passage: Passage = { edge, arrival, started: stopwatch() };
  return andThen(replied(passage), (reply) => answer(passage, reply));
}

function replied(passage: Passage): Awaitable<Reply> {
  const refused = (error: unknown) => replyTo(error, passage);
  try {
    const reply = andThen(bodyOf(passage.arrival), (body) => pass(passage, body));
    return isPromise(reply) ? reply.catch(refused) : reply;
  } catch (error) {
    return refused(error);
  }
}

/** Only an operation that takes a body has it read. */
function bodyOf({ operation: found, request }: Arrival): Awaitable<Body | undefined> {
  return found?.body ? readBody(request) : undefined;
}

function pass(passage: Passage, body: Body | undefined): Awaitable<Reply> {
  const { edge, arrival } = passage;
  return andThen(locate(edge, arrival, body), (located) => {
    passage.call = new Call(edge, arrival, located, body);
    return throughStages(passage.call, 0);
  });
}

function throughStages(call: Call, from: number): Awaitable<Reply> {
  for (let index = from; index < stages.length; index += 1) {
    const passing = stages[index]?.(call);
    if (passing !== undefined) return passing.then(() => throughStages(call, index + 1));
  }
  if (!call.reply) throw new Error('the last stage gives the answer');
  return call.reply;
}

function replyTo(error: unknown, { edge, call }: Passage): Reply {
  if (error instanceof Refusal) return refusalReply(error, call?.terms);
  edge.onFailure(error, requestId());
  return failureReply();
}

function answer({ edge, arrival, started, call }: Passage, reply: Reply): Response {
  report(edge, arrival, started, reply.status, call?.sandbox.name);
  return toResponse(reply);
}

const json = { 'content-type': 'application/json; charset=utf-8' };

export function toResponse({ status, body, headers }: Reply): Response {
  return new Response(JSON.stringify(body), { status, headers: headers ? { ...json, ...headers } : json });
}
