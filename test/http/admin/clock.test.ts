// The clock of a sandbox over the control API: set, frozen, moved on, running at a rate; what expires by it. Only the machine's Date is faked; nothing waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/contract/control/clock.ts';
import { controlled, failureOf, machineAt } from '../../support/control.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { someOrder } from '../../support/order-requests.ts';
import { noon, testSachet } from '../../support/sachet.ts';
import { present, refresh } from '../../support/tokens.ts';

/** The clock of stage, the machine's Date from this instant on, and what moves that. */
function clockOf(clock = noon) {
  const move = machineAt(start);
  const server = controlled({ clock });
  const path = '/sandboxes/stage/clock';
  const shown = async () => (await server.admin('GET', path)).body;
  return {
    ...server,
    move,
    shown,
    now: async () => (await shown()).now as string,
    set: (patch: unknown) => server.admin('PATCH', path, patch),
    advance: (by: unknown) => server.admin('POST', `${path}/advance`, by),
  };
}
const start = '2026-11-20T08:00:00.000Z';
const atNoon = { now: noon, frozen: true, rate: 1 };

test('a frozen clock does not follow the machine, and an empty patch changes nothing', async () => {
  const { move, shown, set } = clockOf();
  move(1e12);
  expect([await shown(), (await set({})).body]).toEqual([atNoon, atNoon]);
});

const end = '9999-12-31T23:59:59.999Z';

test('it is set to an instant from 1970 to 9999, shows it in UTC and stays frozen', async () => {
  const { set, shown } = clockOf();
  for (const [now, expected] of [
    ['2030-01-01T01:00:00.5+05:30', '2029-12-31T19:30:00.500Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    [end, end],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ]) {
    expect((await set({ now })).body).toEqual({ ...atNoon, now: expected });
    expect((await shown()).now).toBe(expected);
  }
});

test('it is moved on by a duration or seconds, up to the last millisecond of the year 9999', async () => {
  const { set, advance, shown } = clockOf();
  for (const [by, milliseconds] of [
    [{ by: 'P1W2DT3H4M5.678S' }, 788_645_678],
    [{ by: 'PT1.5H' }, 5_400_000],
    [{ by: 'PT0S' }, 0],
    [{ seconds: 1.001 }, 1001],
    [{ seconds: 0 }, 0],
  ] as const) {
    await set({ now: noon });
    const now = new Date(Date.parse(noon) + milliseconds).toISOString();
    expect((await advance(by)).body, JSON.stringify(by)).toEqual({ ...atNoon, now });
  }
  await set({ now: '9999-12-31T23:59:59.998Z' });
  const statuses = [(await advance({ seconds: 0.001 })).status, (await advance({ seconds: 0.001 })).status];
  expect([statuses, (await shown()).now]).toEqual([[200, 422], end]);
});

test('a duration is the sum of its parts', () => {
  const parts = fc.tuple(...Array.from({ length: 5 }, () => fc.integer({ min: 0, max: 9999 })));
  const property = fc.property(parts, ([weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0]) => {
    const sum = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
    expect(parseDuration(`P${weeks}W${days}DT${hours}H${minutes}M${seconds}S`)).toBe(sum);
  });
  fc.assert(property);
});

test('other values are rejected, and change nothing', async () => {
  const { set, advance, shown } = clockOf();
  const outside = ['1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59-00:01'];
  const malformed = ['', 'PT', 'PT15', 'P1M', 'P1DT', 'PT1S1M', 'P-1D', 'pt15m', ' PT1S', 'PT1,5S', 'PT1e3S'];
  for (const [field, send, wrong] of [
    ['now', set, [...outside, '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', 'now', 0]],
    ['frozen', set, ['yes', null, 1]],
    ['rate', set, [0, -1, '2', null, 1_000_001]],
    ['by', advance, [...malformed, 900, null]],
    ['seconds', advance, [-0.001, '900', null]],
  ] as const)
    for (const value of wrong) {
      const valid = send === set ? { now: '2030-01-01T00:00:00Z' } : {};
      const { status, body } = await send({ ...valid, [field]: value });
      expect([status, body.details[0].field], `${field} ${value}`).toEqual([422, field]);
    }
  const both = 'found {"by":"PT1M","seconds":5}, expected exactly one of by and seconds';
  expect(failureOf(await advance({ by: 'PT1M', seconds: 5 }))).toEqual([422, both]);
  expect(failureOf(await advance({}))).toEqual([422, expect.stringContaining('exactly one of by and seconds')]);
  for (const by of [{ by: 'P9999999W' }, { seconds: 1e300 }, { seconds: Number.MAX_VALUE }])
    expect(failureOf(await advance(by))).toEqual([422, expect.stringContaining('9999')]);
  expect(await shown()).toEqual(atNoon);
});

describe('a running clock', () => {
  test('follows the machine to the millisecond, through being moved, frozen, scaled and set', async () => {
    const { move, now, set, advance, admin } = clockOf(`${noon}+`);
    // Several servers create it when it is first read.
    for (const name of ['stage', 'production']) await admin('GET', `/sandboxes/${name}/clock`);
    move(1);
    expect(await now()).toBe('2026-11-20T12:00:00.001Z');
    move(999);
    const atTwo = { now: '2026-11-20T13:00:02.000Z', frozen: false, rate: 1 };
    expect((await advance({ by: 'PT1H' })).body.now).toBe('2026-11-20T13:00:01.000Z');
    move(1000);
    expect((await set({ frozen: true })).body).toEqual({ ...atTwo, frozen: true });
    move(60_000);
    expect((await set({ frozen: false })).body).toEqual(atTwo);
    expect((await set({ rate: 60 })).body).toEqual({ ...atTwo, rate: 60 });
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
    const { move, now, set } = clockOf(noon);
    expect((await set({ rate: 60 })).body).toEqual({ now: noon, frozen: true, rate: 60 });
    move(1000);
    expect(await now()).toBe(noon);
    await set({ frozen: false });
    move(1000);
    expect(await now()).toBe('2026-11-20T12:01:00.000Z');
  });

  test('returns to real time with null, frozen or scaled in the same patch', async () => {
    const { move, shown, now, set, advance } = clockOf(noon);
    await set({ rate: 60 });
    expect((await set({ now: null })).body).toEqual({ now: start, frozen: false, rate: 1 });
    move(1234);
    expect(await shown()).toEqual({ now: '2026-11-20T08:00:01.234Z', frozen: false, rate: 1 });
    await advance({ by: 'P1D' });
    move(1000);
    expect(await now()).toBe('2026-11-21T08:00:02.234Z');
    expect((await set({ now: null, frozen: true })).body).toEqual({ ...atNoon, now: '2026-11-20T08:00:02.234Z' });
    expect((await set({ now: null, rate: 10 })).body.rate).toBe(10);
    move(1000);
    expect(await now()).toBe('2026-11-20T08:00:12.234Z');
  });

  test('stops at the end of 9999, and can be set back', async () => {
    const { move, shown, set, advance, admin } = clockOf('9999-12-31T23:59:59Z+');
    await set({ rate: 1_000_000 });
    move(86_400_000);
    expect(await shown()).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: false, rate: 1_000_000 });
    expect((await admin('POST', '/sandboxes/stage/clock/advance', { seconds: 1 })).status).toBe(422);
    await set({ now: noon, rate: 1 });
    expect((await advance({ seconds: 1 })).body.now).toBe('2026-11-20T12:00:01.000Z');
  });
});

