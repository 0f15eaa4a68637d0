// rate_limit: 429 with Retry-After (LIM-1) for the next calls, for a time, or beyond a number of calls in a window.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { type SwitchesSent, testStage, times } from '../../support/stage.ts';
import { logIn, refresh } from '../../support/tokens.ts';

async function limited(rate_limit: SwitchesSent['rate_limit']) {
  const world = await testStage();
  await world.stage.switches.set({ rate_limit });
  return { ...world, shown: async () => (await world.stage.switches.get()).rate_limit };
}

test('a burst rejects so many calls of every kind and not one more, however much time passes', async () => {
  const { sachet, client, shown, elapse } = await limited({ burst: 4 });
  expect(await shown()).toEqual({ burst: 4, hits: 0, remaining: 4 });
  await elapse(3_600_000);
  const answers = [
    await logIn(sachet, 'demo', 'sachet-demo'),
    await refresh(sachet, client.refreshToken),
    await sachet.call('GET', '/v2/products'),
    await client.get('/v2/nothing'),
    await client.get('/v2/nothing'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 404]);
  expect(answers[4]?.headers.get('retry-after')).toBeNull();
});

describe('Retry-After (LIM-1)', () => {
  test.each([
    [{ burst: 1 }, '60'],
    [{ for_seconds: 5 }, '5'],
    [{ limit: 0, window_seconds: 3 }, '3'],
    [{ burst: 1, retry_after: 0 }, '0'],
    [{ for_seconds: 5, retry_after: 315_360_000 }, '315360000'],
  ])('of %j is %s', async (rate_limit, expected) => {
    const { client } = await limited(rate_limit);
    const { status, body, headers } = await client.get('/v2/products');
    expect([status, body, headers.get('retry-after')]).toEqual([429, errorOf(429, 'Too Many Requests'), expected]);
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['LIM-1', 'rate_limit']);
  });

  test.each([
    [{ for_seconds: 90 }, 0],
    [{ limit: 1, window_seconds: 90 }, 1],
  ])('of %j is the time that is left, rounded up; then a call passes', async (rate_limit, passing) => {
    const { client, elapse, statuses } = await limited(rate_limit);
    expect(await statuses(passing)).toEqual(times(passing, 200));
    const left = [];
    for (const passed of [0, 1, 998, 1, 88_000, 999]) {
      await elapse(passed);
      left.push((await client.get('/v2/products')).headers.get('retry-after'));
    }
    expect(left).toEqual(['90', '90', '90', '89', '1', '1']);
    await elapse(1);
    expect(await statuses(1)).toEqual([200]);
  });
});

describe('limit in window_seconds', () => {
  test('lets so many calls of a window pass, which begins with its first call', async () => {
    const { statuses, elapse, shown } = await limited({ limit: 2, window_seconds: 60 });
    expect(await shown()).toEqual({ limit: 2, window_seconds: 60, hits: 0, remaining: 2 });
    await elapse(45_000);
    expect(await statuses(1)).toEqual([200]);
    const ends_at = '2026-11-20T12:01:45.000Z';
    expect(await shown()).toMatchObject({ hits: 0, remaining: 1, ends_at });
    expect(await statuses(3)).toEqual([200, 429, 429]);
    await elapse(59_999);
    expect(await statuses(1)).toEqual([429]);
    expect(await shown()).toMatchObject({ hits: 3, remaining: 0, ends_at });
    await elapse(1);
    expect(await shown()).toMatchObject({ hits: 3, remaining: 2 });
    await elapse(1000);
    expect(await statuses(1)).toEqual([200]);
    expect(await shown()).toMatchObject({ remaining: 1, ends_at: '2026-11-20T12:02:46.000Z' });
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test('counts calls that are rejected for another reason, and only those that match', async () => {
    const { client } = await limited({ limit: 3, window_seconds: 60 });
    const answers = [
      await client.get('/v2/products/7'),
      await client.get('/v2/nothing'),
      await client.post('/v2/orders', {}),
      await client.get('/v2/products'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 422, 429]);
    const { status, order } = await limited({ limit: 1, window_seconds: 60, match: { operation: 'orders.create' } });
    const seen = [await status(), await status(), (await order()).status, await status(), (await order()).status];
    expect(seen).toEqual([200, 200, 201, 200, 429]);
  });

  test('goes on if the clock is set back within the window, and begins anew if it is set before it', async () => {
    const { status, setTo } = await limited({ limit: 2, window_seconds: 60 });
    const seen = [];
    for (const at of [1000, 50_000, 1000, 60_999, 61_000, 61_000, 60_999, 60_999, 60_999, 120_998, 120_999]) {
      await setTo(at);
      seen.push(await status());
    }
    expect(seen).toEqual([200, 200, 429, 429, 200, 200, 200, 200, 429, 429, 200]);
  });
});
