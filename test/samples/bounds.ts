/** Bodies at the bounds and one beyond, made when they are asked for; and bodies that were cut off. */
import type { Entry, Verdict } from './entry.ts';
import { refused } from './entry.ts';

const mebibyte = 1_048_576;
const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const mixed = (pairs: number): string => nested('[{"a":', '}]', pairs).replace('}', '0}');
const list = (items: number, item: string): string => `[${Array(items).fill(item).join(',')}]`;

const large = (name: string, verdict: Verdict, bytes: string): Entry => ({ name, bytes, verdict });

const cut = '{"consumer":{"id":null},"shipping_address":["\\u00e9\\n",-1.5e+3,true],"order_lines":[{}]}';

export const bounds: readonly Entry[] = [
  { name: 'no bytes at all', bytes: '', verdict: 'taken', value: null },
  large('1 MiB by white space', 'taken', '{}'.padEnd(mebibyte)),
  large('1 MiB and a byte by white space', 'refused', '{}'.padEnd(mebibyte + 1)),
  large('1 MiB by white space in front', 'taken', '{}'.padStart(mebibyte)),
  large('1 MiB and a byte by white space in front', 'refused', '{}'.padStart(mebibyte + 1)),
  large('1 MiB of a text', 'taken', `"${'x'.repeat(mebibyte - 2)}"`),
  large('1 MiB and a byte of a text', 'refused', `"${'x'.repeat(mebibyte - 1)}"`),
  large('1 MiB of letters of two bytes', 'taken', `"${'é'.repeat(mebibyte / 2 - 1)}"`),
  large('1 MiB and two bytes of letters of two bytes', 'refused', `"${'é'.repeat(mebibyte / 2)}"`),
  large('1 MiB of a key', 'taken', `{"${'k'.repeat(mebibyte - 6)}":1}`),
  large('1 MiB of a number', 'taken', '1'.repeat(mebibyte)),
  large('1 MiB of white space alone', 'refused', ' '.repeat(mebibyte)),
  large('1 MiB of a text without its end', 'refused', `"${'x'.repeat(mebibyte - 1)}`),
  large('1 MiB of brackets', 'refused', nested('[', ']', mebibyte / 2)),
  large('1 MiB of brackets that open', 'refused', '['.repeat(mebibyte)),
  large('2 MiB of nothing', 'refused', '\0'.repeat(2 * mebibyte)),
  large('64 levels of arrays', 'taken', nested('[', ']', 64)),
  large('65 levels of arrays', 'refused', nested('[', ']', 65)),
  large('64 levels of objects', 'taken', objects(64)),
  large('65 levels of objects', 'refused', objects(65)),
  large('64 levels of both', 'taken', mixed(32)),
  large('66 levels of both', 'refused', mixed(33)),
  large('64 levels, the last in the middle', 'taken', `[1,${nested('[', ']', 63)},2]`),
  large('65 levels, the last in the middle', 'refused', `[1,${nested('[', ']', 64)},2]`),
  large('a text that has brackets, not levels', 'taken', JSON.stringify(nested('[', ']', 100))),
  large('50,000 values: a list and its numbers', 'taken', list(49_999, '0')),
  large('50,001 values: a list and its numbers', 'refused', list(50_000, '0')),
  large('50,000 values: a list and its empty objects', 'taken', list(49_999, '{}')),
  large('50,001 values: a list and its empty objects', 'refused', list(50_000, '{}')),
  large('49,999 values, two by two', 'taken', list(24_999, '[0]')),
  large('50,001 values, two by two', 'refused', list(25_000, '[0]')),
  large('50,000 values: an object and its keys that are one', 'taken', `{${Array(49_999).fill('"a":1').join(',')}}`),
  large('50,001 values: an object and its keys that are one', 'refused', `{${Array(50_000).fill('"a":1').join(',')}}`),
  // Every begin of a good body but the whole of it, and but the empty one.
  ...refused('cut off', ...Array.from({ length: cut.length - 1 }, (_, index) => cut.slice(0, index + 1))),
];
