// The levers that are on: rows of the state, one per switch and fault, and which of several settings of one switch is in force.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal } from '../contract/admin/control-operation.ts';
import { type Lever, type LeverKind, type LeverOf, type SettingsOf, turnOf } from '../contract/admin/lever.ts';
import type { State } from '../state/state.ts';

/** A lever as it is turned on. */
export interface NewLever<Kind extends LeverKind = LeverKind> {
  readonly kind: Kind;
  readonly name: string;
  readonly scenario: string | null;
  readonly settings: SettingsOf<Kind>;
  readonly generation?: number | null;
}

/** Turns a lever on at this time; it is the youngest, and of its name the one in force. */
export function turnOn<Kind extends LeverKind>(state: State, lever: NewLever<Kind>, now: number): Lever {
  const { kind, name, scenario, settings, generation = null } = lever;
  const id = scenario === null ? name : `${name}@${scenario}`;
  turnOff(state, id);
  if (state.table('levers').size >= bounds.levers) throw full();
  const counted = { made_at: now, seen: 0, hits: 0, rolls: 0, window: null, generation };
  const made = { id, name, kind, turn: turnOf[kind], scenario, hidden: false, settings, ...counted };
  state.table('levers').insert(made as LeverOf<Kind> as Lever);
  showLast(state, name);
  return made as LeverOf<Kind> as Lever;
}

const full = (): ControlRefusal =>
  new ControlRefusal(
    422,
    `The sandbox has ${bounds.levers} switches and faults on, the most it may have; turn some off`,
  );

/** Takes a lever out by its row's id; what it hid is in force again. */
export function turnOff(state: State, id: string): boolean {
  const lever = state.table('levers').get(id);
  if (!lever) return false;
  state.table('levers').remove(id);
  showLast(state, lever.name);
  return true;
}

/** Of the levers of one name the last turned on is in force. */
function showLast(state: State, name: string): void {
  const same = allLevers(state).filter((lever) => lever.name === name);
  for (const [index, lever] of same.entries()) {
    const hidden = index < same.length - 1;
    if (lever.hidden !== hidden) state.table('levers').replace({ ...lever, hidden });
  }
}

/** Every lever, by age. */
export const allLevers = (state: State): Lever[] => Array.from(state.table('levers').entries(), ([, lever]) => lever);

/** The lever in force under this name. */
export const leverNamed = (state: State, name: string): Lever | undefined =>
  allLevers(state).find((lever) => lever.name === name && !lever.hidden);
