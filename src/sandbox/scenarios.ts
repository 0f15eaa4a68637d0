// Scenarios as layers: applied whole, taken back whole. What a tester turned since is the tester's.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal, notFound, refuseFaults } from '../contract/control/control-operation.ts';
import type { AppliedScenario, ChangedRecord } from '../contract/control/state.ts';
import { type FileFault, quoted, ScenariosError } from '../contract/file-errors.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../contract/records.ts';
import { resolveChoices } from '../contract/resolved-assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import { patchedClock, realClock } from '../state/clock.ts';
import { noFreeze, State, seedOf } from '../state/state.ts';
import { applyChoices, turned } from './assumptions.ts';
import { addFault } from './faults.ts';
import { allOverrides, removeOverride } from './overrides.ts';
import { placeOf, type RecordChange, RecordChanges } from './record-changes.ts';
import { newRecord, patchedRecord, type RecordInput, settle, withLowerIds, writeRecord } from './record-writes.ts';
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
  applyChoices(state);
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
    throw notFound(
      'applied scenario',
      name,
      all.map((one) => one.name),
    );
  for (const { id, scenario } of allOverrides(state)) if (scenario === name) removeOverride(state, id);
  const place = all.indexOf(layer);
  const own = new Map(layer.records.map((record) => [placeIn(record), record]));
  const later = all.slice(place + 1).map((one) => ({ ...one, records: bequeath(own, one.records) }));
  giveBack(state, [...own.values()], writing);
  state.setValue('scenarios', [...all.slice(0, place), ...later]);
  applyChoices(state);
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
  const recordOptions = { freeze: noFreeze, maxRecords: Number.POSITIVE_INFINITY };
  const made = { identity: nobody, clock: realClock, choices: resolveChoices(), at: 0 };
  const { result } = new State(seedOf(fixtures, noFreeze), made, recordOptions).transaction((state) =>
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

// Records as scenarios bring them: each patch changes the record with its id, or is a new whole one. All of them, or none.

/** Merge patches by collection, each of the record with its id, or a new record. */
export type RecordPatches = Readonly<Record<string, readonly (RecordInput & { readonly id: string })[] | undefined>>;

interface Patch {
  readonly collection: CollectionName;
  readonly id: string;
  readonly given: RecordInput;
  /** Its place in what came, such as `$.data.orders[2]`. */
  readonly at: string;
}

/**
 * Puts records, and gives what each was and became.
 * @throws ControlRefusal 422 with every fault and its place, such as `data.orders[2].status`; nothing was written then.
 */
export function putRecords(state: State, data: RecordPatches, writing: Writing): ChangedRecord[] {
  const { puts, faults } = judged(state, data, writing.now);
  refuseFaults(faults);
  for (const change of puts) writeRecord(state, change);
  const changed = puts.flatMap(({ collection, before, after }): ChangedRecord[] => {
    const written = after && state.table(collection).get(after.id);
    const timed = before !== null && isUnderWay(state, collection, before.id);
    return written ? [{ collection, before, after: written, ...(timed && { timed }) }] : [];
  });
  settleDeclared(state, changed, writing);
  return changed;
}

/** Whether the timeline has a step for it, or for one of its packages. */
function isUnderWay(state: State, collection: CollectionName, id: string): boolean {
  const due = state.table('due_steps');
  if (due.get(id) || collection !== 'orders') return due.get(id) !== undefined;
  return Array.from(state.table('fulfillments').walk('order', id)).some(([, one]) => due.get(one.id));
}

/**
 * What a scenario declares stands as it is, as the fixtures do: only orders and packages that were under way here go on from it. Packaging that
 * it approves is approved.
 */
function settleDeclared(state: State, changes: readonly ChangedRecord[], writing: Writing): void {
  for (const change of changes) if (change.timed || change.collection === 'pags') settle(state, change, writing);
}

/** Every fault that putting these records would be refused for. */
const recordFaults = (state: State, data: RecordPatches, now: number): readonly FileFault[] =>
  judged(state, data, now).faults;

/** What the patches make of their records; references are judged once all records are whole. */
function judged(state: State, data: RecordPatches, now: number) {
  const patches = collectionNames.flatMap((collection) => patchesOf(collection, data[collection]));
  const puts = patches.map((patch) => ({ ...patch, ...put(state, patch, now) }));
  const unsound = [...repeatedIds(patches), ...puts.flatMap(({ faults }) => faults)];
  if (unsound.length > 0) return { puts, faults: unsound };
  const changes = new RecordChanges(state, puts);
  return { puts, faults: [...changes.takenUsernames(), ...changes.faultyReferences(), ...changes.faultyReferrers()] };
}

const patchesOf = (collection: CollectionName, patches: RecordPatches[string] = []): Patch[] =>
  patches.map((patch, index) => {
    const given = withLowerIds(collection, patch);
    return { collection, id: String(given.id), given, at: `$.data.${collection}[${index}]` };
  });

/** What a patch makes of its record, or its faults. */
function put(state: State, { collection, id, given, at }: Patch, now: number) {
  const before: RecordOf<CollectionName> | null = state.table(collection).get(id) ?? null;
  const making = { now, at };
  const made = before ? patchedRecord(collection, before, given, making) : newRecord(collection, given, making);
  if (made.data) return { before, after: made.data, faults: [] };
  const expected = `the id of a record in ${collection}, or a whole new record`;
  const unknown = before ? [] : [{ file: '', path: `${at}.id`, found: quoted(id), expected }];
  return { before, after: null, faults: [...unknown, ...made.faults] };
}

function repeatedIds(patches: readonly Patch[]): FileFault[] {
  const seen = new Set<string>();
  return patches.flatMap(({ collection, id, at }) => {
    const place = placeOf(collection, id);
    const isFirst = !seen.has(place);
    seen.add(place);
    return isFirst
      ? []
      : [{ file: '', path: `${at}.id`, found: quoted(id), expected: `an id not used before in data.${collection}` }];
  });
}
