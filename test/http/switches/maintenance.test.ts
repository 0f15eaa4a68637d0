// maintenance: every call fails with 500 until the sandbox's clock has passed its end, and then all goes on.
import { expect, test } from 'vitest';
import { errorOf } from '../../support/assumption-cases.ts';
import { bent } from '../../support/bent.ts';

const failure = errorOf(500, 'An internal server error occurred');

test('every call fails: logins, refreshes, orders, calls without a token, paths that are none', async () => {
  const { sachet, stage, client, order, stored } = await bent();
  const before = await stored();
  await stage.switches.set({ maintenance: { for_seconds: 300 } });
  const answers = [
    await sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'sachet-demo' } }),
    await sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: client.refreshToken } }),
    await client.get('/v2/products'),
    await sachet.call('GET', '/v2/products'),
    await client.get('/v2/nothing'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await sachet.call('GET', '/sandboxes/stage/v2/products'),
    await order(),
  ];
  for (const { status, body, headers } of answers) {
    expect([status, body]).toEqual([500, failure]);
    expect([headers.get('sandbox-fault'), headers.get('sandbox-rule')]).toEqual(['maintenance', 'HTTP-3']);
  }
  expect((await stage.switches.get()).maintenance).toMatchObject({ hits: answers.length });
  await stage.switches.set({ maintenance: null });
  expect([await stored(), (await client.get('/v2/products')).status]).toEqual([before, 200]);
});

test.each([1, 300])('of %i seconds ends to the millisecond, however the clock is set', async (for_seconds) => {
  const { stage, status, setTo } = await bent();
  await stage.switches.set({ maintenance: { for_seconds } });
  const seen = [];
  for (const at of [for_seconds * 1000 - 1, for_seconds * 1000, for_seconds * 1000 - 1, -1]) {
    await setTo(at);
    seen.push(await status());
  }
  expect(seen).toEqual([500, 200, 500, 500]);
});

test('it goes on over calls: no call ends it or lengthens it', async () => {
  const { stage, statuses, elapse } = await bent();
  await stage.switches.set({ maintenance: { for_seconds: 10 } });
  for (let n = 0; n < 10; n += 1) {
    expect(await statuses(2)).toEqual([500, 500]);
    await elapse(1000);
  }
  expect(await statuses(2)).toEqual([200, 200]);
});

test('its end is shown, by the clock of the sandbox', async () => {
  const { stage, elapse } = await bent();
  await elapse(250);
  await stage.switches.set({ maintenance: { for_seconds: 60 } });
  const shown = { for_seconds: 60, hits: 0, ends_at: '2026-11-20T12:01:00.250Z' };
  expect((await stage.switches.get()).maintenance).toEqual(shown);
});

test('a running clock ends it in its own time, however fast it runs', async () => {
  const { stage, status } = await bent();
  await stage.switches.set({ maintenance: { for_seconds: 3 } });
  expect(await status()).toBe(500);
  await stage.clock.set({ frozen: false, rate: 100 });
  await expect.poll(status, { interval: 1 }).toBe(200);
});

test('a match narrows it to some calls', async () => {
  const { sachet, stage, status } = await bent();
  await stage.switches.set({ maintenance: { for_seconds: 300, match: { method: 'POST' } } });
  const login = { body: { username: 'demo', password: 'sachet-demo' } };
  expect([await status(), (await sachet.call('POST', '/v2/authentication/token', login)).status]).toEqual([200, 500]);
});

test('a reset ends it', async () => {
  const { stage, status } = await bent();
  await stage.switches.set({ maintenance: { for_seconds: 300 } });
  expect(await status()).toBe(500);
  await stage.reset();
  expect(await status()).toBe(200);
});
