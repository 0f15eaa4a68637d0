// Orders move by the sandbox's clock: each step at its time, also after changes by hand.
import { describe, expect, test } from 'vitest';
import { timelineSteps } from '../../src/contract/records.ts';
import { fulfillmentId, orderId, orderLine, someOrder } from '../support/order-requests.ts';
import { type Answer, day, fixtures, hour, noon } from '../support/sachet.ts';
import {
  evenTimeline,
  onTimeline,
  recordsOf,
  type TimelineStage,
  timelineStage,
  withOrder,
} from '../support/timeline.ts';

const nowOf = async ({ stage }: TimelineStage) => Date.parse((await stage.clock.get()).now);
const linesOf = (...durations: number[]) => ({
  order_lines: durations.map((duration) => ({ ...orderLine(), duration })),
});
const idsOf = (rows: readonly { readonly id: string }[] = []): string[] => rows.map(({ id }) => id);

/** The order does not change for two weeks. */
async function expectNoStep(world: TimelineStage, id: string): Promise<void> {
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
    const [world, unwatched] = [await withOrder(linesOf(30, 30)), await withOrder(linesOf(30, 30))];
    const { id, stage } = world;
    const { status: _s, updated_at: _u, ...placed } = await stage.records.orders.get(id);
    const asClient = async () => {
      const client = await world.sachet.login();
      const { status } = (await client.get(`/v2/orders/${id}`)).body.order;
      const { fulfillments } = (await client.get(`/v2/orders/${id}/fulfillments`)).body;
      return [status, ...fulfillments.map((one: { status_id: string }) => one.status_id)].join(', ');
    };
    const seen: string[] = [];
    const due: string[] = [];
    for (const step of timelineSteps) {
      const { due_at, step: next } = await world.next(id);
      expect(next).toBe(step);
      await world.goTo(Date.parse(due_at) - 1);
      seen.push(await asClient());
      await world.goTo(due_at);
      seen.push(await asClient());
      due.push(due_at);
    }
    const statuses = ['Pending', 'Accepted', 'In Production', 'In Production, label_created'];
    statuses.push('In Production, picked_up', 'In Production, delivered');
    expect(seen).toEqual(statuses.slice(1).flatMap((status, index) => [statuses[index], status]));
    expect(await world.due(id)).toBeUndefined();
    expect((await nowOf(world)) - Date.parse(noon)).toBeLessThan(10 * day);

    const [accepted, produced, shipped, pickedUp, delivered] = due;
    const one = await world.onlyPackage(id);
    const { created_at, pickup_date, delivery_date, updated_at } = one;
    expect([created_at, pickup_date, delivery_date, updated_at]).toEqual([shipped, pickedUp, delivered, delivered]);
    const order = await stage.records.orders.get(id);
    expect(order).toEqual({ ...placed, status: 'In Production', updated_at: produced });
    expect(idsOf(one.order_lines)).toEqual(idsOf(order.order_lines));
    const ofOrder = [
      { status_id: 'Accepted', at: accepted },
      { status_id: 'In Production', at: produced },
    ];
    const events = [
      { status_id: 'label_created', at: shipped },
      { status_id: 'picked_up', at: pickedUp },
      { status_id: 'delivered', at: delivered },
    ];
    expect((await stage.state.get()).tracking).toEqual([
      { id, events: ofOrder },
      { id: one.id, events },
    ]);
    await unwatched.elapse(10 * day);
    expect(await unwatched.onlyPackage(unwatched.id)).toEqual(one);
  });

  test('that was placed later overtakes one whose next step is due later', async () => {
    const { id, until, place, next, goTo, seen } = await withOrder();
    await until(id, 'delivered');
    const later = await place();
    await goTo((await next(later)).due_at);
    expect([await seen(later), await seen(id)]).toEqual([['Accepted'], ['In Production', 'picked_up']]);
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
          delays.push(((Date.parse(row.due_at) - from) / 1000 - delay_seconds) / spread_seconds);
          from = Date.parse(row.due_at);
          await world.goTo(row.due_at);
        }
      }
      return delays;
    };
    const [one, other] = [await delaysIn('test'), await delaysIn('other')];
    expect(await delaysIn('test')).toEqual(one);
    expect([...one, ...other].filter((part) => !(part >= 0 && part <= 1))).toEqual([]);
    expect(new Set([...one, ...other]).size).toBe(20);
  });

  test.each([30 * 86_400, 1])('keeps the time of its next step when delays become %d s', async (seconds) => {
    const { id, stage, next, goTo, seen } = await withOrder();
    const { due_at } = await next(id);
    const delays = (delay_seconds: number) => ({ delay_seconds, spread_seconds: 0 });
    await stage.singles.timeline.update({ accepted: delays(seconds), in_production: delays(60) });
    expect(await next(id)).toMatchObject({ step: 'accepted', due_at });
    await goTo(Date.parse(due_at) - 1);
    expect(await seen(id)).toEqual(['Pending']);
    await goTo(due_at);
    expect(await seen(id)).toEqual(['Accepted']);
    expect(await next(id)).toMatchObject({ due_at: new Date(Date.parse(due_at) + 60_000).toISOString() });
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
    const steps: unknown[] = [row.step];
    const note = async () => void steps.push((await world.due(id))?.step);
    await orders.accept(id).then(note);
    await orders.start_production(id).then(note);
    const { id: one } = await orders.ship(id, {});
    await note();
    await fulfillments.pick_up(one, {}).then(note);
    await fulfillments.deliver(one, {}).then(note);
    expect(steps).toEqual([...timelineSteps, undefined]);
  });

  test('set to automatic takes overdue steps at the times they were due, set back stops there', async () => {
    const [world, always] = [await timelineStage(), await withOrder()];
    const id = await world.place();
    expect(always.id).toBe(id);
    await always.elapse(12 * day);
    await world.setTimeline('automatic');
    const { due_at } = await world.until(id, 'shipped');
    await world.setTimeline('manual');
    await world.goTo(Date.parse(noon) + 12 * day);
    expect([await world.seen(id), (await world.next(id)).due_at]).toEqual([['In Production'], due_at]);
    await world.setTimeline('automatic');
    expect(await recordsOf(world.stage)).toEqual(await recordsOf(always.stage));
  });

  test('leaves the orders and packages of the fixtures alone until somebody changes them', async () => {
    const world = await onTimeline();
    const before = await recordsOf(world.stage);
    await world.elapse(30 * day);
    expect(await recordsOf(world.stage)).toEqual(before);
    await world.stage.orders.accept(orderId(18));
    const packages = await world.seen(orderId(13));
    await world.stage.records.fulfillments.update(fulfillmentId(24), { weight: 7 });
    await expectDelivered(world, orderId(18));
    expect(await world.seen(orderId(17))).toEqual(['Accepted']);
    const moved = (await world.seen(orderId(13))).filter((status, index) => status !== packages[index]);
    expect(moved).toEqual(['delivered']);
  });

  test.each<[string, (world: TimelineStage) => Promise<Answer>]>([
    ['an order', ({ client }) => client.get(`/v2/orders/${orderId(1)}`)],
    ['the fulfillments of an order', ({ client }) => client.get(`/v2/orders/${orderId(1)}/fulfillments`)],
    ['a fulfillment', ({ client }) => client.get(`/v2/fulfillments/${fulfillmentId(1)}`)],
    ['a new order', ({ client }) => client.post('/v2/orders', someOrder())],
  ])('is named by the response with %s: automatic always, manual once a step is overdue', async (_, call) => {
    const named = ({ headers }: Answer) =>
      /fulfillment_timeline=\w+/.exec(headers.get('sandbox-assumption') ?? '')?.[0];
    expect(named(await call(await onTimeline()))).toBe('fulfillment_timeline=automatic');
    const world = await timelineStage();
    const { due_at } = await world.next(await world.place());
    await world.goTo(Date.parse(due_at) - 1);
    expect(named(await call(world))).toBeUndefined();
    await world.goTo(due_at);
    expect(named(await call(world))).toBe('fulfillment_timeline=manual');
    for (const path of ['/v2/products', '/v2/nowhere', '/v2/fulfillments?limit=0'])
      expect(named(await world.client.get(path)), path).toBeUndefined();
  });
});

