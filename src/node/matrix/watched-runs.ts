// What is learnt of a run from its calls while they come: nothing of them is kept but what is told.
import type { AssumptionId, Readings } from '../../contract/assumptions.ts';
import { Terms } from '../../contract/terms.ts';
import type { Entry } from '../../control/journal/entry.ts';
import { explainedRequest, isRefused, type RequestTold } from './explained-request.ts';
import { OutcomeCounts, outcomeOf } from './outcomes.ts';
import type { Turn } from './turns.ts';

/** The run by the base readings: what it asked for, and how often each outcome came. */
export class FirstRun {
  readonly base: Readings;
  readonly outcomes = new OutcomeCounts();
  readonly #asked: Terms;
  requests = 0;

  constructor(base: Readings) {
    this.base = base;
    this.#asked = new Terms(base, []);
  }

  see(entry: Entry): void {
    const { terms } = entry.answer?.decision ?? {};
    this.requests += 1;
    this.outcomes.add(outcomeOf(entry));
    if (terms) this.#asked.note(terms);
  }

  /** Which assumptions any of its calls asked for. */
  get asked(): ReadonlySet<AssumptionId> {
    return this.#asked.asked;
  }
}

/** A run by another reading, and the call at which it most likely failed. */
export class TurnedRun {
  readonly #first: FirstRun;
  readonly #turn: Turn;
  readonly #outcomes = new OutcomeCounts();
  /** The first call that met the reading; of those that were refused; of those whose outcome the first run had not as often. */
  #met: RequestTold | undefined;
  #refused: RequestTold | undefined;
  #surprising: RequestTold | undefined;
  /** Whether any of its calls asked for the assumption. */
  isReached = false;

  constructor(first: FirstRun, turn: Turn) {
    this.#first = first;
    this.#turn = turn;
  }

  see(entry: Entry, sandbox: string): void {
    const outcome = outcomeOf(entry);
    const isMore = this.#outcomes.add(outcome) > this.#first.outcomes.of(outcome);
    const { assumption, reading } = this.#turn;
    const { terms } = entry.answer?.decision ?? {};
    if (!terms?.asked.has(assumption)) return;
    this.isReached = true;
    // The client may have turned it back.
    if (terms.readings[assumption] !== reading) return;
    const told = () => explainedRequest(entry, { sandbox, turn: this.#turn, base: this.#first.base });
    this.#met ??= told();
    if (isRefused(entry)) this.#refused ??= told();
    if (isMore) this.#surprising ??= told();
  }

  /** Whether any of its calls met the reading. */
  get isMet(): boolean {
    return this.#met !== undefined;
  }

  /** Where to look when the run failed; null where no call met the reading. */
  get request(): RequestTold | null {
    return this.#surprising ?? this.#refused ?? this.#met ?? null;
  }
}
