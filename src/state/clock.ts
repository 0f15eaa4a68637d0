// The sandbox's clock.
import type { ClockPatch } from '../contract/control/clock.ts';
import { latestInstant, parseClockInstant } from '../contract/records.ts';
import { machineTime } from '../system/time.ts';
import type { State } from './state.ts';
import type { ClockState } from './values.ts';

/**
 * A clock that no instant was given for.
 * @example createSachet({ clock: 'yesterday' }); // UnknownInstantError: "yesterday" is no ISO 8601 instant …
 */
export class UnknownInstantError extends Error {
  override readonly name = 'UnknownInstantError';
}

/** The machine's own time. */
export const realClock: ClockState = { now: 0, at: 0, rate: 1, frozen: false };
/** A clock that stands at this instant. */
export const frozenClock = (now: number): ClockState => ({ now, at: 0, rate: 1, frozen: true });

/**
 * A clock as an option says it: `2026-01-01T00:00:00Z` stands there, with a `+` at its end it runs on from there, none is real time.
 * @throws UnknownInstantError for what is no ISO 8601 instant
 */
export function readClock(text: string | undefined): ClockState {
  if (text === undefined) return realClock;
  const runs = text.endsWith('+');
  const now = parseClockInstant(runs ? text.slice(0, -1) : text);
  if (now === undefined)
    throw new UnknownInstantError(`"${text}" is no ISO 8601 instant from 1970 to 9999 such as 2026-01-01T00:00:00Z`);
  return runs ? { now, at: machineTime(), rate: 1, frozen: false } : frozenClock(now);
}

/** The sandbox's time when the machine's time is `machine`: from 1970 to the end of 9999, after which ISO 8601 has no common form. */
export const timeOf = ({ now, at, rate, frozen }: ClockState, machine: number): number =>
  frozen ? now : Math.max(0, Math.min(now + Math.floor((machine - at) * rate), latestInstant));

/** The clock as the control API shows it. */
export function presentClock(clock: ClockState, machine: number) {
  return { now: new Date(timeOf(clock, machine)).toISOString(), frozen: clock.frozen, rate: clock.rate };
}

/** A clock as it was made, begun anew: real and frozen time stay, time that ran on from an instant starts there again. */
export const begunAnew = (clock: ClockState, machine: number): ClockState =>
  clock.frozen || isReal(clock) ? clock : { ...clock, at: machine };

/** The clock after a patch: set, frozen, run on or scaled, all from the time it shows now; `now: null` is real time. */
export function patchedClock(clock: ClockState, patch: ClockPatch, machine: number): ClockState {
  const from = patch.now === null ? realClock : clock;
  const { frozen = from.frozen, rate = from.rate } = patch;
  const staysReal = (patch.now ?? null) === null && isReal(from) && !frozen && rate === 1;
  return staysReal ? realClock : { now: patch.now ?? timeOf(from, machine), at: machine, rate, frozen };
}

const isReal = ({ now, at, rate, frozen }: ClockState): boolean => !frozen && rate === 1 && now === at;

/** Moves the sandbox's time on by this many milliseconds, frozen or running. */
export function advance(state: State, milliseconds: number): void {
  const clock = state.value('clock');
  state.setValue('clock', { ...clock, now: clock.now + milliseconds });
}
