// What is kept by its key is kept as long as there is room.
import { expect, test } from 'vitest';
import { Lately } from '../../src/contract/lately.ts';

function kept(...keys: readonly string[]): Lately<string, string> {
  const lately = new Lately<string, string>(2);
  for (const key of keys) lately.keep(key, key.toUpperCase());
  return lately;
}

test('a value is found by its key, and given when it is kept', () => {
  expect(kept('a').get('a')).toBe('A');
  expect(kept().keep('b', 'B')).toBe('B');
});

test('where there is no room the one that was kept first goes', () => {
  const lately = kept('a', 'b', 'c');
  expect(['a', 'b', 'c'].map((key) => lately.get(key))).toEqual([undefined, 'B', 'C']);
});

test('what is kept again takes no room of another', () => {
  const lately = kept('a', 'b', 'b');
  expect(lately.get('a')).toBe('A');
  expect(lately.keep('b', 'other') && lately.get('b')).toBe('other');
});
