// The switches: turned by name, shown with what remains of them. Those that are faults are evaluated by fault-evaluation.ts, the others override
// what the world says (sandbox-world.ts).

import { refuseFaults } from '../contract/control/control-operation.ts';
import type { Override } from '../contract/control/overrides.ts';
import type { SwitchesJson, SwitchesPatch } from '../contract/control/switches.ts';
import { type SwitchName, switchNames } from '../contract/control/switches.ts';
import { quoted } from '../contract/file-errors.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { latestInstant } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import type { Generations } from '../state/values.ts';
import { openWindow } from './fault-evaluation.ts';
import { activeOverride, addOverride, allOverrides, removeOverride } from './overrides.ts';

/** Every switch; null is off. */
export function presentSwitches(state: State, now: number): SwitchesJson {
  const shown = switchNames.map((name) => {
    const override = activeOverride(state, name);
    return [name, override ? showSwitch(override, now) : null];
  });
  return Object.fromEntries(shown) as SwitchesJson;
}

function showSwitch(override: Override, now: number): Record<string, unknown> {
  const scenario = override.scenario === null ? {} : { scenario: override.scenario };
  return { ...override.settings, ...countsOf(override, now), ...scenario };
}

/** Whether it meets no call any more. A window that is full lets calls pass again when it ends. */
export function isSpent({ remaining, ends_at, limit }: Counts, now: number): boolean {
  if (limit !== undefined) return false;
  return remaining === 0 || (ends_at !== undefined && Date.parse(ends_at) <= now);
}

/** What is shown of a lever's end; `limit` where it counts by windows. */
export interface Counts {
  readonly remaining?: number | undefined;
  readonly ends_at?: string | undefined;
  readonly limit?: number | undefined;
}

/** What became of a lever, and what remains of it. */
export function countsOf(override: Override, now: number): { hits?: number; remaining?: number; ends_at?: string } {
  const { turn, hits, made_at } = override;
  if (turn === 'token_expiry' || turn === 'label_expiry' || turn === 'inactive_pags') return {};
  const { burst, times = burst, for_seconds, limit, window_seconds = 0 } = override.settings as Bounded;
  const window = openWindow(override.window, window_seconds, now);
  const ends =
    for_seconds === undefined ? window && window.began_at + window_seconds * 1000 : made_at + for_seconds * 1000;
  const remaining =
    limit === undefined ? times && Math.max(0, times - hits) : Math.max(0, limit - (window?.calls ?? 0));
  return {
    hits,
    ...(remaining !== undefined && { remaining }),
    ...(ends !== undefined && { ends_at: new Date(Math.min(ends, latestInstant)).toISOString() }),
  };
}

interface Bounded {
  readonly burst?: number;
  readonly times?: number;
  readonly for_seconds?: number;
  readonly limit?: number;
  readonly window_seconds?: number;
}

type Patch = DeepReadonly<SwitchesPatch>;

/** Turns switches: each named one is replaced whole, null turns it off; a scenario's own setting of it goes, too. */
export function patchSwitches(state: State, patch: Patch, now: number): void {
  for (const name of switchNames) {
    if (patch[name] === undefined) continue;
    for (const { id, name: of } of allOverrides(state)) if (of === name) removeOverride(state, id);
    setSwitch(state, name, patch[name], null, now);
  }
}

/** Turns switches for a scenario, over what they were set to. */
export function layerSwitches(state: State, patch: Patch, scenario: string, now: number): void {
  for (const name of switchNames) setSwitch(state, name, patch[name], scenario, now);
}

export function clearSwitches(state: State): void {
  for (const { id, kind } of allOverrides(state)) if (kind !== 'fault') removeOverride(state, id);
}

function setSwitch(state: State, name: SwitchName, settings: Patch[SwitchName], scenario: string | null, now: number) {
  if (settings === undefined || settings === null) return;
  if ('ids' in settings) checkPags(state, settings.ids);
  const generation = 'expire_issued' in settings ? expireIssued(state, name, settings) : null;
  addOverride(state, { kind: name, name, scenario, settings, generation }, now);
}

/** @throws ControlRefusal 422 for an id that no PAG has. */
function checkPags(state: State, ids: readonly string[] = []): void {
  const index = ids.findIndex((id) => !state.table('pags').get(id));
  if (index < 0) return;
  const path = `$.inactive_pags.ids[${index}]`;
  refuseFaults([{ file: '', path, found: quoted(ids[index]), expected: 'the id of a record in pags' }]);
}

/**
 * A new generation: all that was issued in one before is expired, for good; where the switch has a `match`, for the calls that it matches
 * while it is on. Generations are never given twice, also across resets.
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
