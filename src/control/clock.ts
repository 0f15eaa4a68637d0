// The sandbox's clock, and the only place that reads the machine's time.
import { parseInstant } from '../contract/instant.ts';
import type { ClockState } from '../state/root.ts';
import type { Sandbox } from '../state/sandbox.ts';
import type { Awaitable } from '../state/store.ts';

/** The machine's time in milliseconds since 1970. */
export const machineTime = (): number => Date.now();
/** For durations: milliseconds that never run backwards. */
export const stopwatch = (): number => performance.now();

/** A clock that no instant was given for. */
export class UnknownInstantError extends Error {}

/** The machine's own time. */
const realClock: ClockState = { now: 0, at: 0, rate: 1 };
/** A clock that stands at this instant. */
export const frozenClock = (now: number): ClockState => ({ now, at: 0, rate: 0 });

/**
 * A clock as an option says it: `2026-01-01T00:00:00Z` stands there, with a `+` at its end it runs on from there, none is real time.
 * @throws UnknownInstantError for what is no ISO 8601 instant
 */
export function readClock(text: string | undefined): ClockState {
  if (text === undefined) return realClock;
  const runs = text.endsWith('+');
  const now = parseInstant(runs ? text.slice(0, -1) : text);
  if (now === undefined) throw new UnknownInstantError(`"${text}" is no ISO 8601 instant such as 2026-01-01T00:00:00Z`);
  return runs ? { now, at: machineTime(), rate: 1 } : frozenClock(now);
}

/** The sandbox's time when the machine's time is `machine`. */
export const timeOf = ({ now, at, rate }: ClockState, machine: number): number =>
  now + Math.floor((machine - at) * rate);

/** Moves the sandbox's time on by this many milliseconds, frozen or running. */
export function advanceClock(sandbox: Sandbox, milliseconds: number): Awaitable<void> {
  return sandbox.write((draft) => {
    const clock = draft.value('clock');
    draft.setValue('clock', { ...clock, now: clock.now + milliseconds });
  });
}
