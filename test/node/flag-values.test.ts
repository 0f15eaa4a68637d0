// What the flags of serve come to.
import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { adminKey, hosts, integerFrom, names, seconds } from '../../src/node/cli/flags.ts';
import { UsageError } from '../../src/system/exit-errors.ts';

describe('allowed hosts', () => {
  test.each([
    ['sachet', ['sachet']],
    ['Sandbox.Example.COM, b', ['sandbox.example.com', 'b']],
    ['order_service', ['order_service']],
    ['127.0.0.1', ['127.0.0.1']],
    ['::1,[FE80:0::1]', ['[::1]', '[fe80::1]']],
    ['3com.test', ['3com.test']],
  ])('%s', (text, list) => {
    expect(hosts(text)).toEqual(list);
  });

  test.each([
    '',
    ',',
    'a,',
    'a b',
    'a..b',
    '.a',
    'a.',
    '-a',
    'a-',
    'a:1',
    '[::1]:80',
    'fe80::1%eth0',
    '[a]',
    '[127.0.0.1]',
    'http://a',
    '//a',
    'a/b',
    'a?b',
    'a@b',
    '*.a',
    '256.1.1.1',
    '1.2.3',
    'é.test',
    'a\nb',
    'x'.repeat(64),
    'x.'.repeat(127),
  ])('%j is refused', (text) => {
    expect(() => hosts(text)).toThrow(InvalidArgumentError);
  });

  test('several add up', () => {
    expect(hosts('b', hosts('a'))).toEqual(['a', 'b']);
    expect(names('b, c', names('a'))).toEqual(['a', 'b', 'c']);
  });
});

test.each(['1', '-2', '2.5', '2e3', ' 3', '0x10', '9007199254740993', 'Infinity', ''])(
  '%j is no number from 2 up',
  (text) => {
    expect(() => integerFrom(2)(text)).toThrow(InvalidArgumentError);
  },
);

test('a number from 2 up', () => {
  expect([integerFrom(2)('2'), integerFrom(2)('1000')]).toEqual([2, 1000]);
});

test.each(['1234567', 'with blank', 'tab\there', 'ümlaut-key', 'line\nbreak', ''])('%j is no admin key', (text) => {
  expect(() => adminKey(text)).toThrow(UsageError);
});

describe('a time in seconds', () => {
  test.each([
    ['0.001', 0.001],
    ['2.5', 2.5],
    ['60', 60],
    ['86400', 86_400],
  ])('%s', (text, found) => {
    expect(seconds(text)).toBe(found);
  });

  test.each(['', '0', '0.0', '-1', '1e3', '.5', '1.', '0.0001', '86400.1', '999999', 'long', '5 s'])(
    '%j is none',
    (text) => {
      expect(() => seconds(text)).toThrow(InvalidArgumentError);
      expect(() => seconds(text)).toThrow('is not a number of seconds. Use a number above 0, at most 86400.');
    },
  );
});
