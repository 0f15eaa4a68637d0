// How long a fault delays: fixed, uniform, lognormal; drawn by the sandbox's seed. Read from the admission, so that nothing waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeHashes } from '../../src/node/platform.ts';
import { evaluateFaults } from '../../src/sandbox/fault-evaluation.ts';
import { resolvedAssumptions } from '../../src/sandbox/sandbox-world.ts';
import type { State } from '../../src/state/state.ts';
import { bent, type FaultSent } from '../support/bent.ts';

type Delay = NonNullable<FaultSent['delay']>;

const call = {
  operation: 'products.list',
  method: 'GET',
  path: '/v2/products',
  body: undefined,
  permission: 'products:read',
  isRouted: true,
  isForged: false,
} as const;

const delayOf = (state: State): number =>
  evaluateFaults({ state, assumptions: resolvedAssumptions(state), hashes: nodeHashes, call, now: 0 })
    .delayMilliseconds;

/** The delays of so many calls, in milliseconds. */
async function delays(delay: Delay, calls = 400, { seed = 'test', id = 'slow' } = {}): Promise<number[]> {
  const { sachet, stage } = await bent({ randomSeed: seed });
  await stage.faults.create({ id, delay });
  const sandbox = await sachet.sandbox();
  return sandbox.write((draft) => Array.from({ length: calls }, () => delayOf(draft)));
}

const shareUnder = (values: readonly number[], bound: number): number =>
  values.filter((value) => value < bound).length / values.length;

test.each([0, 0.5, 250, 3_600_000])('fixed: %d milliseconds, each time', async (milliseconds) => {
  expect(new Set(await delays({ milliseconds }, 20))).toEqual(new Set([milliseconds]));
});

describe('uniform', () => {
  test('between its bounds, all over', async () => {
    const drawn = await delays({ min: 100, max: 300 });
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...drawn)).toBeLessThan(300);
    for (const quarter of [1, 2, 3]) expect(shareUnder(drawn, 100 + 50 * quarter)).toBeCloseTo(quarter / 4, 1);
  });

  test('where both bounds are one, that one', async () => {
    expect(new Set(await delays({ min: 7, max: 7 }, 20))).toEqual(new Set([7]));
  });
});

describe('lognormal', () => {
  test('half of it under the median, and its logarithm as wide as sigma', async () => {
    const drawn = await delays({ median: 200, sigma: 0.5 });
    expect(shareUnder(drawn, 200)).toBeCloseTo(0.5, 1);
    expect(shareUnder(drawn, 200 * Math.exp(-0.5))).toBeCloseTo(0.16, 1);
    expect(shareUnder(drawn, 200 * Math.exp(0.5))).toBeCloseTo(0.84, 1);
  });

  test('of no width is the median, of no median nothing', async () => {
    for (const delay of await delays({ median: 200, sigma: 0 }, 20)) expect(delay).toBeCloseTo(200, 9);
    expect(new Set(await delays({ median: 0, sigma: 5 }, 20))).toEqual(new Set([0]));
  });

  test('never waits longer than an hour', async () => {
    const drawn = await delays({ median: 3_600_000, sigma: 5 });
    expect(Math.max(...drawn)).toBe(3_600_000);
    expect(shareUnder(drawn, 3_600_000)).toBeCloseTo(0.5, 1);
  });
});

const kinds: readonly Delay[] = [
  { min: 0, max: 1000 },
  { median: 100, sigma: 1 },
];

describe.each(kinds)('%j', (delay) => {
  test('is the same for the same seed and name, and another for another', async () => {
    const one = await delays(delay, 50);
    expect(await delays(delay, 50)).toEqual(one);
    expect(await delays(delay, 50, { seed: 'other' })).not.toEqual(one);
    expect(await delays(delay, 50, { id: 'other' })).not.toEqual(one);
    expect(new Set(one).size).toBe(50);
  });

  test('is the same again after a reset', async () => {
    const { sachet, stage } = await bent();
    const drawn = async () => {
      await stage.faults.create({ id: 'slow', delay });
      const sandbox = await sachet.sandbox();
      return sandbox.write((draft) => Array.from({ length: 20 }, () => delayOf(draft)));
    };
    const first = await drawn();
    await stage.reset();
    expect(await drawn()).toEqual(first);
  });
});

test('every delay is a time to wait: none is negative, none longer than an hour', async () => {
  const hour = fc.double({ min: 0, max: 3_600_000, noNaN: true });
  const delay: fc.Arbitrary<Delay> = fc.oneof(
    fc.record({ milliseconds: hour }),
    fc.tuple(hour, hour).map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) })),
    fc.record({ median: hour, sigma: fc.double({ min: 0, max: 5, noNaN: true }) }),
  );
  const property = fc.asyncProperty(delay, fc.string({ minLength: 1 }), async (drawn, seed) => {
    for (const milliseconds of await delays(drawn, 20, { seed })) {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      expect(milliseconds).toBeLessThanOrEqual(3_600_000);
    }
  });
  await fc.assert(property, { numRuns: 50 });
});
