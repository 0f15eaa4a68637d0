// A client that runs elsewhere and calls by itself: it is waited for until its calls can be judged.
import { stopwatch } from '../../control/clock.ts';
import type { Caller, ToldScenario } from './caller.ts';
import type { Calls } from './calls.ts';
import { awaited } from './expectation-words.ts';

/** A client that goes on calling is judged after so many quiet times. */
const mostQuietTimes = 5;

export interface Patience {
  /** How long the expected calls of a scenario may take. */
  readonly timeoutMilliseconds: number;
  /** How long no call must come until the client counts as done. */
  readonly settleMilliseconds: number;
}

type Expectations = ToldScenario['expect'];

export class ClientElsewhere implements Caller {
  readonly #patience: Patience;
  readonly #baseUrl: string;
  #hasCalled = false;

  /** @param baseUrl where it shall call */
  constructor(patience: Patience, baseUrl: string) {
    this.#patience = patience;
    this.#baseUrl = baseUrl;
  }

  async before(): Promise<undefined> {
    return undefined;
  }

  /** @throws Error where nobody has called yet: there is no client to certify. */
  async during(scenario: ToldScenario, calls: Calls): Promise<string | undefined> {
    const { timeoutMilliseconds } = this.#patience;
    const { expect } = scenario;
    const { answered, isInTime } = await this.#expected(expect, calls);
    this.#hasCalled ||= answered > 0;
    const within = `within ${timeoutMilliseconds / 1000} s`;
    if (!this.#hasCalled)
      throw new Error(
        `no call came to ${this.#baseUrl} ${within}; point a client there (the README has its logins) and certify anew; waited for ${awaited(scenario).join('; ')}`,
      );
    if (isInTime) await this.#quiet(expect, calls, answered);
    return answered === 0 ? `no call came ${within}` : undefined;
  }

  async close(): Promise<void> {}

  /** Until all that is expected has come, or too much has. */
  async #expected(expect: Expectations, calls: Calls): Promise<{ answered: number; isInTime: boolean }> {
    const deadline = stopwatch() + this.#patience.timeoutMilliseconds;
    let answered = 0;
    for (let left = deadline - stopwatch(); left > 0; left = deadline - stopwatch()) {
      answered = await calls.more(answered, left);
      const { areSatisfied, areHopeless } = await calls.standingOf(expect);
      if ((areSatisfied && answered > 0) || areHopeless) return { answered, isInTime: true };
    }
    return { answered, isInTime: false };
  }

  /** Until the client calls no more, so that what it does too often is seen. */
  async #quiet(expect: Expectations, calls: Calls, already: number): Promise<void> {
    const { settleMilliseconds } = this.#patience;
    const end = stopwatch() + mostQuietTimes * settleMilliseconds;
    let answered = already;
    for (let left = end - stopwatch(); left > 0; left = end - stopwatch()) {
      if ((await calls.standingOf(expect)).areHopeless || !Number.isFinite(answered)) return;
      const last = answered;
      answered = await calls.more(last, Math.min(settleMilliseconds, left));
      if (answered === last && (await calls.underWay()) === 0) return;
    }
  }
}
