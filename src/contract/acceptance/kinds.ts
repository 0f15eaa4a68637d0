// The acceptances of the kinds of schema that requests are made of, without their checks. Each mirrors what zod's class of that name does
// where it finds no issue; what it does otherwise is zod's to say.
import { z } from 'zod';
import { objectOf } from './object.ts';
import { type Acceptance, type AcceptanceOf, cannotTell, leftIn, type Payload, pickOf, undecided } from './verdict.ts';

/** By the very class, as a class made of one of these may do otherwise. */
const known: ReadonlySet<unknown> = new Set([
  ...[z.ZodString, z.ZodGUID, z.ZodNumber, z.ZodNumberFormat, z.ZodEnum, z.ZodLiteral, z.ZodUnknown, z.ZodNever],
  ...[z.ZodObject, z.ZodArray, z.ZodUnion, z.ZodOptional, z.ZodNullable, z.ZodDefault],
  ...[z.ZodPipe, z.ZodPreprocess, z.ZodTransform],
]);

/** The acceptance of a schema before its checks. */
export function kindOf(schema: z.core.$ZodType, acceptanceOf: AcceptanceOf): Acceptance {
  const { def, constr } = (schema as z.core.$ZodTypes)._zod;
  if (!known.has(constr) || ('coerce' in def && def.coerce)) return cannotTell;
  switch (def.type) {
    case 'string':
      return (value) => (typeof value === 'string' ? value : undecided);
    case 'number':
      return (value) => (Number.isFinite(value) ? value : undecided);
    case 'enum':
    case 'literal':
      return oneOf(schema._zod.values);
    case 'unknown':
      return (value) => value;
    case 'object':
      return objectOf(def, acceptanceOf);
    case 'array':
      return arrayOf(acceptanceOf(def.element));
    case 'union':
      return unionOf(def.options, acceptanceOf);
    case 'optional':
      return optional(def.innerType, acceptanceOf(def.innerType));
    case 'nullable':
      return nullable(acceptanceOf(def.innerType));
    case 'default':
      return defaulted(def, acceptanceOf(def.innerType));
    case 'pipe':
      return piped(acceptanceOf(def.in), acceptanceOf(def.out));
    case 'transform':
      return transformed(schema as z.core.$ZodTransform, acceptanceOf);
    default:
      return cannotTell;
  }
}

function oneOf(values: ReadonlySet<unknown> = new Set()): Acceptance {
  return (value) => (values.has(value) ? value : undecided);
}

function arrayOf(accept: Acceptance): Acceptance {
  return (value) => {
    if (!Array.isArray(value)) return undecided;
    const output: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index += 1) {
      const made = accept(value[index]);
      if (made === undecided) return undecided;
      output[index] = made;
    }
    return output;
  };
}

/** The first that accepts; of those before it zod must say that they refuse. */
function unionOf(options: readonly z.core.$ZodType[], acceptanceOf: AcceptanceOf): Acceptance {
  const accepts = options.map((schema) => ({ schema, accept: acceptanceOf(schema) }));
  return (value) => {
    for (const { schema, accept } of accepts) {
      const made = accept(value);
      if (made !== undecided || z.safeParse(schema, value).success) return made;
    }
    return undecided;
  };
}

function optional({ _zod: { optin } }: z.core.$ZodType, accept: Acceptance): Acceptance {
  const isFilled = optin === 'defaulted';
  return (value) => (value === undefined && !isFilled ? undefined : accept(value));
}

function nullable(accept: Acceptance): Acceptance {
  return (value) => (value === null ? null : accept(value));
}

function defaulted(def: z.core.$ZodDefaultDef, accept: Acceptance): Acceptance {
  return (value) => {
    const made = value === undefined ? undefined : accept(value);
    // Asked for at each use: it may be one that is made anew.
    return made === undefined ? def.defaultValue : made;
  };
}

function piped(enter: Acceptance, leave: Acceptance): Acceptance {
  return (value) => {
    const made = enter(value);
    return made === undecided ? undecided : leave(made);
  };
}

function transformed(schema: z.core.$ZodTransform, acceptanceOf: AcceptanceOf): Acceptance {
  const pick = pickOf(schema._zod.def.transform);
  if (pick) return (value) => acceptanceOf(pick(value))(value);
  return (value) => {
    const payload: Payload = { value, issues: [] };
    return leftIn(payload, schema._zod.parse(payload, { async: false }));
  };
}
