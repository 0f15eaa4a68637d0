// What a merge patch (RFC 7396) of a value may hold, for documents: the schema of the whole judges what becomes of it.
import { z } from 'zod';

/** Every field of an object may be left out, at any depth; null removes one that the object need not have. Lists are replaced whole. */
export function patchOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return patchOf(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return patchOf(schema.unwrap()).nullish();
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, patchOf(field).optional()])));
}
