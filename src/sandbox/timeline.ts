// The timeline of a sandbox: with `fulfillment_timeline: automatic`, orders and packages take their steps when the
// sandbox's clock reaches them.
import type { Hashes } from '../domain/hashes.ts';
import { takeStep } from '../domain/shipments.ts';
import { timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { operatorWorld } from './sandbox-world.ts';

export const isAutomatic = (state: State): boolean => state.value('readings').fulfillment_timeline === 'automatic';

/** Whether steps are due at this real time. */
export function hasDueSteps(state: State, machine: number): boolean {
  if (!isAutomatic(state)) return false;
  const { firstDue } = state;
  return firstDue !== undefined && Date.parse(firstDue.due_at) <= timeOf(state.value('clock'), machine);
}

/** Takes the steps that are due, each at its own time, the earliest first. @param max number of steps to take */
export function advanceTimeline(state: State, hashes: Hashes, machine: number, max = Number.POSITIVE_INFINITY): void {
  for (let taken = 0; taken < max && hasDueSteps(state, machine); taken += 1) {
    const { firstDue } = state;
    if (firstDue) takeStep(operatorWorld(state, { now: Date.parse(firstDue.due_at), hashes }), firstDue);
  }
}
