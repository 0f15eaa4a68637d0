// The levers that are on: rows of the state, one per switch and fault, and which of several settings of one switch is in force.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/control-operation.ts';
import type { Delay, Drop, Fault } from '../contract/admin/faults.ts';
import {
  type Lever,
  type LeverKind,
  type LeverOf,
  type RateWindow,
  type SettingsOf,
  turnOf,
} from '../contract/admin/lever.ts';
import type { RequestMatch } from '../contract/admin/match.ts';
import { limits } from '../contract/limits.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import type { ClockState } from '../state/values.ts';
import { matches, type RequestFacts } from './match.ts';

/** A lever as it is turned on. */
export interface NewLever<Kind extends LeverKind = LeverKind> {
  readonly kind: Kind;
  readonly name: string;
  readonly scenario: string | null;
  readonly settings: SettingsOf<Kind>;
  readonly generation?: number | null;
}

/** Turns a lever on at this time; it is the youngest, and of its name the one in force. */
export function turnOn<Kind extends LeverKind>(state: State, lever: NewLever<Kind>, now: number): Lever {
  const { kind, name, scenario, settings, generation = null } = lever;
  const id = scenario === null ? name : `${name}@${scenario}`;
  turnOff(state, id);
  if (state.table('levers').size >= bounds.levers) throw full();
  const counted = { made_at: now, seen: 0, hits: 0, rolls: 0, window: null, generation };
  const made = { id, name, kind, turn: turnOf[kind], scenario, hidden: false, settings, ...counted };
  state.table('levers').insert(made as LeverOf<Kind> as Lever);
  showLast(state, name);
  return made as LeverOf<Kind> as Lever;
}

const full = (): ControlRefusal =>
  new ControlRefusal(
    422,
    `The sandbox has ${bounds.levers} switches and faults on, the most it may have; turn some off`,
  );

/** Takes a lever out by its row's id; what it hid is in force again. */
export function turnOff(state: State, id: string): boolean {
  const lever = state.table('levers').get(id);
  if (!lever) return false;
  state.table('levers').remove(id);
  showLast(state, lever.name);
  return true;
}

/** Of the levers of one name the last turned on is in force. */
function showLast(state: State, name: string): void {
  const same = allLevers(state).filter((lever) => lever.name === name);
  for (const [index, lever] of same.entries()) {
    const hidden = index < same.length - 1;
    if (lever.hidden !== hidden) state.table('levers').replace({ ...lever, hidden });
  }
}

/** Every lever, by age. */
export const allLevers = (state: State): Lever[] => Array.from(state.table('levers').entries(), ([, lever]) => lever);

/** The lever in force under this name. */
export const leverNamed = (state: State, name: string): Lever | undefined =>
  allLevers(state).find((lever) => lever.name === name && !lever.hidden);

// When a lever meets a call, and with what: switches and faults said in the same words.

export interface Trigger {
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

/** The trigger of a lever; undefined for switches that are asked for where they matter. */
export function triggerOf({ kind, settings }: Lever): Trigger | undefined {
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
      return faultTrigger(settings);
    default:
      return undefined;
  }
}

type Latency = SettingsOf<'latency'>;

function latencyDelay({ milliseconds, min = 0, max = min }: Latency): Delay {
  return milliseconds === undefined ? { min, max } : { milliseconds };
}

function faultTrigger({ retry_after, for_seconds, id: _, ...same }: DeepReadonly<Fault>): Trigger {
  return { ...same, retryAfterSeconds: retry_after ?? limits.retryAfterSeconds, forSeconds: for_seconds };
}

// One lever's turn at one call: whether it meets the call, and what that uses up. What it counts is written at the end, once.

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
