// Schemas as requests are judged by them.
import { z } from 'zod';

const known = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema with zod's generated fast path for good values; a wrong value, and a schema or a platform that zod generates no code for, takes the
 * ordinary path. A document is made of the original: a compiled schema has no metadata.
 * @example compiled(orderRequest(terms)).safeParse(body, { reportInput: true })
 */
export function compiled(schema: z.ZodType): z.ZodType {
  const found = known.get(schema) ?? z.compile(schema);
  known.set(schema, found);
  return found;
}
