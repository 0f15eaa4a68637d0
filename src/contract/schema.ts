// Building blocks of the request schemas. The error text of each check is the id of the rule it enforces; see messages.ts.
import { isEmailValid } from '@hapi/address';
import { z } from 'zod';
import type { Assumptions } from './resolved-assumptions.ts';
import type { RuleId } from './rules.ts';

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

// Numbers that come as text: query values, and bodies under `numeric_strings: accept`. What counts as one is Joi's pattern.

export const numericText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** The digits that carry the value: without sign, exponent, point, and the zeros around. */
function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[+\-.]/g, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}

/** Stands for a number that text says exactly and a double cannot hold: outside the safe range (OPEN-5). */
const unsafe = Number.MAX_VALUE;

/** The number a text says, the text itself where it says none. Anything but a string passes through. */
export function numberFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !numericText.test(value)) return value;
  const number = Number.parseFloat(value);
  return significantDigits(value.trim()) === significantDigits(String(number)) ? number : unsafe;
}

// What is made when it is first asked for: a start waits for no schema that it does not need.

/** Gives what the maker makes, which is made once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Makers = Readonly<Record<string, () => unknown>>;
type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** An object of what the makers make, each made once, when it is first read. */
export function lazily<M extends Makers>(makers: M): Made<M> {
  const properties = Object.entries(makers).map(([name, make]) => [name, { get: once(make), enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Made<M>;
}

// What a schema shows in an OpenAPI document where JSON Schema cannot see what it checks: metadata, or an `override` in it.

/** A number that may come as a text. */
export function docNumberOrText({ jsonSchema, io }: { readonly jsonSchema: object; readonly io?: string }): void {
  if (io === 'input') Object.assign(jsonSchema, { type: ['number', 'string'], pattern: numericText.source });
}

/** Metadata of an object that has at least one of these fields. Within `allOf`, as generators of types lose the object beside an `anyOf`. */
export const docAtLeastOne = (fields: readonly string[]) => ({
  allOf: [{ anyOf: fields.map((field) => ({ required: [field] })) }],
});

interface ShownObject {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
}

/** What is said of some fields of an object, beside what holds of all; `false` for one that may not be there. */
interface Variant {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** An object of exactly one of these variants. Each is a schema of its own, so that generators of types see that they exclude each other. */
export function docVariants(variants: readonly Variant[]) {
  return ({ jsonSchema }: { readonly jsonSchema: ShownObject }): void => {
    const { type, properties, required = [], additionalProperties } = jsonSchema;
    const closed = additionalProperties === undefined ? {} : { additionalProperties };
    const oneOf = variants.map((variant) => ({
      type,
      properties: { ...properties, ...variant.properties },
      required: [...required, ...variant.required],
      ...closed,
    }));
    for (const keyword of ['type', 'properties', 'required', 'additionalProperties'] as const)
      delete jsonSchema[keyword];
    Object.assign(jsonSchema, { oneOf });
  };
}

const never = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, false]));

/** An object whose fields stand together in one of these ways, and in no other. */
export const docWays = (ways: readonly (readonly string[])[]) =>
  docVariants(
    ways.map((way) => ({ properties: never(ways.flat().filter((field) => !way.includes(field))), required: way })),
  );

/** An object that has one of these two fields, or both. */
export const docOneOrBoth = (one: string, other: string) =>
  docVariants([
    { properties: {}, required: [one] },
    { properties: never([one]), required: [other] },
  ]);

/** An object that has one of these two fields, or neither. */
export const docAtMostOne = (one: string, other: string) =>
  docVariants([
    { properties: never([other]), required: [] },
    { properties: never([one]), required: [other] },
  ]);

/** Components that are referred to by name alone; a document must have each. */
export type ComponentName = 'ExistingConsumer' | 'NewConsumer';

/** A component of the document. */
export const componentRef = (component: ComponentName): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${component}`,
});
