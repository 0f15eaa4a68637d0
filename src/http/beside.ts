// What a sandbox serves beside the contract's operations, inside its base URL: it stands in the journal, and no fault meets it.
import { stage } from '../contract/addresses.ts';
import { stopwatch } from '../control/clock.ts';
import { requestId } from '../control/ids.ts';
import type { StageName } from '../control/journal/decision.ts';
import type { Awaitable } from '../state/store.ts';
import type { Arrival } from './arrival.ts';
import { Call, isLifeOver } from './call.ts';
import type { Edge } from './edge.ts';
import { Passage } from './passage.ts';
import type { Rendered } from './rendered.ts';
import { sent } from './response.ts';

/** A place beside the operations. */
export interface Place {
  /** Its name in the journal. */
  readonly name: StageName;
  readonly answer: (call: Call, passage: Passage) => Awaitable<Rendered>;
  readonly unknownSandbox: (passage: Passage) => Rendered;
  readonly failed: (passage: Passage) => Rendered;
}

export async function serveBeside(edge: Edge, arrival: Arrival, place: Place): Promise<Response> {
  const passage = new Passage(edge, arrival, requestId(), stopwatch());
  return sent(arrival.request, await passage.answer(await answerOf(passage, place)));
}

async function answerOf(passage: Passage, place: Place): Promise<Rendered> {
  const { edge, arrival } = passage;
  try {
    const sandbox = await edge.sandboxes.get(arrival.sandboxName ?? stage);
    if (!sandbox) return place.unknownSandbox(passage);
    const call = passage.begin(new Call(edge, arrival, { sandbox }, undefined));
    call.stage = place.name;
    return await place.answer(call, passage);
  } catch (error) {
    const failed = place.failed(passage);
    if (!isLifeOver(error)) passage.fail(error, failed);
    return failed;
  }
}
