// server_error: 500 for every call, for the next ones, or by chance: by the sandbox's seed, and for no other purpose's draws.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../support/assumption-cases.ts';
import { bent, times } from '../../support/bent.ts';

const failure = errorOf(500, 'An internal server error occurred');

test('without a burst or a probability it meets every call of an endpoint, logins too', async () => {
  const { sachet, stage, client, statuses, order, stored } = await bent();
  const before = await stored();
  await stage.switches.set({ server_error: {} });
  expect((await client.get('/v2/products')).body).toEqual(failure);
  expect(await statuses(3)).toEqual(times(3, 500));
  const login = await sachet.call('POST', '/v2/authentication/token', { body: {} });
  expect([(await order()).body, login.body]).toEqual([failure, failure]);
  await stage.switches.set({ server_error: null });
  expect([await statuses(1), await stored()]).toEqual([[200], before]);
});

test.each([1, 3])('a burst of %i meets so many calls and not one more', async (burst) => {
  const { stage, statuses } = await bent();
  await stage.switches.set({ server_error: { burst } });
  expect(await statuses(burst + 2)).toEqual([...times(burst, 500), 200, 200]);
});

test('a burst is not used up by what is no path, nor by what does not match', async () => {
  const { stage, status, order } = await bent();
  await stage.switches.set({ server_error: { burst: 1, match: { operation: 'orders.create' } } });
  expect([await status('/v2/nothing'), await status(), (await order()).status]).toEqual([404, 200, 500]);
  expect((await order()).status).toBe(201);
});

describe('by probability', () => {
  /** Which of 60 calls failed. */
  async function failures(probability: number, randomSeed = 'test') {
    const world = await bent({ randomSeed });
    await world.stage.switches.set({ server_error: { probability } });
    return { ...world, seen: await world.statuses(60) };
  }

  test.each([
    [0, 200],
    [1, 500],
  ])('of %i each call answers %i', async (probability, status) => {
    expect((await failures(probability)).seen).toEqual(times(60, status));
  });

  test('the same seed fails the same calls, another seed others', async () => {
    const [one, same, other] = [await failures(0.5), await failures(0.5), await failures(0.5, 'other')];
    expect(same.seen).toEqual(one.seen);
    expect(other.seen).not.toEqual(one.seen);
    for (const { seen } of [one, other]) {
      const failed = seen.filter((status) => status === 500).length;
      expect(failed).toBeGreaterThan(15);
      expect(failed).toBeLessThan(45);
    }
  });

  test('what fails at a small chance fails at a larger one, too', async () => {
    const [rare, frequent] = [(await failures(0.2)).seen, (await failures(0.7)).seen];
    expect(rare).toContain(500);
    expect(rare.every((status, index) => status === 200 || frequent[index] === 500)).toBe(true);
  });

  test('the same calls fail after a reset', async () => {
    const { stage, seen, statuses } = await failures(0.5);
    await stage.reset();
    await stage.switches.set({ server_error: { probability: 0.5 } });
    expect(await statuses(60)).toEqual(seen);
  });

  test('another sandbox has dice of its own', async () => {
    const { sachet, seen } = await failures(0.5);
    const client = await sachet.login('demo', { base: '/sandboxes/production' });
    await sachet.control.sandbox('production').switches.set({ server_error: { probability: 0.5 } });
    const there = [];
    for (let n = 0; n < 60; n += 1) there.push((await client.get('/v2/products')).status);
    expect(there).not.toEqual(seen);
    expect(there).toContain(500);
  });

  test('calls that do not match roll no dice', async () => {
    const { stage, statuses, status } = await bent();
    const match = { operation: 'products.list' } as const;
    await stage.switches.set({ server_error: { probability: 0.5, match } });
    const seen = [];
    for (let n = 0; n < 60; n += 1) {
      seen.push(await status());
      expect(await statuses(1, '/v2/orders')).toEqual([200]);
    }
    expect(seen).toEqual((await failures(0.5)).seen);
  });

  test('the dice do not move the id of an order', async () => {
    const [plain, failing] = [await bent(), await bent()];
    await failing.stage.switches.set({ server_error: { probability: 0.5 } });
    await failing.statuses(25);
    await failing.stage.switches.set({ server_error: null });
    expect((await failing.order()).text).toBe((await plain.order()).text);
  });
});

test('what it met is shown: hits, and what remains of a burst', async () => {
  const { stage, statuses } = await bent();
  const shown = async () => (await stage.switches.get()).server_error;
  await stage.switches.set({ server_error: { burst: 3 } });
  expect(await shown()).toEqual({ burst: 3, hits: 0, remaining: 3 });
  await statuses(2);
  expect(await shown()).toEqual({ burst: 3, hits: 2, remaining: 1 });
  await statuses(5);
  expect(await shown()).toEqual({ burst: 3, hits: 3, remaining: 0 });
  await stage.switches.set({ server_error: {} });
  await statuses(4);
  expect(await shown()).toEqual({ hits: 4 });
});