test('without an instant of the server, the clock is real time until it or a scenario sets it, and again after null', async () => {
  const isNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 60_000;
  const later = { name: 'later', intent: 'x', right_client: 'x', clock: { now: Date.parse('2030-01-01T00:00:00Z') } };
  const stage = testSachet({ clock: undefined, scenarios: [later] } as never).control.sandbox('stage');
  expect(isNow((await stage.clock.set({})).now)).toBe(true);
  const set = await stage.clock.set({ now: '2030-01-01T00:00:00Z' });
  expect(set).toEqual({ now: expect.stringMatching(/^2030-01-01T00:00/), frozen: false, rate: 1 });
  expect(isNow((await stage.clock.set({ now: null })).now)).toBe(true);
  await stage.scenarios.apply('later');
  expect((await stage.clock.get()).now).toMatch(/^2030-01-01T00:0/);
});

test('tokens, label URLs and switches that expired are valid again when the clock is set back', async () => {
  const { sachet } = controlled();
  const client = await sachet.login();
  const limited = await sachet.login('demo', { base: '/sandboxes/production' });
  const clocks = ['stage', 'production'].map((name) => sachet.control.sandbox(name).clock);
  await sachet.control.sandbox('production').switches.set({ rate_limit: { for_seconds: 900 } });
  const url = await labelUrlOf(client);
  const statuses = async (seconds: number) => {
    const now = new Date(Date.parse(noon) + seconds * 1000).toISOString();
    for (const clock of clocks) await clock.set({ now });
    const partner = [await present(sachet, client.token), await refresh(sachet, client.refreshToken)];
    const others = [await sachet.call('GET', url), await limited.get('/v2/products')];
    return [...partner, ...others].map(({ status }) => status);
  };
  expect([await statuses(30 * 86_400), await statuses(0)]).toEqual([
    [401, 401, 403, 401],
    [200, 200, 200, 429],
  ]);
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
