// Who may have known what: whether a call was made by a client that had an earlier answer already, or was under way beside it.
import type { Answer, Entry } from '../journal/entry.ts';

/** An answer, as far as it matters who has seen it. It holds no bodies. */
export interface Told {
  /** The id of its request. */
  readonly id: string;
  readonly connection: object | undefined;
  readonly seen: Answer['seen'];
  /** Real time in milliseconds. */
  readonly endedAt: number;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
}

/** A call on its arrival. */
export type Came = Pick<Entry, 'connection' | 'sequence' | 'startedAt'>;

export const toldBy = ({ id, connection, startedAt }: Entry, answer: Answer): Told => ({
  id,
  connection,
  seen: answer.seen,
  endedAt: startedAt + answer.durationMilliseconds,
  answeredAt: answer.answeredAt,
});

/** What comes by another connection so soon after an answer may have been sent before that arrived. */
const underWayMilliseconds = 1000;

/**
 * Whether whoever made the call had the answer. In process a later turn tells. Over a port the same connection does, which carries no call
 * before the answer to the last, and so does the time between; else it cannot be told (docs/decisions/0012).
 */
export function knew(told: Told, call: Came): 'yes' | 'no' | 'perhaps' {
  if (!cameAfter(told, call)) return 'no';
  const isPlain = !call.connection || call.connection === told.connection;
  return isPlain || call.startedAt - told.endedAt >= underWayMilliseconds ? 'yes' : 'perhaps';
}

/** Whether the call came after the answer had been given, whoever had it; in process, after it could be read. */
export const cameAfter = (told: Told, call: Came): boolean =>
  call.connection ? call.startedAt >= told.endedAt : call.sequence >= told.seen.from;
