// Writes changes of records that were judged before, and what follows from them: orders and packages keep their place in the timeline,
// and approved packaging lets orders go on.

import { z } from 'zod';
import { accepted } from '../contract/control/switches.ts';
import { type ParsedFile, parseFile } from '../contract/fixtures.ts';
import {
  type CollectionName,
  collections,
  type RecordOf,
  type SingleName,
  type SingleOf,
  singles,
} from '../contract/records.ts';
import { internTimes } from '../contract/resolved-assumptions.ts';
import { isRecord } from '../contract/schema.ts';
import { releaseApproved } from '../domain/orders.ts';
import { scheduleOrder, scheduleOrderAlone, schedulePackage } from '../domain/schedule.ts';
import type { RowOf, TableName, World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import type { ValueOf } from '../state/values.ts';
import type { RecordChange } from './record-changes.ts';
import { operatorWorld, type Writing } from './sandbox-world.ts';

type Written = Pick<RecordChange, 'collection' | 'before' | 'after'>;

export function writeRecord(state: State, { collection, before, after }: Written): void {
  const table = state.table(collection);
  if (!after) table.remove(before?.id ?? '');
  else if (before) table.replace(after as RowOf<typeof collection>);
  else table.insert(after as RowOf<typeof collection>);
}

/** Draws the consequences of a change, once all that came with it are written. */
export function settle(state: State, { collection, before, after }: Written, writing: Writing): void {
  const world = operatorWorld(state, writing);
  const [was, is] = [before, after] as readonly unknown[];
  if (collection === 'orders') settleOrder(world, (is ?? was) as RecordOf<'orders'>);
  if (collection === 'fulfillments')
    settlePackage(world, was as RecordOf<'fulfillments'> | null, is as RecordOf<'fulfillments'> | null);
  if (collection === 'pags') settlePag(world, was as RecordOf<'pags'> | null, is as RecordOf<'pags'> | null);
}

function settleOrder(world: World, { id }: RecordOf<'orders'>): void {
  const order = world.table('orders').get(id);
  if (order) scheduleOrder(world, order);
  else drop(world, 'due_steps', id);
}

/** The order that a package has left has lines to ship again, the one that it came to has fewer; any other change is none of its order's. */
function settlePackage(
  world: World,
  before: RecordOf<'fulfillments'> | null,
  after: RecordOf<'fulfillments'> | null,
): void {
  if (after) schedulePackage(world, after);
  else if (before) for (const table of ['due_steps', 'tracking'] as const) drop(world, table, before.id);
  if (contentsOf(before) === contentsOf(after)) return;
  for (const id of new Set([before?.order_id, after?.order_id])) {
    const order = id === undefined ? undefined : world.table('orders').get(id);
    if (order) scheduleOrderAlone(world, order);
  }
}

const contentsOf = (fulfillment: RecordOf<'fulfillments'> | null): string =>
  [fulfillment?.order_id, ...(fulfillment?.order_lines ?? []).map(({ id }) => id)].join(' ');

function settlePag(world: World, before: RecordOf<'pags'> | null, after: RecordOf<'pags'> | null): void {
  if (after?.status === 'Active' && before?.status !== 'Active') releaseApproved(world, after);
}

function drop(world: World, name: TableName, id: string): void {
  const table = world.table(name);
  if (table.get(id)) table.remove(id);
}

// Records as a tester gives them, made whole: ids and times that were left out are filled in, then the collection's schema judges.

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
  given: RecordInput,
  making: Making,
): ParsedFile<RecordOf<Name>> {
  const { now, newId } = making;
  const leftOut = { ...emptyFields(name), ...timesOf(name, now, 'created_at', 'updated_at') };
  const content: RecordInput = { ...leftOut, ...withLowerIds(name, given) };
  const id = content.id === undefined ? newId?.(name) : content.id;
  return judged(name, { ...content, id }, making);
}

/** The record after a merge patch; `updated_at` is now and never before what it was, unless the patch names it. */
export function patchedRecord<Name extends CollectionName>(
  name: Name,
  record: RecordOf<Name>,
  patch: RecordInput,
  making: Making,
): ParsedFile<RecordOf<Name>> {
  const { updated_at: former = '' } = record as { readonly updated_at?: string };
  const at = Math.max(making.now, Date.parse(former) || 0);
  const lowered = { ...timesOf(name, at, 'updated_at'), ...withLowerIds(name, patch) };
  return judged(name, patchRecord(name, record, lowered), making);
}

function timesOf(name: CollectionName, now: number, ...fields: readonly string[]): RecordInput {
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

// What a sandbox has one of, under control: its operator, its times of administration, its timeline.

export const getSingle = <Name extends SingleName>(state: State, name: Name): SingleOf<Name> =>
  state.value(name) as SingleOf<Name>;

/** Merge-patches one. @throws ControlRefusal 422 where what becomes of it is not whole. */
export function patchSingle<Name extends SingleName>(state: State, name: Name, patch: RecordInput): SingleOf<Name> {
  const content = mergePatch(getSingle(state, name), patch);
  setSingle(
    state,
    name,
    accepted(parseFile(singles[name], { name, content }) as unknown as ParsedFile<SingleOf<Name>>),
  );
  return getSingle(state, name);
}

/** Puts one; the times of administration are interned, as schemas are built from them. */
export function setSingle<Name extends SingleName>(state: State, name: Name, single: SingleOf<Name>): void {
  const kept = name === 'administration_times' ? internTimes(single as SingleOf<'administration_times'>) : single;
  state.setValue(name, kept as ValueOf<Name>);
}

// What a record is made of before its schema judges it: ids in either case, fields that were left out and may be null.

/** A record, or a part of one, as a tester gives it. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** The same record with its UUIDs in lower case, wherever its schema has one. */
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

/** null for each field of the collection that may be null. */
export function emptyFields(name: CollectionName): Readonly<Record<string, null>> {
  const fields = Object.entries<z.core.$ZodType>(collections[name].shape);
  return Object.fromEntries(fields.filter(([, schema]) => schema instanceof z.ZodNullable).map(([key]) => [key, null]));
}

/** Whether records of the collection have this field. */
export const hasField = (name: CollectionName, field: string): boolean => Object.hasOwn(collections[name].shape, field);

// JSON merge patch (RFC 7396): a patch's fields replace those of the target, null takes a field away, lists are replaced whole.

/**
 * The target after the patch. Neither is touched; the result may share parts with both.
 * A key such as `__proto__` is a field like any other and reaches no prototype.
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

// A record of the data model after a merge patch.

/**
 * The record after the patch, still to be checked by its schema. RFC 7396 takes a field away by null; the records have all their
 * fields, so one that may be null becomes null.
 */
export function patchRecord(name: CollectionName, record: unknown, patch: unknown): unknown {
  const patched = mergePatch(record, patch);
  if (!isRecord(patch) || !isRecord(patched)) return patched;
  const mayBeNull = emptyFields(name);
  const emptied = Object.keys(patch).filter((field) => patch[field] === null && Object.hasOwn(mayBeNull, field));
  return { ...patched, ...Object.fromEntries(emptied.map((field) => [field, null])) };
}
