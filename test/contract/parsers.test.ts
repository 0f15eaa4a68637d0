// The small parsers: queries, numbers in strings, suggestions for a name, path templates, merge patches.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filled, isTemplate, namesIn, patternOf, queryValues } from '../../src/contract/addresses.ts';
import { didYouMean } from '../../src/contract/nearest.ts';
import { numberFromText } from '../../src/contract/schema.ts';
import { mergePatch } from '../../src/sandbox/record-input.ts';
import { testSachet } from '../support/sachet.ts';

test('the values of a query are those of URLSearchParams, with a list for a repeated key', () => {
  const part = fc.oneof(
    fc.constantFrom('limit', 'a', '', '__proto__', 'constructor', '20', '=', '&', '?', '#', ';', '+', ' ', 'é', '😀'),
    fc.constantFrom('\ud83d', '\n', '\0', '%20', '%', '%zz', '%C3%A9', '%ff', '%00', '%26', '%3D'),
    fc.string({ maxLength: 4 }),
  );
  const search = fc
    .tuple(fc.constantFrom('?', '', '??'), fc.array(fc.oneof(part, fc.constantFrom('&', '=')), { maxLength: 9 }))
    .map(([start, parts]) => start + parts.join(''));
  const property = fc.property(search, (text) => {
    const read = new URLSearchParams(text);
    const expected = [...new Set(read.keys())].map((key) => {
      const all = read.getAll(key);
      return [key, all.length === 1 ? all[0] : all];
    });
    // As entries: toStrictEqual compares the value of a key "constructor" by identity.
    expect(Object.entries(queryValues(text))).toStrictEqual(Object.entries(Object.fromEntries(expected)));
  });
  fc.assert(property, { numRuns: 1000, examples: [['?constructor&constructor']] });
});

test('a number in a string of a million zeros is read in one pass: quadratic time would never end here', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(numberFromText(`1${zeros}1`)).toBe(Number.MAX_VALUE);
  expect(numberFromText(`${zeros}1.${zeros}`)).toBe(1);
});

test('the suggestion for an unknown name is the nearest known name, if one is near', () => {
  const names = ['token_expiry', 'label_expiry', 'rate_limit', 'Active'];
  const typos = ['token_expirey', 'lable_expiry', 'RATE-LIMIT', 'Activ'];
  expect(typos.map((typo) => didYouMean(typo, names))).toEqual(names.map((name) => ` Did you mean "${name}"?`));
  for (const typo of ['', 'weather', 'x'.repeat(100_000)]) expect(didYouMean(typo, names)).toBe('');
  expect(didYouMean('token_expiry', [])).toBe('');
});

describe('a path template', () => {
  test('matches the paths with one segment for each name', () => {
    const pattern = patternOf('/v2/orders/{orderId}/fulfillments');
    const matching = ['/v2/orders/7/fulfillments', '/v2/orders/{orderId}/fulfillments'];
    const others = ['/v2/orders//fulfillments', '/v2/orders/a/b/fulfillments', '/v2/orders/a/fulfillments/'];
    expect([...matching, ...others].filter((path) => pattern.test(path))).toEqual(matching);
    expect(namesIn('/a/{b}/{c}.pdf')).toEqual(['b', 'c']);
    expect(filled('/a/{b}.pdf', (name) => name.toUpperCase())).toBe('/a/B.pdf');
  });

  test('has one name between two slashes, so that no match takes exponential time', async () => {
    const sachet = testSachet();
    for (const path of [`/v2/orders/${'{a}'.repeat(12)}x`, `/v2/orders/${'{a}b'.repeat(12)}x`]) {
      const pattern = patternOf(path);
      const matched = [path, `/v2/orders/${'b'.repeat(200)}`].map((one) => pattern.test(one));
      expect([isTemplate(path), ...matched]).toEqual([false, true, false]);
      const fault = sachet.control.sandbox('stage').faults.create({ match: { path }, status: 500 });
      await expect(fault).rejects.toThrow(/422.*at most one {name} between/);
    }
  });
});

describe('a merge patch', () => {
  test.each<[unknown, unknown, unknown]>([
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('as in RFC 7396, appendix A: %j patched by %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  test('changes neither input, and nothing the second time', () => {
    const frozen = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
      return value;
    };
    const property = fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const once = mergePatch(frozen(target), frozen(patch));
      expect(mergePatch(once, patch)).toEqual(once);
    });
    fc.assert(property);
  });

  test('reaches no prototype', () => {
    for (const text of ['{"__proto__": {"polluted": true}}', '{"constructor": {"prototype": {"polluted": true}}}']) {
      const merged = mergePatch({ id: 1 }, JSON.parse(text)) as { polluted?: boolean };
      expect([merged.polluted, ({} as { polluted?: boolean }).polluted]).toEqual([undefined, undefined]);
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    }
    expect(mergePatch({}, JSON.parse('{"toString": {"a": 1}}'))).toEqual({ toString: { a: 1 } });
  });
});
