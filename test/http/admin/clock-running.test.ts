// A running clock: it follows the machine's Date at its rate. The Date alone is turned; nothing waits.
import { expect, test } from 'vitest';
import { running, start } from '../../support/clock-of.ts';
import { noon } from '../../support/sachet.ts';

test('a clock that runs from an instant goes on with the machine, to the millisecond', async () => {
  const { move, now } = await running(`${noon}+`);
  expect(await now()).toBe(noon);
  move(1);
  expect(await now()).toBe('2026-11-20T12:00:00.001Z');
  move(86_400_000);
  expect(await now()).toBe('2026-11-21T12:00:00.001Z');
});

test('one that is moved on runs on from there', async () => {
  const { move, now, advance } = await running(`${noon}+`);
  move(1000);
  expect((await advance({ by: 'PT1H' })).now).toBe('2026-11-20T13:00:01.000Z');
  move(1000);
  expect(await now()).toBe('2026-11-20T13:00:02.000Z');
});

test('one that is frozen stands at what it shows, and runs on from there', async () => {
  const { move, now, set } = await running(`${noon}+`);
  move(1000);
  expect(await set({ frozen: true })).toEqual({ now: '2026-11-20T12:00:01.000Z', frozen: true, rate: 1 });
  move(60_000);
  expect(await now()).toBe('2026-11-20T12:00:01.000Z');
  expect(await set({ frozen: false })).toEqual({ now: '2026-11-20T12:00:01.000Z', frozen: false, rate: 1 });
  move(1000);
  expect(await now()).toBe('2026-11-20T12:00:02.000Z');
});

test('one of another rate goes on from what it shows', async () => {
  const { move, now, set } = await running(`${noon}+`);
  move(1000);
  expect(await set({ rate: 60 })).toEqual({ now: '2026-11-20T12:00:01.000Z', frozen: false, rate: 60 });
  move(1000);
  expect(await now()).toBe('2026-11-20T12:01:01.000Z');
  await set({ rate: 0.5 });
  move(1000);
  expect(await now()).toBe('2026-11-20T12:01:01.500Z');
});

test('a frozen clock keeps its rate for when it runs', async () => {
  const { move, now, set } = await running(noon);
  expect(await set({ rate: 60 })).toEqual({ now: noon, frozen: true, rate: 60 });
  move(1000);
  expect(await now()).toBe(noon);
  await set({ frozen: false });
  move(1000);
  expect(await now()).toBe('2026-11-20T12:01:00.000Z');
});

test('a running one is set and runs on', async () => {
  const { move, now, set } = await running(`${noon}+`);
  await set({ now: '2030-01-01T00:00:00Z' });
  move(1000);
  expect(await now()).toBe('2030-01-01T00:00:01.000Z');
});

test('null is real time again, at its rate, running', async () => {
  const { move, shown, set } = await running(noon);
  await set({ rate: 60 });
  expect(await set({ now: null })).toEqual({ now: start, frozen: false, rate: 1 });
  move(1234);
  expect(await shown()).toEqual({ now: '2026-11-20T08:00:01.234Z', frozen: false, rate: 1 });
});

test('null may be frozen or scaled in one patch', async () => {
  const { move, shown, set } = await running(noon);
  expect(await set({ now: null, frozen: true })).toEqual({ now: start, frozen: true, rate: 1 });
  expect(await set({ now: null, rate: 10 })).toEqual({ now: start, frozen: false, rate: 10 });
  move(1000);
  expect((await shown()).now).toBe('2026-11-20T08:00:10.000Z');
});

test('real time that is moved on keeps its distance', async () => {
  const { move, now, set, advance } = await running(noon);
  await set({ now: null });
  await advance({ by: 'P1D' });
  move(1000);
  expect(await now()).toBe('2026-11-21T08:00:01.000Z');
  await set({ now: null });
  expect(await now()).toBe('2026-11-20T08:00:01.000Z');
});

test('a running clock stands still at the end of 9999, and can be set back', async () => {
  const { move, shown, set, advance, admin } = await running('9999-12-31T23:59:59Z+');
  await set({ rate: 1_000_000 });
  move(86_400_000);
  expect(await shown()).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: false, rate: 1_000_000 });
  expect((await admin('POST', '/sandboxes/stage/clock/advance', { seconds: 1 })).status).toBe(422);
  await set({ now: noon, rate: 1 });
  expect((await advance({ seconds: 1 })).now).toBe('2026-11-20T12:00:01.000Z');
});

test('a clock of one sandbox turns no other', async () => {
  const { set, admin } = await running(noon);
  await set({ now: '2030-01-01T00:00:00Z', frozen: false });
  expect((await admin('GET', '/sandboxes/production/clock')).body).toEqual({ now: noon, frozen: true, rate: 1 });
});
