// Scenarios as layers: applied whole, taken back whole. What a tester turned since is the tester's.

import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal, notThere } from '../contract/admin/refusals.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Draft } from '../state/draft.ts';
import type { AppliedScenario, ChangedRecord } from '../state/root.ts';
import { settleReadings, turned } from './assumptions.ts';
import type { Writing } from './backstage.ts';
import { patchedClock } from './clock.ts';
import { addFault } from './faults.ts';
import { giveBack, isSame } from './give-back.ts';
import { allLevers, turnOff } from './levers.ts';
import { putRecords } from './put-records.ts';
import { placeOf } from './record-changes.ts';
import { layerSwitches } from './switches.ts';

/** Applies a scenario over what is there; one that is applied stays as it is. `machine` is the machine's time. */
export function applyScenario(draft: Draft, scenario: Scenario, writing: Writing, machine: number): AppliedScenario {
  const { now } = writing;
  const { name, switches = {}, faults = [], assumptions = {}, clock, data = {} } = scenario;
  const before = draft.value('scenarios');
  const applied = before.find((one) => one.name === name);
  if (applied) return applied;
  if (before.length >= bounds.scenarios) throw full();
  const records = putRecords(draft, data, writing);
  layerSwitches(draft, switches, name, now);
  for (const [index, fault] of faults.entries()) addFault(draft, { id: `${name}-${index + 1}`, ...fault }, name, now);
  const layer = { name, applied_at: now, assumptions: turned(assumptions), records };
  draft.setValue('scenarios', [...before, layer]);
  settleReadings(draft);
  if (clock) draft.setValue('clock', patchedClock(draft.value('clock'), clock, machine));
  return layer;
}

const full = (): ControlRefusal =>
  new ControlRefusal(
    422,
    `The sandbox has ${bounds.scenarios} scenarios applied, the most it may have; take some back`,
  );

/**
 * Takes a scenario back: its switches, faults and readings go, records that it changed are what they were unless they were changed
 * since, new ones stay, the clock is not turned back.
 */
export function takeBack(draft: Draft, name: string, writing: Writing): void {
  const all = draft.value('scenarios');
  const layer = all.find((one) => one.name === name);
  if (!layer)
    throw notThere(
      'applied scenario',
      name,
      all.map((one) => one.name),
    );
  for (const { id, scenario } of allLevers(draft)) if (scenario === name) turnOff(draft, id);
  const place = all.indexOf(layer);
  const own = new Map(layer.records.map((record) => [placeIn(record), record]));
  const later = all.slice(place + 1).map((one) => ({ ...one, records: bequeath(own, one.records) }));
  giveBack(draft, [...own.values()], writing);
  draft.setValue('scenarios', [...all.slice(0, place), ...later]);
  settleReadings(draft);
}

const placeIn = ({ collection, after }: ChangedRecord): string => placeOf(collection, after.id);

/**
 * Of a record that a later scenario changed, too, the first such has the say: where it found what this one made, it gives back what this
 * one found; else somebody changed the record between them, and this one's claim is void. Either way the record is no more among the own.
 */
function bequeath(own: Map<string, ChangedRecord>, records: readonly ChangedRecord[]): ChangedRecord[] {
  return records.map((record) => {
    const place = placeIn(record);
    const former = own.get(place);
    own.delete(place);
    if (!(former && isSame(record.before, former.after))) return record;
    const { before, timed } = former;
    return { ...record, before, ...(timed && { timed }) };
  });
}
