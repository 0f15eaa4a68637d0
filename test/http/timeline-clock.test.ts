// The timeline under clocks that are set back, run, are frozen, or end.
import { expect, test } from 'vitest';
import { timelineSteps } from '../../src/contract/records.ts';
import { machineAt } from '../support/control.ts';
import { day, hour, noon } from '../support/sachet.ts';
import { evenTimeline, onTimeline, withOrder } from '../support/timeline.ts';

test.each(timelineSteps)('a clock that is set back before the step %s undoes nothing', async (step) => {
  const [world, straight] = [await withOrder(), await withOrder()];
  const { id } = world;
  expect(straight.id).toBe(id);
  const row = await world.until(id, step);
  const before = await world.seen(id);
  await world.goTo('2020-01-01T00:00:00Z');
  expect([await world.seen(id), await world.next(id)]).toEqual([before, row]);
  await world.goTo(Date.parse(row.due_at) - 1);
  expect(await world.seen(id)).toEqual(before);
  for (const { elapse } of [world, straight]) await elapse(14 * day);
  expect(await world.packages(id)).toEqual(await straight.packages(id));
});

test('a clock that runs takes steps as time passes, faster with a rate, and none while it is frozen', async () => {
  const pass = machineAt(noon);
  const [world, frozen] = [await withOrder({}, { clock: `${noon}+` }), await withOrder()];
  const { id } = world;
  const { due_at } = await world.next(id);
  pass(Date.parse(due_at) - Date.parse(noon) - 1);
  expect(await world.seen(id)).toEqual(['Pending']);
  pass(1);
  expect(await world.seen(id)).toEqual(['Accepted']);
  await world.stage.clock.set({ frozen: true });
  pass(14 * day);
  expect(await world.seen(id)).toEqual(['Accepted']);
  await world.stage.clock.set({ frozen: false, rate: 86_400 });
  pass(14_000);
  await frozen.elapse(14 * day);
  expect(await world.packages(id)).toEqual(await frozen.packages(id));
});

test('a clock that is set to a real time years later takes the steps at their own times', async () => {
  machineAt('2030-01-01T00:00:00Z');
  const { id, stage, seen, onlyPackage } = await withOrder();
  await stage.clock.set({ now: null });
  expect(await seen(id)).toEqual(['In Production', 'delivered']);
  expect((await onlyPackage(id)).updated_at < '2027').toBe(true);
});

test('steps after the last instant of the clock are left out', async () => {
  const lastInstant = '9999-12-31T23:59:59.999Z';
  const world = await onTimeline();
  await world.goTo('9999-12-31T20:30:00Z');
  const id = await world.place();
  expect(await world.due(id)).toBeUndefined();
  await world.stage.singles.timeline.update(evenTimeline(3600));
  await world.goTo(Date.parse(lastInstant) - hour);
  const second = await world.place();
  expect((await world.next(second)).due_at).toBe(lastInstant);
  await world.goTo(lastInstant);
  expect([await world.seen(second), await world.due(second)]).toEqual([['Accepted'], undefined]);
  expect([await world.seen(id), await world.status()]).toEqual([['Pending'], 401]);
});
