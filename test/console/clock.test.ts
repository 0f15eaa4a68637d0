// The clock page: the time, the buttons that change it, and what the clock does next.
import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../src/console/parts/time.tsx';
import type { Choice } from '../../src/contract/assumptions.ts';
import { machineAt } from '../support/control.ts';
import { another, labelled, labelUrlOf } from '../support/labels.ts';
import { noon, type TestSachet, testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { onTimeline } from '../support/timeline.ts';
import { allOf, consoleOf, textOf } from './console.ts';

function page(sachet: TestSachet = testSachet()) {
  const seen = consoleOf(sachet);
  const see = () => seen.see('clock');
  const rows = async () => ((await see()).html.match(/<tr>[\s\S]*?<\/tr>/g) ?? []).slice(1);
  return {
    clock: sachet.control.sandbox('stage').clock,
    see,
    press: async (label: string, typed?: Record<string, string>) => seen.press((await see()).html, label, typed),
    /** Advances the clock to the event with this text. */
    advanceTo: async (text: string) => {
      const row = (await rows()).find((html) => html.includes(text)) ?? '';
      return seen.press(row, 'Advance to this time');
    },
    /** The next events with these words, each with its seconds after noon. */
    events: async (words = /./): Promise<[string, number][]> => {
      const all = (await rows()).map((row): [string, number] => [
        textOf(/<th[\s\S]*<\/th>/.exec(row)?.[0] ?? ''),
        (Date.parse(/datetime="([^"]*)"/.exec(row)?.[1] ?? '') - Date.parse(noon)) / 1000,
      ]);
      return all.filter(([text]) => words.test(text));
    },
  };
}

test('shows the time, runs and freezes; while it runs the page refreshes', async () => {
  const { clock, see, press } = page();
  const { html, text } = await see();
  expect(text).toContain('Nov 20, 2026, 12:00:00 UTC ❚❚ frozen Run');
  for (const words of ['Nothing is scheduled', 'Manual mode:']) expect(text).toContain(words);
  expect(html).toContain('data-rate="0"');
  expect(html).not.toContain('hx-trigger="every');
  expect((await press('Run')).text).toBe('The clock runs.');
  expect((await clock.get()).frozen).toBe(false);
  const running = await see();
  expect(running.text).toContain('▶ running Freeze');
  expect(running.html).toContain('hx-trigger="every');
  await press('Freeze');
  expect((await clock.get()).frozen).toBe(true);
});

test('advances, is set, gets another rate, and returns to real time', async () => {
  const { clock, see, press } = page();
  for (const [label, typed, expected] of [
    ['+15 min', {}, '2026-11-20T12:15:00.000Z'],
    ['+24 h', {}, '2026-11-21T12:15:00.000Z'],
    ['+7 d', {}, '2026-11-28T12:15:00.000Z'],
    ['Advance', { 'by:duration': '90 minutes' }, '2026-11-28T13:45:00.000Z'],
    ['Advance', { 'by:duration': 'PT90M' }, '2026-11-28T15:15:00.000Z'],
    ['Set time', { 'now:utc': '2030-01-31T09:00' }, '2030-01-31T09:00:00.000Z'],
    ['Set time', { 'now:utc': '2030-01-31T09:00:07' }, '2030-01-31T09:00:07.000Z'],
  ] as const) {
    await press(label, typed);
    expect((await clock.get()).now, label).toBe(expected);
  }
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
  ['Advance', { 'by:duration': '<script>' }, '"<script>" is not a duration. Write 90 minutes'],
  ['Set time', { 'now:utc': '<script>' }, 'found "<script>"'],
  ['Set rate', { 'rate:number': '0' }, 'a number above 0'],
])('%s: %j is rejected', async (label, typed, words) => {
  const { clock, press } = page();
  const { status, text, html } = await press(label, typed);
  expect([status, text]).toEqual([422, expect.stringContaining(words)]);
  expect(html).not.toContain('<script>');
  expect((await clock.get()).now).toBe(noon);
});

const [minute, hour, day] = [60, 3600, 86_400];
const accessOf = (name: string) => `Access token of ${name} expires`;
const refreshOf = (name: string) => `Refresh token of ${name} expires`;
const labelOf = (record: typeof labelled) => `Latest label URL of fulfillment ${record?.id} expires`;

describe('the next events', () => {
  test('are the ends of switches, faults, tokens and label URLs, soonest first, until each is over', async () => {
    const { sachet, client, stage, elapse } = await testStage();
    const { see, events } = page(sachet);
    await labelUrlOf(client);
    await stage.switches.set({ maintenance: { for_seconds: 90, match: { operation: 'orders.get' } } });
    await stage.switches.set({ server_error: { burst: 1 } });
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 }, for_seconds: 2 * hour });
    expect(await events()).toEqual([
      ['Switch Maintenance maintenance ends', 90],
      [labelOf(labelled), 15 * minute],
      ['Fault slow ends', 2 * hour],
      [accessOf('demo'), day],
      [refreshOf('demo'), 30 * day],
    ]);
    const { html, text } = await see();
    expect(text).toContain('in 1 min 30 s Switch');
    // The picture has a lane for each kind, and a point for each event between now (1 %) and the last one (98 %).
    expect(html).toContain('aria-label="Timeline: 5 events in the next 30 d"');
    expect(allOf(html, /<text class="lane"[^>]*>([^<]*)/g)).toEqual(['Tokens', 'Label URLs', 'Switches and faults']);
    const points = allOf(html, /<circle cx="([\d.]+)%/g).map(Number);
    expect([points.length, Math.max(...points)]).toEqual([5, 98]);
    expect(Math.min(...points)).toBeGreaterThan(1);
    await elapse(2 * hour * 1000);
    expect((await events()).map(([, at]) => at)).toEqual([day, 30 * day]);

    // A window starts with its first call; a fault that has affected all its calls is over.
    await stage.switches.set({ rate_limit: { limit: 5, window_seconds: 60 }, server_error: null });
    await stage.faults.create({ id: 'once', status: 422, times: 1, for_seconds: 60 });
    expect(await events(/ends$/)).toEqual([['Fault once ends', 2 * hour + 60]]);
    await client.get('/v2/products');
    expect(await events(/ends$/)).toEqual([['Window of switch Rate limit rate_limit ends', 2 * hour + 60]]);
  });

  test('have the last tokens of each user; a refresh gives a new access token', async () => {
    const { sachet, elapse } = await testStage();
    const { events } = page(sachet);
    // Tokens expire on whole seconds.
    await elapse(60_999);
    await sachet.login('other-brand');
    const last = await sachet.login();
    await elapse(59_001);
    expect(await events(/Access/)).toEqual([
      [accessOf('demo'), day + 60],
      [accessOf('other-brand'), day + 60],
    ]);
    const body = { refresh_token: last.refreshToken };
    expect((await sachet.call('POST', '/v2/authentication/refresh-token', { body })).status).toBe(200);
    expect(await events(/demo/)).toEqual([
      [accessOf('demo'), day + 120],
      [refreshOf('demo'), 30 * day + 60],
    ]);
  });

  test('come from the last 200 calls', async () => {
    const { sachet, status, statuses } = await testStage();
    const { events } = page(sachet);
    await statuses(199);
    expect(await events()).toHaveLength(2);
    await status();
    expect(await events()).toEqual([]);
  });

  test.each<[Choice<'refresh_token_lifetime'>, at: number[], afterRefresh: number]>([
    ['30d', [30 * day], 1],
    ['24h', [day], 1],
    ['never', [], 0],
    ['single_use', [30 * day], 0],
  ])('have refresh tokens that live as long as the assumption says: %s', async (choice, at, afterRefresh) => {
    const { sachet, client } = await testStage({ assumptions: { refresh_token_lifetime: choice } });
    const { events } = page(sachet);
    expect((await events(/Refresh/)).map(([, seconds]) => seconds)).toEqual(at);
    const body = { refresh_token: client.refreshToken };
    expect((await sachet.call('POST', '/v2/authentication/refresh-token', { body })).status).toBe(200);
    expect(await events(/Refresh/)).toHaveLength(afterRefresh);
  });

  test('have the last label URL of ten fulfillments, with the lifetime it was signed with', async () => {
    const { sachet, client, stage, elapse } = await testStage();
    const { events } = page(sachet);
    await labelUrlOf(client);
    await labelUrlOf(client, another?.id);
    await elapse(60_000);
    await stage.switches.set({ label_expiry: { lifetime_seconds: 5 } });
    await labelUrlOf(client);
    expect(await events(/label/)).toEqual([
      [labelOf(labelled), 65],
      [labelOf(another), 900],
    ]);
    await stage.switches.set({ label_expiry: { expire_issued: true } });
    await stage.switches.clear();
    expect(await events(/label/)).toEqual([]);
    await client.get('/v2/fulfillments?limit=20');
    expect(await events(/label/)).toHaveLength(10);
  });

  test('have the next ten steps of orders and packages, in automatic mode only', async () => {
    const world = await onTimeline();
    const { see, events } = page(world.sachet);
    const first = await world.place();
    await world.until(first, 'picked_up');
    const { id } = await world.onlyPackage(first);
    expect(await events(/Package/)).toEqual([[`Package ${id} is picked up`, expect.any(Number)]]);
    const steps = [];
    for (let n = 0; n < 12; n += 1) steps.push(await world.next(await world.place()));
    steps.push(await world.next(first));
    const soonest = steps.toSorted((one, other) => (one.due_at < other.due_at ? -1 : 1)).slice(0, 10);
    expect(await events(/Order|Package/)).toEqual(
      soonest.map((step) => [
        `${step.id === id ? 'Package' : 'Order'} ${step.id} is ${step.step.replace('_', ' ')}`,
        (Date.parse(step.due_at) - Date.parse(noon)) / 1000,
      ]),
    );
    expect((await see()).text).toContain('Automatic mode:');
    await world.setTimeline('manual');
    expect(await events(/Order|Package/)).toEqual([]);
  });

  test('each have a button that advances to their time, exactly', async () => {
    const { sachet, stage } = await testStage();
    await stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
    const client = await sachet.login();
    expect((await client.get('/v2/products')).status).toBe(200);
    await stage.clock.advance({ seconds: 0.25 });
    await page(sachet).advanceTo('Access token');
    expect((await stage.clock.get()).now).toBe('2026-11-20T12:01:00.000Z');
    expect((await client.get('/v2/products')).status).toBe(401);
  });
});

test('durations have at most two units', () => {
  const milliseconds = [0, 1, 61_000, 3_600_000, 3_601_000, 90_061_000, 40 * 86_400_000];
  expect(milliseconds.map(formatDuration)).toEqual(['0 s', '1 s', '1 min 1 s', '1 h', '1 h', '1 d 1 h', '40 d']);
});
