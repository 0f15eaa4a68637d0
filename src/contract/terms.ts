// The terms of one request: the sandbox's readings and the fixtures' closed lists. Every asking is noted, so that an answer
// can say which assumptions shaped it. What is built from terms (schemas) is built once per distinct terms.
import { LRUCache } from 'lru-cache';
import { type AssumptionId, assumptionIds, type Choice, type Choices } from './assumptions.ts';

/** Assumptions asked for, as bits: the first thirty of the register, and the rest. */
interface Trace {
  readonly low: number;
  readonly high: number;
}

const lowBits = 30;
if (assumptionIds.length > 53) throw new Error('a trace keeps its bits in one safe integer');
const bitOf = Object.fromEntries(assumptionIds.map((id, bit) => [id, bit])) as Record<AssumptionId, number>;
const has = ({ low, high }: Trace, bit: number): boolean =>
  ((bit < lowBits ? low >>> bit : high >>> (bit - lowBits)) & 1) === 1;

/** The readings that hold for one request, with a trace of those that were asked for. */
export class Assumptions implements Trace {
  readonly choices: Choices;
  /** The fixtures' values of time_of_administration, for its reading `closed`. */
  readonly administrationTimes: readonly string[];
  low = 0;
  high = 0;

  constructor(choices: Choices, administrationTimes: readonly string[]) {
    this.choices = choices;
    this.administrationTimes = administrationTimes;
  }

  /** The chosen reading; the asking is noted. */
  get<Id extends AssumptionId>(id: Id): Choice<Id> {
    const bit = bitOf[id];
    if (bit < lowBits) this.low |= 1 << bit;
    else this.high |= 1 << (bit - lowBits);
    return this.choices[id];
  }

  /** Notes the askings of something built earlier. */
  note({ low, high }: Trace): void {
    this.low |= low;
    this.high |= high;
  }

  /** The same readings with the same trace: one object for all calls that have asked for the same, to be kept. */
  get kept(): Assumptions {
    const key = this.low + this.high * 2 ** lowBits;
    const ofReadings = traces.get(this.choices) ?? new Map<number, Assumptions>();
    const found = ofReadings.get(key);
    if (found?.administrationTimes === this.administrationTimes) return found;
    const kept = new Assumptions(this.choices, this.administrationTimes);
    kept.note(this);
    traces.set(this.choices, ofReadings.set(key, kept));
    return kept;
  }

  /** The assumptions asked for so far. */
  get asked(): ReadonlySet<AssumptionId> {
    return new Set(assumptionIds.filter((_, bit) => has(this, bit)));
  }

  /** The readings asked for so far, as `id=reading, …` in the register's order. */
  asText(): string {
    const ofReadings = texts.get(this.choices) ?? new Map<number, string>();
    const key = this.low + this.high * 2 ** lowBits;
    const kept = ofReadings.get(key);
    if (kept !== undefined) return kept;
    const made = [...this.asked].map((id) => `${id}=${this.choices[id]}`).join(', ');
    texts.set(this.choices, ofReadings.set(key, made));
    return made;
  }
}

/** The traces of calls: as many as there are ways through the code. */
const traces = new WeakMap<Choices, Map<number, Assumptions>>();
/** Their texts: as many as there are ways through the code. */
const texts = new WeakMap<Choices, Map<number, string>>();

const timesByContent = new LRUCache<string, { readonly values: readonly string[] }>({ max: 256 });

/** One object per distinct list, so that sandboxes that came out of a store share their schemas. */
export function internTimes(times: { readonly values: readonly string[] }): { readonly values: readonly string[] } {
  const key = JSON.stringify(times.values);
  const kept = timesByContent.get(key) ?? Object.freeze({ values: Object.freeze([...times.values]) });
  timesByContent.set(key, kept);
  return kept;
}

interface Built<T> {
  readonly made: T;
  readonly asked: Trace;
}

/**
 * A maker whose result is kept per distinct terms. What it asked while being built counts as asked at every use.
 * The cache is weak: it holds nothing longer than the readings and lists it was built from.
 */
export function perAssumptions<T>(build: (assumptions: Assumptions) => T): (assumptions: Assumptions) => T {
  const kept: Kept<T> = new WeakMap();
  return (assumptions) => {
    const found =
      kept.get(assumptions.choices)?.get(assumptions.administrationTimes) ?? buildAndKeep(kept, build, assumptions);
    assumptions.note(found.asked);
    return found.made;
  };
}

type Kept<T> = WeakMap<Choices, WeakMap<readonly string[], Built<T>>>;

function buildAndKeep<T>(kept: Kept<T>, build: (assumptions: Assumptions) => T, assumptions: Assumptions): Built<T> {
  const ofReadings = kept.get(assumptions.choices) ?? new WeakMap<readonly string[], Built<T>>();
  const built = buildOnce(build, assumptions);
  kept.set(assumptions.choices, ofReadings.set(assumptions.administrationTimes, built));
  return built;
}

function buildOnce<T>(build: (assumptions: Assumptions) => T, { choices, administrationTimes }: Assumptions): Built<T> {
  const trace = new Assumptions(choices, administrationTimes);
  const made = build(trace);
  return { made, asked: { low: trace.low, high: trace.high } };
}
