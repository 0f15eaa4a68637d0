// One call from its arrival to its answer: the stages of HTTP-4, in order.
import { Refusal } from '../contract/refusal.ts';
import { stopwatch } from '../control/clock.ts';
import { requestId } from '../control/ids.ts';
import type { StageName } from '../control/journal/decision.ts';
import { type Awaitable, andThen, isPromise } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import { type Body, readBody } from './body.ts';
import { Call, isLifeOver, type Reply } from './call.ts';
import type { Edge } from './edge.ts';
import { locate } from './locate.ts';
import { Passage } from './passage.ts';
import { failureReply, refusalReply } from './refuse.ts';
import type { Sent } from './rendered.ts';
import { rendered } from './response.ts';
import { requireRoom } from './room.ts';
import { admission } from './stages/admission.ts';
import { BrokenBefore, fault } from './stages/fault.ts';
import { operation } from './stages/operation.ts';
import { permission } from './stages/permission.ts';
import { bodyFormat, bodySchema, path, query } from './stages/request-parts.ts';
import { route } from './stages/route.ts';
import { token } from './stages/token.ts';

/** A stage lets the call pass, or throws the refusal that answers it. Its name stands in the journal. */
export interface Stage {
  readonly name: StageName;
  readonly run: (call: Call) => Awaitable<void>;
}

/** HTTP-4: the first that fails answers. The order is behaviour. */
export const stages: readonly Stage[] = [
  { name: 'admission', run: admission }, //      500 in maintenance, 429
  { name: 'route', run: route }, //              404
  { name: 'fault', run: fault }, //              what a tester set
  { name: 'token', run: token }, //              401
  { name: 'bodyFormat', run: bodyFormat }, //    400
  { name: 'permission', run: permission }, //    403
  { name: 'path', run: path }, //                400
  { name: 'query', run: query }, //              400
  { name: 'bodySchema', run: bodySchema }, //    422
  { name: 'operation', run: operation }, //      422 by the business rules, else the answer
];

/** Answers at once where nothing has to be waited for, which is what a read over the memory store needs. */
export function respond(edge: Edge, arrival: Arrival): Awaitable<Sent> {
  const passage = new Passage(edge, arrival, requestId(), stopwatch());
  return andThen(replied(passage), (reply) => passage.answer(reply && rendered(reply)));
}

function replied(passage: Passage): Awaitable<Reply | undefined> {
  const refused = (error: unknown) => replyTo(error, passage);
  try {
    const reply = andThen(bodyOf(passage), (body) => pass(passage, body));
    return isPromise(reply) ? reply.catch(refused) : reply;
  } catch (error) {
    return refused(error);
  }
}

/** Only an operation that takes a body has it read. */
function bodyOf({ edge, arrival: { operation: found, request } }: Passage): Awaitable<Body | undefined> {
  if (!found?.body) return undefined;
  requireRoom(edge);
  return readBody(request);
}

function pass(passage: Passage, body: Body | undefined): Awaitable<Reply> {
  const { edge, arrival } = passage;
  return andThen(locate(edge, arrival, body), (located) => {
    const call = passage.begin(new Call(edge, arrival, located, body));
    return throughStages(call, 0);
  });
}

function throughStages(call: Call, from: number): Awaitable<Reply> {
  for (let index = from; index < stages.length; index += 1) {
    const stage = stages[index];
    if (stage) call.stage = stage.name;
    const passing = stage?.run(call);
    if (passing !== undefined) return passing.then(() => throughStages(call, index + 1));
  }
  if (!call.reply) throw new Error('the last stage gives the answer');
  return call.reply;
}

/** The answer to whatever was thrown; none where the connection breaks before there is one. */
function replyTo(error: unknown, passage: Passage): Reply | undefined {
  if (error instanceof BrokenBefore) return undefined;
  if (error instanceof Refusal) {
    passage.refusal = error;
    return refusalReply(error, passage.call?.terms);
  }
  passage.refusal = new Refusal('HTTP-3');
  const reply = failureReply();
  if (!isLifeOver(error)) passage.fail(error, rendered(reply));
  return reply;
}
