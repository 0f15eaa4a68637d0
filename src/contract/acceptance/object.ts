// Objects: the fields of the shape in its order, and nothing else.
import type { z } from 'zod';
import { type Acceptance, type AcceptanceOf, cannotTell, undecided } from './verdict.ts';

/** What becomes of a field that is not there: it is missed, left out, there where something was made of it, or there in any case. */
type Absence = 'missed' | 'left out' | 'if made' | 'made';

interface Field {
  readonly key: string;
  readonly accept: Acceptance;
  readonly absence: Absence;
}

function absenceOf({ optin, optout }: z.core.$ZodTypeInternals): Absence {
  if (optin === undefined) return 'missed';
  if (optin === 'optional') return optout === 'optional' ? 'left out' : 'if made';
  return optout === 'optional' ? 'if made' : 'made';
}

/** The acceptance of an object of this definition: one that has further fields is undecided, or they are left out, as zod does. */
export function objectOf({ shape, catchall }: z.core.$ZodObjectDef, acceptanceOf: AcceptanceOf): Acceptance {
  const isClosed = catchall?._zod.def.type === 'never';
  const isTold = Object.getOwnPropertySymbols(shape).length === 0 && !Object.hasOwn(shape, '__proto__');
  if (!isTold || (catchall && !isClosed)) return cannotTell;
  const fields = Object.entries(shape).map(([key, schema]): Field => {
    return { key, accept: acceptanceOf(schema), absence: absenceOf(schema._zod) };
  });
  const keys = new Set(Object.keys(shape));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undecided;
    if (isClosed && hasOthers(value, fields, keys)) return undecided;
    return outputOf(value as Readonly<Record<string, unknown>>, fields);
  };
}

/** Whether there are fields that the shape does not name. Inherited ones count, as zod counts them. */
function hasOthers(value: object, fields: readonly Field[], keys: ReadonlySet<string>): boolean {
  let at = 0;
  for (const key in value) {
    // Most have the order of the shape: to go along with it costs less than to look each up.
    while (at < fields.length && fields[at]?.key !== key) at += 1;
    if (at === fields.length && !keys.has(key)) return true;
  }
  return false;
}

function outputOf(input: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
  const output: Record<string, unknown> = {};
  for (const { key, accept, absence } of fields) {
    const value = input[key];
    const isThere = value !== undefined || key in input;
    if (!isThere && absence === 'missed') return undecided;
    const made = accept(value);
    if (made === undecided) return undecided;
    if (isThere || absence === 'made' || (absence === 'if made' && made !== undefined)) output[key] = made;
  }
  return output;
}
