// Building blocks of the request schemas. The error text of each check is the id of the rule it enforces; see messages.ts.
import { isEmailValid } from '@hapi/address';
import { z } from 'zod';
import { numberFromText } from './numeric-text.ts';
import type { RuleId } from './rules.ts';
import { docNumberOrText } from './shown.ts';
import type { Assumptions } from './terms.ts';

/** The rule a required field's absence breaks, else the wrong type's, else the unknown key's. */
function typed(missing: RuleId) {
  return (issue: { readonly code?: string | undefined; readonly input?: unknown }): RuleId => {
    if (issue.code === 'unrecognized_keys') return 'unknown_fields';
    return issue.input === undefined ? missing : 'OPEN-3';
  };
}

/** A non-empty string. `missing` is the rule that its absence breaks; leave it out for an optional field. */
export function text(missing: RuleId = 'OPEN-3') {
  return z.string({ error: typed(missing) }).min(1, 'OPEN-4');
}

/** A text of at most `max` UTF-16 units, as Joi counts; zod counts code points. Longer, it breaks `rule`. */
export const atMost = <S extends z.ZodType<string>>(text: S, max: number, rule: RuleId): S =>
  text.refine((value) => value.length <= max, rule).meta({ maxLength: max });

/** A GUID of 8-4-4-4-12 hexadecimal digits, any version, either case (reading.md); in lower case from here on. */
export function guid(wrong: RuleId, missing: RuleId = 'OPEN-3') {
  return text(missing).check(z.guid(wrong), z.toLowerCase());
}

/** An e-mail as Joi's `email({ tlds: false })` takes it, by the package Joi itself asks. */
export function email(missing: RuleId = 'OPEN-3') {
  return text(missing).refine(isEmailValid, 'ORD-12').meta({ format: 'email' });
}

export const isSafe = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** A finite number within the safe range (OPEN-5). */
function finite() {
  return z.number({ error: ({ input }) => (isInfinite(input) ? 'OPEN-5' : 'OPEN-3') }).refine(isSafe, 'OPEN-5');
}

/** A number of a body; a numeric string by the reading of numeric_strings. */
export function number(assumptions: Assumptions) {
  if (assumptions.get('numeric_strings') === 'reject') return finite();
  return z.preprocess(numberFromText, finite()).meta({ override: docNumberOrText });
}

/** A string or a number (pack_id); the empty string is refused. */
export function textOrNumber() {
  return z.union([text(), finite()], { error: ({ input }) => (isInfinite(input) ? 'OPEN-5' : 'OPEN-3') });
}

/** A list. `missing` as for text; `empty` is the rule an empty list breaks, none where it is accepted. */
export function list<Item extends z.ZodType>(item: Item, missing: RuleId, empty?: RuleId) {
  const array = z.array(item, { error: typed(missing) });
  return empty ? array.min(1, empty) : array;
}

/** An object; a field it does not name is refused or left out, by the reading of unknown_fields. */
export function object<Shape extends z.core.$ZodLooseShape>(
  assumptions: Assumptions,
  shape: Shape,
  missing: RuleId = 'OPEN-3',
) {
  return shaped(assumptions, shape, typed(missing));
}

/** The whole body of a request: anything but an object breaks OPEN-6. */
export function body<Shape extends z.core.$ZodLooseShape>(assumptions: Assumptions, shape: Shape) {
  return shaped(assumptions, shape, ({ code }) => (code === 'unrecognized_keys' ? 'unknown_fields' : 'OPEN-6'));
}

function shaped<Shape extends z.core.$ZodLooseShape>(
  assumptions: Assumptions,
  shape: Shape,
  error: z.core.$ZodErrorMap,
) {
  return assumptions.get('unknown_fields') === 'reject' ? z.strictObject(shape, { error }) : z.object(shape, { error });
}

/**
 * The schema chosen by looking at the value, for patterns that a union would report badly.
 * Faults keep the order and the paths of the chosen schema. `shown` is what stands in an OpenAPI document for it.
 */
export function chosen<Schema extends z.ZodType>(
  pick: (value: unknown) => Schema,
  shown: NonNullable<z.core.GlobalMeta['override']>,
): z.ZodPipe<z.ZodUnknown, z.ZodTransform<z.output<Schema>, unknown>> {
  const transform = (value: unknown, context: z.RefinementCtx): z.output<Schema> => {
    const parsed = pick(value).safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: issue.input } as z.core.$ZodRawIssue);
    return z.NEVER;
  };
  return z.unknown().transform(transform).meta({ override: shown });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
