// The clock: what it shows, what turns it, and what expires next by it.
import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../src/console/pages/clock.tsx';
import { bent } from '../support/bent.ts';
import { start } from '../support/clock-of.ts';
import { consoleOf, textOf } from '../support/console.ts';
import { machineAt } from '../support/control.ts';
import { another, labelled, labelUrlOf } from '../support/labels.ts';
import { press } from '../support/pressed.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const noonIs = '2026-11-20T12:00:00.000Z';

function page(sachet: TestSachet = testSachet()) {
  const seen = consoleOf(sachet);
  const stage = sachet.control.sandbox('stage');
  return {
    stage,
    seen,
    see: () => seen.see('clock'),
    press: async (label: string, typed?: Record<string, string>) =>
      press(seen, (await seen.see('clock')).html, label, typed),
  };
}

describe('the clock', () => {
  test('shows the time, and that it is frozen', async () => {
    const { html, text } = await page().see();
    expect(text).toContain('Nov 20, 2026, 12:00:00 UTC ❚❚ frozen Run');
    expect(html).toContain('data-rate="0"');
  });

  test('is run and frozen by one button', async () => {
    const world = page();
    expect((await world.press('Run')).text).toBe('The clock runs.');
    expect((await world.stage.clock.get()).frozen).toBe(false);
    expect((await world.see()).text).toContain('▶ running Freeze');
    expect((await world.press('Freeze')).text).toBe('The clock is frozen.');
    expect((await world.stage.clock.get()).frozen).toBe(true);
  });

  test.each([
    ['+15 min', '2026-11-20T12:15:00.000Z'],
    ['+24 h', '2026-11-21T12:00:00.000Z'],
    ['+7 d', '2026-11-27T12:00:00.000Z'],
  ])('%s moves it on', async (label, now) => {
    const world = page();
    await world.press(label);
    expect((await world.stage.clock.get()).now).toBe(now);
  });

  test('is moved on by any duration, set to an instant, and given another rate', async () => {
    const world = page();
    await world.press('Advance', { by: 'PT90M' });
    expect((await world.stage.clock.get()).now).toBe('2026-11-20T13:30:00.000Z');
    await world.press('Set time', { now: '2030-01-31T09:00:00Z' });
    expect((await world.stage.clock.get()).now).toBe('2030-01-31T09:00:00.000Z');
    await world.press('Set rate', { 'rate:number': '60' });
    await world.press('Run');
    expect(await world.stage.clock.get()).toMatchObject({ rate: 60, frozen: false });
    expect((await world.see()).text).toContain('running, 60 × real time');
  });

  test('goes back to real time', async () => {
    machineAt(start);
    const world = page();
    await world.press('Back to real time');
    expect(await world.stage.clock.get()).toEqual({ now: start, frozen: false, rate: 1 });
  });

  test.each([
    ['Advance', { by: 'P1Y' }, 'an ISO 8601 duration'],
    ['Set time', { now: 'tomorrow' }, 'an ISO 8601 instant'],
    ['Set rate', { 'rate:number': '0' }, 'a number above 0'],
    ['Set time', { now: '<script>' }, 'found "<script>"'],
  ])('%s: %j is refused in words', async (label, typed, words) => {
    const world = page();
    const { status, text, html } = await world.press(label, typed);
    expect(status).toBe(422);
    expect(text).toContain(words);
    expect(html).not.toContain('<script>');
    expect((await world.stage.clock.get()).now).toBe(noonIs);
  });
});

describe('what expires next', () => {
  const rowsOf = (html: string): string[] => (html.match(/<tr>[\s\S]*?<\/tr>/g) ?? []).slice(1).map(textOf);

  test('is nothing where nothing has happened yet', async () => {
    const { text } = await page().see();
    expect(text).toContain('Nothing is scheduled to expire.');
    expect(text).toContain('Tokens from cleared requests are unknown');
    expect(text).toContain('Manual mode: orders move only when you click.');
  });

  test('stands with how long it is until then, the soonest first', async () => {
    const world = await bent();
    await labelUrlOf(world.client);
    await world.stage.switches.set({ maintenance: { for_seconds: 90, match: { operation: 'orders.get' } } });
    await world.stage.faults.create({ id: 'slow', delay: { milliseconds: 1 }, for_seconds: 7200 });
    const { html } = await consoleOf(world.sachet).see('clock');
    expect(rowsOf(html)).toEqual([
      'in 1 min 30 s Switch Maintenance maintenance ends Nov 20, 2026, 12:01:30 UTC Advance to this time',
      `in 15 min Latest label URL of fulfillment ${labelled?.id} expires Nov 20, 2026, 12:15:00 UTC Advance to this time`,
      'in 2 h Fault slow ends Nov 20, 2026, 14:00:00 UTC Advance to this time',
      'in 1 d Access token of demo expires Nov 21, 2026, 12:00:00 UTC Advance to this time',
      'in 30 d Refresh token of demo expires Dec 20, 2026, 12:00:00 UTC Advance to this time',
    ]);
  });

  test('is come to by its button, to the millisecond', async () => {
    const world = await bent();
    await world.stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
    const client = await world.sachet.login();
    const seen = consoleOf(world.sachet);
    expect((await client.get('/v2/products')).status).toBe(200);
    const rows = (await seen.see('clock')).html.match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
    await press(seen, rows.find((row) => row.includes('Access token')) ?? '', 'Advance to this time');
    expect((await client.get('/v2/products')).status).toBe(401);
  });

  test('is no more once it has come', async () => {
    const world = await bent();
    await labelUrlOf(world.client, another?.id);
    await world.elapse(15 * 60_000);
    const { html } = await consoleOf(world.sachet).see('clock');
    expect(rowsOf(html).map((row) => row.split(' ').slice(0, 5).join(' '))).toEqual(['in 23 h 45 min', 'in 29 d 23 h']);
  });

  test('has the next steps of orders where the timeline goes by the clock', async () => {
    const world = await bent({ assumptions: { fulfillment_timeline: 'automatic' } });
    const { body } = await world.order();
    const { text } = await consoleOf(world.sachet).see('clock');
    expect(text).toContain(`Order ${body.order.id} is accepted`);
    expect(text).toContain('Automatic mode: each step happens when it is due on the sandbox’s clock.');
  });

  test('a name that a login tells is shown as text', async () => {
    const hostile = '<script>alert(1)</script>';
    const sachet = testSachet();
    const stage = sachet.control.sandbox('stage');
    const { users } = await stage.records.users.list();
    await stage.records.users.update(users[0]?.id ?? '', { username: hostile });
    await sachet.login(hostile, { password: users[0]?.password ?? '' });
    const { html, text } = await consoleOf(sachet).see('clock');
    expect(html).not.toContain('<script>');
    expect(text).toContain(`Access token of ${hostile} expires`);
  });

  test('is looked at again by itself while the clock runs', async () => {
    const world = page();
    expect((await world.see()).html).not.toContain('hx-trigger="every');
    await world.press('Run');
    expect((await world.see()).html).toContain('hx-trigger="every');
  });
});

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [3_601_000, '1 h'],
  [90_061_000, '1 d 1 h'],
  [40 * 86_400_000, '40 d'],
])('%d ms are told as %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words);
});
