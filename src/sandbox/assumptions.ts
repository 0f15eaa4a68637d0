// The readings of a sandbox: those chosen, and upon them those of its scenarios.

import { type AssumptionId, assumptionIds, type Choices } from '../contract/assumptions.ts';
import type { ChoicesPatch } from '../contract/control/overrides.ts';
import { internChoices, resolveChoices } from '../contract/resolved-assumptions.ts';
import type { State } from '../state/state.ts';

/** Turns readings: null is the default, a profile stands beneath the single ones. A scenario's own choice of them goes. */
export function patchAssumptions(state: State, patch: ChoicesPatch): void {
  const cleared = patch.profile === undefined ? assumptionIds.filter((id) => patch[id] !== undefined) : assumptionIds;
  state.setValue('chosen', internChoices({ ...state.value('chosen'), ...turned(patch) }));
  const layers = state.value('scenarios');
  state.setValue(
    'scenarios',
    layers.map((layer) => ({ ...layer, assumptions: without(layer.assumptions, cleared) })),
  );
  applyChoices(state);
}

/** The readings that a patch names, all of them where it names a profile; null is the profile's, else the default. */
export function turned({ profile, ...patch }: ChoicesPatch): Partial<Choices> {
  const defaults = resolveChoices({}, profile);
  const named = assumptionIds.filter((id) => patch[id] !== undefined);
  const single = Object.fromEntries(named.map((id) => [id, patch[id] ?? defaults[id]]));
  return { ...(profile === undefined ? {} : defaults), ...single } as Partial<Choices>;
}

const without = (choices: Partial<Choices>, ids: readonly AssumptionId[]): Partial<Choices> =>
  Object.fromEntries(Object.entries(choices).filter(([id]) => !ids.includes(id as AssumptionId)));

/** Puts in force what was chosen, and what each scenario turns upon it. */
export function applyChoices(state: State): void {
  const choices = { ...state.value('chosen') };
  for (const { assumptions } of state.value('scenarios')) Object.assign(choices, assumptions);
  state.setValue('choices', internChoices(choices));
}
