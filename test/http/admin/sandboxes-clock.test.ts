// The clock that a new sandbox is told.
import { describe, expect, test } from 'vitest';
import { controlled, machineAt, unseeded } from '../../support/control.ts';

describe('clock', () => {
  const clockOf = async (clock: string | null | undefined, server: string) => {
    const { admin } = controlled({ ...unseeded, clock: server });
    await admin('POST', '/sandboxes', { name: 'team', ...(clock === undefined ? {} : { clock }) });
    return async () => (await admin('GET', '/sandboxes/team/clock')).body;
  };

  test.each([
    ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z', true],
    ['2030-01-01T00:00:00.123+02:00', '2029-12-31T22:00:00.123Z', true],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', true],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', true],
    ['2030-01-01T00:00:00Z+', '2030-01-01T00:00:00.000Z', false],
    [null, '2026-11-20T08:00:00.000Z', false],
    [undefined, '2000-01-01T00:00:00.000Z', true],
  ])('%j shows %s, frozen: %s', async (clock, now, frozen) => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const shown = await clockOf(clock, '2000-01-01T00:00:00Z');
    expect(await shown()).toEqual({ now, frozen, rate: 1 });
    move(1500);
    const later = new Date(Date.parse(now) + (frozen ? 0 : 1500)).toISOString();
    expect((await shown()).now).toBe(later);
  });

  test('that runs on from an instant begins when the sandbox is made', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { admin } = controlled({ clock: '2000-01-01T00:00:00Z+' });
    await admin('GET', '/sandboxes/stage/clock');
    move(5000);
    await admin('POST', '/sandboxes', { name: 'team' });
    expect((await admin('GET', '/sandboxes/team/clock')).body.now).toBe('2000-01-01T00:00:00.000Z');
    expect((await admin('GET', '/sandboxes/stage/clock')).body.now).toBe('2000-01-01T00:00:05.000Z');
  });
});
