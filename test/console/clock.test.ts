// The clock page: the time, the buttons that change it, and what expires next.
import { expect, test } from 'vitest';
import { formatDuration } from '../../src/console/pages/clock.tsx';
import { machineAt } from '../support/control.ts';
import { another, labelled, labelUrlOf } from '../support/labels.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { consoleOf, textOf } from './console.ts';

function page(sachet: TestSachet = testSachet()) {
  const seen = consoleOf(sachet);
  const see = () => seen.see('clock');
  return {
    clock: sachet.control.sandbox('stage').clock,
    see,
    press: async (label: string, typed?: Record<string, string>) => seen.press((await see()).html, label, typed),
    rows: async () => ((await see()).html.match(/<tr>[\s\S]*?<\/tr>/g) ?? []).slice(1),
  };
}

test('shows the time, runs and freezes; while it runs the page refreshes', async () => {
  const { clock, see, press } = page();
  const { html, text } = await see();
  expect(text).toContain('Nov 20, 2026, 12:00:00 UTC ❚❚ frozen Run');
  expect(html).toContain('data-rate="0"');
  expect(html).not.toContain('hx-trigger="every');
  expect((await press('Run')).text).toBe('The clock runs.');
  expect((await clock.get()).frozen).toBe(false);
  const running = await see();
  expect(running.text).toContain('▶ running Freeze');
  expect(running.html).toContain('hx-trigger="every');
  expect((await press('Freeze')).text).toBe('The clock is frozen.');
  expect((await clock.get()).frozen).toBe(true);
});

test('advances, is set, gets another rate, and returns to real time', async () => {
  const { clock, see, press } = page();
  const now = async () => (await clock.get()).now;
  for (const [label, expected] of [
    ['+15 min', '2026-11-20T12:15:00.000Z'],
    ['+24 h', '2026-11-21T12:15:00.000Z'],
    ['+7 d', '2026-11-28T12:15:00.000Z'],
  ] as const) {
    await press(label);
    expect(await now(), label).toBe(expected);
  }
  await press('Advance', { by: 'PT90M' });
  expect(await now()).toBe('2026-11-28T13:45:00.000Z');
  await press('Set time', { now: '2030-01-31T09:00:00Z' });
  expect(await now()).toBe('2030-01-31T09:00:00.000Z');
  await press('Set rate', { 'rate:number': '60' });
  await press('Run');
  expect(await clock.get()).toMatchObject({ rate: 60, frozen: false });
  expect((await see()).text).toContain('running, 60 × real time');

  const real = '2026-11-20T08:00:00.000Z';
  machineAt(real);
  await press('Back to real time');
  expect(await clock.get()).toEqual({ now: real, frozen: false, rate: 1 });
});

test.each([
  ['Advance', { by: 'P1Y' }, 'an ISO 8601 duration'],
  ['Set time', { now: '<script>' }, 'found "<script>"'],
  ['Set rate', { 'rate:number': '0' }, 'a number above 0'],
])('%s: %j is rejected', async (label, typed, words) => {
  const { clock, press } = page();
  const { status, text, html } = await press(label, typed);
  expect([status, text]).toEqual([422, expect.stringContaining(words)]);
  expect(html).not.toContain('<script>');
  expect((await clock.get()).now).toBe('2026-11-20T12:00:00.000Z');
});

test('lists what expires, soonest first, until it has expired', async () => {
  const { sachet, client, stage, elapse } = await testStage();
  const { rows } = page(sachet);
  await labelUrlOf(client);
  await stage.switches.set({ maintenance: { for_seconds: 90, match: { operation: 'orders.get' } } });
  await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 }, for_seconds: 7200 });
  expect((await rows()).map(textOf)).toEqual([
    'in 1 min 30 s Switch Maintenance maintenance ends Nov 20, 2026, 12:01:30 UTC Advance to this time',
    `in 15 min Latest label URL of fulfillment ${labelled?.id} expires Nov 20, 2026, 12:15:00 UTC Advance to this time`,
    'in 2 h Fault slow ends Nov 20, 2026, 14:00:00 UTC Advance to this time',
    'in 1 d Access token of demo expires Nov 21, 2026, 12:00:00 UTC Advance to this time',
    'in 30 d Refresh token of demo expires Dec 20, 2026, 12:00:00 UTC Advance to this time',
  ]);
  await labelUrlOf(client, another?.id);
  await elapse(7_200_000);
  expect((await rows()).map((row) => textOf(row).split(' ').slice(0, 3).join(' '))).toEqual(['in 22 h', 'in 29 d']);
});

test('without calls nothing is scheduled', async () => {
  const { text } = await page().see();
  for (const words of ['Nothing is scheduled to expire.', 'cleared requests are unknown', 'Manual mode:'])
    expect(text).toContain(words);
});

test('a button advances to the time of an expiry, exactly', async () => {
  const { sachet, stage } = await testStage();
  await stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
  const client = await sachet.login();
  const { rows } = page(sachet);
  expect((await client.get('/v2/products')).status).toBe(200);
  const row = (await rows()).find((html) => html.includes('Access token')) ?? '';
  await consoleOf(sachet).press(row, 'Advance to this time');
  expect((await stage.clock.get()).now).toBe('2026-11-20T12:01:00.000Z');
  expect((await client.get('/v2/products')).status).toBe(401);
});

test('lists the next steps of orders in automatic mode', async () => {
  const { sachet, order } = await testStage({ assumptions: { fulfillment_timeline: 'automatic' } });
  const { body } = await order();
  const { text } = await page(sachet).see();
  expect(text).toContain(`Order ${body.order.id} is accepted`);
  expect(text).toContain('Automatic mode:');
});

test('durations have at most two units', () => {
  const milliseconds = [0, 1, 61_000, 3_600_000, 3_601_000, 90_061_000, 40 * 86_400_000];
  expect(milliseconds.map(formatDuration)).toEqual(['0 s', '1 s', '1 min 1 s', '1 h', '1 h', '1 d 1 h', '40 d']);
});
