// The clock of a sandbox over the control API: set, frozen, moved on, running at a rate. Only the machine's Date is faked; nothing waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/contract/control/clock.ts';
import { clockOf, running, start } from '../../support/clock-of.ts';
import { machineAt, told } from '../../support/control.ts';
import { noon, testSachet } from '../../support/sachet.ts';

const atNoon = { now: noon, frozen: true, rate: 1 };

test('a frozen clock does not follow the machine, and an empty patch changes nothing', async () => {
  const move = machineAt('2001-01-01T00:00:00Z');
  const { shown, set } = clockOf();
  move(1e12);
  expect(await shown()).toEqual(atNoon);
  expect((await set({})).body).toEqual(atNoon);
});

describe('setting', () => {
  test.each([
    ['2001-01-01T00:00:00.5Z', '2001-01-01T00:00:00.500Z'],
    ['2030-01-01T01:00:00+05:30', '2029-12-31T19:30:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('to %s shows %s and stays frozen', async (now, expected) => {
    const { set, shown } = clockOf();
    expect((await set({ now })).body).toEqual({ now: expected, frozen: true, rate: 1 });
    expect((await shown()).now).toBe(expected);
  });

  test('to anything else is rejected', async () => {
    const { set, shown } = clockOf();
    const outside = ['1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59-00:01', '+010000-01-01T00:00:00Z'];
    const invalid = ['2026-02-30T00:00:00Z', '2026-01-01T24:00:01Z', '2026-01-01T00:00:00', '2026-01-01', 'now', ''];
    const values = {
      now: [...outside, ...invalid, 0, true, []],
      frozen: ['yes', null, 1],
      rate: [0, -1, '2', null, 1_000_001],
    };
    for (const [field, wrong] of Object.entries(values))
      for (const value of wrong) {
        const { status, body } = await set({ now: '2030-01-01T00:00:00Z', [field]: value });
        expect([status, body.details[0].field], `${field} ${value}`).toEqual([422, field]);
      }
    expect(await shown()).toEqual(atNoon);
  });
});

describe('moving on', () => {
  test.each([
    [{ by: 'PT15M' }, 900_000],
    [{ by: 'P2W' }, 1_209_600_000],
    [{ by: 'P1W2DT3H4M5.678S' }, 788_645_678],
    [{ by: 'PT0.001S' }, 1],
    [{ by: 'PT0S' }, 0],
    [{ by: 'PT1.5H' }, 5_400_000],
    [{ seconds: 900 }, 900_000],
    [{ seconds: 1.001 }, 1001],
    [{ seconds: 0 }, 0],
  ])('by %j moves %i milliseconds', async (by, milliseconds) => {
    const now = new Date(Date.parse(noon) + milliseconds).toISOString();
    expect((await clockOf().advance(by)).body).toEqual({ ...atNoon, now });
  });

  test('by anything else is rejected', async () => {
    const { advance, shown } = clockOf();
    const malformed = [
      '',
      'P',
      'PT',
      'P1',
      'T1S',
      'PT15',
      '15M',
      'P1M',
      'P1Y',
      'P1DT',
      'PT1S1M',
      'P1H',
      'P1D1W',
      'P-1D',
    ];
    const odd = ['pt15m', ' PT1S', 'PT1S\n', 'PT1,5S', 'PT1e3S', 'PT.S', 'PT1.2.3S', 'P1WT', '15', 'PT∞S'];
    const values = { by: [...malformed, ...odd, 900, null, ['PT1S']], seconds: [-1, -0.001, '900', null] };
    for (const [field, wrong] of Object.entries(values))
      for (const value of wrong) {
        const { status, body } = await advance({ [field]: value });
        expect([status, body.details[0].field], `${field} ${value}`).toEqual([422, field]);
      }
    const both = 'found {"by":"PT1M","seconds":5}, expected exactly one of by and seconds';
    expect(told(await advance({ by: 'PT1M', seconds: 5 }))).toEqual([422, both]);
    expect(told(await advance({}))).toEqual([422, expect.stringContaining('exactly one of by and seconds')]);
    for (const by of [{ by: 'P9999999W' }, { seconds: 1e300 }, { seconds: Number.MAX_VALUE }])
      expect(told(await advance(by))).toEqual([422, expect.stringContaining('9999')]);
    expect(await shown()).toEqual(atNoon);
  });

  test('ends with the last millisecond of the year 9999', async () => {
    const { set, advance, shown } = clockOf();
    await set({ now: '9999-12-31T23:59:59.998Z' });
    expect((await advance({ seconds: 0.001 })).status).toBe(200);
    expect((await advance({ seconds: 0.001 })).status).toBe(422);
    expect((await shown()).now).toBe('9999-12-31T23:59:59.999Z');
  });

  test('by twenty calls at once moves twenty times', async () => {
    const { advance, shown } = clockOf();
    await Promise.all(Array.from({ length: 20 }, () => advance({ seconds: 1 })));
    expect((await shown()).now).toBe('2026-11-20T12:00:20.000Z');
  });

  test('by a duration moves the sum of its parts', () => {
    const whole = fc.integer({ min: 0, max: 9999 });
    const property = fc.property(whole, whole, whole, whole, whole, (weeks, days, hours, minutes, seconds) => {
      const sum = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
      expect(parseDuration(`P${weeks}W${days}DT${hours}H${minutes}M${seconds}S`)).toBe(sum);
    });
    fc.assert(property);
  });
});

describe('a running clock', () => {
  test('follows the machine to the millisecond, through being moved, frozen, scaled and set', async () => {
    const { move, now, set, advance, admin } = await running(`${noon}+`);
    move(1);
    expect(await now()).toBe('2026-11-20T12:00:00.001Z');
    move(999);
    expect((await advance({ by: 'PT1H' })).now).toBe('2026-11-20T13:00:01.000Z');
    move(1000);
    expect(await set({ frozen: true })).toEqual({ now: '2026-11-20T13:00:02.000Z', frozen: true, rate: 1 });
    move(60_000);
    expect(await set({ frozen: false })).toEqual({ now: '2026-11-20T13:00:02.000Z', frozen: false, rate: 1 });
    expect(await set({ rate: 60 })).toEqual({ now: '2026-11-20T13:00:02.000Z', frozen: false, rate: 60 });
    move(1000);
    expect(await now()).toBe('2026-11-20T13:01:02.000Z');
    await set({ rate: 0.5 });
    move(1000);
    expect(await now()).toBe('2026-11-20T13:01:02.500Z');
    await set({ now: '2030-01-01T00:00:00Z', rate: 1 });
    move(1000);
    expect(await now()).toBe('2030-01-01T00:00:01.000Z');
    const production = (await admin('GET', '/sandboxes/production/clock')).body;
    expect(production).toEqual({ now: '2026-11-20T12:01:05.000Z', frozen: false, rate: 1 });
  });

  test('keeps the rate that was set while it was frozen', async () => {
    const { move, now, set } = await running(noon);
    expect(await set({ rate: 60 })).toEqual({ now: noon, frozen: true, rate: 60 });
    move(1000);
    expect(await now()).toBe(noon);
    await set({ frozen: false });
    move(1000);
    expect(await now()).toBe('2026-11-20T12:01:00.000Z');
  });

  test('returns to real time with null, frozen or scaled in the same patch', async () => {
    const { move, shown, now, set, advance } = await running(noon);
    await set({ rate: 60 });
    expect(await set({ now: null })).toEqual({ now: start, frozen: false, rate: 1 });
    move(1234);
    expect(await shown()).toEqual({ now: '2026-11-20T08:00:01.234Z', frozen: false, rate: 1 });
    await advance({ by: 'P1D' });
    move(1000);
    expect(await now()).toBe('2026-11-21T08:00:02.234Z');
    expect(await set({ now: null, frozen: true })).toEqual({ now: '2026-11-20T08:00:02.234Z', frozen: true, rate: 1 });
    expect((await set({ now: null, rate: 10 })).rate).toBe(10);
    move(1000);
    expect(await now()).toBe('2026-11-20T08:00:12.234Z');
  });

  test('stops at the end of 9999, and can be set back', async () => {
    const { move, shown, set, advance, admin } = await running('9999-12-31T23:59:59Z+');
    await set({ rate: 1_000_000 });
    move(86_400_000);
    expect(await shown()).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: false, rate: 1_000_000 });
    expect((await admin('POST', '/sandboxes/stage/clock/advance', { seconds: 1 })).status).toBe(422);
    await set({ now: noon, rate: 1 });
    expect((await advance({ seconds: 1 })).now).toBe('2026-11-20T12:00:01.000Z');
  });
});

describe('without an instant of the server, the clock is real time', () => {
  const options = { clock: undefined } as never;
  const isNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 60_000;

  test('until it is set, and again after null', async () => {
    const { clock } = testSachet(options).control.sandbox('stage');
    expect(isNow((await clock.set({})).now)).toBe(true);
    for (const more of [{}, { rate: 1 }, { frozen: false }]) {
      const { now, frozen, rate } = await clock.set({ now: '2030-01-01T00:00:00Z', ...more });
      expect([now.slice(0, 17), frozen, rate]).toEqual(['2030-01-01T00:00:', false, 1]);
      expect((await clock.get()).now).toMatch(/^2030-01-01T00:0/);
      expect(isNow((await clock.set({ now: null })).now)).toBe(true);
    }
  });

  test('until a scenario sets it', async () => {
    const set = { name: 'later', intent: 'x', right_client: 'x', clock: { now: Date.parse('2030-01-01T00:00:00Z') } };
    const stage = testSachet({ clock: undefined, scenarios: [set] } as never).control.sandbox('stage');
    await stage.scenarios.apply('later');
    expect((await stage.clock.get()).now).toMatch(/^2030-01-01T00:0/);
  });
});
