// maintenance: every call fails with 500 until an instant of the sandbox's clock.
import { expect, test } from 'vitest';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { testStage } from '../../support/stage.ts';
import { logIn, refresh } from '../../support/tokens.ts';

test('every call fails: logins, refreshes, orders, calls without a token, unknown routes', async () => {
  const { sachet, stage, client, order, stored } = await testStage();
  const before = await stored();
  await stage.switches.set({ maintenance: { for_seconds: 300 } });
  const answers = [
    await logIn(sachet, 'demo', 'sachet-demo'),
    await refresh(sachet, client.refreshToken),
    await client.get('/v2/products'),
    await sachet.call('GET', '/sandboxes/stage/v2/products'),
    await client.get('/v2/nothing'),
    await client.post('/v2/orders', undefined, { raw: '{' }),
    await order(),
  ];
  for (const { status, body, headers } of answers) {
    expect([status, body]).toEqual([500, errorOf(500, 'An internal server error occurred')]);
    expect([headers.get('sandbox-fault'), headers.get('sandbox-rule')]).toEqual(['maintenance', 'HTTP-3']);
  }
  expect((await stage.switches.get()).maintenance).toMatchObject({ hits: answers.length });
  await stage.reset();
  expect([await stored(), (await sachet.call('GET', '/v2/products')).status]).toEqual([before, 401]);
});

test('it ends at one instant, to the millisecond, however the clock is set, and with a running clock', async () => {
  const { stage, status, setTo } = await testStage();
  await setTo(250);
  await stage.switches.set({ maintenance: { for_seconds: 3 } });
  const ends_at = '2026-11-20T12:00:03.250Z';
  expect((await stage.switches.get()).maintenance).toEqual({ for_seconds: 3, hits: 0, ends_at });
  const seen = [];
  for (const at of [250, 3249, 3250, 3249, -1]) {
    await setTo(at);
    seen.push(await status());
  }
  expect(seen).toEqual([500, 500, 200, 500, 500]);
  await stage.clock.set({ frozen: false, rate: 100 });
  await expect.poll(status, { interval: 1 }).toBe(200);
});
