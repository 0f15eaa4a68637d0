// The sandbox's clock under control: read, set and frozen.
import { describe, expect, test } from 'vitest';
import { clockOf } from '../../support/clock-of.ts';
import { machineAt } from '../../support/control.ts';
import { noon } from '../../support/sachet.ts';

test('a frozen clock shows its instant, whatever the machine shows', async () => {
  const move = machineAt('2001-01-01T00:00:00Z');
  const { shown } = clockOf();
  move(1e12);
  expect(await shown()).toEqual({ now: noon, frozen: true, rate: 1 });
});

describe('setting', () => {
  test.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    ['2001-01-01T00:00:00.5Z', '2001-01-01T00:00:00.500Z'],
    ['2030-01-01T01:00:00+05:30', '2029-12-31T19:30:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('to %s, forwards or backwards, shows %s and leaves it frozen', async (now, componentRef) => {
    const { set, shown } = clockOf();
    expect((await set({ now })).body).toEqual({ now: componentRef, frozen: true, rate: 1 });
    expect((await shown()).now).toBe(componentRef);
  });

  test.each<unknown>([
    '1969-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-00:01',
    '+010000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01T00:00:00Z+',
    'now',
    '',
    0,
    1_767_225_600_000,
    true,
    [],
    {},
  ])('to %j is refused', async (now) => {
    const { set, shown } = clockOf();
    const { status, body } = await set({ now });
    expect([status, body.details[0].field]).toEqual([422, 'now']);
    expect((await shown()).now).toBe(noon);
  });

  test.each([
    ['frozen', 'yes'],
    ['frozen', null],
    ['frozen', 1],
    ['rate', 0],
    ['rate', -1],
    ['rate', '2'],
    ['rate', null],
    ['rate', 1_000_001],
  ])('%s to %j is refused', async (field, value) => {
    const { set, shown } = clockOf();
    const { status, body } = await set({ now: '2030-01-01T00:00:00Z', [field]: value });
    expect([status, body.details[0].field]).toEqual([422, field]);
    expect(await shown()).toEqual({ now: noon, frozen: true, rate: 1 });
  });

  test('nothing changes nothing', async () => {
    const { set } = clockOf();
    expect((await set({})).body).toEqual({ now: noon, frozen: true, rate: 1 });
  });
});
