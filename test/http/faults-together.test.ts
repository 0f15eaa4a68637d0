// Delays of faults: fixed, uniform or lognormal, drawn from the sandbox's seed; and several faults at once, in the order of their creation,
// until one answers the call or breaks its connection. Nothing waits here.
import { expect, test } from 'vitest';
import { nodeHashes } from '../../src/node/platform.ts';
import { evaluateFaults } from '../../src/sandbox/fault-evaluation.ts';
import { resolvedAssumptions } from '../../src/sandbox/sandbox-world.ts';
import { labelUrlOf } from '../support/labels.ts';
import { type FaultSent, recordDelays, type TestStage, testStage } from '../support/stage.ts';

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
const delays = async (delay: Delay, calls = 400) => delaysIn(await testStage(), delay, calls);

const shareUnder = (values: readonly number[], bound: number): number =>
  values.filter((value) => value < bound).length / values.length;

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
  expect(new Set(await delays({ median: 0, sigma: 5 }, 20))).toEqual(new Set([0]));
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
  expect(new Set(one).size).toBe(50);
  expect(await delaysIn(await testStage(), delay, 50, 'other')).not.toEqual(one);
  expect(await delaysIn(await testStage({ randomSeed: 'other' }), delay, 50)).not.toEqual(one);
  await world.stage.reset();
  expect(await delaysIn(world, delay, 50)).toEqual(one);
});

test('delays of switches and faults add up until a status or a drop ends the call', async () => {
  const { sachet, stage, client } = await testStage();
  const waited = await recordDelays(sachet);
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
  await stage.switches.set({ latency: { milliseconds: 10 } });
  await stage.faults.create({ id: 'gone', delay: { milliseconds: 100 }, status: 404, times: 1 });
  await stage.faults.create({ id: 'lost', delay: { milliseconds: 1000 }, drop: 'before_processing', times: 1 });
  await stage.faults.create({ id: 'later', delay: { milliseconds: 2 } });
  const outcome = async () => {
    const { status, headers } = await client.get('/v2/products');
    return [status, headers.get('sandbox-fault')];
  };
  expect(await outcome()).toEqual([404, 'slow, latency, gone']);
  await expect(outcome()).rejects.toThrow('fetch failed');
  expect(await outcome()).toEqual([200, 'slow, latency, later']);
  expect([waited, (await stage.faults.get('later')).hits]).toEqual([[111, 1011, 13], 1]);
});

test('no fault affects the storage of labels', async () => {
  const { sachet, stage, client } = await testStage();
  const url = await labelUrlOf(client);
  await stage.faults.create({ id: 'it', status: 500 });
  const { status, headers } = await sachet.call('GET', url);
  expect([status, headers.get('sandbox-fault'), (await stage.faults.get('it')).hits]).toEqual([200, null, 0]);
});

test('there are 200 overrides at most; one more is rejected and changes nothing', async () => {
  const { stage, status } = await testStage();
  await stage.switches.set({ latency: { milliseconds: 0 } });
  const put = { status: 500, match: { method: 'PUT' } } as const;
  for (let n = 0; n < 199; n += 1) await stage.faults.create(put);
  const rejected = { status: 422, message: expect.stringContaining('200') };
  await expect(stage.faults.create({ status: 500 })).rejects.toMatchObject(rejected);
  await expect(stage.switches.set({ server_error: {} })).rejects.toMatchObject(rejected);
  expect(await status()).toBe(200);
  await stage.faults.delete('fault-1');
  await stage.faults.create(put);
});

test.each([404, 429] as const)(
  'a delay that a reset ends is followed by 500, not by the %i of the fault',
  async (code) => {
    const { stage, status } = await testStage();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 3_600_000 }, status: code });
    const call = status();
    await expect.poll(async () => (await stage.faults.get('slow')).hits).toBe(1);
    await stage.reset();
    expect([await call, await status()]).toEqual([500, 200]);
  },
);
