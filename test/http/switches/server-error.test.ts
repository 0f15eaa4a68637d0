// server_error: 500 for every call, for the next ones, or with a probability by the sandbox's seed.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { testStage, times } from '../../support/stage.ts';

const failure = errorOf(500, 'An internal server error occurred');

test('affects every call of an operation, logins too, and shows its hits', async () => {
  const { sachet, stage, client, statuses, order, stored } = await testStage();
  const before = await stored();
  await stage.switches.set({ server_error: {} });
  expect((await client.get('/v2/products')).body).toEqual(failure);
  expect(await statuses(3)).toEqual(times(3, 500));
  const login = await sachet.call('POST', '/v2/authentication/token', { body: {} });
  expect([(await order()).body, login.body]).toEqual([failure, failure]);
  expect((await stage.switches.get()).server_error).toEqual({ hits: 6 });
  await stage.switches.set({ server_error: null });
  expect([await statuses(1), await stored()]).toEqual([[200], before]);
});

test('a burst affects so many calls and not one more, without unknown routes and calls that do not match', async () => {
  const { stage, status, statuses, order } = await testStage();
  const shown = async () => (await stage.switches.get()).server_error;
  await stage.switches.set({ server_error: { burst: 3 } });
  expect(await shown()).toEqual({ burst: 3, hits: 0, remaining: 3 });
  expect([await status('/v2/nothing'), ...(await statuses(2))]).toEqual([404, 500, 500]);
  expect(await shown()).toEqual({ burst: 3, hits: 2, remaining: 1 });
  expect(await statuses(3)).toEqual([500, 200, 200]);
  expect(await shown()).toEqual({ burst: 3, hits: 3, remaining: 0 });
  await stage.switches.set({ server_error: { burst: 1, match: { operation: 'orders.create' } } });
  expect([await status(), (await order()).status, (await order()).status]).toEqual([200, 500, 201]);
});

describe('a probability', () => {
  /** The statuses of 40 calls. */
  async function failing(probability: number, randomSeed = 'test') {
    const world = await testStage({ randomSeed });
    await world.stage.switches.set({ server_error: { probability } });
    return { ...world, seen: await world.statuses(40) };
  }

  test('affects the same calls for the same seed, also after a reset, and more of them if it is larger', async () => {
    const { seen, stage, statuses } = await failing(0.5);
    expect((await failing(0.5)).seen).toEqual(seen);
    await stage.reset();
    await stage.switches.set({ server_error: { probability: 0.5 } });
    expect(await statuses(40)).toEqual(seen);
    const other = (await failing(0.5, 'other')).seen;
    expect(other).not.toEqual(seen);
    for (const one of [seen, other]) {
      const failed = one.filter((status) => status === 500).length;
      expect(failed).toBeGreaterThan(8);
      expect(failed).toBeLessThan(32);
    }
    const rare = (await failing(0.2)).seen;
    expect(rare).toContain(500);
    expect(rare.every((status, index) => status === 200 || seen[index] === 500)).toBe(true);
    expect((await failing(0)).seen).toEqual(times(40, 200));
    expect((await failing(1)).seen).toEqual(times(40, 500));
  });

  test('draws for calls that match only, and not from the ids of orders', async () => {
    const { seen } = await failing(0.5);
    const [plain, matching] = [await testStage(), await testStage()];
    const match = { operation: 'products.list' } as const;
    await matching.stage.switches.set({ server_error: { probability: 0.5, match } });
    const matched = [];
    for (let n = 0; n < 40; n += 1) {
      matched.push(await matching.status());
      expect(await matching.status('/v2/orders')).toBe(200);
    }
    expect(matched).toEqual(seen);
    expect((await matching.order()).text).toBe((await plain.order()).text);
  });
});
