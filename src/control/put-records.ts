// Records as scenarios bring them: each patch changes the record with its id, or is a new whole one. All of them, or none.
import { refuseFaults } from '../contract/admin/fault-refusal.ts';
import { type Given, withLowerIds } from '../contract/admin/given-record.ts';
import { type FileFault, quoted } from '../contract/file-faults.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import type { ChangedRecord } from '../state/values.ts';
import { placeOf, RecordChanges } from './record-changes.ts';
import { newRecord, patchedRecord, settle, writeRecord } from './record-writes.ts';
import type { Writing } from './sandbox-world.ts';

/** Merge patches by collection, each of the record with its id, or a new record. */
export type RecordPatches = Readonly<Record<string, readonly (Given & { readonly id: string })[] | undefined>>;

interface Patch {
  readonly collection: CollectionName;
  readonly id: string;
  readonly given: Given;
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
export function settleDeclared(state: State, changes: readonly ChangedRecord[], writing: Writing): void {
  for (const change of changes) if (change.timed || change.collection === 'pags') settle(state, change, writing);
}

/** Every fault that putting these records would be refused for. */
export const recordFaults = (state: State, data: RecordPatches, now: number): readonly FileFault[] =>
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
