// One lever's turn at one call: whether it meets the call, and what that uses up. What it counts is written at the end, once.
import { bounds } from '../contract/admin/bounds.ts';
import type { Delay } from '../contract/admin/faults.ts';
import type { Lever, RateWindow } from '../contract/admin/lever.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { ClockState } from '../state/root.ts';
import { matches, type RequestFacts } from './match.ts';
import type { Trigger } from './trigger.ts';

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
export type Roll = (purpose: string, n: number) => number;

/** So much earlier than a call another one may have come that is judged after it, by another server, in real milliseconds. */
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

export class LeverTurn {
  readonly #roll: Roll;
  readonly #trigger: Trigger;
  readonly #overtaken: number;
  /** The lever after its turn; the very same where it counted nothing. */
  lever: Lever;

  constructor(lever: Lever, trigger: Trigger, roll: Roll, overtaken: number) {
    this.lever = lever;
    this.#overtaken = overtaken;
    this.#trigger = trigger;
    this.#roll = roll;
  }

  /** Whether the lever meets this call; counts what that uses up. */
  meets(call: AdmittedCall, now: number): boolean {
    const { match, permissions, times, forSeconds, after = 0, probability = 1 } = this.#trigger;
    const { hits, made_at, seen } = this.lever;
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
    const { delay } = this.#trigger;
    return delay ? Math.min(this.#drawn(delay), bounds.delayMilliseconds) : 0;
  }

  /** A lever without a limit has no window; one with it meets only what goes over. */
  #isWithinWindow(now: number): boolean {
    const { limit, windowSeconds = 1 } = this.#trigger;
    if (limit === undefined) return false;
    const window = countedWindow(this.lever.window, windowSeconds, now, this.#overtaken);
    return window.calls <= limit && this.#count({ window }, true);
  }

  #count(counted: Partial<Lever>, result: boolean): boolean {
    this.lever = { ...this.lever, ...counted } as Lever;
    return result;
  }

  /** The lever's own dice: how often they were rolled stands in its row. */
  #dice(): number {
    const { name, rolls } = this.lever;
    this.#count({ rolls: rolls + 1 }, true);
    return this.#roll(`dice of ${name}`, rolls);
  }

  #drawn(delay: DeepReadonly<Delay>): number {
    if ('milliseconds' in delay) return delay.milliseconds;
    if ('min' in delay) return delay.min + this.#dice() * (delay.max - delay.min);
    const normal = Math.sqrt(-2 * Math.log(1 - this.#dice())) * Math.cos(2 * Math.PI * this.#dice());
    return delay.median * Math.exp(delay.sigma * normal);
  }
}
