// The overrides of a sandbox: switches, faults and assumptions. An active switch or fault is a row of the
// table `levers`. fault-evaluation.ts applies those that answer calls, sandbox-world.ts those that change the world.
import { type AssumptionId, assumptionIds, type Choices } from '../contract/assumptions.ts';
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal, refuseFaults, requireNamed } from '../contract/control/control-operation.ts';
import type { ChoicesPatch, Override, OverrideOf } from '../contract/control/overrides.ts';
import { idSettings, phaseOf, type SwitchName, switchNames } from '../contract/control/switch-names.ts';
import type { Fault, SwitchesJson, SwitchesPatch } from '../contract/control/switches.ts';
import { bodyFault, type FileFault, quoted } from '../contract/file-errors.ts';
import { withNearest } from '../contract/nearest.ts';
import { type CollectionName, type DeepReadonly, latestInstant } from '../contract/records.ts';
import { internChoices, resolveChoices } from '../contract/resolved-assumptions.ts';
import type { State } from '../state/state.ts';
import type { Generations } from '../state/values.ts';
import { busiestWindow, type FaultSettings } from './fault-evaluation.ts';

type NewOverride = Pick<Override, 'kind' | 'name' | 'scenario' | 'settings'> & { readonly generation?: number | null };

/** Oldest first. */
export const allOverrides = (state: State): Override[] =>
  Array.from(state.table('levers').entries(), ([, override]) => override);

const overridesNamed = (state: State, name: string): Override[] =>
  allOverrides(state).filter((override) => override.name === name);

/** The active override of this name. */
export const activeOverride = (state: State, name: string): Override | undefined =>
  overridesNamed(state, name).find(({ hidden }) => !hidden);

/** Adds an override, which hides the others of its name. @throws ControlRefusal 422 if there are too many */
function addOverride(state: State, override: NewOverride, now: number): void {
  const { kind, name, scenario, settings, generation = null } = override;
  const id = scenario === null ? name : `${name}@${scenario}`;
  removeOverride(state, id);
  if (state.table('levers').size >= bounds.overrides)
    throw new ControlRefusal(
      422,
      `The sandbox already has ${bounds.overrides} active switches and faults, the maximum; turn some off`,
    );
  const counts = { made_at: now, seen: 0, hits: 0, rolls: 0, window: null, generation };
  const row = { id, name, kind, turn: phaseOf[kind], scenario, hidden: false, settings, ...counts };
  state.table('levers').insert(row as Override);
  hideAllButLast(state, name);
}

/** Removes an override by the id of its row; the one that it hid is active again. */
export function removeOverride(state: State, id: string): void {
  const override = state.table('levers').get(id);
  if (!override) return;
  state.table('levers').remove(id);
  hideAllButLast(state, override.name);
}

function hideAllButLast(state: State, name: string): void {
  const same = overridesNamed(state, name);
  for (const [index, override] of same.entries()) {
    const hidden = index < same.length - 1;
    if (override.hidden !== hidden) state.table('levers').replace({ ...override, hidden });
  }
}

/** The remaining calls and time of an override. `limit` is set if it counts by windows. */
export interface Counts {
  readonly remaining?: number | undefined;
  readonly ends_at?: string | undefined;
  readonly limit?: number | undefined;
}

/** Whether it affects no more calls. A full window lets calls pass again when it ends. */
export function isSpent({ remaining, ends_at, limit }: Counts, now: number): boolean {
  if (limit !== undefined) return false;
  return remaining === 0 || (ends_at !== undefined && Date.parse(ends_at) <= now);
}

function countsOf(override: Override, now: number): { hits?: number; remaining?: number; ends_at?: string } {
  const { turn, hits, made_at } = override;
  if (turn !== 'maintenance' && turn !== 'rate_limit' && turn !== 'fault') return {};
  const { burst, times = burst, for_seconds, limit, window_seconds = 0 } = override.settings as FaultSettings;
  const window = busiestWindow(override, window_seconds, now);
  const windowEnd = window && window.began_at + window_seconds * 1000;
  const end = for_seconds === undefined ? windowEnd : made_at + for_seconds * 1000;
  const remaining =
    limit === undefined ? times && Math.max(0, times - hits) : Math.max(0, limit - (window?.calls ?? 0));
  return {
    hits,
    ...(remaining !== undefined && { remaining }),
    ...(end !== undefined && { ends_at: new Date(Math.min(end, latestInstant)).toISOString() }),
  };
}

const scenarioOf = ({ scenario }: Override): { scenario?: string } => (scenario === null ? {} : { scenario });

// Switches.

/** Every switch; null is off. */
export function presentSwitches(state: State, now: number): SwitchesJson {
  const switches = switchNames.map((name) => {
    const override = activeOverride(state, name);
    return [name, override ? { ...override.settings, ...countsOf(override, now), ...scenarioOf(override) } : null];
  });
  return Object.fromEntries(switches);
}

/**
 * Sets the switches in the patch. The tester (scenario null) replaces a switch, also one that a scenario has set, and
 * turns it off with null; a scenario hides the existing setting.
 */
export function setSwitches(state: State, patch: DeepReadonly<SwitchesPatch>, scenario: string | null, now: number) {
  const at = scenario === null ? '$' : '$.switches';
  refuseFaults(switchNames.flatMap((name) => unknownRecords(state, name, patch[name] ?? {}, at)));
  for (const name of switchNames) {
    const settings = patch[name];
    if (settings === undefined) continue;
    const replaced = scenario === null ? overridesNamed(state, name) : [];
    for (const { id } of replaced) removeOverride(state, id);
    if (settings === null) continue;
    const generation = 'expire_issued' in settings ? expireIssued(state, name, settings) : null;
    addOverride(state, { kind: name, name, scenario, settings, generation }, now);
  }
}

