// What is remembered of a client has a bound.
import { expect, test } from 'vitest';
import { Recent } from '../../../src/conduct/recent.ts';

test('of more than 256 entries the oldest are forgotten; what is set again is new', () => {
  const recent = new Recent<number, string>();
  for (let n = 0; n < 256; n += 1) recent.set(n, 'kept');
  recent.set(0, 'again').set(256, 'new');
  expect([recent.size, recent.get(0), recent.get(1), recent.get(2)]).toEqual([256, 'again', undefined, 'kept']);
});
