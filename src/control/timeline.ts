// Catches a sandbox up with its clock: every step of the timeline that is due is taken, each at its own time (`fulfillment_timeline: automatic`).
import type { Hashes } from '../domain/hashes.ts';
import { takeStep } from '../domain/timeline.ts';
import type { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import { backstage } from './backstage.ts';
import { timeOf } from './clock.ts';
import { dueAt, isAutomatic } from './due.ts';

/** Whether steps wait to be taken at this time of the machine. */
export const isBehind = ({ values, tables }: Root, machine: number): boolean =>
  isAutomatic(values.readings) && dueAt(tables.due_steps, timeOf(values.clock, machine)) !== undefined;

/** Takes the first so many steps that are due, in the order of their times; gives the sandbox's time, undefined where steps are left. */
export function catchUp(draft: Draft, hashes: Hashes, machine: number, most: number): number | undefined {
  const now = timeOf(draft.value('clock'), machine);
  if (!isAutomatic(draft.value('readings'))) return now;
  const steps = draft.table('due_steps');
  let step = dueAt(steps, now);
  for (let taken = 0; step && taken < most; taken += 1) {
    takeStep(backstage(draft, { now: Date.parse(step.due_at), hashes }), step);
    step = dueAt(steps, now);
  }
  return step ? undefined : now;
}
