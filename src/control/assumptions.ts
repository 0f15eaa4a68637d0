// The readings of a sandbox: those chosen, and upon them those of its scenarios.
import type { ReadingsPatch } from '../contract/admin/readings-patch.ts';
import { type AssumptionId, assumptionIds, type Readings } from '../contract/assumptions.ts';
import { chooseReadings, internReadings } from '../contract/readings.ts';
import type { State } from '../state/state.ts';

/** Turns readings: null is the default, a profile stands beneath the single ones. A scenario's own choice of them goes. */
export function patchReadings(state: State, patch: ReadingsPatch): void {
  const cleared = patch.profile === undefined ? assumptionIds.filter((id) => patch[id] !== undefined) : assumptionIds;
  state.setValue('chosen', internReadings({ ...state.value('chosen'), ...turned(patch) }));
  const layers = state.value('scenarios');
  state.setValue(
    'scenarios',
    layers.map((layer) => ({ ...layer, assumptions: without(layer.assumptions, cleared) })),
  );
  settleReadings(state);
}

/** The readings that a patch names, all of them where it names a profile; null is the profile's, else the default. */
export function turned({ profile, ...patch }: ReadingsPatch): Partial<Readings> {
  const defaults = chooseReadings({}, profile);
  const named = assumptionIds.filter((id) => patch[id] !== undefined);
  const single = Object.fromEntries(named.map((id) => [id, patch[id] ?? defaults[id]]));
  return { ...(profile === undefined ? {} : defaults), ...single } as Partial<Readings>;
}

const without = (readings: Partial<Readings>, ids: readonly AssumptionId[]): Partial<Readings> =>
  Object.fromEntries(Object.entries(readings).filter(([id]) => !ids.includes(id as AssumptionId)));

/** Puts in force what was chosen, and what each scenario turns upon it. */
export function settleReadings(state: State): void {
  const readings = { ...state.value('chosen') };
  for (const { assumptions } of state.value('scenarios')) Object.assign(readings, assumptions);
  state.setValue('readings', internReadings(readings));
}
