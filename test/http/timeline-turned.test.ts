// The reading `fulfillment_timeline` turned under way, and where answers name it.
import { describe, expect, test } from 'vitest';
import { fulfillmentId, orderId, lineOf as orderLine, someOrder, unknownId } from '../support/order-requests.ts';
import type { Answer } from '../support/sachet.ts';
import { day, type Line, lineOf, onTimeline, recordsOf } from '../support/timeline.ts';

const named = ({ headers }: Answer): string[] =>
  (headers.get('sandbox-assumption') ?? '').split(/,\s*/).filter((text) => text.startsWith('fulfillment_timeline'));

describe('under manual', () => {
  test('nothing moves by itself, however long; the step waits with its time', async () => {
    const world = await lineOf();
    const id = await world.place();
    const row = await world.next(id);
    await world.elapse(30 * day);
    expect(await world.seen(id)).toEqual(['Pending']);
    expect(await world.next(id)).toEqual(row);
    expect(row.due_at < (await world.stage.clock.get()).now).toBe(true);
  });

  test('the operator moves all, and each move leaves the next step to come', async () => {
    const world = await lineOf();
    const id = await world.place();
    const { orders, fulfillments } = world.stage;
    const steps: string[] = [(await world.next(id)).step];
    const note = async () => void steps.push((await world.next(id)).step);
    await orders.accept(id).then(note);
    await orders.start_production(id).then(note);
    const { id: one } = await orders.ship(id, {});
    await note();
    await fulfillments.pick_up(one, {}).then(note);
    await fulfillments.deliver(one, {});
    expect(steps).toEqual(['accepted', 'in_production', 'shipped', 'picked_up', 'delivered']);
    expect(await world.due(id)).toBeUndefined();
  });
});

describe('turned to automatic', () => {
  test('all that is overdue is taken at once, each step at the time it was due: as if it had always been', async () => {
    const [turned, always] = [await lineOf(), await onTimeline()];
    const id = await turned.place();
    expect(await always.place()).toBe(id);
    await turned.place({ order_lines: [orderLine(), orderLine()] });
    await always.place({ order_lines: [orderLine(), orderLine()] });
    await turned.elapse(12 * day);
    await always.elapse(12 * day);
    expect((await turned.stage.records.fulfillments.list()).fulfillments).toHaveLength(29);
    await turned.turn('automatic');
    const records = await recordsOf(turned.stage);
    expect(records).toEqual(await recordsOf(always.stage));
    expect(records.fulfillments.slice(29).map((one) => one.status_id)).toEqual(['delivered', 'delivered']);
    expect(records.fulfillments.every(({ updated_at }) => updated_at < '2026-12-02')).toBe(true);
  });

  test('and back to manual it stops where it is, and goes on from there later', async () => {
    const world = await lineOf();
    const id = await world.place();
    await world.turn('automatic');
    const row = await world.until(id, 'shipped');
    await world.turn('manual');
    await world.elapse(20 * day);
    expect([await world.seen(id), await world.next(id)]).toEqual([['In Production'], row]);
    await world.turn('automatic');
    expect(await world.onlyPackage(id)).toMatchObject({ status_id: 'delivered', created_at: row.due_at });
  });

  test('what is due at the very instant it is turned back is taken by the turning', async () => {
    const world = await onTimeline();
    const id = await world.place();
    const { due_at } = await world.next(id);
    await world.sachet.advance(Date.parse(due_at) - Date.parse((await world.stage.clock.get()).now));
    await world.turn('manual');
    expect(await world.seen(id)).toEqual(['Accepted']);
  });

  test('by a scenario it moves orders, and stops once the scenario is taken back', async () => {
    const world = await lineOf();
    const id = await world.place();
    await world.elapse(day / 2);
    await world.stage.scenarios.apply('doorstep');
    expect(await world.seen(id)).toEqual(['Accepted']);
    await world.until(id, 'shipped');
    await world.stage.scenarios.take_back('doorstep');
    await world.elapse(20 * day);
    expect(await world.seen(id)).toEqual(['In Production']);
  });

  test('orders of the fixtures stay as they are until somebody changes them', async () => {
    const world = await onTimeline();
    const before = await recordsOf(world.stage);
    await world.elapse(30 * day);
    expect(await recordsOf(world.stage)).toEqual(before);
    await world.stage.orders.accept(orderId(18));
    await world.elapse(14 * day);
    expect(await world.seen(orderId(18))).toEqual(['In Production', 'delivered']);
    expect(await world.seen(orderId(17))).toEqual(['Accepted']);
  });
});

describe('answers name the reading', () => {
  const looks: Readonly<Record<string, (world: Line) => Promise<Answer>>> = {
    'a list of orders': ({ client }) => client.get('/v2/orders'),
    'an order': ({ client }) => client.get(`/v2/orders/${orderId(1)}`),
    'an order that is not there': ({ client }) => client.get(`/v2/orders/${unknownId}`),
    'the fulfillments of an order': ({ client }) => client.get(`/v2/orders/${orderId(1)}/fulfillments`),
    'a list of fulfillments': ({ client }) => client.get('/v2/fulfillments'),
    'a fulfillment': ({ client }) => client.get(`/v2/fulfillments/${fulfillmentId(1)}`),
    'an order that is made': ({ client }) => client.post('/v2/orders', someOrder()),
    'an order that is changed': ({ client }) => client.patch(`/v2/orders/${orderId(18)}`, someOrder()),
    'an order that is canceled': ({ client }) => client.post(`/v2/orders/${orderId(18)}/cancel`),
  };

  test.each(Object.entries(looks))('automatic for %s', async (_, look) => {
    expect(named(await look(await onTimeline()))).toEqual(['fulfillment_timeline=automatic']);
  });

  test.each(Object.entries(looks))('manual for %s, but only once a step is overdue', async (_, look) => {
    const world = await lineOf();
    const { due_at } = await world.next(await world.place());
    await world.goTo(Date.parse(due_at) - 1);
    expect(named(await look(world))).toEqual([]);
    await world.goTo(due_at);
    expect(named(await look(world))).toEqual(['fulfillment_timeline=manual']);
  });

  test.each(['/v2/products', '/v2/nowhere', '/v2/fulfillments?limit=0'])('never for %s', async (path) => {
    const [automatic, overdue] = [await onTimeline(), await lineOf()];
    const { due_at } = await overdue.next(await overdue.place());
    await overdue.goTo(due_at);
    for (const { client } of [automatic, overdue]) expect(named(await client.get(path))).toEqual([]);
  });
});
