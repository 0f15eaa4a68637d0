// The sandbox's clock, and the only place that reads the machine's time.
import type { ClockState } from '../state/root.ts';
import type { Sandbox } from '../state/sandbox.ts';
import type { Awaitable } from '../state/store.ts';

/** The machine's time in milliseconds since 1970. */
export const machineTime = (): number => Date.now();
/** For durations: milliseconds that never run backwards. */
export const stopwatch = (): number => performance.now();

/** The machine's own time. */
export const realClock: ClockState = { now: 0, at: 0, rate: 1 };
/** A clock that stands at this instant. */
export const frozenClock = (now: number): ClockState => ({ now, at: 0, rate: 0 });
/** A clock that runs on from this instant, from the machine's `at` on. */
export const runningClock = (now: number, at: number): ClockState => ({ now, at, rate: 1 });

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
