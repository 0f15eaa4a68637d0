// Takes the steps of the timeline that are due by the sandbox's clock, each at its own time (`fulfillment_timeline: automatic`).
import type { Hashes } from '../domain/hashes.ts';
import { takeStep } from '../domain/timeline.ts';
import type { State } from '../state/state.ts';
import { timeOf } from './clock.ts';
import { dueAt, isAutomatic } from './due.ts';
import { backstage } from './open-world.ts';

/** The sandbox began anew, or is gone, while a call was under way: it may write nothing, and no answer of it would be true. */
export class LifeOverError extends Error {}

/** Whether steps wait to be taken at this time of the machine. */
export const isBehind = (state: State, machine: number): boolean =>
  isAutomatic(state.value('readings')) && dueAt(state, timeOf(state.value('clock'), machine)) !== undefined;

/** Takes the first so many steps that are due, in the order of their times. */
export function advanceTimeline(state: State, hashes: Hashes, machine: number, most = Number.POSITIVE_INFINITY): void {
  const now = timeOf(state.value('clock'), machine);
  if (!isAutomatic(state.value('readings'))) return;
  for (let taken = 0; taken < most; taken += 1) {
    const step = dueAt(state, now);
    if (!step) return;
    takeStep(backstage(state, { now: Date.parse(step.due_at), hashes }), step);
  }
}
