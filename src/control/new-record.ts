// Records as a tester gives them, made whole: ids and times that were left out are filled in, then the collection's schema judges.
import { emptyFields, type Given, hasField, withLowerIds } from '../contract/admin/given-record.ts';
import { type ParsedFile, parseFile } from '../contract/parse-file.ts';
import { patchRecord } from '../contract/record-patch.ts';
import { type CollectionName, collections, type RecordOf } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';

/** Draws an id that no record of its kind has. */
export type NewId = (purpose: CollectionName | 'order_lines') => string;

/** What records are made with. */
export interface Making {
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  /** Draws ids that were left out; without it each must be given. */
  readonly newId?: NewId;
  /** The place of the record in what the tester sent; `$` by default. */
  readonly at?: string;
}

/** A new record: what was left out is null where it may be, and the time where it is one. */
export function newRecord<Name extends CollectionName>(
  name: Name,
  given: Given,
  making: Making,
): ParsedFile<RecordOf<Name>> {
  const { now, newId } = making;
  const leftOut = { ...emptyFields(name), ...timesOf(name, now, 'created_at', 'updated_at') };
  const content: Given = { ...leftOut, ...withLowerIds(name, given) };
  const id = content.id === undefined ? newId?.(name) : content.id;
  return judged(name, { ...content, id }, making);
}

/** The record after a merge patch; `updated_at` is now and never before what it was, unless the patch names it. */
export function patchedRecord<Name extends CollectionName>(
  name: Name,
  record: RecordOf<Name>,
  patch: Given,
  making: Making,
): ParsedFile<RecordOf<Name>> {
  const { updated_at: former = '' } = record as { readonly updated_at?: string };
  const at = Math.max(making.now, Date.parse(former) || 0);
  const lowered = { ...timesOf(name, at, 'updated_at'), ...withLowerIds(name, patch) };
  return judged(name, patchRecord(name, record, lowered), making);
}

function timesOf(name: CollectionName, now: number, ...fields: readonly string[]): Given {
  const time = new Date(now).toISOString();
  return Object.fromEntries(fields.filter((field) => hasField(name, field)).map((field) => [field, time]));
}

function judged<Name extends CollectionName>(name: Name, content: unknown, { newId, at }: Making) {
  const whole = name === 'orders' && newId ? withLineIds(content, newId) : content;
  return parseFile(collections[name], { name, content: whole }, at) as unknown as ParsedFile<RecordOf<Name>>;
}

/** An order whose lines have ids, drawn where they were left out. */
function withLineIds(order: unknown, newId: NewId): unknown {
  if (!(isRecord(order) && Array.isArray(order.order_lines))) return order;
  const order_lines = order.order_lines.map((line: unknown) =>
    isRecord(line) && line.id === undefined ? { ...line, id: newId('order_lines') } : line,
  );
  return { ...order, order_lines };
}
