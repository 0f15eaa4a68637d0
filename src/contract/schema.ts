// Building blocks of schemas, and what an OpenAPI document shows of checks that JSON Schema cannot express. In request
// schemas the error text of each check is the id of the rule that it enforces; refusal.ts makes messages of it.
import { isEmailValid } from '@hapi/address';
import { z } from 'zod';
import type { Assumptions } from './resolved-assumptions.ts';
import type { RuleId } from './rules.ts';

/** The rule that a missing field, an unknown key or a wrong type breaks. */
function typeError(missing: RuleId, wrong: RuleId = 'OPEN-3') {
  return (issue: { readonly code?: string | undefined; readonly input?: unknown }): RuleId => {
    if (issue.code === 'unrecognized_keys') return 'unknown_fields';
    return issue.input === undefined ? missing : wrong;
  };
}

/**
 * A non-empty string.
 * @param missing the rule that a missing value breaks; omit it for an optional field
 * @param wrong the rule that another type and an empty string break, instead of OPEN-3 and OPEN-4
 */
export function text(missing: RuleId = 'OPEN-3', wrong?: RuleId) {
  return z.string({ error: typeError(missing, wrong) }).min(1, wrong ?? 'OPEN-4');
}

/** Joi's words for an empty string. */
export const emptyWords = 'is not allowed to be empty';
const blank = { error: 'OPEN-4', params: { words: emptyWords } };

/** A name, or a part of an address. `blank_strings` decides whether whitespace alone counts as empty. */
export function nameText(assumptions: Assumptions, missing?: RuleId) {
  if (assumptions.get('blank_strings') === 'accept') return text(missing);
  return text(missing)
    .refine((value) => value.trim() !== '', blank)
    .meta({ pattern: '\\S' });
}

/** An id or email. `wrong_type_words` decides whether another type and an empty string break `wrong`, too. */
const typedText = (assumptions: Assumptions, wrong: RuleId, missing?: RuleId) =>
  text(missing, assumptions.get('wrong_type_words') === 'documented' ? wrong : undefined);

/** A text of at most `max` UTF-16 units, as Joi counts them (zod counts code points). A longer one breaks `rule`. */
export const atMost = <S extends z.ZodType<string>>(text: S, max: number, rule: RuleId): S =>
  text.refine((value) => value.length <= max, rule).meta({ maxLength: max });

/** A GUID of 8-4-4-4-12 hexadecimal digits, of any version and in either case. The output is in lower case. */
export function guid(assumptions: Assumptions, wrong: RuleId, missing?: RuleId) {
  return typedText(assumptions, wrong, missing).check(z.guid(wrong), z.toLowerCase());
}

/** A path parameter: the id of `what`. `malformed_path_id` decides whether a malformed id counts as an unknown one. */
export function pathId(assumptions: Assumptions, what: string) {
  const isAnyText = assumptions.get('malformed_path_id') === '404';
  const id = isAnyText ? z.string('malformed_path_id').toLowerCase() : z.guid('malformed_path_id').toLowerCase();
  return id.meta({ description: `The id of ${what}.` });
}

/** A field without a value is null or missing, as `absent_values` decides. */
export function optionalValue<T extends z.ZodType>(
  assumptions: Assumptions,
  schema: T,
): z.ZodNullable<T> | z.ZodOptional<T> {
  return assumptions.get('absent_values') === 'null' ? schema.nullable() : schema.optional();
}

/** A text that `read` turns into a value; undefined is a fault. */
export const parsedText = <T>(read: (text: string) => T | undefined, message: string) =>
  z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  });

/** An e-mail address that Joi's `email({ tlds: false })` accepts, checked by the package that Joi uses. */
export function email(assumptions: Assumptions, missing?: RuleId) {
  return typedText(assumptions, 'ORD-12', missing).refine(isEmailValid, 'ORD-12').meta({ format: 'email' });
}

export const isSafe = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** The safe range, for documents. */
const safeRange = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** A finite number within the safe range (OPEN-5). */
function finite() {
  return z
    .number({ error: ({ input }) => (isInfinite(input) ? 'OPEN-5' : 'OPEN-3') })
    .refine(isSafe, 'OPEN-5')
    .meta(safeRange);
}

/** A number of a body. `numeric_strings` decides whether a numeric string counts as one. */
export function number(assumptions: Assumptions) {
  if (assumptions.get('numeric_strings') === 'reject') return finite();
  return z.preprocess(numberFromText, finite()).meta({ override: docNumberOrText });
}

/** A non-empty string or a number (pack_id). */
export function textOrNumber() {
  return z.union([text(), finite()], { error: ({ input }) => (isInfinite(input) ? 'OPEN-5' : 'OPEN-3') });
}

/** A list. `missing` as for text; `empty` is the rule that an empty list breaks, undefined if it is accepted. */
export function list<Item extends z.ZodType>(item: Item, missing: RuleId, empty?: RuleId) {
  const array = z.array(item, { error: typeError(missing) });
  return empty ? array.min(1, empty) : array;
}

/** An object. `unknown_fields` decides whether other fields are rejected or left out. */
export function object<Shape extends z.core.$ZodLooseShape>(
  assumptions: Assumptions,
  shape: Shape,
  missing: RuleId = 'OPEN-3',
) {
  return objectOf(assumptions, shape, typeError(missing));
}

