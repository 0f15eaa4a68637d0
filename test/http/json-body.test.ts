// How much JSON a body may hold, told of its text where that is long: before anything is made of it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/http/body.ts';

const bounds = { bodyDepth: 3, bodyValues: 10 };
/** Blanks that make a text a long one. */
const long = ' '.repeat(70_000);
const isTaken = (text: string): boolean => parseJson(text, bounds) !== undefined;

describe.each([
  ['short', ''],
  ['long', long],
])('in a %s text', (_, blanks) => {
  test.each([
    ['[[[]]]', true],
    ['[[[[]]]]', false],
    ['{"a":{"b":{"c":1}}}', true],
    ['{"a":{"b":{"c":{}}}}', false],
    ['[1,2,3,4,5,6,7,8,9]', true],
    ['[1,2,3,4,5,6,7,8,9,10]', false],
    ['[[],[ ],{},{\n},[],[],[],[],[]]', true],
    ['[[],[],[],[],[],[],[],[],[],[]]', false],
    ['[[1],[2],[3],[4]]', true],
    ['[[1],[2],[3],[4],[5]]', false],
    ['["[[[[,,,,,,,,,,,{{{{"]', true],
    ['["\\"[[[[,,,,,,,,,,,\\\\","\\\\\\"[[[["]', true],
    ['{"[[[[":1,",,,,,,,,,,,,":2}', true],
    ['"[[[["', true],
    ['null', true],
    ['', false],
    ['[', false],
    ['"', false],
    ['[1,]', false],
    ['{"__proto__":1}', false],
    ['{"a":{"__proto__":{}}}', false],
  ])('%s: %s', (text, taken) => {
    expect([isTaken(blanks + text), isTaken(text + blanks)]).toEqual([taken, taken]);
  });
});

test('a text is taken or not, however long it is', () => {
  const texts = fc.json({ maxDepth: 5 });
  fc.assert(fc.property(texts, (text) => isTaken(text + long) === isTaken(text)));
});
