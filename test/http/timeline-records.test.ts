// Records that change past the timeline, by scenarios and by patches: each order's next step follows what became of it.
import { describe, expect, test } from 'vitest';
import { scenariosOf } from '../support/layers.ts';
import { orderId, lineOf as orderLine } from '../support/order-requests.ts';
import { day, type Line, onTimeline } from '../support/timeline.ts';

/** Fixture orders: On Hold, Accepted, Pending. */
const [onHold, accepted, pending] = [orderId(12), orderId(17), orderId(18)];

/** A stage that a scenario changes these records of. */
async function changedBy(data: object): Promise<Line> {
  const world = await onTimeline({ scenarios: scenariosOf({ change: { data } }) });
  await world.stage.scenarios.apply('change');
  return world;
}

describe('a scenario', () => {
  test('declares an order that nothing was done to as the fixtures do: it stays as it is', async () => {
    const world = await changedBy({ orders: [{ id: onHold, status: 'Pending' }] });
    await world.elapse(14 * day);
    expect([await world.seen(onHold), await world.due(onHold)]).toEqual([['Pending'], undefined]);
    await world.stage.orders.accept(onHold);
    await world.elapse(14 * day);
    expect(await world.seen(onHold)).toEqual(['In Production', 'delivered']);
  });

  test('that moves an order under way on gives it the step that follows', async () => {
    const world = await onTimeline({
      scenarios: scenariosOf({ change: { data: { orders: [{ id: onHold, status: 'Accepted' }] } } }),
    });
    await world.stage.orders.release(onHold);
    await world.stage.scenarios.apply('change');
    expect((await world.next(onHold)).step).toBe('in_production');
  });

  test('that holds an order takes its step away, and taken back gives it one again', async () => {
    const world = await onTimeline({
      scenarios: scenariosOf({ change: { data: { orders: [{ id: pending, status: 'On Hold' }] } } }),
    });
    await world.stage.records.orders.update(pending, { status: 'Pending' });
    expect((await world.next(pending)).step).toBe('accepted');
    await world.stage.scenarios.apply('change');
    expect(await world.due(pending)).toBeUndefined();
    await world.elapse(14 * day);
    expect(await world.seen(pending)).toEqual(['On Hold']);
    await world.stage.scenarios.take_back('change');
    await world.elapse(14 * day);
    expect(await world.seen(pending)).toEqual(['In Production', 'delivered']);
  });

  test('that brings an order leaves it as it stands', async () => {
    const { id: _, ...order } = await (await onTimeline()).stage.records.orders.get(accepted);
    const id = orderId(900);
    const world = await changedBy({ orders: [{ ...order, id }] });
    await world.elapse(14 * day);
    expect([await world.seen(id), await world.due(id)]).toEqual([['Accepted'], undefined]);
  });
});

test('a scenario that approves packaging lets the orders go on that waited for it', async () => {
  const change = { data: { pags: [{ id: '30000000-0000-4000-8000-000000000003', status: 'Active' }] } };
  const world = await onTimeline({ scenarios: scenariosOf({ change }) });
  const id = await world.place({ order_lines: [{ ...orderLine(), duration: 90 }] });
  expect(await world.seen(id)).toEqual(['Needs Changes']);
  await world.stage.scenarios.apply('change');
  expect([await world.seen(id), (await world.due(id))?.step]).toEqual([['Pending'], 'accepted']);
});

test('a package that a patch gives to another order leaves both orders the step that follows', async () => {
  const world = await onTimeline();
  const [from, to] = [await world.place(), await world.place()];
  for (const id of [from, to]) {
    await world.stage.orders.accept(id);
    await world.stage.orders.start_production(id);
  }
  const { id: one } = await world.stage.orders.ship(from, {});
  const { order_lines, consumer_id } = await world.stage.records.orders.get(to);
  await world.stage.records.fulfillments.update(one, {
    order_id: to,
    consumer_id,
    order_lines: order_lines.map(({ id }) => ({ id, name: 'Given' })),
  });
  expect([(await world.due(from))?.step, (await world.due(to))?.step]).toEqual(['shipped', 'picked_up']);
});

test('a package that is late leaves the time at which the rest of its order ships', async () => {
  const world = await onTimeline();
  const id = await world.place({ order_lines: [orderLine(), orderLine()] });
  const row = await world.until(id, 'shipped');
  const [line] = (await world.stage.records.orders.get(id)).order_lines;
  const { id: one } = await world.stage.orders.ship(id, { order_lines: [line?.id ?? ''] });
  await world.stage.fulfillments.pick_up(one, {});
  await world.elapse(day / 2);
  await world.stage.fulfillments.delay(one, {});
  await world.goTo(row.due_at);
  expect((await world.packages(id)).map(({ created_at }) => created_at).at(-1)).toBe(row.due_at);
});
