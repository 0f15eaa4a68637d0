// What a body may hold that becomes a record, for documents: the schema of the whole record judges what becomes of it.
import { z } from 'zod';

/** What is filled in where a new record leaves it out. */
const filledIn: readonly string[] = ['id', 'created_at', 'updated_at'];

/** A new record: its id and times may be left out, and what may be null; so may the ids of its lines. */
export function newOf({ shape }: z.ZodObject): z.ZodType {
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, field]) => [
    name,
    filledIn.includes(name) || field instanceof z.ZodNullable ? (field as z.ZodType).optional() : withoutIds(field),
  ]);
  return z.strictObject(Object.fromEntries(fields));
}

function withoutIds(field: z.core.$ZodType): z.core.$ZodType {
  const lines = field instanceof z.ZodArray ? field.element : undefined;
  if (!(lines instanceof z.ZodObject && 'pouches' in lines.shape)) return field;
  return z.array(lines.partial({ id: true })).min(1);
}

/**
 * A merge patch (RFC 7396): every field of an object may be left out, at any depth; null removes one that the object need not have. Lists are
 * replaced whole.
 */
export function patchOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return patchOf(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return patchOf(schema.unwrap()).nullish();
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, patchOf(field).optional()])));
}
