// The terms of one request: the sandbox's readings and the fixtures' closed lists. Every asking is noted, so that an answer
// can say which assumptions shaped it. What is built from terms (schemas) is built once per distinct terms.
import type { AssumptionId, Reading, Readings } from './assumptions.ts';

/** The readings that hold for one request, with a trace of those that were asked for. */
export class Terms {
  readonly readings: Readings;
  /** The fixtures' values of time_of_administration, for its reading `closed`. */
  readonly administrationTimes: readonly string[];
  readonly #asked = new Set<AssumptionId>();

  constructor(readings: Readings, administrationTimes: readonly string[]) {
    this.readings = readings;
    this.administrationTimes = administrationTimes;
  }

  /** The chosen reading; the asking is noted. */
  get<Id extends AssumptionId>(id: Id): Reading<Id> {
    this.#asked.add(id);
    return this.readings[id];
  }

  /** The assumptions asked for so far, in the order of their first asking. */
  get asked(): ReadonlySet<AssumptionId> {
    return this.#asked;
  }
}

interface Built<T> {
  readonly made: T;
  readonly asked: readonly AssumptionId[];
}

/**
 * A maker whose result is kept per distinct terms. What it asked while being built counts as asked at every use.
 * The cache is weak: it holds nothing longer than the readings and lists it was built from.
 */
export function perTerms<T>(build: (terms: Terms) => T): (terms: Terms) => T {
  const kept = new WeakMap<Readings, WeakMap<readonly string[], Built<T>>>();
  return (terms) => {
    const ofReadings = kept.get(terms.readings) ?? new WeakMap<readonly string[], Built<T>>();
    kept.set(terms.readings, ofReadings);
    const found = ofReadings.get(terms.administrationTimes) ?? buildOnce(build, terms);
    ofReadings.set(terms.administrationTimes, found);
    for (const id of found.asked) terms.get(id);
    return found.made;
  };
}

function buildOnce<T>(build: (terms: Terms) => T, { readings, administrationTimes }: Terms): Built<T> {
  const trace = new Terms(readings, administrationTimes);
  const made = build(trace);
  return { made, asked: [...trace.asked] };
}
