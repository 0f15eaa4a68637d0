// Records from testers: missing ids and times are filled in, then the schema validates the record.
import { z } from 'zod';
import { type ParsedFile, parseFile } from '../contract/fixtures.ts';
import { type CollectionName, collections, type RecordOf } from '../contract/records.ts';
import { isRecord } from '../contract/schema.ts';

/** A record or a merge patch of one, before validation. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** Fills in missing fields. */
export interface FillIn {
  /** The sandbox's time in milliseconds. */
  readonly now: number;
  /** Draws ids; without it each id must be given. */
  readonly newId?: (purpose: CollectionName | 'order_lines') => string;
  /** The place of the record in the tester's input; `$` by default. */
  readonly at?: string;
}

/** A new record. A missing field becomes null if it is nullable, and now if it is a time of the record. */
export function newRecord<Name extends CollectionName>(
  name: Name,
  given: RecordInput,
  fillIn: FillIn,
): ParsedFile<RecordOf<Name>> {
  const times = timesOf(name, fillIn.now, ['created_at', 'updated_at']);
  const content: RecordInput = { ...emptyFields(name), ...times, ...withLowerIds(name, given) };
  const id = content.id === undefined ? fillIn.newId?.(name) : content.id;
  return parseRecord(name, { ...content, id }, fillIn);
}

/**
 * The record after a merge patch. RFC 7396 removes a field by null; here a nullable field becomes null.
 * `updated_at` becomes now, but never earlier than it was, unless the patch sets it.
 */
export function patchedRecord<Name extends CollectionName>(
  name: Name,
  record: RecordOf<Name>,
  patch: RecordInput,
  fillIn: FillIn,
): ParsedFile<RecordOf<Name>> {
  const { updated_at: former = '' } = record as { readonly updated_at?: string };
  const times = timesOf(name, Math.max(fillIn.now, Date.parse(former) || 0), ['updated_at']);
  const patched = mergePatch(record, { ...times, ...withLowerIds(name, patch) }) as RecordInput;
  return parseRecord(name, { ...emptyFields(name), ...patched }, fillIn);
}

/** null for each field of the collection that may be null. */
function emptyFields(name: CollectionName): RecordInput {
  const fields = Object.entries<z.core.$ZodType>(collections[name].shape);
  return Object.fromEntries(fields.filter(([, schema]) => schema instanceof z.ZodNullable).map(([key]) => [key, null]));
}

/** Sets those of the fields that the collection has to this time. */
function timesOf(name: CollectionName, now: number, fields: readonly string[]): RecordInput {
  const time = new Date(now).toISOString();
  const { shape } = collections[name];
  return Object.fromEntries(fields.filter((field) => Object.hasOwn(shape, field)).map((field) => [field, time]));
}

function parseRecord<Name extends CollectionName>(name: Name, record: RecordInput, { newId, at }: FillIn) {
  const content = name === 'orders' && newId ? withLineIds(record, newId) : record;
  return parseFile(collections[name], { name, content }, at) as unknown as ParsedFile<RecordOf<Name>>;
}

function withLineIds(order: RecordInput, newId: NonNullable<FillIn['newId']>): RecordInput {
  if (!Array.isArray(order.order_lines)) return order;
  const order_lines = order.order_lines.map((line: unknown) =>
    isRecord(line) && line.id === undefined ? { ...line, id: newId('order_lines') } : line,
  );
  return { ...order, order_lines };
}

/** The same record with all its UUIDs in lower case, as the schema finds them. */
export const withLowerIds = (name: CollectionName, given: RecordInput): RecordInput =>
  lowered(collections[name], given) as RecordInput;

/** Goes no deeper than the schema. */
function lowered(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return lowered(schema.unwrap(), value);
  if (schema instanceof z.ZodGUID) return typeof value === 'string' ? value.toLowerCase() : value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => lowered(schema.element, item));
  if (!(schema instanceof z.ZodObject && isRecord(value))) return value;
  const { shape } = schema;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, part]) => [key, Object.hasOwn(shape, key) ? lowered(shape[key], part) : part]),
  );
}

/**
 * JSON merge patch (RFC 7396). Neither argument is changed; the result may share parts with both.
 * A key such as `__proto__` is a normal field and never changes a prototype.
 * @example mergePatch({ a: 1, b: { c: 2 } }, { a: null, b: { d: 3 } }) // { b: { c: 2, d: 3 } }
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
