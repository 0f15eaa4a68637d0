import { expect, test } from 'vitest';
import { numberFromText } from '../../src/contract/schema.ts';

test.each([
  ['7', 7],
  [' 7 ', 7],
  ['+5.', 5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['-0', -0],
  ['007', 7],
  ['abc', 'abc'],
  ['', ''],
  ['1_0', '1_0'],
  ['9007199254740993', Number.MAX_VALUE],
  ['1e400', Number.MAX_VALUE],
])('the text %j is read as %j', (text, read) => {
  expect(numberFromText(text)).toBe(read);
});

test('a million zeros are read in one pass: what takes quadratic time never ends here', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(numberFromText(`1${zeros}1`)).toBe(Number.MAX_VALUE);
  expect(numberFromText(`${zeros}1.${zeros}`)).toBe(1);
});
