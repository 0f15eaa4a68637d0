// What switches and faults do to a call before it is judged: maintenance, the rate limit, then the faults by age.
// One transaction, which stays even if the call is then rejected: a 429 uses up its burst.
import { bounds } from '../contract/control/bounds.ts';
import type { RequestMatch } from '../contract/control/match.ts';
import type { Override, OverridePhase, RateWindow, SettingsOf } from '../contract/control/overrides.ts';
import type { Delay, Drop, Fault } from '../contract/control/switches.ts';
import { limits, rateLimits } from '../contract/limits.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Hashes } from '../domain/hashes.ts';
import { matches, type RequestFacts } from '../journal/match.ts';
import type { State } from '../state/state.ts';
import type { ClockState } from '../state/values.ts';
import { drawFraction } from './ids.ts';

/** What the switches and faults do to a call. */
export interface FaultOutcome {
  /** The names of the switches and faults that affected it, by age. */
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

/** Whether anything could affect a call, so that evaluating the faults is worth a transaction. */
export const hasFaults = (state: State): boolean =>
  state.table('levers').size > 0 || state.value('choices').rate_limit !== 'off';

/** Evaluates the switches and faults for a call, and counts what they count. */
export function evaluateFaults(state: State, hashes: Hashes, call: AdmittedCall, now: number): FaultOutcome {
  return new CallEvaluation(state, hashes, call, now).run();
}

class CallEvaluation {
  readonly #state: State;
  readonly #random: Random;
  readonly #call: AdmittedCall;
  readonly #now: number;
  readonly #overtaken: number;
  readonly #met: string[] = [];
  #delayMilliseconds = 0;
  #drop: Drop | undefined;
  #refusal: FaultOutcome['refusal'];

  constructor(state: State, hashes: Hashes, call: AdmittedCall, now: number) {
    const { seed } = state.value('identity');
    this.#state = state;
    this.#random = (purpose, n) => drawFraction(hashes, seed, purpose, n);
    this.#call = call;
    this.#now = now;
    this.#overtaken = overtakenBy(state.value('clock'));
  }

