// The timeline under clocks that are set back, run, stand still, or end.
import { describe, expect, test } from 'vitest';
import { timelineSteps } from '../../src/contract/records.ts';
import { machineAt } from '../support/control.ts';
import { noon } from '../support/sachet.ts';
import { day, evenTimeline, expectOrdered, hour, onTimeline, type TimelineStage } from '../support/timeline.ts';

const expectDatesOrdered = async (world: TimelineStage, id: string) =>
  expectOrdered(await world.stage.records.orders.get(id), await world.packages(id));

describe('a clock', () => {
  test('that is set back undoes nothing: the steps are taken at their times', async () => {
    for (const step of timelineSteps) {
      const [world, straight] = [await onTimeline(), await onTimeline()];
      const id = await world.place();
      expect(await straight.place()).toBe(id);
      const row = await world.until(id, step);
      const before = await world.seen(id);
      await world.goTo('2020-01-01T00:00:00Z');
      expect([await world.seen(id), await world.next(id)], step).toEqual([before, row]);
      await world.goTo(Date.parse(row.due_at) - 1);
      expect(await world.seen(id), step).toEqual(before);
      for (const { elapse } of [world, straight]) await elapse(14 * day);
      expect(await world.packages(id), step).toEqual(await straight.packages(id));
    }
  });

  test('that runs takes steps as time passes, faster with a rate, and none while it is frozen', async () => {
    const pass = machineAt(noon);
    const [world, frozen] = [await onTimeline({ clock: `${noon}+` }), await onTimeline()];
    const id = await world.place();
    expect(await frozen.place()).toBe(id);
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
    await expectDatesOrdered(world, id);
    machineAt('2030-01-01T00:00:00Z');
    const late = await onTimeline();
    const order = await late.place();
    await late.stage.clock.set({ now: null });
    expect(await late.seen(order)).toEqual(['In Production', 'delivered']);
    expect((await late.onlyPackage(order)).updated_at < '2027').toBe(true);
  });

  test('that ends leaves out steps after the last instant', async () => {
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
    expect(await world.seen(id)).toEqual(['Pending']);
    expect((await world.client.get('/v2/products')).status).toBe(401);
  });
});
