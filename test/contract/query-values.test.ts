// The values of a query, simple or not: as URLSearchParams reads them, and a list where a key comes again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryValues } from '../../src/http/urls.ts';

function asRead(search: string): object {
  const read = new URLSearchParams(search);
  const entries = [...new Set(read.keys())].map((key) => {
    const all = read.getAll(key);
    return [key, all.length === 1 ? all[0] : all];
  });
  return Object.fromEntries(entries);
}

const part = fc.oneof(
  fc.constantFrom(
    'limit',
    'cursor',
    '20',
    'a',
    '',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '12',
    '=',
    '&',
    '?',
    '#',
  ),
  fc.constantFrom(
    '%20',
    '%',
    '%zz',
    '%C3%A9',
    '%ff',
    '+',
    ' ',
    'é',
    '😀',
    '\ud83d',
    '\n',
    '\0',
    '%00',
    '%26',
    '%3D',
    ';',
  ),
  fc.string({ maxLength: 4 }),
);
const search = fc
  .tuple(fc.constantFrom('?', '', '??'), fc.array(fc.oneof(part, fc.constantFrom('&', '=')), { maxLength: 9 }))
  .map(([start, parts]) => start + parts.join(''));

test('any query', () => {
  const property = fc.property(search, (text) => {
    // As entries: toStrictEqual compares what a key "constructor" holds by identity.
    expect(Object.entries(queryValues(text))).toStrictEqual(Object.entries(asRead(text)));
  });
  fc.assert(property, { numRuns: 2000, examples: [['?constructor&constructor']] });
});

test.each([
  ['', {}],
  ['?', {}],
  ['?limit=20', { limit: '20' }],
  ['?limit=20&cursor=a=b&&x', { limit: '20', cursor: 'a=b', x: '' }],
  ['?a=1&b=2&a=3', { a: ['1', '3'], b: '2' }],
  ['?a=%C3%A9+b', { a: 'é b' }],
])('%s', (text, values) => {
  expect(queryValues(text)).toStrictEqual(values);
});

test('a key of the prototype is a key', () => {
  expect(Object.entries(queryValues('?__proto__=1&toString=2'))).toEqual([
    ['__proto__', '1'],
    ['toString', '2'],
  ]);
});