  run(): FaultOutcome {
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
  #turn(turn: OverridePhase): boolean {
    for (const [, override] of [...this.#state.table('levers').walk('turn', turn)]) {
      const spec = faultSpecOf(override);
      if (!spec) continue;
      const own = new FaultEvaluation(override, spec, this.#random, this.#overtaken);
      if (own.meets(this.#call, this.#now)) {
        this.#met.push(override.name);
        this.#delayMilliseconds += own.delayMilliseconds();
        this.#take(turn, spec);
      }
      if (own.override !== override) this.#state.table('levers').replace(own.override);
      if (this.#refusal || this.#drop) return true;
    }
    return false;
  }

  #take(turn: OverridePhase, { status, retryAfterSeconds = limits.retryAfterSeconds, drop }: FaultSpec): void {
    this.#drop = drop;
    if (status === undefined) return;
    const retry = status === 429 ? { retryAfterSeconds } : {};
    this.#refusal = { rule: ruleOfStatus[status], early: turn !== 'fault', ...retry };
  }

  /** The reading `rate_limit`: a window of the whole sandbox. */
  #isOverReading(): boolean {
    const limit = rateLimits[this.#state.value('choices').rate_limit];
    if (!limit) return false;
    const window = countedWindow(this.#state.value('rate_window'), limit.seconds, this.#now, this.#overtaken);
    if (window.calls <= limit.calls) this.#state.setValue('rate_window', window);
    else this.#refusal = { rule: 'LIM-1', retryAfterSeconds: limits.retryAfterSeconds, early: true };
    return this.#refusal !== undefined;
  }
}

// When a switch or fault meets a call, and with what: all said in the same words.

interface FaultSpec {
  readonly match?: DeepReadonly<RequestMatch> | undefined;
  /** Only calls that need one of these. */
  readonly permissions?: readonly string[];
  readonly status?: Fault['status'];
  readonly retryAfterSeconds?: number;
  readonly delay?: DeepReadonly<Delay> | undefined;
  readonly drop?: Drop | undefined;
  readonly times?: number | undefined;
  readonly after?: number | undefined;
  readonly forSeconds?: number | undefined;
  readonly probability?: number | undefined;
  /** Calls that a window lets pass. */
  readonly limit?: number | undefined;
  readonly windowSeconds?: number | undefined;
}

/** The spec of a lever; undefined for switches that are asked for where they matter. */
function faultSpecOf({ kind, settings }: Override): FaultSpec | undefined {
  switch (kind) {
    case 'maintenance':
      return { match: settings.match, status: 500, forSeconds: settings.for_seconds };
    case 'rate_limit':
      return {
        match: settings.match,
        status: 429,
        retryAfterSeconds: settings.retry_after ?? limits.retryAfterSeconds,
        times: settings.burst,
        forSeconds: settings.for_seconds,
        limit: settings.limit,
        windowSeconds: settings.window_seconds,
      };
    case 'missing_permission':
      return { match: settings.match, status: 403, permissions: settings.permissions };
    case 'server_error':
      return { match: settings.match, status: 500, times: settings.burst, probability: settings.probability };
    case 'latency':
      return { match: settings.match, delay: latencyDelay(settings), probability: settings.probability };
    case 'connection':
      return { match: settings.match, drop: settings.drop, times: settings.burst, probability: settings.probability };
    case 'fault':
      return specOfFault(settings);
    default:
      return undefined;
  }
}

type Latency = SettingsOf<'latency'>;

function latencyDelay({ milliseconds, min = 0, max = min }: Latency): Delay {
  return milliseconds === undefined ? { min, max } : { milliseconds };
}

function specOfFault({ retry_after, for_seconds, id: _, ...same }: DeepReadonly<Fault>): FaultSpec {
  return { ...same, retryAfterSeconds: retry_after ?? limits.retryAfterSeconds, forSeconds: for_seconds };
}

// One switch or fault and one call: whether it affects the call, and what that uses up. Its counts are written once.

/** A call as the levers see it. */
export interface AdmittedCall extends RequestFacts {
  /** The permission it needs; null where none. */
  readonly permission: string | null;
  /** Whether the sandbox offers the operation: what is no route is met by no fault. */
  readonly isRouted: boolean;
  /** Whether it comes with a token that the sandbox's key did not sign: it uses nothing up. */
  readonly isForged: boolean;
}

/** The n-th number of a purpose by the sandbox's seed: at least 0, under 1. */
type Random = (purpose: string, n: number) => number;

/** Tolerated reordering of calls between servers, in real milliseconds. */
const overtakenMilliseconds = 10_000;

/** The same in milliseconds of the sandbox's time: where that stands, all calls come at one moment. */
export const overtakenBy = ({ frozen, rate }: ClockState): number => (frozen ? 0 : overtakenMilliseconds * rate);

/**
 * The window with one more call in it: the one that is open, or one that begins now. A clock set back begins one, too.
 * @param overtaken by how much calls may be judged after later ones
 */
export function countedWindow(window: RateWindow | null, seconds: number, now: number, overtaken: number): RateWindow {
  const isOvertaken = window !== null && now < window.began_at && now >= window.began_at - overtaken;
  const open = openWindow(window, seconds, isOvertaken ? window.began_at : now);
  return open ? { ...open, calls: open.calls + 1 } : { began_at: now, calls: 1 };
}

/** The window, where it is open now. */
export const openWindow = (window: RateWindow | null, seconds: number, now: number): RateWindow | undefined =>
  window && now >= window.began_at && now < window.began_at + seconds * 1000 ? window : undefined;

class FaultEvaluation {
  readonly #random: Random;
  readonly #spec: FaultSpec;
  readonly #overtaken: number;
  /** The lever after its turn; the very same where it counted nothing. */
  override: Override;

  constructor(override: Override, spec: FaultSpec, random: Random, overtaken: number) {
    this.override = override;
    this.#overtaken = overtaken;
    this.#spec = spec;
    this.#random = random;
  }

  /** Whether the lever meets this call; counts what that uses up. */
  meets(call: AdmittedCall, now: number): boolean {
    const { match, permissions, times, forSeconds, after = 0, probability = 1 } = this.#spec;
    const { hits, made_at, seen } = this.override;
    if (permissions && !permissions.includes(call.permission ?? '')) return false;
    if (match && !matches(match, call)) return false;
    if (times !== undefined && (hits >= times || call.isForged)) return false;
    if (forSeconds !== undefined && now >= made_at + forSeconds * 1000) return false;
    if (seen < after) return this.#count({ seen: seen + 1 }, false);
    if (probability < 1 && this.#dice() >= probability) return false;
    return this.#isWithinWindow(now) ? false : this.#count({ hits: hits + 1 }, true);
  }

  /** How long it delays the call that it meets, in milliseconds. */
  delayMilliseconds(): number {
    const { delay } = this.#spec;
    return delay ? Math.min(this.#drawn(delay), bounds.delayMilliseconds) : 0;
  }

  /** A lever without a limit has no window; one with it meets only what goes over. */
  #isWithinWindow(now: number): boolean {
    const { limit, windowSeconds = 1 } = this.#spec;
    if (limit === undefined) return false;
    const window = countedWindow(this.override.window, windowSeconds, now, this.#overtaken);
    return window.calls <= limit && this.#count({ window }, true);
  }

  #count(counted: Partial<Override>, result: boolean): boolean {
    this.override = { ...this.override, ...counted } as Override;
    return result;
  }

  /** The lever's own dice: how often they were rolled stands in its row. */
  #dice(): number {
    const { name, rolls } = this.override;
    this.#count({ rolls: rolls + 1 }, true);
    return this.#random(`dice of ${name}`, rolls);
  }

  #drawn(delay: DeepReadonly<Delay>): number {
    if ('milliseconds' in delay) return delay.milliseconds;
    if ('min' in delay) return delay.min + this.#dice() * (delay.max - delay.min);
    const normal = Math.sqrt(-2 * Math.log(1 - this.#dice())) * Math.cos(2 * Math.PI * this.#dice());
    return delay.median * Math.exp(delay.sigma * normal);
  }
}
