// Scenarios as layers of a sandbox: applied and reverted as a whole, except for what changed in between.
import { bounds } from '../contract/control/bounds.ts';
import { ControlRefusal, refuseFaults, requireNamed } from '../contract/control/control-operation.ts';
import type { AppliedScenario, ChangedRecord } from '../contract/control/state.ts';
import { bodyFault, type FileFault, quoted, repetitions, ScenariosError } from '../contract/file-errors.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { withNearest } from '../contract/nearest.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { resolveChoices } from '../contract/resolved-assumptions.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Hashes } from '../domain/hashes.ts';
import { patchedClock, realClock } from '../state/clock.ts';
import { noFreeze, type RecordOptions, State, seedOf, unboundedRecords } from '../state/state.ts';
import {
  activeOverride,
  addFault,
  allOverrides,
  applyChoices,
  choicesIn,
  expectedRecordId,
  removeOverride,
  setSwitches,
} from './overrides.ts';
import {
  applyConsequences,
  ChangeCheck,
  type PlacedChange,
  type RecordChange,
  recordKey,
  writeRecord,
} from './record-changes.ts';
import { newRecord, patchedRecord, type RecordInput, withLowerIds } from './record-input.ts';
import type { WriteContext } from './sandbox-world.ts';

/**
 * Applies a scenario in a transaction, unless it is applied already.
 * @param machine real time
 * @throws ControlRefusal 422 for a part that does not fit the sandbox, 409 for the id of a fault that exists already
 */
export function applyScenario(
  state: State,
  scenario: Scenario,
  context: WriteContext,
  machine: number,
): AppliedScenario {
  const { now } = context;
  const { name, switches = {}, faults = [], assumptions = {}, clock, data = {} } = scenario;
  const layers = state.value('scenarios');
  const applied = layers.find((layer) => layer.name === name);
  if (applied) return applied;
  if (layers.length >= bounds.scenarios)
    throw new ControlRefusal(
      422,
      `The sandbox already has ${bounds.scenarios} applied scenarios, the maximum; remove some`,
    );
  const records = putRecords(state, data, context);
  setSwitches(state, switches, name, now);
  const named = faults.map((fault, index) => ({ ...fault, id: fault.id ?? `${name}-${index + 1}` }));
  refuseFaults(takenIds(state, named), 409);
  for (const fault of named) addFault(state, fault, name, now);
  const layer = { name, applied_at: now, assumptions: choicesIn(assumptions), records };
  state.setValue('scenarios', [...layers, layer]);
  applyChoices(state);
  if (clock) state.setValue('clock', patchedClock(state.value('clock'), clock, machine));
  return layer;
}

/**
 * Removes the switches, faults and choices of a scenario, and restores the records that it changed unless they have
 * changed since. Records that it added stay, and so does the clock. @throws ControlRefusal 404
 */
export function revertScenario(state: State, name: string, context: WriteContext): void {
  const layers = state.value('scenarios');
  const layer = requireNamed('applied scenario', name, layers);
  const place = layers.indexOf(layer);
  for (const { id, scenario } of allOverrides(state)) if (scenario === name) removeOverride(state, id);
  const own = new Map(layer.records.map((record) => [keyOf(record), record]));
  const later = layers.slice(place + 1).map((one) => ({ ...one, records: handOver(own, one.records) }));
  restoreRecords(state, [...own.values()], context);
  state.setValue('scenarios', [...layers.slice(0, place), ...later]);
  applyChoices(state);
}

function takenIds(state: State, faults: readonly { readonly id: string }[]): FileFault[] {
  const isRepeated = repetitions();
  return faults.flatMap(({ id }, index) =>
    isRepeated(id) || activeOverride(state, id)
      ? [bodyFault(`$.faults[${index}].id`, quoted(id), 'an id that no other fault of the sandbox has')]
      : [],
  );
}

const keyOf = ({ collection, after }: ChangedRecord): string => recordKey(collection, after.id);
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Removes the records that the next layer changed, too, from a reverted layer. The next layer now restores what the
 * reverted one would have restored, unless the record changed between the two.
 */
