// What meets a call before it is judged: maintenance, the rate limit, then the faults by age. One transaction, which stands even where
// the call is then refused: a 429 uses up its burst.
import { bounds } from '../contract/admin/bounds.ts';
import type { Delay, Drop } from '../contract/admin/faults.ts';
import type { Lever, Turn } from '../contract/admin/lever.ts';
import { limits } from '../contract/limits.ts';
import { rateLimits } from '../contract/rate-limit.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Draft } from '../state/draft.ts';
import { drawFraction } from './ids.ts';
import { matches, type RequestFacts } from './match.ts';
import { type Trigger, triggerOf } from './trigger.ts';

/** A call as the levers see it. */
export interface AdmittedCall extends RequestFacts {
  /** The permission it needs; null where none. */
  readonly permission: string | null;
  /** Whether the sandbox offers the operation: what is no route is met by no fault. */
  readonly isRouted: boolean;
}

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
export const isBent = (draft: Draft): boolean =>
  draft.table('levers').size > 0 || draft.value('readings').rate_limit !== 'off';

/** Judges a call by the levers, counts what they count, and says what they do. */
export function admit(draft: Draft, hashes: Hashes, call: AdmittedCall, now: number): Admission {
  return new Admitting(draft, hashes, call, now).run();
}

class Admitting {
  readonly #draft: Draft;
  readonly #hashes: Hashes;
  readonly #call: AdmittedCall;
  readonly #now: number;
  readonly #met: string[] = [];
  #delayMilliseconds = 0;
  #drop: Drop | undefined;
  #refusal: Admission['refusal'];

  constructor(draft: Draft, hashes: Hashes, call: AdmittedCall, now: number) {
    this.#draft = draft;
    this.#hashes = hashes;
    this.#call = call;
    this.#now = now;
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
    for (const [, lever] of [...this.#draft.table('levers').walk('turn', turn)]) {
      const trigger = triggerOf(lever);
      if (!trigger || !this.#meets(lever, trigger)) continue;
      this.#met.push(lever.name);
      this.#take(lever, trigger);
      if (this.#refusal || this.#drop) return true;
    }
    return false;
  }

  #take({ name, turn }: Lever, { status, retryAfterSeconds, delay, drop }: Trigger): void {
    this.#delayMilliseconds += delay ? this.#drawDelay(name, delay) : 0;
    this.#drop = drop;
    if (status === undefined) return;
    const retry = status === 429 ? { retryAfterSeconds: retryAfterSeconds ?? limits.retryAfterSeconds } : {};
    this.#refusal = { rule: ruleOfStatus[status], early: turn !== 'fault', ...retry };
  }

  /** Whether the lever meets this call; counts what that uses up. */
  #meets(lever: Lever, trigger: Trigger): boolean {
    const { match, permissions, times, forSeconds, after = 0 } = trigger;
    if (permissions && !permissions.includes(this.#call.permission ?? '')) return false;
    if (match && !matches(match, this.#call)) return false;
    if (times !== undefined && lever.hits >= times) return false;
    if (forSeconds !== undefined && this.#now >= lever.made_at + forSeconds * 1000) return false;
    if (lever.seen < after) return this.#count(lever, { seen: lever.seen + 1 }, false);
    if (!this.#isLucky(lever.name, trigger)) return false;
    return trigger.limit === undefined ? this.#hit(lever) : this.#isOverWindow(lever, trigger);
  }

  #hit(lever: Lever): boolean {
    return this.#count(lever, { hits: lever.hits + 1 }, true);
  }

  #count(lever: Lever, counted: Partial<Lever>, meets: boolean): boolean {
    this.#draft.table('levers').replace({ ...lever, ...counted } as Lever);
    return meets;
  }

  #isLucky(name: string, { probability = 1 }: Trigger): boolean {
    return probability >= 1 || this.#roll(`dice of ${name}`) < probability;
  }

  #isOverWindow(lever: Lever, { limit = 0, windowSeconds = 1 }: Trigger): boolean {
    const window = this.#counted(lever.window, windowSeconds);
    if (window.calls > limit) return this.#hit(lever);
    return this.#count(lever, { window }, false);
  }

  /** The reading `rate_limit`: a window of the whole sandbox. */
  #isOverReading(): boolean {
    const limit = rateLimits[this.#draft.value('readings').rate_limit];
    if (!limit) return false;
    const window = this.#counted(this.#draft.value('rate_window'), limit.seconds);
    if (window.calls <= limit.calls) this.#draft.setValue('rate_window', window);
    else this.#refusal = { rule: 'LIM-1', retryAfterSeconds: limits.retryAfterSeconds, early: true };
    return this.#refusal !== undefined;
  }

  /** The window with this call in it: the one that is open, or one that begins now. A clock set back begins one, too. */
  #counted(window: Lever['window'], seconds: number): NonNullable<Lever['window']> {
    const isOpen = window && this.#now >= window.began_at && this.#now < window.began_at + seconds * 1000;
    return isOpen ? { ...window, calls: window.calls + 1 } : { began_at: this.#now, calls: 1 };
  }

  #roll(purpose: string): number {
    return drawFraction(this.#hashes, this.#draft.value('identity').seed, purpose, this.#draft.count(purpose));
  }

  #drawDelay(name: string, delay: DeepReadonly<Delay>): number {
    if ('milliseconds' in delay) return delay.milliseconds;
    const roll = () => this.#roll(`delay of ${name}`);
    if ('min' in delay) return delay.min + roll() * (delay.max - delay.min);
    const normal = Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll());
    return Math.min(delay.median * Math.exp(delay.sigma * normal), bounds.delayMilliseconds);
  }
}
