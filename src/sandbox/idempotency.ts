// Calls of the control API that come with a key: what each was answered is kept in the very change that it made, so that one that comes again,
// at whatever server, is not done again.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import type { State } from '../state/state.ts';
import { type Answered, type AnsweredName, answeredNames } from '../state/values.ts';

/** By what a call is known when it comes again. */
export interface Once {
  readonly key: string;
  /** A hash of what is asked: another call of the same key is a mistake. */
  readonly fingerprint: string;
}

/** An answer that is no refusal: what is refused changes nothing, and is judged anew when it comes again. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * How this call was answered when it came before; undefined where it did not.
 * @throws ControlRefusal 422 where the key was another call's, 409 where the answer was not kept
 */
export const earlierReply = (state: State, once: Once): Reply | undefined => replyAmong(keptIn(state), once);

const keptIn = (state: State) => answeredNames.map((name) => state.value(name));

/** Has it done as a part of this state, unless it was done before. @throws as earlierReply does */
export function onceIn<R extends Reply>(state: State, once: Once, turn: () => R): R {
  const kept = keptIn(state);
  const earlier = replyAmong(kept, once);
  if (earlier) return earlier as R;
  const reply = turn();
  const n = 1 + Math.max(-1, ...kept.map((answered) => answered?.n ?? -1));
  state.setValue(answeredNames[n % answeredNames.length] as AnsweredName, answeredAs(once, reply, n));
  return reply;
}

/** The nth answer that a sandbox keeps. */
export function answeredAs({ key, fingerprint }: Once, { status, body }: Reply, n: number): Answered {
  const json = body === undefined ? null : JSON.stringify(body);
  const isLarge = json !== null && json.length > bounds.answerCharacters;
  return { n, key, fingerprint, status, ...(isLarge ? {} : { json }) };
}

function replyAmong(kept: readonly (Answered | undefined)[], { key, fingerprint }: Once): Reply | undefined {
  const found = kept.find((answered) => answered?.key === key);
  if (!found) return undefined;
  const { status, json } = found;
  if (found.fingerprint !== fingerprint)
    throw new ControlRefusal(422, 'The Idempotency-Key is that of another call; give each call a key of its own');
  if (json === undefined)
    throw new ControlRefusal(409, 'This call was done when it came first; its answer was too large to be kept');
  return { status, body: json === null ? undefined : JSON.parse(json) };
}
