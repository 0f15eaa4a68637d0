// One order on its way to the doorstep: each step at its own time, and not a millisecond before.
import { describe, expect, test } from 'vitest';
import { timelineSteps } from '../../src/contract/records.ts';
import { lineOf as orderLine, someOrder } from '../support/order-requests.ts';
import { fixtures, noon } from '../support/sachet.ts';
import { day, evenTimeline, expectOrdered, hour, type Line, onTimeline } from '../support/timeline.ts';

/** An order as its client sees it, with a token that is good at this time. */
async function shown({ sachet }: Line, id: string): Promise<string[]> {
  const client = await sachet.login();
  const { status } = (await client.get(`/v2/orders/${id}`)).body.order;
  const { fulfillments } = (await client.get(`/v2/orders/${id}/fulfillments`)).body;
  return [status, ...fulfillments.map((one: { status_id: string }) => one.status_id)];
}

const path = [
  ['Accepted'],
  ['In Production'],
  ['In Production', 'label_created'],
  ['In Production', 'picked_up'],
  ['In Production', 'delivered'],
];

describe('an order within ten days', () => {
  test('takes each step when it is due, and not a millisecond before', async () => {
    const world = await onTimeline();
    const id = await world.place();
    const steps: string[] = [];
    for (let last = ['Pending']; await world.due(id); last = path[steps.length - 1] ?? []) {
      const { step, due_at } = await world.next(id);
      await world.goTo(Date.parse(due_at) - 1);
      expect(await shown(world, id)).toEqual(last);
      await world.goTo(due_at);
      expect(await shown(world, id)).toEqual(path[steps.length]);
      steps.push(step);
    }
    expect(steps).toEqual([...timelineSteps]);
    expect(Date.parse((await world.stage.clock.get()).now) - Date.parse(noon)).toBeLessThan(10 * day);
  });

  test('has the times at which its steps were due as its dates', async () => {
    const world = await onTimeline();
    const id = await world.place();
    const due: string[] = [];
    while (await world.due(id)) due.push((await world.goToNext(id)).due_at);
    const [, produced, shipped, pickedUp, delivered] = due;
    const one = await world.onlyPackage(id);
    expect([one.created_at, one.pickup_date, one.delivery_date, one.updated_at]).toEqual([
      shipped,
      pickedUp,
      delivered,
      delivered,
    ]);
    const order = await world.stage.records.orders.get(id);
    expect([order.created_at, order.updated_at]).toEqual([noon, produced]);
    expect((await world.stage.state.get()).tracking).toEqual([
      {
        id: one.id,
        events: [
          { status_id: 'label_created', at: shipped },
          { status_id: 'picked_up', at: pickedUp },
          { status_id: 'delivered', at: delivered },
        ],
      },
    ]);
  });

  test('has the same dates when nobody looks until all is over', async () => {
    const [looked, left] = [await onTimeline(), await onTimeline()];
    const [id, same] = [await looked.place(), await left.place()];
    while (await looked.due(id)) await looked.goToNext(id);
    await left.elapse(10 * day);
    const [one, other] = [await looked.onlyPackage(id), await left.onlyPackage(same)];
    expect(other).toEqual(one);
    expectOrdered(await left.stage.records.orders.get(same), [other]);
  });

  test('ships all of its lines in one package, with a carrier and a number of its own', async () => {
    const world = await onTimeline();
    const [id, another] = [await world.place({ order_lines: [orderLine(), orderLine()] }), await world.place()];
    await world.elapse(14 * day);
    const { order_lines } = await world.stage.records.orders.get(id);
    const [one, other] = [await world.onlyPackage(id), await world.onlyPackage(another)];
    expect(one.order_lines.map((line) => line.id)).toEqual(order_lines.map((line) => line.id));
    expect(order_lines).toHaveLength(2);
    expect(one.tracking_info?.tracking_number).not.toBe(other.tracking_info?.tracking_number ?? null);
    expect(one.shipment_order_number).not.toBe(other.shipment_order_number);
  });
});

describe('the delay of a step', () => {
  test.each(['test', 'a', 'b', 'c'])('is its delay and no more than its spread: seed %s', async (randomSeed) => {
    const world = await onTimeline({ randomSeed });
    for (let orders = 0; orders < 3; orders += 1) {
      const id = await world.place();
      let from = Date.parse((await world.stage.clock.get()).now);
      for (let row = await world.due(id); row; row = await world.due(id)) {
        const { delay_seconds, spread_seconds } = fixtures.timeline[row.step];
        const seconds = (Date.parse(row.due_at) - from) / 1000;
        expect(seconds).toBeGreaterThanOrEqual(delay_seconds);
        expect(seconds).toBeLessThanOrEqual(delay_seconds + spread_seconds);
        from = Date.parse(row.due_at);
        await world.goTo(row.due_at);
      }
    }
  });

  test('differs between orders, between steps and between seeds, and is the same for the same', async () => {
    const spreads = async (randomSeed: string) => {
      const world = await onTimeline({ randomSeed });
      await world.stage.singles.timeline.update(evenTimeline(hour / 1000, hour / 1000));
      const ids = [await world.place(), await world.place()];
      const seen: number[] = [];
      for (const id of ids) seen.push(Date.parse((await world.next(id)).due_at) - Date.parse(noon));
      const { due_at } = await world.goToNext(ids[0] ?? '');
      return [...seen, Date.parse((await world.next(ids[0] ?? '')).due_at) - Date.parse(due_at)];
    };
    const [one, same, other] = [await spreads('test'), await spreads('test'), await spreads('other')];
    expect(same).toEqual(one);
    expect(new Set([...one, ...other]).size).toBe(6);
  });
});

describe('a timeline without delays', () => {
  test('delivers by the next call; the order itself answers Pending', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(0));
    const { order } = (await world.order()).body;
    expect(order.status).toBe('Pending');
    expect(await shown(world, order.id)).toEqual(['In Production', 'delivered']);
    const one = await world.onlyPackage(order.id);
    expect([one.created_at, one.pickup_date, one.delivery_date]).toEqual([noon, noon, noon]);
    expect(await world.due(order.id)).toBeUndefined();
  });

  test('never puts a step at a time at which it was seen that it was not taken', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.elapse(3 * hour);
    await world.stage.singles.timeline.update(evenTimeline(0));
    let stillPending = Date.parse(noon) + 3 * hour;
    for (; (await shown(world, id))[0] === 'Pending'; await world.elapse(hour / 2))
      stillPending = Date.parse((await world.stage.clock.get()).now);
    expect(await shown(world, id)).toEqual(['In Production', 'delivered']);
    expect(Date.parse((await world.onlyPackage(id)).created_at)).toBeGreaterThan(stillPending);
  });
});

test('an order keeps all but its status and its last change through all steps', async () => {
  const world = await onTimeline();
  const id = await world.place(someOrder({ order_lines: [orderLine(), orderLine()] }));
  const { status: _s, updated_at: _u, ...before } = await world.stage.records.orders.get(id);
  await world.elapse(14 * day);
  const { status, updated_at: _, ...after } = await world.stage.records.orders.get(id);
  expect([status, after]).toEqual(['In Production', before]);
});
