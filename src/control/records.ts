// Records of every collection under control: listed, read, added, patched, removed, and put as scenarios bring them.

import type { RecordsQuery } from '../contract/admin/cursor.ts';
import { cursorAfter } from '../contract/admin/cursor.ts';
import { accepted, refuseFaults } from '../contract/admin/fault-refusal.ts';
import { type Given, withLowerIds } from '../contract/admin/given-record.ts';
import { ControlRefusal, cannot, notThere } from '../contract/admin/refusals.ts';
import { quoted } from '../contract/file-faults.ts';
import { limits } from '../contract/limits.ts';
import type { CollectionName, RecordOf } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Draft } from '../state/draft.ts';
import type { Writing } from './backstage.ts';
import { newId } from './new-id.ts';
import { type NewId, newRecord, patchedRecord } from './new-record.ts';
import { type RecordChange, RecordChanges } from './record-changes.ts';
import { settle, writeRecord } from './record-writes.ts';

export interface RecordPage<Name extends CollectionName> {
  readonly records: readonly RecordOf<Name>[];
  /** Only where there is a next page. */
  readonly next_cursor?: string;
}

/** The records of a collection, oldest first; whole unless limit or cursor is given. Costs what is taken, not what is stored. */
export function listRecords<Name extends CollectionName>(
  draft: Draft,
  collection: Name,
  { limit: asked, cursor }: RecordsQuery = {},
): RecordPage<Name> {
  const limit = asked ?? (cursor === undefined ? Number.POSITIVE_INFINITY : limits.defaultPageItems);
  const records: RecordOf<Name>[] = [];
  let last = -1;
  for (const [sequence, record] of draft.table(collection).entries(cursor)) {
    if (records.length === limit) return { records, next_cursor: cursorAfter(last) };
    records.push(record as RecordOf<Name>);
    last = sequence;
  }
  return { records };
}

/** @throws ControlRefusal 404 */
export function getRecord<Name extends CollectionName>(draft: Draft, collection: Name, id: string): RecordOf<Name> {
  const record = draft.table(collection).get(String(withLowerIds(collection, { id }).id));
  if (!record) throw notThere(`record in ${collection} with the id`, id);
  return record as RecordOf<Name>;
}

/**
 * Adds a record; an id that was left out is drawn by the sandbox's seed.
 * @throws ControlRefusal 422 for one that is not whole or names what is not there, 409 for an id or username that is taken.
 */
export function insertRecord<Name extends CollectionName>(
  draft: Draft,
  collection: Name,
  given: Given,
  writing: Writing,
): RecordOf<Name> {
  const { now, hashes } = writing;
  const after = accepted(newRecord(collection, given, { now, newId: idsOf(draft, hashes) }));
  if (draft.table(collection).get(after.id))
    throw taken('id', `There is a record ${quoted(after.id)} in ${collection} already; patch it, or choose another id`);
  const change = { collection, before: null, after, at: '$' };
  checkChange(draft, change);
  writeRecord(draft, change);
  settle(draft, change, writing);
  return getRecord(draft, collection, after.id);
}

/**
 * Merge-patches a record.
 * @throws ControlRefusal 404, 422 where what becomes of it is not whole or breaks a reference, 409 for a username that is taken.
 */
export function patchRecord<Name extends CollectionName>(
  draft: Draft,
  collection: Name,
  id: string,
  patch: Given,
  writing: Writing,
): RecordOf<Name> {
  const { now, hashes } = writing;
  const before = getRecord(draft, collection, id);
  const after = accepted(patchedRecord(collection, before, patch, { now, newId: idsOf(draft, hashes) }));
  if (after.id !== before.id)
    throw cannot(
      'id',
      `found ${quoted(after.id)}, expected ${quoted(before.id)}: an id cannot be changed; add a new record`,
    );
  const change = { collection, before, after, at: '$' };
  checkChange(draft, change);
  writeRecord(draft, change);
  settle(draft, change, writing);
  return getRecord(draft, collection, before.id);
}

/** @throws ControlRefusal 404, 422 where another record names it. */
export function removeRecord(draft: Draft, collection: CollectionName, id: string, writing: Writing): void {
  const before = getRecord(draft, collection, id);
  const change = { collection, before, after: null, at: '$' };
  const broken = new RecordChanges(draft, [change]).firstBroken(change);
  if (broken) {
    const what = `${broken.collection} ${quoted(broken.id)} names it in ${broken.fault.path}`;
    throw cannot('id', `${collection} ${quoted(before.id)} cannot be removed: ${what}; change or remove that first`);
  }
  writeRecord(draft, change);
  settle(draft, change, writing);
}

const idsOf =
  (draft: Draft, hashes: Hashes): NewId =>
  (purpose) =>
    newId(draft, hashes, purpose);

function checkChange(draft: Draft, change: RecordChange): void {
  const changes = new RecordChanges(draft, [change]);
  const [fault] = changes.takenUsernames();
  if (fault) throw taken('username', `There is another user named ${fault.found}; choose another username`);
  refuseFaults([...changes.faultyReferences(), ...changes.faultyReferrers()]);
}

const taken = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(409, message, { details: [{ field, message }] });
