// Calls of the control API with an Idempotency-Key: the reply is stored in the same transaction as the change. A
// repeated call, to any server, changes nothing and gets the same reply.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import type { State } from '../state/state.ts';
import { type AnsweredName, answeredNames, type StoredReply } from '../state/values.ts';

export interface IdempotencyKey {
  readonly key: string;
  /** A hash of the call: a different call with the same key is a mistake. */
  readonly fingerprint: string;
}

/** The reply to a successful call. A refused call changes nothing, and can be retried with the same key. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const storedReplies = (state: State) => answeredNames.map((name) => state.value(name));

/** The earlier reply to this call. @throws ControlRefusal 422 for a key of another call, 409 for a reply not kept */
export function earlierReply(state: State, { key, fingerprint }: IdempotencyKey): Reply | undefined {
  const earlier = storedReplies(state).find((one) => one?.key === key);
  if (!earlier) return undefined;
  const { status, json } = earlier;
  if (earlier.fingerprint !== fingerprint)
    throw new ControlRefusal(422, 'Another call has used this Idempotency-Key; use a new key for each call');
  if (json === undefined)
    throw new ControlRefusal(
      409,
      'This call succeeded the first time; its response was too large to store; read the result with a GET',
    );
  return { status, body: json === null ? undefined : JSON.parse(json) };
}

/** Runs a call in a transaction of this state, unless it was run before. @throws like `earlierReply` */
export function runOnce<R extends Reply>(state: State, idempotency: IdempotencyKey, run: () => R): R {
  const earlier = earlierReply(state, idempotency);
  if (earlier) return earlier as R;
  const reply = run();
  const n = 1 + Math.max(-1, ...storedReplies(state).map((one) => one?.n ?? -1));
  state.setValue(answeredNames[n % answeredNames.length] as AnsweredName, storedReply(idempotency, reply, n));
  return reply;
}

/** What the sandbox stores of its n-th call with a key. */
export function storedReply({ key, fingerprint }: IdempotencyKey, { status, body }: Reply, n: number): StoredReply {
  const json = body === undefined ? null : JSON.stringify(body);
  const isLarge = json !== null && json.length > bounds.answerCharacters;
  return { n, key, fingerprint, status, ...(isLarge ? {} : { json }) };
}
