// Schemas of all kinds, small ones: those that acceptances know, and those that are left to zod.
import { z } from 'zod';
import { chosen } from '../../../src/contract/schema.ts';

const text = () => z.string().min(1);
const isShort = (value: unknown) => String(value).length < 4;
const late = async () => true;

/** Whatever zod accepts by these, their acceptances accept. */
export const known: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  'string of a length': z.string().min(2),
  'string of some length, in code points': z.string().min(3).max(4),
  'string with a condition of its own': z
    .string()
    .check(new z.core.$ZodCheckMinLength({ check: 'min_length', minimum: 3, when: ({ value }) => value !== 'a' })),
  'formats, and what overwrites, in their order': z
    .string()
    .trim()
    .min(1)
    .toLowerCase()
    .regex(/^[a-z]+$/)
    .toUpperCase(),
  'pattern that remembers': z.string().regex(/a/g),
  guid: z.guid().toLowerCase(),
  'guid by check': text().check(z.guid(), z.toLowerCase()),
  refined: z
    .string()
    .refine(isShort)
    .refine((value) => value !== 'a'),
  'refined, with a condition': z.string().refine(isShort, { when: ({ value }) => value === 'abcd' }),
  'refined at length': z.string().superRefine((value, context) => {
    if (!isShort(value)) context.addIssue('long');
  }),
  'checked by hand': z.string().check((payload) => {
    if (payload.value === 'a') payload.issues.push({ code: 'custom', input: payload.value });
    else payload.value = `${payload.value}!`;
  }),
  number: z.number(),
  integer: z.number().int().min(-1).max(12),
  int: z.int(),
  'number between': z.number().gt(0).lt(7).multipleOf(0.5),
  enum: z.enum(['a', 'toString']),
  literal: z.literal(['a', 12, null, undefined]),
  unknown: z.unknown(),
  never: z.never(),
  object: z.object({ b: text(), a: z.number().optional(), constructor: z.unknown() }),
  'closed object': z.strictObject({ b: z.unknown(), a: z.unknown().optional() }),
  'object with keys like indices': z.object({ b: z.unknown(), 1: z.unknown(), 0: z.unknown() }),
  'empty object': z.strictObject({}),
  'refined object': z.object({ a: z.unknown().optional() }).refine((value) => Object.keys(value).length > 0),
  'absent fields': z.object({ a: z.unknown().optional(), b: z.string().default('none') }),
  'absent field that is there all the same': z.object({ a: z.unknown().default(undefined), b: z.unknown().optional() }),
  'absent field that would be good': z.object({ a: z.literal(undefined) }),
  'inherited field': z.object({ toString: z.unknown().optional() }),
  'absent fields in wrappers': z.object({
    a: z.string().default('none').optional(),
    b: z.string().optional().nullable(),
    c: z.union([z.string().optional(), z.number()]),
    d: z.preprocess((value) => value ?? 'nothing', z.unknown()),
    e: z.preprocess((value) => value, z.string().optional()),
  }),
  array: z.array(z.unknown()),
  'array of a length': z.array(z.string().optional()).min(2),
  'array of what is overwritten': z.array(z.object({ a: z.string().toUpperCase() })),
  'union in its order': z.union([z.string().toLowerCase(), z.unknown()]),
  'union of one': z.union([z.string()]),
  'union of what is left to zod, too': z.union([z.number(), z.array(z.number())]),
  nullable: z.string().nullable(),
  default: z.string().default('none'),
  'default made anew': z.unknown().default(() => [1]),
  'default of an object': z.unknown().default({ a: [1] }),
  'default of what makes nothing': z
    .string()
    .transform((value) => (value === 'a' ? undefined : value))
    .default('none'),
  pipe: z
    .string()
    .transform((value) => value.length)
    .pipe(z.number().min(2)),
  'transform that refuses': z.unknown().transform((value, context) => {
    if (value === 'a') context.addIssue('not this one');
    if (value === 'b') context.issues.push({ code: 'custom', input: value });
    return { value };
  }),
  preprocess: z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()),
  chosen: chosen((value) => (typeof value === 'string' ? text() : z.object({ a: z.unknown() })), {}).optional(),
};

const tree: z.ZodType = z.object({
  get a() {
    return tree.optional();
  },
});

/** Of these, and of what holds them, acceptances say nothing. */
export const leftToZod: Readonly<Record<string, z.ZodType>> = {
  coerced: z.coerce.string(),
  'coerced number': z.coerce.number(),
  boolean: z.boolean(),
  url: z.url(),
  email: z.email(),
  date: z.date(),
  custom: z.custom((value) => value !== 'a'),
  instance: z.instanceof(Map),
  caught: z.string().catch('none'),
  prefault: z.string().prefault('none'),
  nonoptional: z.string().optional().nonoptional(),
  'exactly optional': z.object({ a: z.string().exactOptional() }),
  codec: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
  'one of two alone': z.xor([z.string(), z.unknown()]),
  discriminated: z.discriminatedUnion('a', [
    z.object({ a: z.literal('a') }),
    z.object({ a: z.literal(12), b: text() }),
  ]),
  both: z.intersection(z.object({ a: z.unknown() }), z.object({ b: z.unknown() })),
  record: z.record(z.string(), z.unknown()),
  tuple: z.tuple([z.string()]).rest(z.number()),
  lazy: z.lazy(() => z.string()),
  readonly: z.array(z.unknown()).readonly(),
  loose: z.looseObject({ a: z.unknown().optional() }),
  'others of a kind': z.object({}).catchall(z.string()),
  'key of the prototype': z.object({ a: z.unknown(), ['__proto__']: z.unknown().optional() }),
  'key that is a symbol': z.object({ [Symbol.iterator]: z.unknown().optional() }),
  'refined late': z.string().refine(late),
  'transformed late': z.string().transform(late),
};

/** What has some of each: of the parts that are known something is said, of the whole never otherwise than zod. */
export const mixed: Readonly<Record<string, z.ZodType>> = {
  'holding itself': tree,
  'object of both': z.object({ a: z.unknown().optional(), b: z.boolean().optional() }),
  'union of both': z.union([z.boolean(), z.literal('a'), z.coerce.string().toUpperCase(), z.unknown()]),
  'array of both': z.array(z.union([z.coerce.number(), z.string()])),
};
