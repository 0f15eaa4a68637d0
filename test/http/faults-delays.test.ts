// How long a fault delays a call: fixed, uniform or lognormal, drawn from the sandbox's seed. Nothing waits here.
import { expect, test } from 'vitest';
import { nodeHashes } from '../../src/node/platform.ts';
import { evaluateFaults } from '../../src/sandbox/fault-evaluation.ts';
import { resolvedAssumptions } from '../../src/sandbox/sandbox-world.ts';
import { type FaultSent, type TestStage, testStage } from '../support/stage.ts';

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

/** The delays of so many calls, in milliseconds, by a new fault. */
async function delaysIn({ sachet, stage }: TestStage, delay: Delay, calls: number, id = 'slow'): Promise<number[]> {
  await stage.faults.create({ id, delay });
  const delayOf = (state: Parameters<typeof resolvedAssumptions>[0]) =>
    evaluateFaults({ state, assumptions: resolvedAssumptions(state), hashes: nodeHashes, call, now: 0 });
  const sandbox = await sachet.sandbox();
  return sandbox.write((draft) => Array.from({ length: calls }, () => delayOf(draft).delayMilliseconds));
}
const delays = async (delay: Delay, calls = 400, { seed = 'test', id = 'slow' } = {}) =>
  delaysIn(await testStage({ randomSeed: seed }), delay, calls, id);

const shareUnder = (values: readonly number[], bound: number): number =>
  values.filter((value) => value < bound).length / values.length;

test.each<[Delay, number]>([
  [{ milliseconds: 0.5 }, 0.5],
  [{ milliseconds: 3_600_000 }, 3_600_000],
  [{ min: 7, max: 7 }, 7],
  [{ median: 0, sigma: 5 }, 0],
])('%j is always %d milliseconds', async (delay, expected) => {
  expect(new Set(await delays(delay, 20))).toEqual(new Set([expected]));
});

test('uniform delays are spread between min and max', async () => {
  const drawn = await delays({ min: 100, max: 300 });
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...drawn)).toBeLessThan(300);
  for (const quarter of [1, 2, 3]) expect(shareUnder(drawn, 100 + 50 * quarter)).toBeCloseTo(quarter / 4, 1);
});

test('lognormal delays have their median and sigma, and are an hour at most', async () => {
  const drawn = await delays({ median: 200, sigma: 0.5 });
  expect(shareUnder(drawn, 200)).toBeCloseTo(0.5, 1);
  expect(shareUnder(drawn, 200 * Math.exp(-0.5))).toBeCloseTo(0.16, 1);
  expect(shareUnder(drawn, 200 * Math.exp(0.5))).toBeCloseTo(0.84, 1);
  for (const delay of await delays({ median: 200, sigma: 0 }, 20)) expect(delay).toBeCloseTo(200, 9);
  const long = await delays({ median: 3_600_000, sigma: 5 });
  expect(Math.max(...long)).toBe(3_600_000);
  expect(Math.min(...long)).toBeGreaterThanOrEqual(0);
  expect(shareUnder(long, 3_600_000)).toBeCloseTo(0.5, 1);
});

test.each<Delay>([
  { min: 0, max: 1000 },
  { median: 100, sigma: 1 },
])('%j depends on the seed and the id of the fault, and is the same again after a reset', async (delay) => {
  const world = await testStage();
  const one = await delaysIn(world, delay, 50);
  await world.stage.reset();
  expect(await delaysIn(world, delay, 50)).toEqual(one);
  expect(await delays(delay, 50, { seed: 'other' })).not.toEqual(one);
  expect(await delays(delay, 50, { id: 'other' })).not.toEqual(one);
  expect(new Set(one).size).toBe(50);
});
