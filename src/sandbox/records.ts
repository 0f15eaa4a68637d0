// Records in the control API: list, get, add, patch and remove them in every collection; and the single resources.
import { ControlRefusal, cannot, notFound, refuseFaults, requireValid } from '../contract/control/control-operation.ts';
import type { RecordsQuery } from '../contract/control/data.ts';
import { cursorAfter } from '../contract/control/paging.ts';
import { quoted } from '../contract/file-errors.ts';
import { type ParsedFile, parseFile } from '../contract/fixtures.ts';
import { limits } from '../contract/limits.ts';
import { type CollectionName, type RecordOf, type SingleName, type SingleOf, singles } from '../contract/records.ts';
import { internTimes } from '../contract/resolved-assumptions.ts';
import type { State } from '../state/state.ts';
import type { ValueOf } from '../state/values.ts';
import { type AnyRecord, applyConsequences, ChangeCheck, type PlacedChange, writeRecord } from './record-changes.ts';
import { type FillIn, mergePatch, newRecord, patchedRecord, type RecordInput, withLowerIds } from './record-input.ts';
import { operatorWorld, type WriteContext } from './sandbox-world.ts';

/** The records of a collection, oldest first: all of them without a limit or cursor. The last page has no cursor. */
export function listRecords<Name extends CollectionName>(
  state: State,
  collection: Name,
  { limit: asked, cursor }: RecordsQuery = {},
): { readonly records: readonly RecordOf<Name>[]; readonly next_cursor?: string } {
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

export interface NewestQuery<Row> {
  /** Only records before this sequence number. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly isWanted?: (record: Row) => boolean;
  /** How many records are examined. Default: no limit. */
  readonly maxExamined?: number;
}

/**
 * A page of the wanted records, newest first.
 * @returns also `before` for the next page, if there is one, and `isCut` if the search ended at `maxExamined`
 */
export function newestRecords<Name extends CollectionName>(
  state: State,
  collection: Name,
  { before, limit, isWanted = () => true, maxExamined = Number.POSITIVE_INFINITY }: NewestQuery<RecordOf<Name>>,
): { readonly records: readonly RecordOf<Name>[]; readonly before?: number; readonly isCut: boolean } {
  const records: RecordOf<Name>[] = [];
  let examined = 0;
  let last = before;
  for (const [sequence, row] of state.table(collection).newestFirst(before)) {
    const record = row as RecordOf<Name>;
    const isCut = examined === maxExamined;
    if (isCut || (records.length === limit && isWanted(record)))
      return { records, ...(last === undefined ? {} : { before: last }), isCut };
    if (isWanted(record)) records.push(record);
    examined += 1;
    last = sequence;
  }
  return { records, isCut: false };
}

/** @throws ControlRefusal 404 */
export function getRecord<Name extends CollectionName>(state: State, collection: Name, id: string): RecordOf<Name> {
  const record = state.table(collection).get(String(withLowerIds(collection, { id }).id));
  if (!record) throw notFound(`record in ${collection} with the id`, id);
  return record as RecordOf<Name>;
}

/**
 * Adds a record; a missing id is drawn from the seed.
 * @throws ControlRefusal 422 for an incomplete record or a broken reference, 409 for a taken id or username
 */
export function insertRecord<Name extends CollectionName>(
  state: State,
  collection: Name,
  given: RecordInput,
  context: WriteContext,
): RecordOf<Name> {
  const after = requireValid(newRecord(collection, given, fillInOf(state, context)));
  if (state.table(collection).get(after.id))
    throw taken('id', `A record ${quoted(after.id)} in ${collection} already exists; patch it, or choose another id`);
  return save(state, { collection, before: null, after, at: '$' }, context) as RecordOf<Name>;
}

/** @throws ControlRefusal 404, 422 for an incomplete record or a broken reference, 409 for a taken username */
export function patchRecord<Name extends CollectionName>(
  state: State,
  collection: Name,
  id: string,
  patch: RecordInput,
  context: WriteContext,
): RecordOf<Name> {
  const before = getRecord(state, collection, id);
  const after = requireValid(patchedRecord(collection, before, patch, fillInOf(state, context)));
  if (after.id !== before.id)
    throw cannot(
      'id',
      `found ${quoted(after.id)}, expected ${quoted(before.id)}: an id cannot be changed; create a new record instead`,
    );
  return save(state, { collection, before, after, at: '$' }, context) as RecordOf<Name>;
}

/** @throws ControlRefusal 404, 422 if another record names it */
export function removeRecord(state: State, collection: CollectionName, id: string, context: WriteContext): void {
  const before = getRecord(state, collection, id);
  const change = { collection, before, after: null, at: '$' };
  const broken = new ChangeCheck(state, [change]).firstBroken(change);
  if (broken) {
    const what = `the record ${quoted(broken.id)} of ${broken.collection} refers to it in ${broken.fault.path}`;
    throw cannot(
      'id',
      `The record ${quoted(before.id)} of ${collection} cannot be deleted: ${what}; change or delete that record first`,
    );
  }
  writeRecord(state, change);
  applyConsequences(state, change, context);
}

function fillInOf(state: State, context: WriteContext): FillIn {
  const world = operatorWorld(state, context);
  return { now: context.now, newId: (purpose) => world.newId(purpose) };
}

/** Checks and writes a new or changed record. @returns it after the consequences of the change */
function save(state: State, change: PlacedChange & { after: { id: string } }, context: WriteContext): AnyRecord {
  const check = new ChangeCheck(state, [change]);
  const [fault] = check.takenUsernames();
  if (fault) throw taken('username', `Another user has the username ${fault.found}; choose another one`);
  refuseFaults(check.referenceFaults());
  writeRecord(state, change);
  applyConsequences(state, change, context);
  return getRecord(state, change.collection, change.after.id);
}

const taken = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(409, message, { details: [{ field, message }] });

/** The displayed name: first and last name, else the e-mail address, else the id. */
export function consumerName(state: State, id: string): string {
  const { first_name = null, last_name = null, email = null } = state.table('consumers').get(id) ?? {};
  return [first_name, last_name].filter(Boolean).join(' ') || email || id;
}

/**
 * The displayed number of an order: those of its shipments, else the beginning and the end of its id.
 * @example 'SO-50001' or '50000000…0001'
 */
export function orderNumber(state: State, id: string): string {
  const packages = state.table('fulfillments').walk('order', id);
  const numbers = Array.from(packages, ([, { shipment_order_number: number }]) => number);
  return numbers.join(', ') || shortId(id);
}

/** @example '50000000…0001' */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

// The operator, the times of administration, and the timeline's delays: a sandbox has one of each.

export const getSingle = <Name extends SingleName>(state: State, name: Name): SingleOf<Name> =>
  state.value(name) as SingleOf<Name>;

/** Merge-patches one. @throws ControlRefusal 422 if the result is incomplete */
export function patchSingle<Name extends SingleName>(state: State, name: Name, patch: RecordInput): SingleOf<Name> {
  const content = mergePatch(getSingle(state, name), patch);
  const parsed = parseFile(singles[name], { name, content });
  setSingle(state, name, requireValid(parsed as unknown as ParsedFile<SingleOf<Name>>));
  return getSingle(state, name);
}

/** The times of administration are interned, because schemas are cached by them. */
export function setSingle<Name extends SingleName>(state: State, name: Name, single: SingleOf<Name>): void {
  const value = name === 'administration_times' ? internTimes(single as SingleOf<'administration_times'>) : single;
  state.setValue(name, value as ValueOf<Name>);
}
