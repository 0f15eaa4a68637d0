// The clock of a sandbox: real time, frozen at an instant, or running from an instant at some rate.
import type { ClockPatch } from '../contract/control/clock.ts';
import { latestInstant, parseClockInstant } from '../contract/records.ts';
import { machineTime } from '../system/time.ts';
import type { State } from './state.ts';
import type { ClockState } from './values.ts';

/**
 * A clock option that is not an ISO 8601 instant.
 * @example createSachet({ clock: 'yesterday' }); // UnknownInstantError: "yesterday" is not an ISO 8601 instant …
 */
export class UnknownInstantError extends Error {
  override readonly name = 'UnknownInstantError';
}

/** The machine's time. */
export const realClock: ClockState = { now: 0, at: 0, rate: 1, frozen: false };
export const frozenClock = (now: number): ClockState => ({ now, at: 0, rate: 1, frozen: true });

/**
 * Reads a clock option: `2026-01-01T00:00:00Z` freezes the clock; with a `+` at the end it runs from there.
 * Undefined is real time.
 * @throws UnknownInstantError
 */
export function readClock(text: string | undefined): ClockState {
  if (text === undefined) return realClock;
  const isRunning = text.endsWith('+');
  const now = parseClockInstant(isRunning ? text.slice(0, -1) : text);
  if (now === undefined)
    throw new UnknownInstantError(
      `"${text}" is not an ISO 8601 instant from 1970 to 9999, such as 2026-01-01T00:00:00Z`,
    );
  return isRunning ? { now, at: machineTime(), rate: 1, frozen: false } : frozenClock(now);
}

/** The sandbox's time at this time of the machine. It ends with the year 9999, the last with a common ISO 8601 form. */
export const timeOf = ({ now, at, rate, frozen }: ClockState, machine: number): number =>
  frozen ? now : Math.max(0, Math.min(now + Math.floor((machine - at) * rate), latestInstant));

/** The clock in the control API. */
export function presentClock(clock: ClockState, machine: number) {
  return { now: new Date(timeOf(clock, machine)).toISOString(), frozen: clock.frozen, rate: clock.rate };
}

/** The clock after a reset: time that runs from an instant starts there again; real and frozen time do not change. */
export const restartedClock = (clock: ClockState, machine: number): ClockState =>
  clock.frozen || isReal(clock) ? clock : { ...clock, at: machine };

/** The clock after a patch, from its current time unless that is set; `now: null` is real time. */
export function patchedClock(clock: ClockState, patch: ClockPatch, machine: number): ClockState {
  const from = patch.now === null ? realClock : clock;
  const { frozen = from.frozen, rate = from.rate } = patch;
  const staysReal = (patch.now ?? null) === null && isReal(from) && !frozen && rate === 1;
  return staysReal ? realClock : { now: patch.now ?? timeOf(from, machine), at: machine, rate, frozen };
}

const isReal = ({ now, at, rate, frozen }: ClockState): boolean => !frozen && rate === 1 && now === at;

/** Advances the sandbox's clock, frozen or running. */
export function advance(state: State, milliseconds: number): void {
  const clock = state.value('clock');
  state.setValue('clock', { ...clock, now: clock.now + milliseconds });
}
