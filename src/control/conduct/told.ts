// Who may have known what: whether a call was made by a client that had an earlier answer already, or was under way beside it.
import type { Answer, Entry } from '../journal/entry.ts';

/** An answer, as far as it matters who has seen it. It holds no bodies. */
export interface Told {
  /** The id of its request. */
  readonly id: string;
  /** Of a call in process: when the caller had the answer. */
  readonly handedOver: Answer['handedOver'];
  /** Real time in milliseconds. */
  readonly endedAt: number;
  readonly isOverPort: boolean;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
}

/** A call on its arrival. */
export type Came = Pick<Entry, 'isOverPort' | 'sequence' | 'startedAt'>;

/** Over a port: what a call may wait for its connection, or take until it is read. */
const underWayMilliseconds = 1000;
export const toldBy = (
  { id, isOverPort, startedAt }: Entry,
  { handedOver, durationMilliseconds, answeredAt }: Answer,
): Told => ({ id, handedOver, isOverPort, endedAt: startedAt + durationMilliseconds, answeredAt });

/** Real time in milliseconds after which no call arrives that was sent beside the answered one. */
const settledAt = ({ isOverPort, endedAt, handedOver }: Told): number =>
  isOverPort ? endedAt + underWayMilliseconds : handedOver.settledAt;

/**
 * Whether whoever made the call had the answer. What comes soon may have been sent beside the one that was answered, and have waited for
 * its connection: that cannot be told (docs/decisions/0012).
 */
export function knew(told: Told, call: Came): 'yes' | 'no' | 'perhaps' {
  if (!cameAfter(told, call)) return 'no';
  return call.startedAt > settledAt(told) ? 'yes' : 'perhaps';
}

/** Whether the call came after the answer had been given, whoever had it; in process, after it could be read. */
export const cameAfter = ({ endedAt, handedOver }: Told, { isOverPort, startedAt, sequence }: Came): boolean =>
  startedAt >= endedAt && (isOverPort || sequence >= handedOver.from);
