// Whether the requests that a test expects came: now, or within some time. If evicted entries would decide it, the
// result is `evicted`.
import { boundsOf, type Count, type Match } from '../contract/control/match.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { after } from '../system/time.ts';
import { type Entry, factsOf } from './entry.ts';
import type { Journal } from './journal.ts';
import { matches } from './match.ts';

export interface Expectation {
  readonly match: DeepReadonly<Match>;
  /** Default: at least 1. */
  readonly count?: DeepReadonly<Count> | undefined;
  /** The id of an entry, for those after it; or an instant. Default: the last clear. */
  readonly since?: string | undefined;
}

export interface Verified {
  readonly satisfied: boolean;
  /** How many matching requests the journal has. */
  readonly count: number;
  readonly requests: readonly Entry[];
}

const isMatch = (entry: Entry, { match }: Expectation): boolean =>
  entry.answer !== null && matches(match, factsOf(entry));

/** Counts only completed calls. */
export function verify(
  journal: Journal,
  expected: Expectation,
  isMatching = (entry: Entry) => isMatch(entry, expected),
): Verified | 'evicted' {
  const window = journal.window(expected.since);
  if (!window) return 'evicted';
  const requests = window.entries.filter(isMatching);
  const satisfied = isSatisfied(expected, requests.length, window.evicted);
  return satisfied === undefined ? 'evicted' : { satisfied, count: requests.length, requests };
}

/** Undefined if it depends on how many of the evicted entries matched. */
function isSatisfied({ count = { at_least: 1 } }: Expectation, kept: number, evicted: number): boolean | undefined {
  const { least, most } = boundsOf(count);
  const possible = kept + evicted;
  if (kept >= least && possible <= most) return true;
  return possible < least || kept > most || least > most ? false : undefined;
}

const isFinal = (found: Verified | 'evicted'): boolean => found === 'evicted' || found.satisfied;

/**
 * Resolves as soon as it is satisfied; otherwise at the timeout in real time, when the journal is closed, or when the
 * signal aborts because nobody waits for the result any more.
 */
export function wait(
  journal: Journal,
  expected: Expectation,
  { timeoutMilliseconds, signal }: { readonly timeoutMilliseconds: number; readonly signal?: AbortSignal },
): Promise<Verified | 'evicted'> {
  const first = verify(journal, expected);
  if (first === 'evicted' || first.satisfied) return Promise.resolve(first);
  // An answered call stays as it is, so its body is read once.
  const matching = new WeakSet(first.requests);
  let { count } = first;
  const current = () => verify(journal, expected, (entry) => matching.has(entry));
  return new Promise((resolve) => {
    const end = () => {
      for (const stop of stops) stop();
      resolve(current());
    };
    signal?.addEventListener('abort', end);
    const stops = [after(timeoutMilliseconds, end), () => signal?.removeEventListener('abort', end)];
    const stopListening = journal.listen({
      completed(entry) {
        if (!isMatch(entry, expected)) return;
        matching.add(entry);
        count += 1;
        // A call that came before the window may be answered within it.
        if (isSatisfied(expected, count, 0) && isFinal(current())) end();
      },
      cleared() {
        count = 0;
        // No call can be known to come after an entry that was cleared.
        if (!journal.window(expected.since)) end();
      },
      closed: end,
    });
    stops.push(stopListening);
    if (signal?.aborted) end();
  });
}
