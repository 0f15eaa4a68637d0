// Named snapshots of a sandbox, and beginning anew.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal, notThere } from '../contract/control/control-operation.ts';
import { restartedClock, timeOf } from '../state/clock.ts';
import { initialSnapshot, type State } from '../state/state.ts';
import { allOverrides } from './overrides.ts';

interface ShownSnapshot {
  readonly name: string;
  readonly created_at: string;
}

const shown = (name: string, at: number): ShownSnapshot => ({ name, created_at: new Date(at).toISOString() });

export const listSnapshots = ({ snapshots }: State): ShownSnapshot[] =>
  [...snapshots].filter(([name]) => name !== initialSnapshot).map(([name, { at }]) => shown(name, at));

/** @throws ControlRefusal 409 where there is one of this name, 422 where there are too many. */
export function takeSnapshot(state: State, name: string, now: number): ShownSnapshot {
  if (state.snapshots.has(name))
    throw new ControlRefusal(409, `There is a snapshot "${name}" already; delete it first, or choose another name`);
  if (state.snapshots.size > bounds.snapshots)
    throw new ControlRefusal(422, `The sandbox has ${bounds.snapshots} snapshots, the most it may have; delete some`);
  state.keep(name, now);
  return shown(name, now);
}

export function getSnapshot(state: State, name: string): ShownSnapshot {
  const snapshot = name === initialSnapshot ? undefined : state.snapshots.get(name);
  if (snapshot) return shown(name, snapshot.at);
  throw notThere(
    'snapshot',
    name,
    listSnapshots(state).map((one) => one.name),
  );
}

export function dropSnapshot(state: State, name: string): void {
  getSnapshot(state, name);
  state.drop(name);
}

/** Brings a snapshot back; calls that began before it write nothing any more. */
export function restoreSnapshot(state: State, name: string): void {
  getSnapshot(state, name);
  state.restore(name);
  beginLife(state);
}

/** As new: the sandbox as it was made; time that ran on from an instant starts there again, and so do the windows it was made with. */
export function reset(state: State, machine: number): void {
  state.restore(initialSnapshot);
  const made = state.value('clock');
  const clock = restartedClock(made, machine);
  if (clock !== made) state.setValue('clock', clock);
  moveWindows(state, timeOf(clock, machine) - (state.snapshots.get(initialSnapshot)?.at ?? 0));
  beginLife(state);
}

/** What began at some time of the sandbox as it was made begins as much later as the sandbox does now; by a frozen clock, no later. */
function moveWindows(state: State, milliseconds: number): void {
  if (milliseconds === 0) return;
  const overrides = state.table('levers').size > 0 ? allOverrides(state) : [];
  for (const override of overrides)
    state.table('levers').replace({ ...override, made_at: override.made_at + milliseconds });
  const scenarios = state.value('scenarios');
  if (scenarios.length === 0) return;
  const moved = scenarios.map((applied) => ({ ...applied, applied_at: applied.applied_at + milliseconds }));
  state.setValue('scenarios', moved);
}

/** Calls know the life they began in and write to no other. */
export function beginLife(state: State): void {
  const history = state.value('history');
  state.setValue('history', { ...history, lives: history.lives + 1 });
}
