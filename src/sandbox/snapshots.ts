// Snapshots of a sandbox, and reset.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal, requireNamed } from '../contract/control/control-operation.ts';
import { restartedClock, timeOf } from '../state/clock.ts';
import { initialSnapshot, type State } from '../state/state.ts';
import { allOverrides } from './overrides.ts';

const presentSnapshot = (name: string, at: number) => ({ name, created_at: new Date(at).toISOString() });

export const listSnapshots = ({ snapshots }: State) =>
  [...snapshots].filter(([name]) => name !== initialSnapshot).map(([name, { at }]) => presentSnapshot(name, at));

/** @throws ControlRefusal 409 if there is one of this name, 422 if there are too many */
export function takeSnapshot(state: State, name: string, now: number) {
  if (state.snapshots.has(name))
    throw new ControlRefusal(409, `A snapshot "${name}" already exists; delete it first, or choose another name`);
  if (state.snapshots.size > bounds.snapshots)
    throw new ControlRefusal(422, `The sandbox already has ${bounds.snapshots} snapshots, the maximum; delete some`);
  state.keep(name, now);
  return presentSnapshot(name, now);
}

/** @throws ControlRefusal 404 */
export const getSnapshot = (state: State, name: string) => requireNamed('snapshot', name, listSnapshots(state));

/** @throws ControlRefusal 404 */
export function deleteSnapshot(state: State, name: string): void {
  getSnapshot(state, name);
  state.drop(name);
}

/** @throws ControlRefusal 404 */
export function restoreSnapshot(state: State, name: string): void {
  getSnapshot(state, name);
  state.restore(name);
  beginEpoch(state);
}

/** Restores the initial state. Time that runs from an instant starts there again, and so do the overrides' windows. */
export function reset(state: State, machine: number): void {
  state.restore(initialSnapshot);
  const initial = state.value('clock');
  const clock = restartedClock(initial, machine);
  if (clock !== initial) state.setValue('clock', clock);
  moveWindows(state, timeOf(clock, machine) - (state.snapshots.get(initialSnapshot)?.at ?? 0));
  beginEpoch(state);
}

/** Moves the start of overrides and scenarios to the reset: in a new sandbox they start when it is created. */
function moveWindows(state: State, milliseconds: number): void {
  if (milliseconds === 0) return;
  for (const override of allOverrides(state))
    state.table('levers').replace({ ...override, made_at: override.made_at + milliseconds });
  const scenarios = state.value('scenarios');
  if (scenarios.length === 0) return;
  const moved = scenarios.map((applied) => ({ ...applied, applied_at: applied.applied_at + milliseconds }));
  state.setValue('scenarios', moved);
}

/** Calls of an earlier epoch write nothing more. */
export function beginEpoch(state: State): void {
  const history = state.value('history');
  state.setValue('history', { ...history, lives: history.lives + 1 });
}
