// The timeline by clocks that are set back, stand, run, end; and by delays that no clock reaches.
import { describe, expect, test } from 'vitest';
import { machineAt } from '../support/control.ts';
import { noon } from '../support/sachet.ts';
import { day, evenTimeline, expectOrdered, hour, type Line, onTimeline } from '../support/timeline.ts';

const lastInstant = '9999-12-31T23:59:59.999Z';

async function expectDatesOrdered(world: Line, id: string): Promise<void> {
  expectOrdered(await world.stage.records.orders.get(id), await world.packages(id));
}

describe('a clock that is set back', () => {
  test.each(['accepted', 'in_production', 'shipped', 'picked_up', 'delivered'] as const)(
    'before %s undoes nothing and breaks nothing: the steps are taken at their times',
    async (step) => {
      const [world, straight] = [await onTimeline(), await onTimeline()];
      const id = await world.place();
      expect(await straight.place()).toBe(id);
      const row = await world.until(id, step);
      const before = await world.seen(id);
      await world.goTo('2020-01-01T00:00:00Z');
      expect([await world.seen(id), await world.next(id)]).toEqual([before, row]);
      await world.goTo(Date.parse(row.due_at) - 1);
      expect(await world.seen(id)).toEqual(before);
      await world.elapse(14 * day);
      await straight.elapse(14 * day);
      expect(await world.packages(id)).toEqual(await straight.packages(id));
      await expectDatesOrdered(world, id);
    },
  );

  test('leaves the dates in order where work is done by hand before them', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'shipped');
    await world.goTo('2020-01-01T00:00:00Z');
    await world.stage.orders.ship(id, {});
    await expectDatesOrdered(world, id);
    await world.goTo(Date.parse(noon) + 14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
    await expectDatesOrdered(world, id);
    expect((await world.onlyPackage(id)).created_at > noon).toBe(true);
  });

  test('leaves a step due that was timed later than the one of an order made since', async () => {
    const world = await onTimeline();
    const first = await world.place();
    await world.goTo('2020-01-01T00:00:00Z');
    const second = await world.place();
    await world.elapse(14 * day);
    expect([await world.seen(first), await world.seen(second)]).toEqual([['Pending'], ['In Production', 'delivered']]);
    await world.goTo(Date.parse(noon) + 14 * day);
    expect(await world.seen(first)).toEqual(['In Production', 'delivered']);
  });
});

describe('a clock that runs', () => {
  test('takes steps as time goes by, in real time and faster', async () => {
    const pass = machineAt(noon);
    const world = await onTimeline({ clock: `${noon}+` });
    const id = await world.place();
    const { due_at } = await world.next(id);
    pass(Date.parse(due_at) - Date.parse(noon) - 1);
    expect(await world.seen(id)).toEqual(['Pending']);
    pass(1);
    expect(await world.seen(id)).toEqual(['Accepted']);
    await world.stage.clock.set({ rate: 86_400 });
    pass(14_000);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
    expect((await world.stage.records.orders.get(id)).updated_at < '2026-11-23').toBe(true);
    await expectDatesOrdered(world, id);
  });

  test('comes to the same as one that is set, whoever looks when', async () => {
    const pass = machineAt(noon);
    const [running, standing] = [await onTimeline({ clock: `${noon}+` }), await onTimeline()];
    const id = await running.place();
    expect(await standing.place()).toBe(id);
    for (let hours = 0; hours < 14 * 24; hours += 7) {
      pass(7 * hour);
      await running.packages(id);
    }
    await standing.elapse(14 * day);
    expect(await running.packages(id)).toEqual(await standing.packages(id));
    expect(await running.stage.records.orders.get(id)).toEqual(await standing.stage.records.orders.get(id));
  });

  test('that is frozen lets nothing move, and goes on from there', async () => {
    const pass = machineAt(noon);
    const world = await onTimeline({ clock: `${noon}+` });
    const id = await world.place();
    await world.stage.clock.set({ frozen: true });
    pass(14 * day);
    expect(await world.seen(id)).toEqual(['Pending']);
    await world.stage.clock.set({ frozen: false });
    expect(await world.seen(id)).toEqual(['Pending']);
    pass(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
  });

  test('set to real time, it takes what is due by then', async () => {
    machineAt('2030-01-01T00:00:00Z');
    const world = await onTimeline();
    const id = await world.place();
    await world.stage.clock.set({ now: null });
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
    expect((await world.onlyPackage(id)).updated_at < '2027').toBe(true);
  });
});

describe('beyond the end of time', () => {
  test('there is no step, and the order stays where it is', async () => {
    const world = await onTimeline();
    await world.goTo('9999-12-31T20:30:00Z');
    const id = await world.place();
    expect(await world.due(id)).toBeUndefined();
    await world.goTo(lastInstant);
    expect([await world.seen(id), (await world.client.get('/v2/products')).status]).toEqual([['Pending'], 401]);
    await world.stage.orders.accept(id);
    expect([await world.seen(id), await world.due(id)]).toEqual([['Accepted'], undefined]);
  });

  test('a step at the last instant is taken, and nothing after it', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    await world.goTo(Date.parse(lastInstant) - hour);
    const id = await world.place();
    expect((await world.next(id)).due_at).toBe(lastInstant);
    await world.goTo(lastInstant);
    expect([await world.seen(id), await world.due(id)]).toEqual([['Accepted'], undefined]);
  });

  test.each([
    ['a delay of 1e300 seconds', { delay_seconds: 1e300 }],
    ['a spread of 1e308 seconds', { spread_seconds: 1e308 }],
    ['both as large as can be', { delay_seconds: Number.MAX_VALUE, spread_seconds: Number.MAX_VALUE }],
  ])('%s leaves the step out, and breaks nothing', async (_, accepted) => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update({ accepted });
    const id = await world.place();
    expect(await world.due(id)).toBeUndefined();
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['Pending']);
    await world.stage.orders.accept(id);
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
  });

  test('a delay in the middle of the way ends the way there', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.stage.singles.timeline.update({ shipped: { delay_seconds: 1e300 } });
    await world.elapse(30 * day);
    expect([await world.seen(id), await world.due(id)]).toEqual([['In Production'], undefined]);
  });

  test('delays of a part of a millisecond are whole milliseconds', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(0.0004, 0.0001));
    const id = await world.place();
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
    expect((await world.onlyPackage(id)).delivery_date).toBe(noon);
  });
});
