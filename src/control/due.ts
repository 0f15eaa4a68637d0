// Which step of the timeline is next, which is due, and whether it is taken by itself.
import type { Readings } from '../contract/assumptions.ts';
import type { DueStep, TimelineStep } from '../contract/order-progress.ts';
import type { Table } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';

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
export function nextStepOf(draft: Draft, id: string): NextStep | undefined {
  const row = draft.table('due_steps').get(id);
  return row && { step: row.step, dueAt: row.due_at };
}

/** The first step that is due at this time of the sandbox, by the time it was due and then by its place. */
export function dueAt(steps: Pick<Table<'due_steps'>, 'first'>, now: number): DueStep | undefined {
  const first = steps.first('due_at');
  return first && Date.parse(first.due_at) <= now ? first : undefined;
}