function handOver(own: Map<string, ChangedRecord>, records: readonly ChangedRecord[]): ChangedRecord[] {
  return records.map((record) => {
    const key = keyOf(record);
    const former = own.get(key);
    own.delete(key);
    if (!(former && isEqual(record.before, former.after))) return record;
    const { before, timed } = former;
    return { ...record, before, ...(timed && { timed }) };
  });
}

/** Restores the records that have not changed since, if everything that they reference still exists. */
function restoreRecords(state: State, records: readonly ChangedRecord[], context: WriteContext): void {
  const unchanged = records.flatMap(({ collection, before, after, timed }, index) =>
    before && isEqual(state.table(collection).get(after.id), after)
      ? [{ collection, before: after, after: before, timed, at: `$${index}` }]
      : [],
  );
  const changes = writableChanges(state, unchanged);
  for (const change of changes) writeRecord(state, change);
  applyTimedConsequences(state, changes, context);
}

/** The changes that can be written. One that cannot may be referenced by another, so the rest is checked again. */
function writableChanges<Change extends PlacedChange>(state: State, changes: readonly Change[]): readonly Change[] {
  const faults = new ChangeCheck(state, changes).faults();
  if (faults.length === 0) return changes;
  const faulty = new Set(faults.map(({ path }) => path.slice(0, path.indexOf('.'))));
  const others = changes.filter(({ at }) => !faulty.has(at));
  return writableChanges(state, others);
}

/** Merge patches by collection, each of the record with its id, or a new record. */
export type RecordPatches = Readonly<Record<string, readonly (RecordInput & { readonly id: string })[] | undefined>>;

/**
 * Writes the records of a scenario, all or none. @returns each record before and after
 * @throws ControlRefusal 422 with every fault and its place, such as `data.orders[2].status`
 */
export function putRecords(state: State, data: RecordPatches, context: WriteContext): ChangedRecord[] {
  const { changes, faults } = planChanges(state, data, context.now);
  refuseFaults(faults);
  for (const change of changes) writeRecord(state, change);
  const changed = changes.flatMap(({ collection, before, after }): ChangedRecord[] => {
    const written = after && state.table(collection).get(after.id);
    const timed = before !== null && isInTimeline(state, collection, before.id);
    return written ? [{ collection, before, after: written, ...(timed && { timed }) }] : [];
  });
  applyTimedConsequences(state, changed, context);
  return changed;
}

/** Whether the timeline has a step for the record, or for a package of the order. */
function isInTimeline(state: State, collection: CollectionName, id: string): boolean {
  const steps = state.table('due_steps');
  if (steps.get(id) || collection !== 'orders') return steps.get(id) !== undefined;
  return Array.from(state.table('fulfillments').walk('order', id)).some(([, one]) => steps.get(one.id));
}

/**
 * Like fixtures, the records of a scenario stay as declared: the timeline continues only for orders and packages that
 * it had steps for. PAGs that become Active release orders.
 */
function applyTimedConsequences(
  state: State,
  changes: readonly (RecordChange & { readonly timed?: boolean | undefined })[],
  context: WriteContext,
): void {
  for (const change of changes)
    if (change.timed || change.collection === 'pags') applyConsequences(state, change, context);
}

/** The changes that the patches make. References are checked only if every record is whole. */
function planChanges(state: State, data: RecordPatches, now: number) {
  const patches = collectionNames.flatMap((collection) => patchesOf(collection, data[collection]));
  const faults = repeatedIds(patches);
  const changes = patches.map(({ collection, id, given, at }): PlacedChange => {
    const before: RecordOf<CollectionName> | null = state.table(collection).get(id) ?? null;
    const fillIn = { now, at };
    const parsed = before ? patchedRecord(collection, before, given, fillIn) : newRecord(collection, given, fillIn);
    if (parsed.faults && !before) {
      const expected = expectedRecordId(state, collection, id, faults.length, ', or a whole new record');
      faults.push(bodyFault(`${at}.id`, quoted(id), expected));
    }
    for (const fault of parsed.faults ?? []) faults.push(fault);
    return { collection, before, after: parsed.data ?? null, at };
  });
  return { changes, faults: faults.length > 0 ? faults : new ChangeCheck(state, changes).faults() };
}

