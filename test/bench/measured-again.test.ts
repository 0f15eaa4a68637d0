// Which measurements of the benchmark's short form are made again, and what is told of them.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { measured, medianOf, OutOfTime } from './measured.ts';

beforeEach(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true));
afterEach(() => void vi.restoreAllMocks());

const late = new OutOfTime('no answer within 5 s');

describe('a measurement of --quick', () => {
  test('that is as it must be is made once', async () => {
    const told = await measured([0.2]);
    expect(told).toMatchObject({ made: 'orders start', failures: [], notes: [] });
    expect(told.figures.map(({ id }) => id)).toEqual(['orders', 'start']);
  });

  test('that is far off once is made again behind the others, and the report says so', async () => {
    const told = await measured([0.068, 0.19]);
    expect(told).toMatchObject({ made: 'orders start orders', failures: [] });
    expect(medianOf(told)).toBe(0.19);
    expect(told.figures.map(({ id }) => id)).toEqual(['orders', 'start']);
    expect(told.notes).toEqual(['  orders: measured 2 times; set aside: 0.068']);
  });

  test('that is far off three times fails by the best of them', async () => {
    const told = await measured([0.05, 0.068, 0.06]);
    expect(told).toMatchObject({
      made: 'orders start orders orders',
      failures: ['POST /v2/orders / JSON echo of node:http: 0.068, the best of 3 measurements, must be at least 0.080'],
      notes: ['  orders: measured 3 times; set aside: 0.050, 0.060'],
    });
  });

  test('that is no number is far off', async () => {
    expect(await measured([Number.NaN, 0.2])).toMatchObject({ made: 'orders start orders', failures: [] });
    expect((await measured([Number.NaN])).failures).toHaveLength(1);
  });

  test('whose time was up is made again, too', async () => {
    expect(await measured([late, 0.2])).toMatchObject({
      made: 'orders start orders',
      failures: [],
      notes: ['  orders: measured 2 times; set aside: no answer within 5 s'],
    });
    expect((await measured([late])).failures).toEqual(['orders failed each of 3 times: no answer within 5 s']);
  });

  test('that met a wrong answer is never made again, and that is not set aside', async () => {
    const wrong = new Error('another order');
    const failures = ['orders failed: another order'];
    expect(await measured([wrong, 0.2])).toMatchObject({ made: 'orders start', failures });
    expect(await measured([0.05, wrong, 0.2])).toMatchObject({ made: 'orders start orders', failures });
  });

  test('behind which the journal is wrong is never made again', async () => {
    const journal = { kept: 1000, wanted: 1000, ofTheLoad: 1000, counted: 9, sent: 10 };
    const failure = 'the journal behind orders: 10 calls were answered, the journal counted 9';
    expect(await measured([{ median: 0.05, journal }, 0.2])).toMatchObject({
      made: 'orders start',
      failures: [failure, expect.stringContaining('0.050, must be at least 0.080')],
    });
    expect(await measured([0.05, { median: 0.2, journal }])).toMatchObject({ failures: [failure] });
  });
});

test.each([[[0.05]], [[late]]])('in full a measurement is made once, whatever comes of it', async (outcomes) => {
  expect((await measured(outcomes, false)).made).toBe('orders start');
});