/** The whole body of a request. Anything but an object breaks OPEN-6. */
export function body<Shape extends z.core.$ZodLooseShape>(assumptions: Assumptions, shape: Shape) {
  return objectOf(assumptions, shape, ({ code }) => (code === 'unrecognized_keys' ? 'unknown_fields' : 'OPEN-6'));
}

function objectOf<Shape extends z.core.$ZodLooseShape>(
  assumptions: Assumptions,
  shape: Shape,
  error: z.core.$ZodErrorMap,
) {
  return assumptions.get('unknown_fields') === 'reject' ? z.strictObject(shape, { error }) : z.object(shape, { error });
}

/**
 * Validates by a schema that depends on the value, for patterns whose faults a union would report badly.
 * Faults keep the order and the paths of the picked schema. `shown` is what an OpenAPI document shows.
 */
export function pickSchema<Schema extends z.ZodType>(
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

/** A number as text: a query value, or in a body if `numeric_strings` accepts it. The pattern is Joi's. */
const numericText = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * The digits without sign, exponent, point, and the zeros around. No regular expression: `0+$` takes quadratic time.
 */
function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[+\-.]/g, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  return digits.slice(start, end);
}

/** Stands for a number that a double cannot hold exactly, so that it breaks OPEN-5. */
const unsafe = Number.MAX_VALUE;

/** The number that a text says; any other value is returned as it is. */
export function numberFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !numericText.test(value)) return value;
  const number = Number.parseFloat(value);
  return significantDigits(value.trim()) === significantDigits(String(number)) ? number : unsafe;
}

/**
 * Calls `make` at the first call only. A start must not wait for schemas that it does not need.
 */
export function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

type Makers = Readonly<Record<string, () => unknown>>;

/** An object whose properties are made when they are first read. */
export function lazily<M extends Makers>(makers: M): { readonly [Name in keyof M]: ReturnType<M[Name]> } {
  const properties = Object.entries(makers).map(([name, make]) => [name, { get: once(make), enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as { [Name in keyof M]: ReturnType<M[Name]> };
}

/** For documents: a number that may come as text. */
function docNumberOrText({ jsonSchema, io }: { readonly jsonSchema: object; readonly io?: string }): void {
  if (io === 'input')
    Object.assign(jsonSchema, { type: ['number', 'string'], pattern: numericText.source, ...safeRange });
}

/** For documents: at least one of these fields. In `allOf`, because type generators drop an object next to `anyOf`. */
export const docAtLeastOne = (fields: readonly string[]) => ({
  allOf: [{ anyOf: fields.map((field) => ({ required: [field] })) }],
});

/** One valid combination of the fields of an object. */
interface Variant {
  readonly required?: readonly string[];
  /** Fields that must be missing. */
  readonly without?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface JsonObjectSchema {
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: readonly string[];
  additionalProperties?: unknown;
}

/**
 * For documents: an object without these fields. A closed object does not list them, and an open one forbids them.
 * `{ "pack_id": false }` would say the same, but many generators take no boolean as a schema.
 */
export function withoutFields({ properties = {}, ...schema }: JsonObjectSchema, names: readonly string[]): object {
  const listed = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
  const isOpen = schema.additionalProperties === undefined && names.length > 0;
  return { ...schema, properties: listed, ...(isOpen && docNone(names)) };
}

/** For documents: an object without these fields. Linters want a required field among the properties. */
export function docNone(fields: readonly string[]) {
  const having = fields.map((field) => ({ type: 'object', required: [field], properties: { [field]: {} } }));
  return { not: having.length === 1 ? having[0] : { anyOf: having } };
}

/**
 * For documents: exactly one of these variants. Each is a whole schema, so that generators of types tell them apart.
 * @param keyword `anyOf` if they exclude each other in a way that linters do not see
 */
export function docVariants(variants: readonly Variant[], keyword: 'oneOf' | 'anyOf' = 'oneOf') {
  return ({ jsonSchema }: { readonly jsonSchema: JsonObjectSchema }): void => {
    const { type, properties, required = [], additionalProperties } = jsonSchema;
    const closed = additionalProperties === undefined ? {} : { additionalProperties };
    const schemas = variants.map(({ required: alsoRequired = [], without = [], properties: own }) =>
      withoutFields(
        { type, properties: { ...properties, ...own }, ...requiring([...required, ...alsoRequired]), ...closed },
        without,
      ),
    );
    for (const moved of ['type', 'properties', 'required', 'additionalProperties'] as const) delete jsonSchema[moved];
    Object.assign(jsonSchema, { [keyword]: schemas });
  };
}

const requiring = (fields: readonly string[]) => (fields.length > 0 ? { required: fields } : {});

/** For documents: exactly one of these sets of fields. */
export const docWays = (ways: readonly (readonly string[])[]) =>
  docVariants(ways.map((way) => ({ required: way, without: ways.flat().filter((field) => !way.includes(field)) })));

/** Components that a document must have, because others refer to them by name. */
export type ComponentName = 'ExistingConsumer' | 'NewConsumer';

export const componentRef = (component: ComponentName): { readonly $ref: string } => ({
  $ref: `#/components/schemas/${component}`,
});
