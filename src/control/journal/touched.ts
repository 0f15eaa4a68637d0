// Which assumptions the calls of a journal have hung on.
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Entry } from './entry.ts';

/** What calls have to do with one assumption. */
export interface Touch {
  /** How many have asked for it. */
  readonly calls: number;
  /** The newest of them. */
  readonly newest: Entry;
}

interface Way {
  calls: number;
  readonly newest: Entry;
  readonly terms: Terms;
}

/** By assumption; those that no call has asked for are not there. Calls are many, but the ways through the code that they took are few. */
export function touchedIn(newestFirst: Iterable<Entry>): ReadonlyMap<AssumptionId, Touch> {
  const touched = new Map<AssumptionId, Touch>();
  for (const { calls, newest, terms } of waysOf(newestFirst)) {
    for (const id of terms.asked) {
      const before = touched.get(id);
      touched.set(id, { calls: calls + (before?.calls ?? 0), newest: before?.newest ?? newest });
    }
  }
  return touched;
}

/** Calls that asked for the same, as one; in the order of the first that came. */
function waysOf(newestFirst: Iterable<Entry>): Iterable<Way> {
  const ways = new Map<string, Way>();
  for (const entry of newestFirst) {
    const terms = entry.answer?.decision.terms;
    if (!terms || entry.isByConsole) continue;
    const key = `${terms.low} ${terms.high}`;
    const way = ways.get(key);
    if (way) way.calls += 1;
    else ways.set(key, { calls: 1, newest: entry, terms });
  }
  return ways.values();
}
