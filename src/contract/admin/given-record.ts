// What a record is made of before its schema judges it: ids in either case, fields that were left out and may be null.
import { z } from 'zod';
import { type CollectionName, collections } from '../records.ts';
import { isRecord } from '../schema.ts';

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
