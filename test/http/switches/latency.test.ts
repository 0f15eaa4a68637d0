// latency: a delay in real time before the call has any effect. How delays are drawn: test/http/faults-together.test.ts.
import { expect, test } from 'vitest';
import { untilSo } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { hour } from '../../support/sachet.ts';
import { recordDelays, testStage } from '../../support/stage.ts';

test.each([
  [{ milliseconds: 0.5 }, [0.5, 0.5]],
  [{ milliseconds: hour }, [hour, hour]],
  [{ min: 9, max: 9 }, [9, 9]],
  [{ milliseconds: 0 }, []],
])('%j delays two calls by %j, and counts both', async (latency, expected) => {
  const { sachet, stage, statuses } = await testStage();
  const waited = await recordDelays(sachet);
  await stage.switches.set({ latency });
  await statuses(2);
  expect([waited, (await stage.switches.get()).latency?.hits]).toEqual([expected, 2]);
});

test('a call takes at least its delay', async () => {
  const { stage, status } = await testStage();
  await stage.switches.set({ latency: { milliseconds: 30 } });
  const began = performance.now();
  expect(await status()).toBe(200);
  expect(performance.now() - began).toBeGreaterThan(28); // A timer may be early by a fraction.
});

test("delays do not depend on the sandbox's clock or other sandboxes; the time is read after them, for the order and the token", async () => {
  const { sachet, stage, client } = await testStage();
  await stage.switches.set({ latency: { milliseconds: hour, match: { operation: 'orders.create' } } });
  const { delays } = await sachet.sandbox();
  /** Sends an order, and resolves when it waits. */
  const send = async (hits: number) => {
    const answer = client.post('/v2/orders', someOrder());
    await untilSo(async () => (await stage.switches.get()).latency?.hits === hits);
    return { answer };
  };
  const early = await send(1);
  let isAnswered = false;
  early.answer.then(() => {
    isAnswered = true;
  });
  await stage.clock.advance({ by: 'PT1H' });
  await sachet.control.sandbox('production').reset();
  expect((await stage.requests.list({ operation: 'orders.create' })).requests).toMatchObject([{ status: null }]);
  expect(isAnswered).toBe(false);
  delays.endAll();
  const { id } = (await early.answer).body.order;
  expect((await stage.records.orders.get(id)).created_at).toBe('2026-11-20T13:00:00.000Z');
  const late = await send(2);
  await stage.clock.advance({ by: 'PT23H' });
  delays.endAll();
  expect((await late.answer).body.message).toBe('Token expired');
});
