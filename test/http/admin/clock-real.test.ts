// The clock of a sandbox that was told nothing: real time, until somebody sets it.
import { expect, test } from 'vitest';
import { testSachet } from '../../support/sachet.ts';

const real = () => testSachet({ clock: undefined } as never).control.sandbox('stage').clock;
const isNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 60_000;

test.each([{}, { rate: 1 }, { frozen: false }])('set to an instant it runs on from there, with %j', async (beside) => {
  const clock = real();
  const { now, frozen, rate } = await clock.set({ now: '2030-01-01T00:00:00Z', ...beside });
  expect([now.slice(0, 17), frozen, rate]).toEqual(['2030-01-01T00:00:', false, 1]);
  expect((await clock.get()).now).toMatch(/^2030-01-01T00:0/);
  expect(isNow((await clock.set({ now: null })).now)).toBe(true);
});

test('nothing asked, it stays real', async () => {
  expect(isNow((await real().set({})).now)).toBe(true);
});

test('set by a scenario it is set', async () => {
  const set = { name: 'later', intent: 'x', right_client: 'x', clock: { now: Date.parse('2030-01-01T00:00:00Z') } };
  const sachet = testSachet({ clock: undefined, scenarios: [set] } as never);
  await sachet.control.sandbox('stage').scenarios.apply('later');
  expect((await sachet.control.sandbox('stage').clock.get()).now).toMatch(/^2030-01-01T00:0/);
});
