// Scenarios as layers: applied whole, taken back whole. What a tester turned since is the tester's.
import { bounds } from '../contract/admin/bounds.ts';
import { ControlRefusal, notThere } from '../contract/admin/control-operation.ts';
import { type FileFault, ScenariosError } from '../contract/file-faults.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { chooseReadings } from '../contract/readings.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { noFreeze, State, seedOf } from '../state/state.ts';
import type { AppliedScenario, ChangedRecord } from '../state/values.ts';
import { settleReadings, turned } from './assumptions.ts';
import { patchedClock, realClock } from './clock.ts';
import { addFault } from './faults.ts';
import { allLevers, turnOff } from './levers.ts';
import { putRecords, recordFaults, settleDeclared } from './put-records.ts';
import { placeOf, type RecordChange, RecordChanges } from './record-changes.ts';
import { writeRecord } from './record-writes.ts';
import type { Writing } from './sandbox-world.ts';
import { layerSwitches } from './switches.ts';

// What a scenario that is taken back gives back: records as they were before it, but for those that were changed since.

/** Whether two records hold the same, in the same order. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Gives records back that nobody changed since, where all that they name is still there. */
function giveBack(state: State, records: readonly ChangedRecord[], writing: Writing): void {
  const unchanged = records.flatMap(({ collection, before, after, timed }, index) => {
    const isUnchanged = before && isSame(state.table(collection).get(after.id), after);
    return isUnchanged ? [{ collection, before: after, after: before, ...(timed && { timed }), at: `$${index}` }] : [];
  });
  const changes = soundOf(state, unchanged);
  for (const change of changes) writeRecord(state, change);
  settleDeclared(state, changes, writing);
}

/** Chains of references are shorter; where one of usernames is longer, no user goes back. */
const maxRounds = 10;

/** One that cannot go back may be named by another: judged again, until all that are left can. */
function soundOf<Change extends RecordChange>(state: State, changes: readonly Change[]): readonly Change[] {
  let left = changes;
  for (let round = 0; round < maxRounds; round += 1) {
    const faulty = new Set(faultsOf(state, left).map(({ path }) => path.slice(0, path.indexOf('.'))));
    if (faulty.size === 0) return left;
    left = left.filter(({ at }) => !faulty.has(at));
  }
  const others = left.filter(({ collection }) => collection !== 'users');
  return others.length < left.length ? soundOf(state, others) : [];
}

function faultsOf(state: State, changes: readonly RecordChange[]): FileFault[] {
  const judged = new RecordChanges(state, changes);
  return [...judged.takenUsernames(), ...judged.faultyReferences(), ...judged.faultyReferrers()];
}

/** Applies a scenario over what is there; one that is applied stays as it is. `machine` is the machine's time. */
export function applyScenario(state: State, scenario: Scenario, writing: Writing, machine: number): AppliedScenario {
  const { now } = writing;
  const { name, switches = {}, faults = [], assumptions = {}, clock, data = {} } = scenario;
  const before = state.value('scenarios');
  const applied = before.find((one) => one.name === name);
  if (applied) return applied;
  if (before.length >= bounds.scenarios) throw full();
  const records = putRecords(state, data, writing);
  layerSwitches(state, switches, name, now);
  for (const [index, fault] of faults.entries()) addFault(state, { id: `${name}-${index + 1}`, ...fault }, name, now);
  const layer = { name, applied_at: now, assumptions: turned(assumptions), records };
  state.setValue('scenarios', [...before, layer]);
  settleReadings(state);
  if (clock) state.setValue('clock', patchedClock(state.value('clock'), clock, machine));
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
export function takeBack(state: State, name: string, writing: Writing): void {
  const all = state.value('scenarios');
  const layer = all.find((one) => one.name === name);
  if (!layer)
    throw notThere(
      'applied scenario',
      name,
      all.map((one) => one.name),
    );
  for (const { id, scenario } of allLevers(state)) if (scenario === name) turnOff(state, id);
  const place = all.indexOf(layer);
  const own = new Map(layer.records.map((record) => [placeIn(record), record]));
  const later = all.slice(place + 1).map((one) => ({ ...one, records: bequeath(own, one.records) }));
  giveBack(state, [...own.values()], writing);
  state.setValue('scenarios', [...all.slice(0, place), ...later]);
  settleReadings(state);
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

// Whether a scenario's data fits fixtures: judged as it is when the scenario is applied to a sandbox that was born from them.

const nobody = {
  name: 'fit',
  environment: 'fit',
  seed: '',
  signingKey: '',
  madeByLogin: false,
  ownKeyHash: null,
  ttlSeconds: null,
};

/**
 * Every fault of a scenario's data in these fixtures.
 * @param file what to call the scenario's file in a fault.
 */
export function scenarioFaults(
  { name, data = {} }: Pick<Scenario, 'data' | 'name'>,
  fixtures: Fixtures,
  file = `${name}.json`,
): FileFault[] {
  const keeping = { freeze: noFreeze, maxRecords: Number.POSITIVE_INFINITY };
  const made = { identity: nobody, clock: realClock, readings: chooseReadings(), at: 0 };
  const { result } = new State(seedOf(fixtures, noFreeze), made, keeping).transaction((state) =>
    recordFaults(state, data, 0),
  );
  return result.map((fault) => ({ ...fault, file }));
}

/** The file of a scenario, by its name: what a fault calls it. */
type FileOf = (name: string) => string;

/** Every fault of scenarios in these fixtures. */
export const misfits = (scenarios: readonly Scenario[], fixtures: Fixtures, fileOf?: FileOf): FileFault[] =>
  scenarios.flatMap((scenario) => scenarioFaults(scenario, fixtures, fileOf?.(scenario.name)));

/** @throws ScenariosError for scenarios that do not fit the fixtures. */
export function requireFit(scenarios: readonly Scenario[], fixtures: Fixtures, fileOf?: FileOf): void {
  const faults = misfits(scenarios, fixtures, fileOf);
  if (faults.length > 0) throw new ScenariosError(faults);
}
