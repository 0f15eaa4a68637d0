// Orders move by the sandbox's clock: each step at its time, also after changes by hand.
import { describe, expect, test } from 'vitest';
import { timelineSteps } from '../../src/contract/records.ts';
import { fulfillmentId, orderId, orderLine, someOrder } from '../support/order-requests.ts';
import { type Answer, fixtures, noon } from '../support/sachet.ts';
import {
  day,
  evenTimeline,
  hour,
  onTimeline,
  recordsOf,
  type TimelineStage,
  timelineStage,
} from '../support/timeline.ts';

const nowOf = async ({ stage }: TimelineStage) => Date.parse((await stage.clock.get()).now);

/** The order stays as it is for two weeks. */
async function expectStill(world: TimelineStage, id: string): Promise<void> {
  const before = [await world.seen(id), await world.stage.records.orders.get(id)];
  expect(await world.due(id)).toBeUndefined();
  await world.elapse(14 * day);
  expect([await world.seen(id), await world.stage.records.orders.get(id)]).toEqual(before);
}

async function expectDelivered(world: TimelineStage, id: string): Promise<void> {
  await world.elapse(14 * day);
  expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
}

describe('an order', () => {
  test('takes each step when it is due, not a millisecond earlier, with these times as its dates', async () => {
    const [world, unwatched] = [await onTimeline(), await onTimeline()];
    const changes = { order_lines: [orderLine(), orderLine()] };
    const [id, same] = [await world.place(changes), await unwatched.place(changes)];
    const { status: _s, updated_at: _u, ...placed } = await world.stage.records.orders.get(id);
    const asClient = async () => {
      const client = await world.sachet.login();
      const { status } = (await client.get(`/v2/orders/${id}`)).body.order;
      const { fulfillments } = (await client.get(`/v2/orders/${id}/fulfillments`)).body;
      return [status, ...fulfillments.map((one: { status_id: string }) => one.status_id)].join(', ');
    };
    const expected = ['Pending', 'Accepted', 'In Production', 'In Production, label_created'];
    expected.push('In Production, picked_up', 'In Production, delivered');
    const steps: string[] = [];
    const due: string[] = [];
    while (await world.due(id)) {
      const { step, due_at } = await world.next(id);
      await world.goTo(Date.parse(due_at) - 1);
      expect(await asClient()).toBe(expected[steps.length]);
      await world.goTo(due_at);
      steps.push(step);
      due.push(due_at);
      expect(await asClient()).toBe(expected[steps.length]);
    }
    expect(steps).toEqual([...timelineSteps]);
    expect((await nowOf(world)) - Date.parse(noon)).toBeLessThan(10 * day);

    const [, produced, shipped, pickedUp, delivered] = due;
    const one = await world.onlyPackage(id);
    const { created_at, pickup_date, delivery_date, updated_at } = one;
    expect([created_at, pickup_date, delivery_date, updated_at]).toEqual([shipped, pickedUp, delivered, delivered]);
    const order = await world.stage.records.orders.get(id);
    expect(order).toEqual({ ...placed, status: 'In Production', updated_at: produced });
    expect(one.order_lines.map((line) => line.id)).toEqual(order.order_lines.map((line) => line.id));
    const events = [
      { status_id: 'label_created', at: shipped },
      { status_id: 'picked_up', at: pickedUp },
      { status_id: 'delivered', at: delivered },
    ];
    expect((await world.stage.state.get()).tracking).toEqual([{ id: one.id, events }]);

    await unwatched.elapse(10 * day);
    expect(await unwatched.onlyPackage(same)).toEqual(one);
  });

  test('of many keeps to delays and spreads that are random, and the same for the same seed', async () => {
    const delaysIn = async (randomSeed: string) => {
      const world = await onTimeline({ randomSeed });
      const delays: number[] = [];
      for (let orders = 0; orders < 2; orders += 1) {
        const id = await world.place();
        let from = await nowOf(world);
        for (let row = await world.due(id); row; row = await world.due(id)) {
          const { delay_seconds, spread_seconds } = fixtures.timeline[row.step];
          const seconds = (Date.parse(row.due_at) - from) / 1000;
          expect(seconds).toBeGreaterThanOrEqual(delay_seconds);
          expect(seconds).toBeLessThanOrEqual(delay_seconds + spread_seconds);
          delays.push((seconds - delay_seconds) / spread_seconds);
          from = Date.parse(row.due_at);
          await world.goTo(row.due_at);
        }
      }
      return delays;
    };
    const [one, other] = [await delaysIn('test'), await delaysIn('other')];
    expect(await delaysIn('test')).toEqual(one);
    expect(new Set([...one, ...other]).size).toBe(20);
  });

  test.each([30 * 86_400, 1])('keeps the time of its next step when delays become %d s', async (seconds) => {
    const world = await onTimeline();
    const id = await world.place();
    const { due_at } = await world.next(id);
    const delays = (delay_seconds: number) => ({ delay_seconds, spread_seconds: 0 });
    await world.stage.singles.timeline.update({ accepted: delays(seconds), in_production: delays(60) });
    expect(await world.next(id)).toMatchObject({ step: 'accepted', due_at });
    await world.goTo(Date.parse(due_at) - 1);
    expect(await world.seen(id)).toEqual(['Pending']);
    await world.goTo(due_at);
    expect(await world.seen(id)).toEqual(['Accepted']);
    expect(await world.next(id)).toMatchObject({ due_at: new Date(Date.parse(due_at) + 60_000).toISOString() });
  });
});

