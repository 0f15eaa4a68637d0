// What a schema accepts, found faster than by zod. An acceptance is derived from the schema's own definition, and is a shortcut only:
// what it cannot tell, and whatever is refused, zod says (docs/decisions/0017).
import type { z } from 'zod';
import { checked } from './acceptance/checks.ts';
import { kindOf } from './acceptance/kinds.ts';
import { type Acceptance, cannotTell } from './acceptance/verdict.ts';

export { undecided } from './acceptance/verdict.ts';

const kept = new WeakMap<z.core.$ZodType, Acceptance>();

/** The acceptance of a schema: of a value the output that zod would give for it, or `undecided`. Made at its first use, and kept. */
export function acceptanceOf(schema: z.core.$ZodType): Acceptance {
  return kept.get(schema) ?? make(schema);
}

function make(schema: z.core.$ZodType): Acceptance {
  // A schema that holds itself finds this one within.
  kept.set(schema, cannotTell);
  const made = checked(kindOf(schema, acceptanceOf), schema);
  kept.set(schema, made);
  return made;
}
