// server_error: 500 for every call, for the next ones, or with a probability.
import { expect, test } from 'vitest';
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

test('a probability affects the same calls for the same seed, more of them if it is larger, none that do not match', async () => {
  /** The statuses of 40 calls that list products, between others. */
  async function seen(probability: number) {
    const { stage, status, order } = await testStage();
    await stage.switches.set({ server_error: { probability, match: { operation: 'products.list' } } });
    const statuses = [];
    for (let n = 0; n < 40; n += 1) {
      statuses.push(await status());
      expect(await status('/v2/orders')).toBe(200);
    }
    return { statuses, order: (await order()).text };
  }
  const [often, again, rare] = [await seen(0.5), await seen(0.5), await seen(0.2)];
  expect(again).toEqual(often);
  expect(rare.statuses).toContain(500);
  expect(rare.statuses.every((status, index) => status === 200 || often.statuses[index] === 500)).toBe(true);
  expect(rare.statuses).not.toEqual(often.statuses);
  // It draws nothing from the ids of orders.
  expect(often.order).toBe((await (await testStage()).order()).text);
});
