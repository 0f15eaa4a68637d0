// Scenarios as layers: applied whole, taken back whole. What a tester turned since is the tester's.
import { notThere } from '../contract/admin/refusals.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Draft } from '../state/draft.ts';
import type { AppliedScenario, ChangedRecord } from '../state/root.ts';
import { settleReadings, turned } from './assumptions.ts';
import { patchedClock } from './clock.ts';
import { addFault } from './faults.ts';
import { allLevers, turnOff } from './levers.ts';
import { putRecords } from './records.ts';
import { layerSwitches } from './switches.ts';

/** Applies a scenario over what is there; one that is applied stays as it is. `machine` is the machine's time. */
export function applyScenario(draft: Draft, scenario: Scenario, now: number, machine: number): AppliedScenario {
  const { name, switches = {}, faults = [], assumptions = {}, clock, data = {} } = scenario;
  const applied = draft.value('scenarios').find((one) => one.name === name);
  if (applied) return applied;
  layerSwitches(draft, switches, name, now);
  for (const [index, fault] of faults.entries()) addFault(draft, { id: `${name}-${index + 1}`, ...fault }, name, now);
  const layer = { name, applied_at: now, assumptions: turned(assumptions), records: putRecords(draft, data, now) };
  draft.setValue('scenarios', [...draft.value('scenarios'), layer]);
  settleReadings(draft);
  if (clock) draft.setValue('clock', patchedClock(draft.value('clock'), clock, machine));
  return layer;
}

/**
 * Takes a scenario back: its switches, faults and readings go, records that it changed are what they were unless they were changed
 * since, new ones stay, the clock is not turned back.
 */
export function takeBack(draft: Draft, name: string): void {
  const all = draft.value('scenarios');
  const layer = all.find((one) => one.name === name);
  if (!layer)
    throw notThere(
      'applied scenario',
      name,
      all.map((one) => one.name),
    );
  for (const { id, scenario } of allLevers(draft)) if (scenario === name) turnOff(draft, id);
  const later = all.slice(all.indexOf(layer) + 1);
  const bequeathed = layer.records.reduce((rest, record) => giveBack(draft, record, rest), later);
  draft.setValue('scenarios', [...all.slice(0, all.indexOf(layer)), ...bequeathed]);
  settleReadings(draft);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A record's former value goes back into its place, or to the later scenario that changed what this one made of it. */
function giveBack(draft: Draft, changed: ChangedRecord, later: readonly AppliedScenario[]): AppliedScenario[] {
  const { collection, before, after } = changed;
  let isHeir = true;
  const rest = later.map((layer) => {
    const records = layer.records.map((record) => {
      if (!isHeir || record.collection !== collection || !isSame(record.before, after)) return record;
      isHeir = false;
      return { ...record, before };
    });
    return { ...layer, records };
  });
  const table = draft.table(collection);
  if (isHeir && before && isSame(table.get(after.id), after)) table.replace(before);
  return rest;
}
