// How the benchmark makes figures of runs, and verdicts of figures.
import { describe, expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}
interface Run {
  readonly sachet: number;
  readonly other: number;
  readonly ratio: number;
}
interface Figure {
  readonly words: string;
  readonly bound?: number;
  readonly direction?: string;
  readonly margin?: number;
  readonly usual?: number;
}
interface Pairs {
  summarize(runs: Run[]): { sachet: number; other: number; value: Spread };
  alternate(count: number, a: () => Promise<number>, b: () => Promise<number>): Promise<Run[]>;
}
interface Verdicts {
  judge(goal: Figure, value: Spread): { met: boolean; by: number } | undefined;
  wideBound(goal: Figure): number;
}

const { summarize, alternate } = await benchModule<Pairs>('load/alternate.mjs');
const { judge, wideBound } = await benchModule<Verdicts>('verdict.mjs');
const at = (value: number): Spread => ({ median: value, min: value, max: value });

test('two things are measured in turn, behind a warm-up that does not count', async () => {
  const order: string[] = [];
  const measure = (name: string, value: number) => async () => {
    order.push(name);
    return value;
  };
  const runs = await alternate(2, measure('a', 1), measure('b', 4));
  expect(order.join(' ')).toBe('a b a b a b');
  expect(runs).toEqual(Array(2).fill({ sachet: 1, other: 4, ratio: 0.25 }));
});

test('the ratio is the median of the pairs, not the pair of the medians', () => {
  const runs = [
    { sachet: 1, other: 10, ratio: 0.1 },
    { sachet: 8, other: 4, ratio: 2 },
    { sachet: 3, other: 30, ratio: 0.1 },
  ];
  expect(summarize(runs)).toMatchObject({ sachet: 3, other: 10, value: { median: 0.1, min: 0.1, max: 2 } });
  expect(summarize(runs.slice(1))).toMatchObject({ sachet: 5.5, value: { median: 1.05 } });
});

describe('a goal', () => {
  const least = { words: 'orders', bound: 0.4, direction: 'at least' };
  const most = { words: 'start', bound: 2, direction: 'at most' };

  test.each([
    [least, 0.4, true, 0],
    [least, 0.3, false, 0.25],
    [most, 2, true, 0],
    [most, 3, false, 0.5],
  ])('%o at %d: met is %s, by %d', (goal, value, met, by) => {
    expect(judge(goal, at(value))).toEqual({ met, by: expect.closeTo(by) });
  });

  test('that is none is not judged', () => {
    expect(judge({ words: 'shown' }, at(1))).toBeUndefined();
  });
});

describe('a figure', () => {
  const least = { words: 'orders', bound: 0.4, direction: 'at least' };
  const most = { words: 'start', bound: 2, direction: 'at most' };

  test('is far off where it is 2.5 times worse than usual, or than its margin', () => {
    expect(wideBound({ ...least, usual: 0.2 })).toBe(0.08);
    expect(wideBound({ ...most, usual: 3 })).toBe(7.5);
    expect(wideBound({ ...most, usual: 3, margin: 1.5 })).toBe(4.5);
  });

  test('of which nothing is usual is held against its goal', () => {
    expect(wideBound(least)).toBe(0.16);
  });
});
