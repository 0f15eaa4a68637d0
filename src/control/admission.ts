// What meets a call before it is judged: maintenance, the rate limit, then the faults by age. One transaction, which stands even where
// the call is then refused: a 429 uses up its burst.
import type { Drop } from '../contract/admin/faults.ts';
import type { Turn } from '../contract/admin/lever.ts';
import { limits, rateLimits } from '../contract/limits.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { State } from '../state/state.ts';
import { drawFraction } from './ids.ts';
import {
  type AdmittedCall,
  countedWindow,
  LeverTurn,
  overtakenBy,
  type Roll,
  type Trigger,
  triggerOf,
} from './levers.ts';

/** What the levers do to a call. */
export interface Admission {
  /** The names of the levers that met it, by age. */
  readonly met: readonly string[];
  /** Its answer, before the route is known (`early`) or after. */
  readonly refusal?: { readonly rule: RuleId; readonly retryAfterSeconds?: number; readonly early: boolean };
  readonly delayMilliseconds: number;
  readonly drop?: Drop;
}

const ruleOfStatus = {
  400: 'fault_400',
  401: 'AUTH-3',
  403: 'AUTH-5',
  404: 'fault_404',
  422: 'fault_422',
  429: 'LIM-1',
  500: 'HTTP-3',
} as const satisfies Record<number, RuleId>;

/** Whether anything could meet a call, so that an admission is worth a transaction. */
export const isBent = (state: State): boolean =>
  state.table('levers').size > 0 || state.value('readings').rate_limit !== 'off';

/** Judges a call by the levers, counts what they count, and says what they do. */
export function admit(state: State, hashes: Hashes, call: AdmittedCall, now: number): Admission {
  return new Admitting(state, hashes, call, now).run();
}

class Admitting {
  readonly #state: State;
  readonly #roll: Roll;
  readonly #call: AdmittedCall;
  readonly #now: number;
  readonly #overtaken: number;
  readonly #met: string[] = [];
  #delayMilliseconds = 0;
  #drop: Drop | undefined;
  #refusal: Admission['refusal'];

  constructor(state: State, hashes: Hashes, call: AdmittedCall, now: number) {
    const { seed } = state.value('identity');
    this.#state = state;
    this.#roll = (purpose, n) => drawFraction(hashes, seed, purpose, n);
    this.#call = call;
    this.#now = now;
    this.#overtaken = overtakenBy(state.value('clock'));
  }

  run(): Admission {
    if (!this.#turn('maintenance') && !this.#turn('rate_limit') && !this.#isOverReading() && this.#call.isRouted)
      this.#turn('fault');
    return {
      met: this.#met,
      delayMilliseconds: this.#delayMilliseconds,
      ...(this.#refusal && { refusal: this.#refusal }),
      ...(this.#drop && { drop: this.#drop }),
    };
  }

  /** Lets the levers of a turn meet the call, by age, until one answers it or breaks its connection. */
  #turn(turn: Turn): boolean {
    for (const [, lever] of [...this.#state.table('levers').walk('turn', turn)]) {
      const trigger = triggerOf(lever);
      if (!trigger) continue;
      const own = new LeverTurn(lever, trigger, this.#roll, this.#overtaken);
      if (own.meets(this.#call, this.#now)) {
        this.#met.push(lever.name);
        this.#delayMilliseconds += own.delayMilliseconds();
        this.#take(turn, trigger);
      }
      if (own.lever !== lever) this.#state.table('levers').replace(own.lever);
      if (this.#refusal || this.#drop) return true;
    }
    return false;
  }

  #take(turn: Turn, { status, retryAfterSeconds = limits.retryAfterSeconds, drop }: Trigger): void {
    this.#drop = drop;
    if (status === undefined) return;
    const retry = status === 429 ? { retryAfterSeconds } : {};
    this.#refusal = { rule: ruleOfStatus[status], early: turn !== 'fault', ...retry };
  }

  /** The reading `rate_limit`: a window of the whole sandbox. */
  #isOverReading(): boolean {
    const limit = rateLimits[this.#state.value('readings').rate_limit];
    if (!limit) return false;
    const window = countedWindow(this.#state.value('rate_window'), limit.seconds, this.#now, this.#overtaken);
    if (window.calls <= limit.calls) this.#state.setValue('rate_window', window);
    else this.#refusal = { rule: 'LIM-1', retryAfterSeconds: limits.retryAfterSeconds, early: true };
    return this.#refusal !== undefined;
  }
}
