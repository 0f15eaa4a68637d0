// Records of every collection under control: listed, read, added, patched, removed, and put as scenarios bring them.
import { ControlRefusal, cannot, notFound, refuseFaults, requireValid } from '../contract/control/control-operation.ts';
import { cursorAfter, type RecordsQuery } from '../contract/control/data.ts';
import { quoted } from '../contract/file-errors.ts';
import { limits } from '../contract/limits.ts';
import type { CollectionName, RecordOf } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import { type RecordChange, RecordChanges } from './record-changes.ts';
import {
  type NewId,
  newRecord,
  patchedRecord,
  type RecordInput,
  settle,
  withLowerIds,
  writeRecord,
} from './record-writes.ts';
import { operatorWorld, type Writing } from './sandbox-world.ts';

export interface RecordPage<Name extends CollectionName> {
  readonly records: readonly RecordOf<Name>[];
  /** Only where there is a next page. */
  readonly next_cursor?: string;
}

/** The records of a collection, oldest first; whole unless limit or cursor is given. Costs what is taken, not what is stored. */
export function listRecords<Name extends CollectionName>(
  state: State,
  collection: Name,
  { limit: asked, cursor }: RecordsQuery = {},
): RecordPage<Name> {
  const limit = asked ?? (cursor === undefined ? Number.POSITIVE_INFINITY : limits.defaultPageItems);
  const records: RecordOf<Name>[] = [];
  let last = -1;
  for (const [sequence, record] of state.table(collection).entries(cursor)) {
    if (records.length === limit) return { records, next_cursor: cursorAfter(last) };
    records.push(record as RecordOf<Name>);
    last = sequence;
  }
  return { records };
}

/** @throws ControlRefusal 404 */
export function getRecord<Name extends CollectionName>(state: State, collection: Name, id: string): RecordOf<Name> {
  const record = state.table(collection).get(String(withLowerIds(collection, { id }).id));
  if (!record) throw notFound(`record in ${collection} with the id`, id);
  return record as RecordOf<Name>;
}

/**
 * Adds a record; an id that was left out is drawn by the sandbox's seed.
 * @throws ControlRefusal 422 for one that is not whole or names what is not there, 409 for an id or username that is taken.
 */
export function insertRecord<Name extends CollectionName>(
  state: State,
  collection: Name,
  given: RecordInput,
  writing: Writing,
): RecordOf<Name> {
  const after = requireValid(newRecord(collection, given, { now: writing.now, newId: idsOf(state, writing) }));
  if (state.table(collection).get(after.id))
    throw taken('id', `There is a record ${quoted(after.id)} in ${collection} already; patch it, or choose another id`);
  const change = { collection, before: null, after, at: '$' };
  checkChange(state, change);
  writeRecord(state, change);
  settle(state, change, writing);
  return getRecord(state, collection, after.id);
}

/**
 * Merge-patches a record.
 * @throws ControlRefusal 404, 422 where what becomes of it is not whole or breaks a reference, 409 for a username that is taken.
 */
export function patchRecord<Name extends CollectionName>(
  state: State,
  collection: Name,
  id: string,
  patch: RecordInput,
  writing: Writing,
): RecordOf<Name> {
  const before = getRecord(state, collection, id);
  const making = { now: writing.now, newId: idsOf(state, writing) };
  const after = requireValid(patchedRecord(collection, before, patch, making));
  if (after.id !== before.id)
    throw cannot(
      'id',
      `found ${quoted(after.id)}, expected ${quoted(before.id)}: an id cannot be changed; add a new record`,
    );
  const change = { collection, before, after, at: '$' };
  checkChange(state, change);
  writeRecord(state, change);
  settle(state, change, writing);
  return getRecord(state, collection, before.id);
}

/** @throws ControlRefusal 404, 422 where another record names it. */
export function removeRecord(state: State, collection: CollectionName, id: string, writing: Writing): void {
  const before = getRecord(state, collection, id);
  const change = { collection, before, after: null, at: '$' };
  const broken = new RecordChanges(state, [change]).firstBroken(change);
  if (broken) {
    const what = `${broken.collection} ${quoted(broken.id)} names it in ${broken.fault.path}`;
    throw cannot('id', `${collection} ${quoted(before.id)} cannot be removed: ${what}; change or remove that first`);
  }
  writeRecord(state, change);
  settle(state, change, writing);
}

function idsOf(state: State, writing: Writing): NewId {
  const world = operatorWorld(state, writing);
  return (purpose) => world.newId(purpose);
}

function checkChange(state: State, change: RecordChange): void {
  const changes = new RecordChanges(state, [change]);
  const [fault] = changes.takenUsernames();
  if (fault) throw taken('username', `There is another user named ${fault.found}; choose another username`);
  refuseFaults([...changes.faultyReferences(), ...changes.faultyReferrers()]);
}

const taken = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(409, message, { details: [{ field, message }] });

// Records of a collection from the newest on, page by page, also those of a kind alone.

export interface NewestAsked<Row> {
  /** A sequence number: those before it. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Default: all are. */
  readonly isWanted?: (record: Row) => boolean;
  /** How many are looked at, at most. Default: no bound. */
  readonly most?: number;
}

export interface NewestRecords<Row> {
  readonly records: readonly Row[];
  /** Where to go on; only where there is more. */
  readonly before?: number;
  /** Whether the search ended at its bound, with more behind it. */
  readonly isCut: boolean;
}

/** Newest first. Costs what is looked at, not what is stored. */
export function newestRecords<Name extends CollectionName>(
  state: State,
  collection: Name,
  { before, limit, isWanted = () => true, most = Number.POSITIVE_INFINITY }: NewestAsked<RecordOf<Name>>,
): NewestRecords<RecordOf<Name>> {
  const records: RecordOf<Name>[] = [];
  let looked = 0;
  let last = before;
  for (const [sequence, row] of state.table(collection).newestFirst(before)) {
    const record = row as RecordOf<Name>;
    const isCut = looked === most;
    if (isCut || (records.length === limit && isWanted(record)))
      return { records, ...(last === undefined ? {} : { before: last }), isCut };
    if (isWanted(record)) records.push(record);
    looked += 1;
    last = sequence;
  }
  return { records, isCut: false };
}
