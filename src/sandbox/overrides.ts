// The levers that are on: rows of the state, one per switch and fault, and which of several settings of one switch is in force.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal } from '../contract/control/control-operation.ts';
import {
  type Override,
  type OverrideKind,
  type OverrideOf,
  phaseOf,
  type SettingsOf,
} from '../contract/control/overrides.ts';
import type { State } from '../state/state.ts';

/** A lever as it is turned on. */
export interface NewOverride<Kind extends OverrideKind = OverrideKind> {
  readonly kind: Kind;
  readonly name: string;
  readonly scenario: string | null;
  readonly settings: SettingsOf<Kind>;
  readonly generation?: number | null;
}

/** Turns a lever on at this time; it is the youngest, and of its name the one in force. */
export function addOverride<Kind extends OverrideKind>(
  state: State,
  override: NewOverride<Kind>,
  now: number,
): Override {
  const { kind, name, scenario, settings, generation = null } = override;
  const id = scenario === null ? name : `${name}@${scenario}`;
  removeOverride(state, id);
  if (state.table('levers').size >= bounds.overrides) throw full();
  const counted = { made_at: now, seen: 0, hits: 0, rolls: 0, window: null, generation };
  const made = { id, name, kind, turn: phaseOf[kind], scenario, hidden: false, settings, ...counted };
  state.table('levers').insert(made as OverrideOf<Kind> as Override);
  showLast(state, name);
  return made as OverrideOf<Kind> as Override;
}

const full = (): ControlRefusal =>
  new ControlRefusal(
    422,
    `The sandbox has ${bounds.overrides} switches and faults on, the most it may have; turn some off`,
  );

/** Takes a lever out by its row's id; what it hid is in force again. */
export function removeOverride(state: State, id: string): boolean {
  const override = state.table('levers').get(id);
  if (!override) return false;
  state.table('levers').remove(id);
  showLast(state, override.name);
  return true;
}

/** Of the levers of one name the last turned on is in force. */
function showLast(state: State, name: string): void {
  const same = allOverrides(state).filter((override) => override.name === name);
  for (const [index, override] of same.entries()) {
    const hidden = index < same.length - 1;
    if (override.hidden !== hidden) state.table('levers').replace({ ...override, hidden });
  }
}

/** Every lever, by age. */
export const allOverrides = (state: State): Override[] =>
  Array.from(state.table('levers').entries(), ([, override]) => override);

/** The lever in force under this name. */
export const activeOverride = (state: State, name: string): Override | undefined =>
  allOverrides(state).find((override) => override.name === name && !override.hidden);
