// The switches: turned by name, shown with what remains of them. Those that are faults are met by admission.ts, the others are asked
// for by bent.ts.
import { refuseFaults } from '../contract/admin/fault-refusal.ts';
import type { Lever } from '../contract/admin/lever.ts';
import { type SwitchName, switchNames } from '../contract/admin/switch-names.ts';
import type { SwitchesPatch, SwitchesShown } from '../contract/admin/switches.ts';
import { quoted } from '../contract/file-faults.ts';
import { latestInstant } from '../contract/instant.ts';
import type { DeepReadonly } from '../contract/records.ts';
import type { Draft } from '../state/draft.ts';
import type { Generations } from '../state/root.ts';
import { allLevers, leverNamed, openWindow, turnOff, turnOn } from './levers.ts';

/** Every switch; null is off. */
export function showSwitches(draft: Draft, now: number): SwitchesShown {
  const shown = switchNames.map((name) => {
    const lever = leverNamed(draft, name);
    return [name, lever ? showSwitch(lever, now) : null];
  });
  return Object.fromEntries(shown) as SwitchesShown;
}

function showSwitch(lever: Lever, now: number): Record<string, unknown> {
  const scenario = lever.scenario === null ? {} : { scenario: lever.scenario };
  return { ...lever.settings, ...countsOf(lever, now), ...scenario };
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
export function countsOf(lever: Lever, now: number): { hits?: number; remaining?: number; ends_at?: string } {
  const { turn, hits, made_at } = lever;
  if (turn === 'token_expiry' || turn === 'label_expiry' || turn === 'inactive_pags') return {};
  const { burst, times = burst, for_seconds, limit, window_seconds = 0 } = lever.settings as Bounded;
  const window = openWindow(lever.window, window_seconds, now);
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
export function patchSwitches(draft: Draft, patch: Patch, now: number): void {
  for (const name of switchNames) {
    if (patch[name] === undefined) continue;
    for (const { id, name: of } of allLevers(draft)) if (of === name) turnOff(draft, id);
    setSwitch(draft, name, patch[name], null, now);
  }
}

/** Turns switches for a scenario, over what they were set to. */
export function layerSwitches(draft: Draft, patch: Patch, scenario: string, now: number): void {
  for (const name of switchNames) setSwitch(draft, name, patch[name], scenario, now);
}

export function clearSwitches(draft: Draft): void {
  for (const { id, kind } of allLevers(draft)) if (kind !== 'fault') turnOff(draft, id);
}

function setSwitch(draft: Draft, name: SwitchName, settings: Patch[SwitchName], scenario: string | null, now: number) {
  if (settings === undefined || settings === null) return;
  if ('ids' in settings) checkPags(draft, settings.ids);
  const generation = 'expire_issued' in settings ? expireIssued(draft, name, settings) : null;
  turnOn(draft, { kind: name, name, scenario, settings, generation }, now);
}

/** @throws ControlRefusal 422 for an id that no PAG has. */
function checkPags(draft: Draft, ids: readonly string[] = []): void {
  const index = ids.findIndex((id) => !draft.table('pags').get(id));
  if (index < 0) return;
  const path = `$.inactive_pags.ids[${index}]`;
  refuseFaults([{ file: '', path, found: quoted(ids[index]), expected: 'the id of a record in pags' }]);
}

/**
 * A new generation: all that was issued in one before is expired, for good; where the switch has a `match`, for the calls that it matches
 * while it is on. Generations are never given twice, also across resets.
 */
function expireIssued(draft: Draft, name: SwitchName, { match }: { readonly match?: unknown }): number {
  const what: keyof Generations = name === 'label_expiry' ? 'labels' : 'tokens';
  const history = draft.value('history');
  const next = history.generations[what] + 1;
  draft.setValue('history', { ...history, generations: { ...history.generations, [what]: next } });
  draft.setValue('generations', { ...draft.value('generations'), [what]: next });
  if (match === undefined) draft.setValue('expired', { ...draft.value('expired'), [what]: next });
  return next;
}
