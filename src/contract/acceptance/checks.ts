// The checks of a schema as steps, each an acceptance: of what passes it is the value, overwritten where the check overwrites.
import { z } from 'zod';
import { type Acceptance, leftIn, type Payload, undecided } from './verdict.ts';

type Check = z.core.$ZodCheck<unknown>;

/** The checks in zod's order; a schema that is a check itself, as a format is, comes first. */
function checksOf(schema: z.core.$ZodType): readonly Check[] {
  const own = schema._zod.traits.has('$ZodCheck') ? [schema as unknown as Check] : [];
  return [...own, ...(schema._zod.def.checks ?? [])] as Check[];
}

/** The acceptance that is made of that of the type and the checks of the schema. */
export function checked(typed: Acceptance, schema: z.core.$ZodType): Acceptance {
  const steps = checksOf(schema).map(step);
  if (steps.length === 0) return typed;
  return (value) => {
    let made = typed(value);
    for (const next of steps) {
      if (made === undecided) return undecided;
      made = next(made);
    }
    return made;
  };
}

/** By the very class of a check, as a class made of another may check otherwise. */
function step(check: Check): Acceptance {
  const { def, constr } = check._zod as Check['_zod'] & { readonly constr?: unknown };
  if (constr === z.core.$ZodCheckMinLength) return atLeast(check as unknown as z.core.$ZodCheckMinLength);
  if (def.when) return asZodDoes(check);
  if (constr === z.core.$ZodCheckOverwrite) return (def as z.core.$ZodCheckOverwriteDef).tx;
  if (constr === z.core.$ZodCheckRegex || constr === z.ZodGUID)
    return matching((def as z.core.$ZodCheckRegexDef).pattern);
  if (constr === z.ZodCustom) return refining((def as z.core.$ZodCustomDef).fn);
  return asZodDoes(check);
}

/** Any check at all, by zod's own code. */
function asZodDoes({ _zod }: Check): Acceptance {
  return (value) => {
    const payload: Payload = { value, issues: [] };
    const isAsked = !_zod.def.when || _zod.def.when(payload);
    return leftIn(payload, isAsked ? _zod.check(payload) : undefined);
  };
}

function atLeast(check: z.core.$ZodCheckMinLength): Acceptance {
  const { minimum } = check._zod.def;
  const otherwise = asZodDoes(check as unknown as Check);
  // zod counts code points, of which one is two units at the most: what has fewer units than this is counted by zod. What has more passes
  // whatever the check's condition says, as it would pass unasked.
  const enough = minimum <= 1 ? minimum : 2 * minimum;
  return (value) =>
    (typeof value === 'string' || Array.isArray(value)) && value.length >= enough ? value : otherwise(value);
}

function matching(pattern: RegExp): Acceptance {
  return (value) => {
    pattern.lastIndex = 0;
    return pattern.test(value as string) ? value : undecided;
  };
}

function refining(isGood: (value: unknown) => unknown): Acceptance {
  return (value) => {
    const answer = isGood(value);
    return answer && !(answer instanceof Promise) ? value : undecided;
  };
}
