// The timeline of a sandbox: the steps that orders and packages take by its clock (`fulfillment_timeline: automatic`).
import type { TimelineStep } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import { takeStep } from '../domain/shipments.ts';
import { timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { operatorWorld } from './sandbox-world.ts';

/** Whether steps that are due are taken by themselves. */
export const isAutomatic = (state: State): boolean => state.value('choices').fulfillment_timeline === 'automatic';

/** A step that is still to be taken. */
export interface NextStep {
  readonly step: TimelineStep;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** The next step of an order or of a package, by the id of its record. */
export function nextStepOf(state: State, id: string): NextStep | undefined {
  const row = state.table('due_steps').get(id);
  return row && { step: row.step, dueAt: row.due_at };
}

/** Whether steps wait to be taken at this time of the machine. */
export function isBehind(state: State, machine: number): boolean {
  if (state.value('choices').fulfillment_timeline !== 'automatic') return false;
  const { firstDue } = state;
  return firstDue !== undefined && Date.parse(firstDue.due_at) <= timeOf(state.value('clock'), machine);
}

/** Takes the steps that are due, each at its own time, in the order of their times; so many at most. */
export function advanceTimeline(state: State, hashes: Hashes, machine: number, most = Number.POSITIVE_INFINITY): void {
  for (let taken = 0; taken < most && isBehind(state, machine); taken += 1) {
    const { firstDue } = state;
    if (firstDue) takeStep(operatorWorld(state, { now: Date.parse(firstDue.due_at), hashes }), firstDue);
  }
}
