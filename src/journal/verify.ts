// Whether the requests that a test expects came: now, or within some time. Never a guess: where the entries that would decide it were
// evicted, the answer is `evicted`.

import type { Match } from '../contract/control/match.ts';
import { boundsOf, type Count } from '../contract/control/match.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { after } from '../system/time.ts';
import { type Entry, factsOf } from './entry.ts';
import type { Journal } from './journal.ts';
import { holds, matches } from './match.ts';

// Which calls of the journal a match means. To read a body takes long, so it is read once for each who asks, and once for all who wait.

/** Whether a call is completed and meant. */
export type IsMeant = (entry: Entry) => boolean;

/** What was answered stays as it is, so each call is judged once; what was read of it is not kept, for it takes much more than its text. */
function judgeOf(match: DeepReadonly<Match>): IsMeant {
  const known = new WeakMap<Entry, boolean>();
  return (entry) => {
    if (entry.answer === null) return false;
    const isMeant = known.get(entry) ?? means(match, entry);
    known.set(entry, isMeant);
    return isMeant;
  };
}

const means = ({ body, ...others }: DeepReadonly<Match>, entry: Entry): boolean =>
  matches(others, factsOf(entry)) && (body === undefined || holds(body, bodyOf(entry)));

let lastRead: { readonly entry: Entry; readonly body: unknown } | undefined;

/** All who wait look at an answered call in one turn, so the last body that was read is kept for as long. */
function bodyOf(entry: Entry): unknown {
  if (lastRead?.entry === entry) return lastRead.body;
  if (!lastRead) queueMicrotask(forget);
  lastRead = { entry, body: factsOf(entry).body };
  return lastRead.body;
}

function forget(): void {
  lastRead = undefined;
}

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
