// rate_limit over the next calls, and for a time: 429 with Retry-After (LIM-1), to the call and to the millisecond.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../support/assumption-cases.ts';
import { bent, times } from '../../support/bent.ts';

const limited = errorOf(429, 'Too Many Requests');

describe('a burst', () => {
  test.each([1, 2, 7])('of %i meets so many calls and not one more', async (burst) => {
    const { stage, statuses } = await bent();
    await stage.switches.set({ rate_limit: { burst } });
    expect(await statuses(burst + 2)).toEqual([...times(burst, 429), 200, 200]);
  });

  test('is met by logins, refreshes, calls without a token and paths that are none', async () => {
    const { sachet, stage, client } = await bent();
    await stage.switches.set({ rate_limit: { burst: 4 } });
    const answers = [
      await sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'sachet-demo' } }),
      await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: client.refreshToken } }),
      await sachet.call('GET', '/v2/products'),
      await client.get('/v2/nothing'),
      await client.get('/v2/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 404]);
  });

  test('is shared out exactly among calls at the same time', async () => {
    const { stage, client } = await bent();
    await stage.switches.set({ rate_limit: { burst: 5 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/v2/products')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...times(7, 200), ...times(5, 429)]);
    expect((await stage.switches.get()).rate_limit).toMatchObject({ hits: 5, remaining: 0 });
  });

  test('does not end with time, and stores nothing of an order it meets', async () => {
    const { stage, order, stored, elapse } = await bent();
    const before = await stored();
    await stage.switches.set({ rate_limit: { burst: 1 } });
    await elapse(3_600_000);
    expect((await order()).body).toEqual(limited);
    expect(await stored()).toBe(before);
    expect((await order()).status).toBe(201);
  });

  test('uses up no id: the order after it is the one that would have been', async () => {
    const [plain, bursting] = [await bent(), await bent()];
    await bursting.stage.switches.set({ rate_limit: { burst: 2, match: { operation: 'orders.create' } } });
    for (let n = 0; n < 2; n += 1) await bursting.order();
    expect((await bursting.order()).text).toBe((await plain.order()).text);
  });
});

describe('Retry-After (LIM-1)', () => {
  test.each([
    [{ burst: 1 }, '60'],
    [{ for_seconds: 5 }, '5'],
    [{ limit: 0, window_seconds: 3 }, '3'],
    [{ burst: 1, retry_after: 0 }, '0'],
    [{ burst: 1, retry_after: 1 }, '1'],
    [{ for_seconds: 5, retry_after: 315_360_000 }, '315360000'],
  ])('of %j is %s, beside the whole body of the contract', async (rate_limit, expected) => {
    const { stage, client } = await bent();
    await stage.switches.set({ rate_limit });
    const { status, body, headers } = await client.get('/v2/products');
    expect([status, body, headers.get('retry-after')]).toEqual([429, limited, expected]);
    expect([headers.get('sandbox-rule'), headers.get('sandbox-fault')]).toEqual(['LIM-1', 'rate_limit']);
  });

  test.each([
    [{ for_seconds: 90 }, 0],
    [{ limit: 1, window_seconds: 90 }, 1],
  ])('of %j is the rest of the time, rounded up', async (rate_limit, passing) => {
    const { stage, client, elapse, statuses } = await bent();
    await stage.switches.set({ rate_limit });
    expect(await statuses(passing)).toEqual(times(passing, 200));
    const rest = [];
    for (const passed of [0, 1, 998, 1, 88_000, 999]) {
      await elapse(passed);
      rest.push((await client.get('/v2/products')).headers.get('retry-after'));
    }
    expect(rest).toEqual(['90', '90', '90', '89', '1', '1']);
  });

  test('of a client that waits for it leads to a call that passes', async () => {
    const { stage, client, elapse } = await bent();
    await stage.switches.set({ rate_limit: { limit: 1, window_seconds: 3 } });
    await client.get('/v2/products');
    await elapse(700);
    await elapse(Number((await client.get('/v2/products')).headers.get('retry-after')) * 1000);
    expect((await client.get('/v2/products')).status).toBe(200);
  });

  test('stands on no other answer', async () => {
    const { stage, client } = await bent();
    await stage.switches.set({ rate_limit: { burst: 1 } });
    await client.get('/v2/products');
    expect((await client.get('/v2/products')).headers.get('retry-after')).toBeNull();
  });
});

describe('for_seconds', () => {
  test.each([1, 60, 86_400])('%i lasts to its last millisecond, whatever calls it met', async (for_seconds) => {
    const { sachet, stage, elapse } = await bent();
    const status = async () => (await sachet.call('GET', '/v2/products')).status;
    await stage.switches.set({ rate_limit: { for_seconds } });
    expect([await status(), await status()]).toEqual([429, 429]);
    await elapse(for_seconds * 1000 - 1);
    expect([await status(), await status()]).toEqual([429, 429]);
    await elapse(1);
    expect(await status()).toBe(401);
  });

  test('begins when it is turned on, not with the first call', async () => {
    const { stage, status, elapse } = await bent();
    await elapse(500);
    await stage.switches.set({ rate_limit: { for_seconds: 1 } });
    expect((await stage.switches.get()).rate_limit).toMatchObject({ hits: 0, ends_at: '2026-11-20T12:00:01.500Z' });
    await elapse(999);
    expect(await status()).toBe(429);
    await elapse(1);
    expect(await status()).toBe(200);
  });

  test('ends at the same instant however the clock is set', async () => {
    const { stage, status, setTo } = await bent();
    await stage.switches.set({ rate_limit: { for_seconds: 60 } });
    const seen = [];
    for (const at of [59_999, 60_000, 59_999, -3_600_000, 60_001]) {
      await setTo(at);
      seen.push(await status());
    }
    expect(seen).toEqual([429, 200, 429, 429, 200]);
  });

  test('begins anew when it is turned on again', async () => {
    const { stage, status, elapse } = await bent();
    await stage.switches.set({ rate_limit: { for_seconds: 60 } });
    await elapse(30_000);
    await stage.switches.set({ rate_limit: { for_seconds: 60 } });
    await elapse(59_999);
    expect(await status()).toBe(429);
    await elapse(1);
    expect(await status()).toBe(200);
  });
});
