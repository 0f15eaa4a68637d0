// Named snapshots of a sandbox, and beginning anew.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal, notThere } from '../contract/admin/control-operation.ts';
import type { Draft } from '../state/draft.ts';
import { asMade } from '../state/root.ts';
import { begunAnew, timeOf } from './clock.ts';
import { allLevers } from './levers.ts';

interface ShownSnapshot {
  readonly name: string;
  readonly created_at: string;
}

const shown = (name: string, at: number): ShownSnapshot => ({ name, created_at: new Date(at).toISOString() });

export const listSnapshots = ({ snapshots }: Draft): ShownSnapshot[] =>
  [...snapshots].filter(([name]) => name !== asMade).map(([name, { at }]) => shown(name, at));

/** @throws ControlRefusal 409 where there is one of this name, 422 where there are too many. */
export function takeSnapshot(draft: Draft, name: string, now: number): ShownSnapshot {
  if (draft.snapshots.has(name))
    throw new ControlRefusal(409, `There is a snapshot "${name}" already; delete it first, or choose another name`);
  if (draft.snapshots.size > bounds.snapshots)
    throw new ControlRefusal(422, `The sandbox has ${bounds.snapshots} snapshots, the most it may have; delete some`);
  draft.keep(name, now);
  return shown(name, now);
}

export function getSnapshot(draft: Draft, name: string): ShownSnapshot {
  const snapshot = name === asMade ? undefined : draft.snapshots.get(name);
  if (snapshot) return shown(name, snapshot.at);
  throw notThere(
    'snapshot',
    name,
    listSnapshots(draft).map((one) => one.name),
  );
}

export function dropSnapshot(draft: Draft, name: string): void {
  getSnapshot(draft, name);
  draft.drop(name);
}

/** Brings a snapshot back; calls that began before it write nothing any more. */
export function restoreSnapshot(draft: Draft, name: string): void {
  getSnapshot(draft, name);
  draft.restore(name);
  beginLife(draft);
}

/** As new: the sandbox as it was made; time that ran on from an instant starts there again, and so do the windows it was made with. */
export function reset(draft: Draft, machine: number): void {
  draft.restore(asMade);
  const clock = begunAnew(draft.value('clock'), machine);
  draft.setValue('clock', clock);
  moveWindows(draft, timeOf(clock, machine) - (draft.snapshots.get(asMade)?.at ?? 0));
  beginLife(draft);
}

/** What began at some time of the sandbox as it was made begins as much later as the sandbox does now; by a frozen clock, no later. */
function moveWindows(draft: Draft, milliseconds: number): void {
  if (milliseconds === 0) return;
  for (const lever of allLevers(draft))
    draft.table('levers').replace({ ...lever, made_at: lever.made_at + milliseconds });
  const scenarios = draft.value('scenarios');
  if (scenarios.length === 0) return;
  const moved = scenarios.map((applied) => ({ ...applied, applied_at: applied.applied_at + milliseconds }));
  draft.setValue('scenarios', moved);
}

/** Calls know the life they began in and write to no other. */
export function beginLife(draft: Draft): void {
  const history = draft.value('history');
  draft.setValue('history', { ...history, lives: history.lives + 1 });
}
