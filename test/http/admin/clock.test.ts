// The clock of a sandbox over the control API: set, frozen, moved on, running at a rate; what expires by it. Only the machine's Date is faked; nothing waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/contract/control/clock.ts';
import { controlled, machineAt, told } from '../../support/control.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { someOrder } from '../../support/order-requests.ts';
import { noon, testSachet } from '../../support/sachet.ts';
import { present, refresh } from '../../support/tokens.ts';
import { clockOf, running, start } from './clock-of.ts';

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
    // Several servers create it when it is first read.
    await admin('GET', '/sandboxes/production/clock');
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

test('tokens, label URLs and switches expire by the clock of the sandbox, and are valid again when it is set back', async () => {
  const move = machineAt('2026-11-20T08:00:00Z');
  const hour = 3_600_000;
  for (const clock of [noon, `${noon}+`]) {
    const { admin, sachet } = controlled({ clock });
    const client = await sachet.login();
    const limited = await sachet.login('demo', { base: '/sandboxes/production' });
    await sachet.control.sandbox('production').switches.set({ rate_limit: { for_seconds: 900 } });
    const url = await labelUrlOf(client);
    const valid = async () => [
      (await present(sachet, client.token)).status === 200,
      (await refresh(sachet, client.refreshToken)).status === 200,
      (await sachet.call('GET', url)).status === 200,
      (await limited.get('/v2/products')).status === 429,
    ];
    /** Moves the machine under a running clock, otherwise the clocks of both sandboxes. */
    const pass = async (milliseconds: number) => {
      if (clock !== noon) return move(milliseconds);
      for (const name of ['stage', 'production'])
        await admin('POST', `/sandboxes/${name}/clock/advance`, { seconds: milliseconds / 1000 });
    };
    const found = [];
    for (const milliseconds of [hour / 4 - 1, 1, 23.75 * hour - 1, 1, 29 * 24 * hour - 1, 1]) {
      await pass(milliseconds);
      found.push(await valid());
    }
    expect(found).toEqual([
      [true, true, true, true],
      [true, true, false, false],
      [true, true, false, false],
      [false, true, false, false],
      [false, true, false, false],
      [false, false, false, false],
    ]);
    for (const name of ['stage', 'production']) await admin('PATCH', `/sandboxes/${name}/clock`, { now: noon });
    expect(await valid()).toEqual([true, true, true, true]);
    if (clock === noon) move(1000 * 24 * hour);
    expect(await valid()).toEqual([true, true, true, true]);
  }
});

test('the Date header has the time of the sandbox in whole seconds; the control API has none', async () => {
  const { sachet, admin, advance } = clockOf();
  const date = async () => (await sachet.call('GET', '/v2/products')).headers.get('date');
  expect(await date()).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  await advance({ seconds: 59.999 });
  expect(await date()).toBe('Fri, 20 Nov 2026 12:00:59 GMT');
  await advance({ seconds: 0.001 });
  expect(await date()).toBe('Fri, 20 Nov 2026 12:01:00 GMT');
  expect((await admin('GET', '/sandboxes/stage/clock')).headers.get('date')).toBeNull();
});

test('an order has the time of the sandbox; one created later under an earlier clock comes later in the list', async () => {
  const { admin, sachet } = controlled({ assumptions: { list_order: 'oldest_first' } });
  const client = await sachet.login();
  const times = ['2026-11-20T18:00:00.000Z', '2026-11-20T13:00:00.000Z'];
  const ids: string[] = [];
  for (const now of times) {
    await admin('PATCH', '/sandboxes/stage/clock', { now });
    ids.push((await client.post('/v2/orders', someOrder())).body.order.id);
  }
  const { orders } = (await client.get('/v2/orders?limit=100')).body;
  expect(orders.slice(-2).map(({ id }: { id: string }) => id)).toEqual(ids);
  const rows = [...(await sachet.sandbox()).state.table('orders').entries()].slice(-2).map(([, row]) => row.created_at);
  expect(rows).toEqual(times);
});
