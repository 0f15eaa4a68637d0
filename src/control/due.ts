// Which step of the timeline is due.
import type { DueStep } from '../contract/order-progress.ts';
import type { Table } from '../domain/world.ts';

/** The first step that is due at this time of the sandbox, by the time it was due and then by its place. */
export function dueAt(steps: Pick<Table<'due_steps'>, 'first'>, now: number): DueStep | undefined {
  const first = steps.first('due_at');
  return first && Date.parse(first.due_at) <= now ? first : undefined;
}