describe('fulfillment_timeline', () => {
  test('manual: the operator takes every step, and the next one waits with its time', async () => {
    const world = await timelineStage();
    const id = await world.place();
    const row = await world.next(id);
    await world.elapse(30 * day);
    expect([await world.seen(id), await world.next(id)]).toEqual([['Pending'], row]);
    expect(Date.parse(row.due_at)).toBeLessThan(await nowOf(world));
    const { orders, fulfillments } = world.stage;
    const steps: string[] = [row.step];
    const note = async () => void steps.push((await world.next(id)).step);
    await orders.accept(id).then(note);
    await orders.start_production(id).then(note);
    const { id: one } = await orders.ship(id, {});
    await note();
    await fulfillments.pick_up(one, {}).then(note);
    await fulfillments.deliver(one, {});
    expect(steps).toEqual([...timelineSteps]);
    expect(await world.due(id)).toBeUndefined();
  });

  test('set to automatic takes overdue steps at the times they were due, set back stops there', async () => {
    const [world, always] = [await timelineStage(), await onTimeline()];
    const id = await world.place();
    expect(await always.place()).toBe(id);
    await always.elapse(12 * day);
    await world.turn('automatic');
    const { due_at } = await world.until(id, 'shipped');
    await world.turn('manual');
    await world.elapse(12 * day - ((await nowOf(world)) - Date.parse(noon)));
    expect([await world.seen(id), (await world.next(id)).due_at]).toEqual([['In Production'], due_at]);
    await world.turn('automatic');
    expect(await recordsOf(world.stage)).toEqual(await recordsOf(always.stage));
  });

  test('leaves the orders and packages of the fixtures alone until somebody changes them', async () => {
    const world = await onTimeline();
    const before = await recordsOf(world.stage);
    await world.elapse(30 * day);
    expect(await recordsOf(world.stage)).toEqual(before);
    await world.stage.orders.accept(orderId(18));
    const [order, changed] = [orderId(13), fulfillmentId(24)];
    const packages = await world.seen(order);
    await world.stage.records.fulfillments.update(changed, { weight: 7 });
    await expectDelivered(world, orderId(18));
    expect(await world.seen(orderId(17))).toEqual(['Accepted']);
    const moved = (await world.seen(order)).filter((status, index) => status !== packages[index]);
    expect(moved).toEqual(['delivered']);
  });

  test('is named by responses about orders: automatic always, manual once a step is overdue', async () => {
    const named = ({ headers }: Answer) =>
      (headers.get('sandbox-assumption') ?? '').split(/,\s*/).filter((text) => text.startsWith('fulfillment_timeline'));
    const looks: Readonly<Record<string, (world: TimelineStage) => Promise<Answer>>> = {
      'get order': ({ client }) => client.get(`/v2/orders/${orderId(1)}`),
      'fulfillments of an order': ({ client }) => client.get(`/v2/orders/${orderId(1)}/fulfillments`),
      'get fulfillment': ({ client }) => client.get(`/v2/fulfillments/${fulfillmentId(1)}`),
      'create order': ({ client }) => client.post('/v2/orders', someOrder()),
    };
    for (const [what, look] of Object.entries(looks)) {
      expect(named(await look(await onTimeline())), what).toEqual(['fulfillment_timeline=automatic']);
      const world = await timelineStage();
      const { due_at } = await world.next(await world.place());
      await world.goTo(Date.parse(due_at) - 1);
      expect(named(await look(world)), what).toEqual([]);
      await world.goTo(due_at);
      expect(named(await look(world)), what).toEqual(['fulfillment_timeline=manual']);
      for (const path of ['/v2/products', '/v2/nowhere', '/v2/fulfillments?limit=0'])
        expect(named(await world.client.get(path)), path).toEqual([]);
    }
  });
});

