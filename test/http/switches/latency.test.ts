// latency: a delay in real time before the call has any effect. What waits is ended by a reset, and stores nothing.
import { describe, expect, test } from 'vitest';
import { bent, unwaited } from '../../support/bent.ts';
import { untilSo } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';

const hour = 3_600_000;

/** What each of so many calls would have waited. */
async function waits(latency: object, calls = 40, randomSeed = 'test') {
  const { sachet, stage, statuses } = await bent({ randomSeed });
  const waited = await unwaited(sachet);
  await stage.switches.set({ latency: latency as { milliseconds: number } });
  await statuses(calls);
  return { waited, hits: (await stage.switches.get()).latency?.hits };
}

describe('how long', () => {
  test.each([0.5, 7, hour])('%d milliseconds are the delay of each call', async (milliseconds) => {
    expect((await waits({ milliseconds }, 3)).waited).toEqual([milliseconds, milliseconds, milliseconds]);
  });

  test('no milliseconds wait for nothing, and count all the same', async () => {
    expect(await waits({ milliseconds: 0 }, 3)).toEqual({ waited: [], hits: 3 });
  });

  test('between two bounds it is drawn by the seed', async () => {
    const bounds = { min: 100, max: 200 };
    const [one, same, other] = [await waits(bounds), await waits(bounds), await waits(bounds, 40, 'other')];
    expect(same).toEqual(one);
    expect(other.waited).not.toEqual(one.waited);
    expect(Math.min(...one.waited)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...one.waited)).toBeLessThanOrEqual(200);
    expect(Math.max(...one.waited) - Math.min(...one.waited)).toBeGreaterThan(60);
  });

  test('bounds that are one are the delay', async () => {
    expect((await waits({ min: 9, max: 9 }, 2)).waited).toEqual([9, 9]);
  });

  test('by probability some calls wait and the others do not', async () => {
    const chances = { milliseconds: 5, probability: 0.5 };
    const [one, same] = [await waits(chances), await waits(chances)];
    expect(same).toEqual(one);
    expect(one.hits).toBe(one.waited.length);
    expect(one.waited.length).toBeGreaterThan(8);
    expect(one.waited.length).toBeLessThan(32);
    expect((await waits({ ...chances, probability: 0 })).waited).toEqual([]);
    expect((await waits({ ...chances, probability: 1 })).waited).toHaveLength(40);
  });
});

/** A stage where orders wait for an hour, and a way to send one and know that it waits. */
async function slow() {
  const world = await bent();
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

describe('in real time', () => {
  test('a call ends no sooner than its delay', async () => {
    const { stage, status } = await bent();
    await stage.switches.set({ latency: { milliseconds: 30 } });
    const began = performance.now();
    expect(await status()).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(28); // A timer may be early by a fraction.
  });

  test('a call that waits lets others pass, those without a delay and those with a shorter one', async () => {
    const { sachet, stage, send, status, order } = await slow();
    const ended: string[] = [];
    const { answer } = await send();
    const late = answer.then((one) => ended.push(`first ${one.status}`));
    ended.push(`products ${await status()}`);
    await stage.switches.set({ latency: { milliseconds: 1 } });
    ended.push(`second ${(await order()).status}`);
    (await sachet.sandbox()).delays.endAll();
    await late;
    expect(ended).toEqual(['products 200', 'second 201', 'first 201']);
  });

  test("neither moves the sandbox's clock nor goes by it", async () => {
    const { stage, send } = await slow();
    const before = await stage.clock.get();
    const { answer } = await send();
    await stage.clock.advance({ seconds: 2 * 3600 });
    let isAnswered = false;
    answer.then(() => {
      isAnswered = true;
    });
    await stage.switches.get();
    expect(isAnswered).toBe(false);
    await stage.reset();
    expect((await answer).status).toBe(500);
    expect(await stage.clock.get()).toEqual(before);
  });
});

test('a reset ends every call that waits, with the 500 of the contract, and no order of theirs is stored', async () => {
  const { stage, send, stored, order } = await slow();
  const before = await stored();
  const sent = [await send(), await send(), await send()];
  const began = performance.now();
  await stage.reset();
  const answers = await Promise.all(sent.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(await stored()).toBe(before);
  expect((await order()).status).toBe(201);
  expect(await stored()).toBe(before + 1);
});

test('a reset of another sandbox ends nothing here', async () => {
  const { sachet, stage, send } = await slow();
  const { answer } = await send();
  await sachet.control.sandbox('production').reset();
  await sachet.login('demo+w7');
  await sachet.control.sandbox('w7').reset();
  expect((await stage.requests.list({ operation: 'orders.create' })).requests).toMatchObject([{ status: null }]);
  await stage.reset();
  expect((await answer).status).toBe(500);
});

test('the time of a call is read after its delay: its order carries the later one, its token may have expired', async () => {
  const { sachet, stage, send } = await slow();
  const { delays } = await sachet.sandbox();
  const [early] = [await send()];
  await stage.clock.advance({ by: 'PT1H' });
  delays.endAll();
  const { id } = (await early.answer).body.order;
  expect((await stage.records.orders.get(id)).created_at).toBe('2026-11-20T13:00:00.000Z');
  const late = await send();
  await stage.clock.advance({ by: 'PT23H' });
  delays.endAll();
  expect((await late.answer).body.message).toBe('Token expired');
});
