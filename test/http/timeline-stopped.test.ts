// What the timeline leaves alone, what it goes on with, and what by-hand work it builds upon.
import { describe, expect, test } from 'vitest';
import { lineOf as orderLine, someOrder } from '../support/order-requests.ts';
import { day, evenTimeline, hour, type Line, onTimeline } from '../support/timeline.ts';

/** An order of 90 days needs changes: its packaging is in review. */
const ninetyDays = { order_lines: [{ ...orderLine(), duration: 90 }] };
const pag90 = '30000000-0000-4000-8000-000000000003';

/** The time of the sandbox's clock, in milliseconds. */
const nowOf = async ({ stage }: Line) => Date.parse((await stage.clock.get()).now);

/** An order that stays as it is for two weeks. */
async function expectStill(world: Line, id: string): Promise<void> {
  const before = [await world.seen(id), await world.stage.records.orders.get(id)];
  expect(await world.due(id)).toBeUndefined();
  await world.elapse(14 * day);
  expect([await world.seen(id), await world.stage.records.orders.get(id)]).toEqual(before);
}

/** An order that is delivered within two weeks. */
async function expectDelivered(world: Line, id: string): Promise<void> {
  await world.elapse(14 * day);
  expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
}

describe('an order that waits for somebody', () => {
  test('On Hold stays so, and is timed anew from its release on', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.stage.orders.hold(id);
    await expectStill(world, id);
    await world.stage.orders.release(id);
    expect(Date.parse((await world.next(id)).due_at)).toBe((await nowOf(world)) + hour);
    await expectDelivered(world, id);
  });

  test.each(['the operator approves it', 'its PAG becomes Active'])('Needs Changes stays so until %s', async (way) => {
    const world = await onTimeline();
    const id = await world.place(ninetyDays);
    expect(await world.seen(id)).toEqual(['Needs Changes']);
    await expectStill(world, id);
    if (way === 'the operator approves it') await world.stage.orders.approve_packaging(id);
    else await world.stage.records.pags.update(pag90, { status: 'Active' });
    expect([await world.seen(id), (await world.next(id)).step]).toEqual([['Pending'], 'accepted']);
    await expectDelivered(world, id);
  });

  test('that needs changes by its change by the client stays so', async () => {
    const world = await onTimeline();
    const id = await world.place();
    expect((await world.client.patch(`/v2/orders/${id}`, ninetyDays)).body.order.status).toBe('Needs Changes');
    await expectStill(world, id);
  });

  test.each(['the client', 'the operator'])('is canceled by %s and nothing ships', async (who) => {
    const world = await onTimeline();
    const id = await world.place();
    if (who === 'the operator') await world.stage.orders.cancel(id);
    else expect((await world.client.post(`/v2/orders/${id}/cancel`)).status).toBe(200);
    expect(await world.seen(id)).toEqual(['Canceled']);
    await expectStill(world, id);
  });

  test('is Accepted, then canceled, and nothing ships', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'in_production');
    const client = await world.sachet.login();
    expect((await client.post(`/v2/orders/${id}/cancel`)).body.order.status).toBe('Canceled');
    await expectStill(world, id);
  });
});

test('a Pending order that its client modifies is accepted so long after that', async () => {
  const world = await onTimeline();
  const id = await world.place();
  const before = await world.next(id);
  await world.elapse(hour);
  const { status, body } = await world.client.patch(`/v2/orders/${id}`, { order_lines: [orderLine(), orderLine()] });
  expect([status, body.order.status]).toEqual([200, 'Pending']);
  const later = new Date(Date.parse(before.due_at) + hour).toISOString();
  expect(await world.next(id)).toEqual({ ...before, due_at: later });
  await world.goTo(Date.parse(later) - 1);
  expect(await world.seen(id)).toEqual(['Pending']);
  await world.goTo(later);
  expect(await world.seen(id)).toEqual(['Accepted']);
});

test('an order that is accepted by hand goes on from then', async () => {
  const world = await onTimeline();
  await world.stage.singles.timeline.update(evenTimeline(3600));
  const id = await world.place();
  await world.elapse(hour / 2);
  await world.stage.orders.accept(id);
  const { step, due_at } = await world.next(id);
  expect([step, Date.parse(due_at)]).toEqual(['in_production', (await nowOf(world)) + hour]);
});