describe('orders that somebody changes', () => {
  const ninetyDays = { order_lines: [{ ...orderLine(), duration: 90 }] };

  test('On Hold wait, and their time begins with the release', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.stage.orders.hold(id);
    await expectStill(world, id);
    await world.stage.orders.release(id);
    expect(Date.parse((await world.next(id)).due_at)).toBe((await nowOf(world)) + hour);
    await expectDelivered(world, id);
  });

  test.each(['approve_packaging', 'an active PAG'])('that need changes wait for %s', async (way) => {
    const world = await onTimeline();
    const id = await world.place();
    expect((await world.client.patch(`/v2/orders/${id}`, ninetyDays)).body.order.status).toBe('Needs Changes');
    await expectStill(world, id);
    const created = await world.place(ninetyDays);
    for (const one of way === 'approve_packaging' ? [id, created] : []) await world.stage.orders.approve_packaging(one);
    if (way === 'an active PAG')
      await world.stage.records.pags.update('30000000-0000-4000-8000-000000000003', { status: 'Active' });
    for (const one of [id, created])
      expect([await world.seen(one), (await world.next(one)).step]).toEqual([['Pending'], 'accepted']);
    await expectDelivered(world, created);
  });

  test('that are modified, or accepted by hand, are timed from then', async () => {
    const world = await onTimeline();
    const id = await world.place();
    const before = await world.next(id);
    await world.elapse(hour);
    expect((await world.client.patch(`/v2/orders/${id}`, { order_lines: [orderLine()] })).status).toBe(200);
    expect(await world.next(id)).toEqual({
      ...before,
      due_at: new Date(Date.parse(before.due_at) + hour).toISOString(),
    });
    await world.stage.singles.timeline.update(evenTimeline(3600));
    await world.stage.orders.accept(id);
    const { step, due_at } = await world.next(id);
    expect([step, Date.parse(due_at)]).toEqual(['in_production', (await nowOf(world)) + hour]);
  });

  test('that are canceled at any step ship nothing', async () => {
    for (const step of ['accepted', 'in_production', 'shipped', 'picked_up'] as const) {
      const world = await onTimeline();
      const id = await world.place();
      await world.until(id, step);
      if (step === 'accepted' || step === 'in_production')
        await (await world.sachet.login()).post(`/v2/orders/${id}/cancel`);
      else await world.stage.orders.cancel(id);
      expect(await world.seen(id), step).toEqual(step === 'picked_up' ? ['Canceled', 'label_created'] : ['Canceled']);
      await expectStill(world, id);
    }
  });

  test('of which a line was shipped by hand ship the rest at its time, and deliver both', async () => {
    const world = await onTimeline();
    const id = await world.place({ order_lines: [orderLine(), orderLine(), orderLine()] });
    const { due_at } = await world.until(id, 'shipped');
    const lines = (await world.stage.records.orders.get(id)).order_lines.map((line) => line.id);
    const { id: one } = await world.stage.orders.ship(id, { order_lines: lines.slice(1, 2) });
    await world.stage.fulfillments.pick_up(one, {});
    await world.elapse(hour / 2);
    await world.stage.fulfillments.delay(one, {});
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered', 'delivered']);
    const [byHand, rest] = await world.packages(id);
    expect(byHand?.order_lines.map((line) => line.id)).toEqual(lines.slice(1, 2));
    expect([rest?.order_lines.map((line) => line.id), rest?.created_at]).toEqual([[lines[0], lines[2]], due_at]);
  });
});

describe('packages that the operator moves', () => {
  async function onItsWay() {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.until(id, 'picked_up');
    const { fulfillments } = world.stage;
    const { id: one } = await world.onlyPackage(id);
    await world.elapse(hour / 4);
    await fulfillments.pick_up(one, {});
    const { step, due_at: planned } = await world.next(id);
    expect([step, Date.parse(planned)]).toEqual(['delivered', (await nowOf(world)) + hour]);
    await world.elapse(hour / 2);
    return { world, id, planned, fulfillments, one };
  }

  test('with a delay are delivered so much later', async () => {
    const { world, id, planned, fulfillments, one } = await onItsWay();
    await fulfillments.delay(one, {});
    const later = new Date(Date.parse(planned) + hour / 2).toISOString();
    expect((await world.next(id)).due_at).toBe(later);
    await world.goTo(planned);
    expect(await world.seen(id)).toEqual(['In Production', 'delayed']);
    await world.goTo(later);
    expect((await world.onlyPackage(id)).delivery_date).toBe(later);
  });

  test('to lost or returned are not delivered, unless they are found again', async () => {
    for (const end of ['lose', 'return'] as const) {
      const { world, id, fulfillments, one } = await onItsWay();
      await fulfillments[end](one, {});
      await expectStill(world, id);
      expect((await world.onlyPackage(id)).delivery_date).toBeNull();
      if (end === 'return') continue;
      await fulfillments.depart(one, {});
      const at = new Date((await nowOf(world)) + hour).toISOString();
      await world.goTo(at);
      expect(await world.onlyPackage(id)).toMatchObject({ status_id: 'delivered', delivery_date: at });
    }
  });
});
