// Whether the requests that a test expects came, now or in time. The result is `evicted` if evicted entries decide it.
import { boundsOf } from '../contract/control/match.ts';
import type { Verification } from '../contract/control/requests.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { after } from '../system/time.ts';
import { type Entry, factsOf } from './entry.ts';
import type { Journal } from './journal.ts';
import { matches } from './match.ts';

export interface Verified {
  readonly satisfied: boolean;
  /** How many matching requests the journal has. */
  readonly count: number;
  readonly requests: readonly Entry[];
}

const isMatch = (entry: Entry, { match }: DeepReadonly<Verification>): boolean =>
  entry.answer !== null && matches(match, factsOf(entry));

/** Counts only completed calls. */
export function verify(
  journal: Journal,
  expected: DeepReadonly<Verification>,
  isMatching = (entry: Entry) => isMatch(entry, expected),
): Verified | 'evicted' {
  const window = journal.window(expected.since);
  if (!window) return 'evicted';
  const requests = window.entries.filter(isMatching);
  const satisfied = isSatisfied(expected, requests.length, window.evicted);
  return satisfied === undefined ? 'evicted' : { satisfied, count: requests.length, requests };
}

/** Undefined if it depends on how many of the evicted entries matched. */
function isSatisfied(
  { count = { at_least: 1 } }: DeepReadonly<Verification>,
  kept: number,
  evicted: number,
): boolean | undefined {
  const { least, most } = boundsOf(count);
  const possible = kept + evicted;
  if (kept >= least && possible <= most) return true;
  return possible < least || kept > most || least > most ? false : undefined;
}

const isFinal = (found: Verified | 'evicted'): boolean => found === 'evicted' || found.satisfied;

/** Resolves as soon as it is satisfied, else at the timeout in real time, when the journal is closed, or on abort. */
export function wait(
  journal: Journal,
  expected: DeepReadonly<Verification>,
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