export function clearSwitches(state: State): void {
  for (const { id, kind } of allOverrides(state)) if (kind !== 'fault') removeOverride(state, id);
}

/** A fault for each id in the settings (`idSettings`) that no record has. */
function unknownRecords(
  state: State,
  name: SwitchName,
  settings: Readonly<Record<string, unknown>>,
  at: string,
): FileFault[] {
  return Object.entries(idSettings[name] ?? {}).flatMap(([setting, collection]) =>
    ((settings[setting] ?? []) as readonly string[])
      .map((id, index) => ({ id, path: `${at}.${name}.${setting}[${index}]` }))
      .filter(({ id }) => !state.table(collection).get(id))
      .map(({ id, path }, place) => bodyFault(path, quoted(id), expectedRecordId(state, collection, id, place))),
  );
}

/** Comparing more ids, or with more records, would block the process. */
const maxHints = 3;
const maxNames = 300;

/**
 * The expectation for an unknown id, with the nearest known one.
 * @param before how many faults come before it: only the first few have a nearest one
 * @param or another allowed value, after a comma
 */
export function expectedRecordId(
  state: State,
  collection: CollectionName,
  id: string,
  before: number,
  or = '',
): string {
  const table = state.table(collection);
  const isCompared = before < maxHints && table.size <= maxNames;
  const ids = isCompared ? Array.from(table.entries(), ([, record]) => record.id) : [];
  return withNearest(`the id of a record in ${collection}${or}`, id, ids);
}

/**
 * Begins a new generation, which expires everything issued before: for good, or with a `match` for the calls that match
 * while the switch is on. No generation is used twice, not even across resets.
 */
function expireIssued(state: State, name: SwitchName, { match }: { readonly match?: unknown }): number {
  const what: keyof Generations = name === 'label_expiry' ? 'labels' : 'tokens';
  const history = state.value('history');
  const next = history.generations[what] + 1;
  state.setValue('history', { ...history, generations: { ...history.generations, [what]: next } });
  state.setValue('generations', { ...state.value('generations'), [what]: next });
  if (match === undefined) state.setValue('expired', { ...state.value('expired'), [what]: next });
  return next;
}

// Faults.

type FaultOverride = OverrideOf<'fault'>;

const allFaults = (state: State): FaultOverride[] =>
  allOverrides(state).filter((override): override is FaultOverride => override.kind === 'fault');

const presentFault = (fault: FaultOverride, now: number) => ({
  ...fault.settings,
  id: fault.name,
  hits: fault.hits,
  ...countsOf(fault, now),
  ...scenarioOf(fault),
});

export const listFaults = (state: State, now: number) => allFaults(state).map((fault) => presentFault(fault, now));

/** @throws ControlRefusal 404 */
export const getFault = (state: State, id: string, now: number) => presentFault(faultWith(state, id), now);

/** @throws ControlRefusal 409 if there is a fault of this id already, 422 if there are too many */
export function addFault(state: State, fault: DeepReadonly<Fault>, scenario: string | null, now: number) {
  const name = fault.id ?? newFaultName(state);
  if (activeOverride(state, name))
    throw new ControlRefusal(409, `A fault "${name}" already exists; delete it first, or choose another id`);
  addOverride(state, { kind: 'fault', name, scenario, settings: fault }, now);
  return getFault(state, name, now);
}

/** `fault-1`, `fault-2` and so on: short names, because they appear in headers and in the journal. */
function newFaultName(state: State): string {
  for (;;) {
    const name = `fault-${state.count('names of faults') + 1}`;
    if (!activeOverride(state, name)) return name;
  }
}

/** @throws ControlRefusal 404 */
export function removeFault(state: State, id: string): void {
  removeOverride(state, faultWith(state, id).id);
}

const faultWith = (state: State, id: string): FaultOverride => requireNamed('fault', id, allFaults(state));

// Assumptions: the choices of the tester, overridden by those of the applied scenarios.

/** Sets choices, also those that a scenario has set. null is the default; a profile sets all others. */
export function patchAssumptions(state: State, patch: ChoicesPatch): void {
  const overruled = patch.profile === undefined ? assumptionIds.filter((id) => patch[id] !== undefined) : assumptionIds;
  state.setValue('chosen', internChoices({ ...state.value('chosen'), ...choicesIn(patch) }));
  const layers = state.value('scenarios');
  const kept = layers.map((layer) => ({ ...layer, assumptions: without(layer.assumptions, overruled) }));
  state.setValue('scenarios', kept);
  applyChoices(state);
}

/** The choices that a patch sets: all if it names a profile. null is the profile's choice, or the default. */
export function choicesIn({ profile, ...patch }: ChoicesPatch): Partial<Choices> {
  const defaults = resolveChoices({}, profile);
  const named = assumptionIds.filter((id) => patch[id] !== undefined);
  const single = Object.fromEntries(named.map((id) => [id, patch[id] ?? defaults[id]]));
  return { ...(profile === undefined ? {} : defaults), ...single } as Partial<Choices>;
}

const without = (choices: Partial<Choices>, ids: readonly AssumptionId[]): Partial<Choices> =>
  Object.fromEntries(Object.entries(choices).filter(([id]) => !ids.includes(id as AssumptionId)));

/** Activates the tester's choices, overridden by those of each applied scenario. */
export function applyChoices(state: State): void {
  const choices = { ...state.value('chosen') };
  for (const { assumptions } of state.value('scenarios')) Object.assign(choices, assumptions);
  state.setValue('readings', internChoices(choices));
}