describe('an order in production', () => {
  test('that is canceled with a package under way ships nothing more, and the package arrives', async () => {
    const world = await onTimeline();
    const id = await world.place({ order_lines: [orderLine(), orderLine()] });
    await world.until(id, 'shipped');
    const [line] = (await world.stage.records.orders.get(id)).order_lines;
    const { id: one } = await world.stage.orders.ship(id, { order_lines: [line?.id ?? ''] });
    await world.stage.fulfillments.pick_up(one, {});
    await world.stage.orders.cancel(id);
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['Canceled', 'delivered']);
    expect((await world.onlyPackage(id)).order_lines.map((one) => one.id)).toEqual([line?.id]);
  });

  test('that is canceled keeps a package that has not left the house', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'picked_up');
    await world.stage.orders.cancel(id);
    await expectStill(world, id);
    expect(await world.seen(id)).toEqual(['Canceled', 'label_created']);
  });

  test('that is canceled before anything is shipped ships nothing', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'shipped');
    await world.stage.orders.cancel(id);
    await expectStill(world, id);
  });

  test('of which parts were shipped by hand ships the rest, and delivers all', async () => {
    const world = await onTimeline();
    const id = await world.place({ order_lines: [orderLine(), orderLine(), orderLine()] });
    const { due_at } = await world.until(id, 'shipped');
    const lines = (await world.stage.records.orders.get(id)).order_lines.map((line) => line.id);
    await world.stage.orders.ship(id, { order_lines: lines.slice(1, 2) });
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered', 'delivered']);
    const [byHand, rest] = await world.packages(id);
    expect(byHand?.order_lines.map((line) => line.id)).toEqual(lines.slice(1, 2));
    expect([rest?.order_lines.map((line) => line.id), rest?.created_at]).toEqual([[lines[0], lines[2]], due_at]);
  });

  test('that was shipped whole by hand is picked up by itself', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.until(id, 'shipped');
    await world.stage.orders.ship(id, {});
    expect((await world.next(id)).step).toBe('picked_up');
    await expectDelivered(world, id);
  });
});

describe('a package', () => {
  async function onItsWay() {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place(someOrder());
    const planned = await world.until(id, 'delivered');
    await world.elapse(hour / 2);
    const { fulfillments } = world.stage;
    const one = await world.onlyPackage(id);
    return { world, id, planned, fulfillments, one };
  }

  test('that is delayed is delivered later: timed anew from its delay on', async () => {
    const { world, id, planned, fulfillments, one } = await onItsWay();
    await fulfillments.delay(one.id, {});
    const later = new Date(Date.parse(planned.due_at) + hour / 2).toISOString();
    expect(await world.next(id)).toEqual({ ...planned, due_at: later });
    await world.goTo(planned.due_at);
    expect(await world.seen(id)).toEqual(['In Production', 'delayed']);
    await world.goTo(later);
    expect((await world.onlyPackage(id)).delivery_date).toBe(later);
  });

  test('that departs is delivered all the same, and no earlier than planned', async () => {
    const { world, id, planned, fulfillments, one } = await onItsWay();
    await fulfillments.depart(one.id, {});
    await world.goTo(Date.parse(planned.due_at) - 1);
    expect(await world.seen(id)).toEqual(['In Production', 'in_transit']);
    await expectDelivered(world, id);
  });

  test.each(['lose', 'return'] as const)('with the end "%s" is never delivered', async (end) => {
    const { world, id, fulfillments, one } = await onItsWay();
    await fulfillments[end](one.id, {});
    await expectStill(world, id);
    expect((await world.onlyPackage(id)).delivery_date).toBeNull();
  });

  test('that was lost and turns up again is delivered, timed from then', async () => {
    const { world, id, fulfillments, one } = await onItsWay();
    await fulfillments.lose(one.id, {});
    await world.elapse(day);
    await fulfillments.depart(one.id, {});
    const at = new Date((await nowOf(world)) + hour).toISOString();
    await world.goTo(at);
    expect(await world.onlyPackage(id)).toMatchObject({ status_id: 'delivered', delivery_date: at });
  });

  test('that was picked up by hand before its time is delivered from then on', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.until(id, 'picked_up');
    await world.stage.fulfillments.pick_up((await world.onlyPackage(id)).id, {});
    const { step, due_at } = await world.next(id);
    expect([step, Date.parse(due_at)]).toEqual(['delivered', (await nowOf(world)) + hour]);
  });
});
