// Which step of the timeline is next, which is due, and whether it is taken by itself.
import type { Readings } from '../contract/assumptions.ts';
import type { DueStep, TimelineStep } from '../contract/order-progress.ts';
import type { State } from '../state/state.ts';

/** Whether steps that are due are taken by themselves. */
export const isAutomatic = ({ fulfillment_timeline }: Pick<Readings, 'fulfillment_timeline'>): boolean =>
  fulfillment_timeline === 'automatic';

/** A step of the timeline that is still to be taken. */
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

/** The first step that is due at this time of the sandbox. */
export function dueAt({ firstDue }: State, now: number): DueStep | undefined {
  return firstDue && Date.parse(firstDue.due_at) <= now ? firstDue : undefined;
}