/** The records as a scenario gives them, each with its place in the file, such as `$.data.orders[2]`. */
const patchesOf = (collection: CollectionName, patches: RecordPatches[string] = []) =>
  patches.map((patch, index) => {
    const given = withLowerIds(collection, patch);
    return { collection, id: String(given.id), given, at: `$.data.${collection}[${index}]` };
  });

function repeatedIds(patches: ReturnType<typeof patchesOf>): FileFault[] {
  const isRepeated = repetitions();
  return patches.flatMap(({ collection, id, at }) => {
    if (!isRepeated(recordKey(collection, id))) return [];
    return [bodyFault(`${at}.id`, quoted(id), `an id not used before in data.${collection}`)];
  });
}

/** The identity of a sandbox that only checks scenarios. */
const noIdentity = {
  name: 'check',
  environment: 'check',
  seed: '',
  signingKey: '',
  madeByLogin: false,
  ownKeyHash: null,
  ttlSeconds: null,
};

/** A trial keeps nothing, so its ids need not be random. */
const noHashes: Hashes = { sha256: () => new Uint8Array(32), hmac: () => new Uint8Array(32) };

/** How to try scenarios on a new sandbox. */
export interface Trial {
  readonly fixtures: Fixtures;
  /** One after the other, as `--scenario a,b` does, instead of each alone. */
  readonly together?: boolean;
  /** The file of a scenario, by its name. */
  readonly fileOf?: ((name: string) => string) | undefined;
  /** The most records of a collection. */
  readonly recordOptions?: RecordOptions;
}

/** Applies the scenarios as a sandbox would. @returns the refused parts, each with its file and place */
export function scenarioFaults(
  scenarios: readonly Scenario[],
  { fixtures, together = false, fileOf = (name) => `${name}.json`, recordOptions = unboundedRecords }: Trial,
): FileFault[] {
  const made = { identity: noIdentity, clock: realClock, readings: resolveChoices(), at: 0 };
  const state = new State(seedOf(fixtures, noFreeze), made, recordOptions);
  return scenarios.flatMap((scenario) => {
    try {
      const { changes } = state.transaction(() => applyScenario(state, scenario, { now: 0, hashes: noHashes }, 0));
      if (!together) state.undo(changes);
      return [];
    } catch (error) {
      return faultsIn(error).map((fault) => ({ ...fault, file: fileOf(scenario.name) }));
    }
  });
}

/** The faults that the error of a refused scenario has. @throws any other error */
function faultsIn(error: unknown): readonly FileFault[] {
  if (error instanceof Refusal)
    return [bodyFault('$.data', 'too many records', 'at most --max-records in a collection')];
  if (!(error instanceof ControlRefusal)) throw error;
  const found = `a scenario that cannot be applied (${error.message})`;
  return error.faults ?? [bodyFault('$', found, 'one that can be applied')];
}

/** @throws ScenariosError for scenarios that cannot be applied */
export function requireFit(scenarios: readonly Scenario[], trial: Trial): void {
  if (scenarios.length === 0) return;
  const faults = scenarioFaults(scenarios, trial);
  if (faults.length > 0) throw new ScenariosError(faults);
}

/**
 * An unknown scenario name. The message lists the available names.
 * @example createSachet({ scenario: 'no-pga' }); // UnknownScenarioError: unknown scenario "no-pga"; available: …
 */
export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

/** The scenarios of these names. @throws UnknownScenarioError */
export function chooseScenarios(all: readonly Scenario[] = [], names: readonly string[] = []): Scenario[] {
  return [...new Set(names)].map((name) => {
    const found = all.find((scenario) => scenario.name === name);
    if (found) return found;
    const others = all.map((scenario) => scenario.name);
    const sentence = `unknown scenario "${name}"; available: ${others.join(', ') || 'none'}`;
    throw new UnknownScenarioError(withNearest(sentence, name, others));
  });
}
