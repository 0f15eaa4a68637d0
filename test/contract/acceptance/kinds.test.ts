// Acceptances beyond the schemas of today's requests: of no kind of schema do they say otherwise than zod, whatever comes.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { acceptanceOf, undecided } from '../../../src/contract/acceptance.ts';
import { chosen } from '../../../src/contract/schema.ts';
import { agreementOn, isSame } from './agreement.ts';
import { known, leftToZod, mixed } from './schemas.ts';

const texts = [
  '',
  'a',
  'b',
  'A',
  'abc',
  'abcd',
  ' ab ',
  '😀',
  '😀😀',
  '\ud83d',
  '12',
  '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
];
const numbers = [0, -0, 1, 1.5, 12, 13, 2 ** 53, Number.NaN, Infinity];
const simple = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, null, undefined, true, 12n, Symbol.iterator, new Date(0)),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', '0', '1', 'x', 'constructor', 'toString', '__proto__');

/** An object with these entries, in this order; `__proto__` is a field as any other. */
const withEntries = (target: object, entries: readonly (readonly [string, unknown])[]): object => {
  for (const [name, value] of entries)
    Object.defineProperty(target, name, { value, enumerable: name !== 'c', configurable: true, writable: true });
  return target;
};

const { value: values } = fc.letrec<{ value: unknown; list: unknown; object: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, simple, tie('list'), tie('object')),
  list: fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.sparseArray(tie('value'), { maxLength: 3 })),
  object: fc
    .tuple(fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }), fc.constantFrom(Object.prototype, null, { a: 'a' }))
    .map(([entries, prototype]) => withEntries(Object.create(prototype), entries)),
}));

const anything = fc.oneof(values, fc.anything({ withNullPrototype: true, withSparseArray: true }));

describe('what zod accepts is accepted', () => {
  test.each(Object.entries(known))('%s', (_, schema) => {
    const property = fc.property(anything, (value) => {
      expect(agreementOn(schema, value)).not.toBe('zod alone');
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('nothing is said', () => {
  test.each(Object.entries(leftToZod))('%s', (_, schema) => {
    const property = fc.property(anything, (value) => {
      for (const whole of [schema, z.array(schema), z.object({ a: schema }), schema.meta({ id: 'named' })])
        agreementOn(whole, value);
      expect(acceptanceOf(schema)(value)).toBe(undecided);
    });
    fc.assert(property, { numRuns: 50 });
    z.globalRegistry.remove(schema);
  });
});

describe('nothing is said otherwise', () => {
  test.each(Object.entries(mixed))('%s', (_, schema) => {
    fc.assert(
      fc.property(anything, (value) => {
        agreementOn(schema, value);
      }),
      { numRuns: 300 },
    );
  });
});

test('what is the same, and what is not', () => {
  expect(isSame({ a: [0, { b: undefined }] }, { a: [0, { b: undefined }] })).toBe(true);
  const different: [unknown, unknown][] = [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: undefined }, {}],
    [[0], [-0]],
    [[], {}],
    [{}, Object.create(null)],
    [[undefined], new Array(1)],
  ];
  for (const [one, other] of different) expect(isSame(one, other)).toBe(false);
});

test('a schema that holds itself is looked at once, and left to zod where it comes again', () => {
  const tree = mixed['holding itself'] as z.ZodType;
  expect(acceptanceOf(tree)({})).toEqual({});
  expect(acceptanceOf(tree)({ a: {} })).toBe(undecided);
});

test('what is chosen by the value is accepted without zod, also under another name and where it may be absent', () => {
  const picked = z.object({ a: z.string() });
  const asked = vi.spyOn(picked, 'safeParse');
  const schema = z.object({
    b: chosen(() => picked, {})
      .meta({ description: 'Chosen.' })
      .optional(),
  });
  expect(acceptanceOf(schema)({ b: { a: 'a' } })).toEqual({ b: { a: 'a' } });
  expect(asked).not.toHaveBeenCalled();
});

test('an output is no part of the input', () => {
  const input = { a: [{ b: 'b' }] };
  const schema = z.object({ a: z.array(z.object({ b: z.string() })) });
  const output = acceptanceOf(schema)(input) as typeof input;
  expect(output).toEqual(input);
  expect([output === input, output.a === input.a, output.a[0] === input.a[0]]).toEqual([false, false, false]);
});
