// Who may have known what: whether a call was made by a client that had an earlier answer already, or was under way beside it.
import { stopwatch } from '../clock.ts';
import type { Answer, Entry } from '../journal/entry.ts';

/** An answer, as far as it matters who has seen it. It holds no bodies. */
export interface Told {
  /** The id of its request. */
  readonly id: string;
  readonly seen: Answer['seen'];
  /** Real time in milliseconds. */
  readonly endedAt: number;
  /** Real time in milliseconds after which nothing comes any more that was sent beside it. */
  readonly settled: { at: number };
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
}

/** A call on its arrival. */
export type Came = Pick<Entry, 'isOverPort' | 'sequence' | 'startedAt'>;

/** Over a port: what a call may wait for its connection, or take until it is read. */
const underWayMilliseconds = 1000;
/** In process: steps of the queue of microtasks within which a client has handed an answer through its layers. */
const layerSteps = 16;

export function toldBy({ id, isOverPort, startedAt }: Entry, { seen, durationMilliseconds, answeredAt }: Answer): Told {
  const endedAt = startedAt + durationMilliseconds;
  const settled = { at: isOverPort ? endedAt + underWayMilliseconds : Number.POSITIVE_INFINITY };
  if (!isOverPort) settle(settled, layerSteps);
  return { id, seen, endedAt, settled, answeredAt };
}

function settle(settled: Told['settled'], steps: number): void {
  if (steps > 0) queueMicrotask(() => settle(settled, steps - 1));
  else settled.at = stopwatch();
}

/**
 * Whether whoever made the call had the answer. What comes soon may have been sent beside the one that was answered, and have waited for
 * its connection: that cannot be told (docs/decisions/0012).
 */
export function knew(told: Told, call: Came): 'yes' | 'no' | 'perhaps' {
  if (!cameAfter(told, call)) return 'no';
  return call.startedAt > told.settled.at ? 'yes' : 'perhaps';
}

/** Whether the call came after the answer had been given, whoever had it; in process, after it could be read. */
export const cameAfter = ({ endedAt, seen }: Told, { isOverPort, startedAt, sequence }: Came): boolean =>
  startedAt >= endedAt && (isOverPort || sequence >= seen.from);
