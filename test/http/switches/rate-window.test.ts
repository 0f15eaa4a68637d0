// rate_limit as a limit of calls in a window of the sandbox's clock.
import { describe, expect, test } from 'vitest';
import { bent, times } from '../../support/bent.ts';

/** Stage with a limit of so many calls in so many seconds. */
async function windowed(limit: number, window_seconds: number, more: object = {}) {
  const world = await bent();
  await world.stage.switches.set({ rate_limit: { limit, window_seconds, ...more } });
  return { ...world, shown: async () => (await world.stage.switches.get()).rate_limit };
}

test.each([1, 2, 10])('%i calls of a window pass, the next is refused', async (limit) => {
  const { statuses } = await windowed(limit, 60);
  expect(await statuses(limit + 3)).toEqual([...times(limit, 200), 429, 429, 429]);
});

test('a limit of none lets no call pass, in no window', async () => {
  const { statuses, elapse } = await windowed(0, 1);
  expect(await statuses(2)).toEqual([429, 429]);
  await elapse(1000);
  expect(await statuses(2)).toEqual([429, 429]);
});

test('the window begins with its first call, and ends to the millisecond', async () => {
  const { status, elapse } = await windowed(1, 60);
  await elapse(45_000);
  expect([await status(), await status()]).toEqual([200, 429]);
  await elapse(59_999);
  expect(await status()).toBe(429);
  await elapse(1);
  expect([await status(), await status()]).toEqual([200, 429]);
});

test('the window after it begins with its own first call', async () => {
  const { status, elapse } = await windowed(2, 10);
  expect(await status()).toBe(200);
  await elapse(25_000);
  expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
  await elapse(9999);
  expect(await status()).toBe(429);
  await elapse(1);
  expect(await status()).toBe(200);
});

test('a refused call neither counts nor lengthens the window', async () => {
  const { status, elapse } = await windowed(1, 10);
  expect(await status()).toBe(200);
  for (let n = 0; n < 9; n += 1) {
    await elapse(1000);
    expect(await status()).toBe(429);
  }
  await elapse(1000);
  expect([await status(), await status()]).toEqual([200, 429]);
});

test('a call that is refused for another reason counts', async () => {
  const { client } = await windowed(3, 60);
  const answers = [
    await client.get('/v2/products/7'),
    await client.get('/v2/nothing'),
    await client.post('/v2/orders', {}),
    await client.get('/v2/products'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 404, 422, 429]);
});

test('a clock set back before the window begins one then', async () => {
  const { status, setTo } = await windowed(1, 60);
  expect([await status(), await status()]).toEqual([200, 429]);
  await setTo(-1);
  expect([await status(), await status()]).toEqual([200, 429]);
  await setTo(59_998);
  expect(await status()).toBe(429);
  await setTo(59_999);
  expect([await status(), await status()]).toEqual([200, 429]);
});

test('a clock set back within the window goes on in it', async () => {
  const { status, setTo, elapse } = await windowed(2, 60);
  await elapse(1000);
  expect(await status()).toBe(200);
  await setTo(50_000);
  expect(await status()).toBe(200);
  await setTo(1000);
  expect(await status()).toBe(429);
  await setTo(60_999);
  expect(await status()).toBe(429);
  await setTo(61_000);
  expect(await status()).toBe(200);
});

test('calls at the same time share the window exactly', async () => {
  const { client } = await windowed(4, 60);
  const answers = await Promise.all(Array.from({ length: 9 }, () => client.get('/v2/products')));
  expect(answers.map(({ status }) => status).sort()).toEqual([...times(4, 200), ...times(5, 429)]);
});

test('only the calls that match count', async () => {
  const { status, order } = await windowed(1, 60, { match: { operation: 'orders.create' } });
  expect([await status(), await status(), (await order()).status]).toEqual([200, 200, 201]);
  expect([await status(), (await order()).status]).toEqual([200, 429]);
});

describe('what is shown of it', () => {
  test('is what remains of the window, when it ends, and how many were refused', async () => {
    const { shown, status, elapse } = await windowed(2, 60);
    expect(await shown()).toEqual({ limit: 2, window_seconds: 60, hits: 0, remaining: 2 });
    await elapse(250);
    await status();
    const ends_at = '2026-11-20T12:01:00.250Z';
    expect(await shown()).toMatchObject({ hits: 0, remaining: 1, ends_at });
    await status();
    await status();
    expect(await shown()).toMatchObject({ hits: 1, remaining: 0, ends_at });
  });

  test('is a whole window again once the last one is over', async () => {
    const { shown, status, elapse } = await windowed(2, 60);
    for (let n = 0; n < 3; n += 1) await status();
    await elapse(59_999);
    expect(await shown()).toMatchObject({ hits: 1, remaining: 0 });
    await elapse(1);
    expect(await shown()).toMatchObject({ hits: 1, remaining: 2 });
    expect(await status()).toBe(200);
    expect(await shown()).toMatchObject({ remaining: 1, ends_at: '2026-11-20T12:02:00.000Z' });
  });
});
