// Whether the requests that a test expects came: now, or within some time. Never a guess: where the entries that would decide it were
// evicted, the answer is `evicted`.
import { boundsOf, type Count } from '../../contract/admin/count.ts';
import type { Match } from '../../contract/admin/match.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { after } from '../timeout.ts';
import type { Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { type IsMeant, judgeOf } from './judge.ts';

/** What is expected. */
export interface Asked {
  readonly match: DeepReadonly<Match>;
  /** At least 1 where it is not said. */
  readonly count?: DeepReadonly<Count> | undefined;
  /** Where the window begins: the id of an entry, for those after it, or an instant. Default: the last clear. */
  readonly since?: string | undefined;
}

export interface Verified {
  readonly satisfied: boolean;
  /** How many matching requests the journal has. */
  readonly count: number;
  readonly requests: readonly Entry[];
}

/** Only completed calls count. */
export const verify = (journal: Journal, asked: Asked): Verified | 'evicted' =>
  judged(journal, asked, judgeOf(asked.match));

function judged(journal: Journal, asked: Asked, isMeant: IsMeant): Verified | 'evicted' {
  const window = journal.window(asked.since);
  if (!window) return 'evicted';
  const requests = window.entries.filter(isMeant);
  const satisfied = isSatisfied(asked, requests.length, window.evicted);
  return satisfied === undefined ? 'evicted' : { satisfied, count: requests.length, requests };
}

/** Whether every number from `kept` to `kept + evicted` is one that was asked for, or none is; undefined where some are. */
function isSatisfied({ count = { at_least: 1 } }: Asked, kept: number, evicted: number): boolean | undefined {
  const { least, most } = boundsOf(count);
  const possible = kept + evicted;
  if (kept >= least && possible <= most) return true;
  return possible < least || kept > most || least > most ? false : undefined;
}

/** How long a wait may last, and what ends it early. */
export interface Waiting {
  readonly timeoutMilliseconds: number;
  /** Whoever waits has gone. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves as soon as it is satisfied; else at the timeout in real time, or when the journal is closed or nobody waits any more, as it is
 * then. The journal is looked through when the number of matching answers is one that was asked for, not at each of them.
 */
export function wait(
  journal: Journal,
  asked: Asked,
  { timeoutMilliseconds, signal }: Waiting,
): Promise<Verified | 'evicted'> {
  const isMeant = judgeOf(asked.match);
  const first = judged(journal, asked, isMeant);
  if (first === 'evicted' || first.satisfied) return Promise.resolve(first);
  let { count } = first;
  let { clearedTo } = journal;
  return new Promise((resolve) => {
    const end = () => {
      for (const stop of stops) stop();
      resolve(judged(journal, asked, isMeant));
    };
    const stops = [
      journal.onCompleted((entry) => {
        if (!isMeant(entry)) return;
        count = clearedTo === journal.clearedTo ? count + 1 : 1;
        clearedTo = journal.clearedTo;
        if (isSatisfied(asked, count, 0)) end();
      }),
      // What it names is gone with the rest: no call can be known to come after it.
      journal.onCleared(() => {
        if (!journal.window(asked.since)) end();
      }),
      after(timeoutMilliseconds, end),
      () => signal?.removeEventListener('abort', end),
    ];
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    stops.push(journal.onClosed(end));
  });
}
