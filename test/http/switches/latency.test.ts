// latency: a delay in real time before the call has any effect. A reset ends delayed calls, which then store nothing.
import { describe, expect, test } from 'vitest';
import { untilSo } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { recordDelays, type SwitchesSent, testStage } from '../../support/stage.ts';

const hour = 3_600_000;

describe('the delay', () => {
  /** The delays of so many calls, none of which waits. */
  async function delays(latency: SwitchesSent['latency'], calls = 40, randomSeed = 'test') {
    const { sachet, stage, statuses } = await testStage({ randomSeed });
    const waited = await recordDelays(sachet);
    await stage.switches.set({ latency });
    await statuses(calls);
    return { waited, hits: (await stage.switches.get()).latency?.hits };
  }

  test('is that of every call; none of 0 ms, which counts all the same', async () => {
    for (const milliseconds of [0.5, hour])
      expect((await delays({ milliseconds }, 2)).waited).toEqual([milliseconds, milliseconds]);
    expect((await delays({ min: 9, max: 9 }, 2)).waited).toEqual([9, 9]);
    expect(await delays({ milliseconds: 0 }, 3)).toEqual({ waited: [], hits: 3 });
  });

  test('between two bounds is drawn from the seed', async () => {
    const latency = { min: 100, max: 200 };
    const [one, same, other] = [await delays(latency), await delays(latency), await delays(latency, 40, 'other')];
    expect(same).toEqual(one);
    expect(other.waited).not.toEqual(one.waited);
    const [min, max] = [Math.min(...one.waited), Math.max(...one.waited)];
    expect(min).toBeGreaterThanOrEqual(100);
    expect(max).toBeLessThanOrEqual(200);
    expect(max - min).toBeGreaterThan(60);
  });
});

/** A stage where orders wait for an hour. `send` sends one and resolves when it waits. */
async function slow() {
  const world = await testStage();
  await world.stage.switches.set({ latency: { milliseconds: hour, match: { operation: 'orders.create' } } });
  let sent = 0;
  const send = async () => {
    sent += 1;
    const answer = world.client.post('/v2/orders', someOrder());
    answer.catch(() => undefined);
    await untilSo(async () => (await world.stage.switches.get()).latency?.hits === sent);
    return { answer };
  };
  return { ...world, send };
}

test('a call takes at least its delay', async () => {
  const { stage, status } = await testStage();
  await stage.switches.set({ latency: { milliseconds: 30 } });
  const began = performance.now();
  expect(await status()).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(28); // A timer may be early by a fraction.
});

test("delays do not depend on the sandbox's clock; its time is read after them, for the order and the token", async () => {
  const { sachet, stage, send } = await slow();
  const { delays } = await sachet.sandbox();
  const early = await send();
  let isAnswered = false;
  early.answer.then(() => {
    isAnswered = true;
  });
  await stage.clock.advance({ by: 'PT1H' });
  await stage.switches.get();
  expect(isAnswered).toBe(false);
  delays.endAll();
  const { id } = (await early.answer).body.order;
  expect((await stage.records.orders.get(id)).created_at).toBe('2026-11-20T13:00:00.000Z');
  const late = await send();
  await stage.clock.advance({ by: 'PT23H' });
  delays.endAll();
  expect((await late.answer).body.message).toBe('Token expired');
});

test('a reset ends delayed calls with a 500, and none of their orders is stored; other sandboxes do not end them', async () => {
  const { sachet, stage, send, stored, order } = await slow();
  const before = await stored();
  const sent = [await send(), await send()];
  await sachet.control.sandbox('production').reset();
  const { requests } = await stage.requests.list({ operation: 'orders.create' });
  expect(requests).toMatchObject([{ status: null }, { status: null }]);
  await stage.reset();
  const answers = await Promise.all(sent.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect(await stored()).toBe(before);
  expect((await order()).status).toBe(201);
});
