// The sandbox's clock moved on, by durations and by seconds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/contract/control/clock.ts';
import { clockOf } from '../../support/clock-of.ts';
import { told } from '../../support/control.ts';
import { noon } from '../../support/sachet.ts';

test('by and seconds together are refused, as they were sent', async () => {
  const { advance } = clockOf();
  const message = 'found {"by":"PT1M","seconds":5}, expected exactly one of by and seconds';
  expect(told(await advance({ by: 'PT1M', seconds: 5 }))).toEqual([422, message]);
});

describe('moving on', () => {
  test.each([
    [{ by: 'PT15M' }, 900_000],
    [{ by: 'P1D' }, 86_400_000],
    [{ by: 'P2W' }, 1_209_600_000],
    [{ by: 'P1W2DT3H4M5.678S' }, 788_645_678],
    [{ by: 'PT0.001S' }, 1],
    [{ by: 'PT1.001S' }, 1001],
    [{ seconds: 1.001 }, 1001],
    [{ by: 'PT0S' }, 0],
    [{ by: 'PT1.5H' }, 5_400_000],
    [{ by: 'PT100000M' }, 6_000_000_000],
    [{ seconds: 900 }, 900_000],
    [{ seconds: 0.001 }, 1],
    [{ seconds: 0 }, 0],
  ])('by %j moves %i milliseconds', async (by, milliseconds) => {
    const { advance } = clockOf();
    const now = new Date(Date.parse(noon) + milliseconds).toISOString();
    expect((await advance(by)).body).toEqual({ now, frozen: true, rate: 1 });
  });

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
    '-PT1S',
  ];
  const odd = [
    '+PT1S',
    'pt15m',
    'PT1m',
    ' PT1S',
    'PT1S ',
    'PT1S\n',
    'PT1,5S',
    'PT1e3S',
    'PT.S',
    'PT1.2.3S',
    'PT0x1S',
    'P1WT',
    '15',
    'PT∞S',
  ];
  test.each<unknown>([...malformed, ...odd, 900, null, true, {}, ['PT1S']])('by %j is refused', async (by) => {
    const { advance, shown } = clockOf();
    const { status, body } = await advance({ by });
    expect([status, body.details[0].field]).toEqual([422, 'by']);
    expect((await shown()).now).toBe(noon);
  });

  test.each<unknown>([-1, -0.001, '900', null, true])('by %j seconds is refused', async (seconds) => {
    const { status, body } = await clockOf().advance({ seconds });
    expect([status, body.details[0].field]).toEqual([422, 'seconds']);
  });

  test.each([{}, { by: 'PT1S', seconds: 1 }])('by %j is refused: it takes one of both', async (by) => {
    expect(told(await clockOf().advance(by))).toEqual([422, expect.stringContaining('exactly one of by and seconds')]);
  });

  test.each([{ by: 'P9999999W' }, { seconds: 1e300 }, { seconds: Number.MAX_VALUE }])(
    'by %j is refused: the clock ends with the year 9999',
    async (by) => {
      const { advance, shown } = clockOf();
      const [status, message] = told(await advance(by));
      expect([status, message]).toEqual([422, expect.stringContaining('9999')]);
      expect((await shown()).now).toBe(noon);
    },
  );

  test('to the last millisecond there is, and not one further', async () => {
    const { set, advance, shown } = clockOf();
    await set({ now: '9999-12-31T23:59:59.998Z' });
    expect((await advance({ seconds: 0.001 })).body.now).toBe('9999-12-31T23:59:59.999Z');
    expect((await advance({ seconds: 0.001 })).status).toBe(422);
    expect((await shown()).now).toBe('9999-12-31T23:59:59.999Z');
  });

  test('by twenty at once moves twenty times', async () => {
    const { advance, shown } = clockOf();
    await Promise.all(Array.from({ length: 20 }, () => advance({ seconds: 1 })));
    expect((await shown()).now).toBe('2026-11-20T12:00:20.000Z');
  });

  test('a duration is the sum of its parts', () => {
    const whole = fc.integer({ min: 0, max: 9999 });
    const property = fc.property(whole, whole, whole, whole, whole, (weeks, days, hours, minutes, seconds) => {
      const sum = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
      expect(parseDuration(`P${weeks}W${days}DT${hours}H${minutes}M${seconds}S`)).toBe(sum);
    });
    fc.assert(property);
  });
});