describe('orders that somebody changes', () => {
  test('On Hold wait, and their time begins with the release', async () => {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.stage.orders.hold(id);
    await expectNoStep(world, id);
    await world.stage.orders.release(id);
    expect(Date.parse((await world.next(id)).due_at)).toBe((await nowOf(world)) + hour);
    await expectDelivered(world, id);
  });

  test.each(['approve_packaging', 'an active PAG'])('that need changes wait for %s', async (way) => {
    const world = await withOrder();
    const { id, stage, client } = world;
    expect((await client.patch(`/v2/orders/${id}`, linesOf(90))).body.order.status).toBe('Needs Changes');
    await expectNoStep(world, id);
    const created = await world.place(linesOf(90));
    if (way === 'an active PAG')
      await stage.records.pags.update('30000000-0000-4000-8000-000000000003', { status: 'Active' });
    else for (const one of [id, created]) await stage.orders.approve_packaging(one);
    for (const one of [id, created])
      expect([await world.seen(one), (await world.next(one)).step]).toEqual([['Pending'], 'accepted']);
    await expectDelivered(world, created);
  });

  test('that are modified, or accepted by hand, are timed from then', async () => {
    const world = await withOrder();
    const { id, stage, client } = world;
    const before = await world.next(id);
    await world.elapse(hour);
    expect((await client.patch(`/v2/orders/${id}`, linesOf(30))).status).toBe(200);
    const due_at = new Date(Date.parse(before.due_at) + hour).toISOString();
    expect(await world.next(id)).toEqual({ ...before, due_at });
    await stage.singles.timeline.update(evenTimeline(3600));
    await stage.orders.accept(id);
    const next = await world.next(id);
    expect([next.step, Date.parse(next.due_at)]).toEqual(['in_production', (await nowOf(world)) + hour]);
  });

  test.each(['accepted', 'in_production', 'shipped', 'picked_up'] as const)(
    'that are canceled before the step %s ship nothing',
    async (step) => {
      const world = await withOrder();
      const { id, stage, sachet } = world;
      await world.until(id, step);
      if (step === 'accepted' || step === 'in_production') await (await sachet.login()).post(`/v2/orders/${id}/cancel`);
      else await stage.orders.cancel(id);
      expect(await world.seen(id)).toEqual(step === 'picked_up' ? ['Canceled', 'label_created'] : ['Canceled']);
      await expectNoStep(world, id);
    },
  );

  test('of which a line was shipped by hand ship the rest at its time, and deliver both', async () => {
    const world = await withOrder(linesOf(30, 30, 30));
    const { id, stage } = world;
    const { due_at } = await world.until(id, 'shipped');
    const [one, two = '', three] = idsOf((await stage.records.orders.get(id)).order_lines);
    const shipped = await stage.orders.ship(id, { order_lines: [two] });
    await stage.fulfillments.pick_up(shipped.id, {});
    await world.elapse(hour / 2);
    await stage.fulfillments.delay(shipped.id, {});
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered', 'delivered']);
    const [byHand, rest] = await world.packages(id);
    expect([idsOf(byHand?.order_lines), idsOf(rest?.order_lines)]).toEqual([[two], [one, three]]);
    expect(rest?.created_at).toBe(due_at);
  });
});

