// Servers judge calls in another order than that in which they came: the one that began a window may have come after others.
import { expect, test } from 'vitest';
import { countedWindow, reorderTolerance } from '../../src/sandbox/fault-evaluation.ts';
import { frozenClock, realClock } from '../../src/state/clock.ts';

const window = { began_at: 100_000, calls: 3 };

test.each([
  ['a call that came shortly before it counts in a window', 99_999, realClock, { began_at: 100_000, calls: 4 }],
  ['a clock that runs and is set back begins a window', 89_999, realClock, { began_at: 89_999, calls: 1 }],
  [
    'what is shortly before it depends on how fast the clock runs',
    89_999,
    { ...realClock, rate: 2 },
    { began_at: 100_000, calls: 4 },
  ],
  ['a clock that stands and is set back begins a window', 99_999, frozenClock(99_999), { began_at: 99_999, calls: 1 }],
])('%s', (_, now, clock, expected) => {
  expect(countedWindow(window, 60, now, reorderTolerance(clock))).toEqual(expected);
});
