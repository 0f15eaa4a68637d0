// Scenarios as layers: applied whole, taken back whole. What a tester turned since is the tester's.

import { notThere } from '../contract/admin/refusals.ts';
import type { FileFault } from '../contract/file-faults.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Draft } from '../state/draft.ts';
import type { AppliedScenario, ChangedRecord } from '../state/root.ts';
import { settleReadings, turned } from './assumptions.ts';
import type { Writing } from './backstage.ts';
import { patchedClock } from './clock.ts';
import { addFault } from './faults.ts';
import { allLevers, turnOff } from './levers.ts';
import { putRecords, settleDeclared } from './put-records.ts';
import { type RecordChange, RecordChanges } from './record-changes.ts';
import { writeRecord } from './record-writes.ts';
import { layerSwitches } from './switches.ts';

/** Applies a scenario over what is there; one that is applied stays as it is. `machine` is the machine's time. */
export function applyScenario(draft: Draft, scenario: Scenario, writing: Writing, machine: number): AppliedScenario {
  const { now } = writing;
  const { name, switches = {}, faults = [], assumptions = {}, clock, data = {} } = scenario;
  const applied = draft.value('scenarios').find((one) => one.name === name);
  if (applied) return applied;
  const records = putRecords(draft, data, writing);
  layerSwitches(draft, switches, name, now);
  for (const [index, fault] of faults.entries()) addFault(draft, { id: `${name}-${index + 1}`, ...fault }, name, now);
  const layer = { name, applied_at: now, assumptions: turned(assumptions), records };
  draft.setValue('scenarios', [...draft.value('scenarios'), layer]);
  settleReadings(draft);
  if (clock) draft.setValue('clock', patchedClock(draft.value('clock'), clock, machine));
  return layer;
}

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
  let later: readonly AppliedScenario[] = all.slice(all.indexOf(layer) + 1);
  const own = layer.records.filter((record) => {
    const inherited = bequeath(later, record);
    later = inherited ?? later;
    return inherited === undefined;
  });
  giveBack(draft, own, writing);
  draft.setValue('scenarios', [...all.slice(0, all.indexOf(layer)), ...later]);
  settleReadings(draft);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Of a record that a later scenario changed, too, the first such has the say: where it found what this one made, it gives back what this
 * one found; else somebody changed the record between them, and this one's claim is void. Undefined where there is none.
 */
function bequeath(
  later: readonly AppliedScenario[],
  { collection, before, after, timed }: ChangedRecord,
): AppliedScenario[] | undefined {
  const touches = (record: ChangedRecord) => record.collection === collection && record.after.id === after.id;
  const first = later.findIndex(({ records }) => records.some(touches));
  if (first < 0) return undefined;
  const inherits = (record: ChangedRecord) => touches(record) && isSame(record.before, after);
  return later.map((layer, index) =>
    index === first
      ? {
          ...layer,
          records: layer.records.map((one) => (inherits(one) ? { ...one, before, ...(timed && { timed }) } : one)),
        }
      : layer,
  );
}

/** Gives records back that nobody changed since, where all that they name is still there. */
function giveBack(draft: Draft, records: readonly ChangedRecord[], writing: Writing): void {
  let changes = records.flatMap(({ collection, before, after, timed }, index) => {
    const isUnchanged = before && isSame(draft.table(collection).get(after.id), after);
    return isUnchanged ? [{ collection, before: after, after: before, ...(timed && { timed }), at: `$${index}` }] : [];
  });
  // One that cannot go back may be named by another: judged again, until all that are left can.
  for (let faults = faultsOf(draft, changes); faults.length > 0; faults = faultsOf(draft, changes)) {
    const kept = changes.filter(({ at }) => !faults.some(({ path }) => path.startsWith(`${at}.`)));
    changes = kept.length < changes.length ? kept : [];
  }
  for (const change of changes) writeRecord(draft, change);
  settleDeclared(draft, changes, writing);
}

function faultsOf(draft: Draft, changes: readonly RecordChange[]): FileFault[] {
  const judged = new RecordChanges(draft, changes);
  return [...judged.takenUsernames(), ...judged.faultyReferences(), ...judged.faultyReferrers()];
}