describe('packages that the operator moves', () => {
  /** A package that the operator picked up half an hour ago, and when its delivery is due. */
  async function pickedUp() {
    const world = await onTimeline();
    await world.stage.singles.timeline.update(evenTimeline(3600));
    const id = await world.place();
    await world.until(id, 'picked_up');
    const one = (await world.onlyPackage(id)).id;
    await world.elapse(hour / 4);
    await world.stage.fulfillments.pick_up(one, {});
    const { step, due_at } = await world.next(id);
    expect([step, Date.parse(due_at)]).toEqual(['delivered', (await nowOf(world)) + hour]);
    await world.elapse(hour / 2);
    return { world, id, due_at, fulfillments: world.stage.fulfillments, one };
  }

  test('with a delay are delivered so much later', async () => {
    const { world, id, due_at, fulfillments, one } = await pickedUp();
    await fulfillments.delay(one, {});
    const later = new Date(Date.parse(due_at) + hour / 2).toISOString();
    expect((await world.next(id)).due_at).toBe(later);
    await world.goTo(due_at);
    expect(await world.seen(id)).toEqual(['In Production', 'delayed']);
    await world.goTo(later);
    expect((await world.onlyPackage(id)).delivery_date).toBe(later);
  });

  test('to lost or returned are not delivered, unless they are found again', async () => {
    for (const end of ['return', 'lose'] as const) {
      const { world, id, fulfillments, one } = await pickedUp();
      await fulfillments[end](one, {});
      await expectNoStep(world, id);
      expect((await world.onlyPackage(id)).delivery_date).toBeNull();
      if (end === 'return') continue;
      await fulfillments.depart(one, {});
      const at = new Date((await nowOf(world)) + hour).toISOString();
      await world.goTo(at);
      expect(await world.onlyPackage(id)).toMatchObject({ status_id: 'delivered', delivery_date: at });
    }
  });
});
