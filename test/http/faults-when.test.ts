// When a fault meets a call that it means: so many times, after so many, for a time, by chance.
import { describe, expect, test } from 'vitest';
import { bent, type FaultSent, times } from '../support/bent.ts';

/** A stage with one fault of status 500, called "it". */
async function faulty(fault: Partial<FaultSent>, randomSeed = 'test') {
  const world = await bent({ randomSeed });
  await world.stage.faults.create({ id: 'it', status: 500, ...fault });
  return { ...world, shown: () => world.stage.faults.get('it') };
}

test.each([1, 2, 5])('times: %i calls are met, and never one again', async (count) => {
  const { statuses, shown } = await faulty({ times: count });
  expect(await statuses(count + 3)).toEqual([...times(count, 500), 200, 200, 200]);
  expect(await shown()).toMatchObject({ hits: count, remaining: 0 });
});

test.each([1, 4])('after: %i calls pass first, then all are met', async (after) => {
  const { statuses, shown } = await faulty({ after });
  expect(await statuses(after + 3)).toEqual([...times(after, 200), 500, 500, 500]);
  expect((await shown()).hits).toBe(3);
});

test('after and times together mean a stretch of calls', async () => {
  const { statuses, shown } = await faulty({ after: 2, times: 3 });
  expect(await statuses(8)).toEqual([200, 200, 500, 500, 500, 200, 200, 200]);
  expect(await shown()).toMatchObject({ hits: 3, remaining: 0 });
});

test('only calls that match are counted, by both', async () => {
  const { status } = await faulty({ after: 1, times: 1, match: { path: '/v2/products' } });
  const seen = [];
  for (const path of ['/v2/orders', '/v2/products', '/v2/orders', '/v2/products', '/v2/products'])
    seen.push(await status(path));
  expect(seen).toEqual([200, 200, 200, 500, 200]);
});

test('calls at the same time are counted exactly', async () => {
  const { client, shown } = await faulty({ after: 3, times: 4 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/v2/products')));
  expect(answers.map(({ status }) => status).sort()).toEqual([...times(8, 200), ...times(4, 500)]);
  expect(await shown()).toMatchObject({ hits: 4, remaining: 0 });
});

test.each([1, 60])('for_seconds: %i, to the millisecond, from when it was added', async (for_seconds) => {
  const { status, setTo } = await faulty({ for_seconds });
  const seen = [];
  for (const at of [0, for_seconds * 1000 - 1, for_seconds * 1000, for_seconds * 1000 - 1, -1]) {
    await setTo(at);
    seen.push(await status());
  }
  expect(seen).toEqual([500, 500, 200, 500, 500]);
});

test('for_seconds does not wait for the calls that pass first', async () => {
  const { status, elapse } = await faulty({ after: 1, for_seconds: 10 });
  await elapse(9999);
  expect([await status(), await status()]).toEqual([200, 500]);
  await elapse(1);
  expect(await status()).toBe(200);
});

test('times ends a fault before its time, and the time one that has calls left', async () => {
  const { statuses, elapse, shown } = await faulty({ times: 2, for_seconds: 10 });
  expect(await statuses(1)).toEqual([500]);
  await elapse(10_000);
  expect(await statuses(2)).toEqual([200, 200]);
  expect(await shown()).toMatchObject({ hits: 1, remaining: 1, ends_at: '2026-11-20T12:00:10.000Z' });
});

describe('probability', () => {
  const seen = async (fault: Partial<FaultSent>, seed?: string) => (await faulty(fault, seed)).statuses(60);

  test.each([
    [0, times(60, 200)],
    [1, times(60, 500)],
  ])('of %i', async (probability, expected) => {
    expect(await seen({ probability })).toEqual(expected);
  });

  test('goes by the seed, and by the name of the fault', async () => {
    const one = await seen({ probability: 0.5 });
    expect(await seen({ probability: 0.5 })).toEqual(one);
    expect(await seen({ probability: 0.5 }, 'other')).not.toEqual(one);
    expect(await seen({ probability: 0.5, id: 'other' })).not.toEqual(one);
    const hits = one.filter((status) => status === 500).length;
    expect(hits).toBeGreaterThan(15);
    expect(hits).toBeLessThan(45);
  });

  test('rolls no dice for calls that pass first, and none when its times are used up', async () => {
    const plain = await seen({ probability: 0.5 });
    const { statuses } = await faulty({ probability: 0.5, after: 7, times: 5 });
    const later = await statuses(60);
    expect(later.slice(0, 7)).toEqual(times(7, 200));
    const until = later.lastIndexOf(500) + 1;
    expect(later.slice(7, until)).toEqual(plain.slice(0, until - 7));
    expect(later.filter((status) => status === 500)).toHaveLength(5);
  });

  test('two faults each have dice of their own', async () => {
    const alone = await seen({ probability: 0.5 });
    const { stage, client } = await faulty({ probability: 0.5 });
    await stage.faults.create({ id: 'second', delay: { milliseconds: 0 }, probability: 0.5 });
    const both = [];
    for (let n = 0; n < 60; n += 1) both.push((await client.get('/v2/products')).status);
    expect(both).toEqual(alone);
  });
});
