// Merge patches do what RFC 7396 says, touch neither of their inputs, and reach no prototype.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatch } from '../../src/sandbox/record-input.ts';

describe('the examples of RFC 7396, appendix A', () => {
  test.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched by %j is %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });
});

const frozen = (value: unknown): unknown => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test('neither input is touched, and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const once = mergePatch(frozen(target), frozen(patch));
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});

test.each(['{"__proto__": {"polluted": true}}', '{"constructor": {"prototype": {"polluted": true}}}'])(
  '%s reaches no prototype',
  (text) => {
    const merged = mergePatch({ id: 1 }, JSON.parse(text)) as object;
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((merged as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  },
);

test('a key of the target called like an inherited one is patched as its own', () => {
  expect(mergePatch({}, JSON.parse('{"toString": {"a": 1}}'))).toEqual({ toString: { a: 1 } });
});
