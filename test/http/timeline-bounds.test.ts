// What the timeline costs, where it ends for want of room or of a status, and that it stays in its own sandbox.
import { describe, expect, test } from 'vitest';
import type { DueStep } from '../../src/contract/records.ts';
import { untilSo } from '../support/control.ts';
import { scenariosOf } from '../support/layers.ts';
import { fulfillmentId, orderId, lineOf as orderLine, someOrder } from '../support/order-requests.ts';
import { fixtures, noon } from '../support/sachet.ts';
import { isReplicated } from '../support/test-engine.ts';
import { day, type Line, lineOf, onTimeline, rowLike, withDue } from '../support/timeline.ts';

const sandboxOf = ({ sachet }: Line, name?: string) => sachet.sandbox(name);

/** Runs something, and gives how often state was committed meanwhile. */
async function commitsOf({ sachet }: Line, run: () => Promise<unknown>): Promise<number> {
  let commits = 0;
  const end = (await sachet.sandbox()).observe(() => {
    commits += 1;
  });
  await run();
  end();
  return commits;
}

/** A stage with so many orders more, each due to be accepted at noon. */
async function crowded(count: number): Promise<Line> {
  const world = await lineOf();
  const document = await world.stage.state.get();
  const pending = document.data.orders.find(({ id }) => id === orderId(18));
  if (!pending) throw new Error('there is a Pending order');
  const orders = Array.from({ length: count }, (_, n) => ({ ...pending, id: orderId(1000 + n) }));
  const row = await rowLike(world, { id: orderId(18), step: 'accepted', due_at: noon });
  const rows = orders.map(({ id }): DueStep => ({ ...row, id }));
  const data = { ...document.data, orders: [...document.data.orders, ...orders] };
  const counters = { ...document.counters, orders: data.orders.length };
  await world.stage.state.put(withDue({ ...document, data, counters }, rows));
  return world;
}

describe('steps that are due', () => {
  test('of 2,000 orders at once are taken by one call, and never again', async () => {
    const world = await crowded(2000);
    const due = async () => (await sandboxOf(world)).state.table('due_steps').size;
    expect(await due()).toBe(2000);
    await world.elapse(14 * day);
    await world.turn('automatic');
    await world.stage.clock.get();
    expect(await due()).toBe(0);
    const fulfillments = (await sandboxOf(world)).state.table('fulfillments');
    expect(fulfillments.size).toBe(fixtures.fulfillments.length + 2000);
    const all = Array.from(fulfillments.entries(), ([, one]) => one);
    expect(new Set(all.map((one) => one.tracking_info?.tracking_number)).size).toBe(
      new Set(fixtures.fulfillments.map((one) => one.tracking_info?.tracking_number)).size + 2000,
    );
    const { client } = world;
    const read = () => Promise.all([client.get('/v2/products'), world.stage.records.orders.get(orderId(1))]);
    expect(await commitsOf(world, read)).toBe(0);
  });

  test('are taken once for all that wait for them, in small transactions', async () => {
    const world = await crowded(500);
    await world.elapse(14 * day);
    await world.turn('automatic');
    const waiting = () => Promise.all(Array.from({ length: 20 }, () => world.stage.clock.get()));
    const commits = await commitsOf(world, waiting);
    expect(commits).toBeGreaterThanOrEqual((500 * 4) / 250);
    expect(commits).toBeLessThanOrEqual((500 * 5) / 250 + 2);
  });

  test('keep a call waiting that then finds the sandbox begun anew: it does nothing', async () => {
    // Many, so that the reset arrives while steps are still taken.
    const world = await crowded(2000);
    await world.elapse(14 * day);
    await world.turn('automatic');
    const { version } = await sandboxOf(world);
    const advanced = world.stage.clock.advance({ seconds: 86_400 }).then(() => 'done', String);
    const ordered = world.order().then(({ status }) => status);
    await untilSo(async () => (await sandboxOf(world)).version > version);
    await world.stage.reset();
    expect(await advanced).toMatch(/409.*was reset/);
    expect(await ordered).toBe(500);
    expect(await world.stage.clock.get()).toMatchObject({ now: noon });
    expect(await world.stored()).toBe(fixtures.orders.length);
  });

  // One server sees the commits of the others when it catches up.
  test.skipIf(isReplicated)(
    'are kept by the first read that meets them; the reads after it commit nothing',
    async () => {
      const world = await onTimeline();
      const id = await world.place();
      await world.sachet.advance(3 * day);
      const client = await world.sachet.login();
      await world.sachet.advance(day / 2);
      const reads = [
        () => client.get('/v2/fulfillments'),
        () => client.get(`/v2/orders/${id}`),
        () => world.stage.records.fulfillments.list(),
        () => world.stage.state.get(),
      ];
      const commits: number[] = [];
      for (const read of reads) commits.push(await commitsOf(world, read));
      expect(commits).toEqual([1, 0, 0, 0]);
      expect((await world.next(id)).step).toBe('delivered');
    },
  );

  test('are kept by a call that is refused, too, whichever comes first', async () => {
    for (const [method, path] of [
      ['GET', '/v2/orders'],
      ['POST', '/v2/authentication/token'],
      ['GET', '/v2/nowhere'],
    ] as const) {
      const world = await onTimeline();
      const id = await world.place();
      await world.sachet.advance(14 * day);
      expect(await commitsOf(world, () => world.sachet.call(method, path))).toBe(1);
      expect(await world.due(id)).toBeUndefined();
    }
  });

  test('are kept by a control call that is refused', async () => {
    const world = await onTimeline();
    const id = await world.place();
    await world.sachet.advance(14 * day);
    const refused = () => expect(world.stage.orders.accept(id)).rejects.toThrow(/422/);
    expect(await commitsOf(world, refused)).toBe(1);
    expect((await sandboxOf(world)).state.table('due_steps').size).toBe(0);
  });

  test('are kept as soon as a scenario has moved the clock, before any other call', async () => {
    const world = await onTimeline({ scenarios: scenariosOf({ later: { clock: { now: '2027-01-01T00:00:00Z' } } }) });
    const id = await world.place();
    await world.stage.scenarios.apply('later');
    const { state } = await sandboxOf(world);
    expect([state.table('orders').get(id)?.status, state.table('due_steps').size]).toEqual(['In Production', 0]);
  });

  test('commit nothing under manual, whoever looks', async () => {
    const world = await lineOf();
    await world.place();
    await world.sachet.advance(14 * day);
    const { client } = world;
    const looks = async () => {
      await client.get('/v2/products');
      await world.stage.records.orders.list();
      await world.stage.state.get();
      await world.sachet.call('GET', '/v2/orders');
    };
    expect(await commitsOf(world, looks)).toBe(0);
  });
});

describe('a sandbox without room for another package', () => {
  const full = { maxRecords: fixtures.fulfillments.length + 1 };

  test('ships nothing more, and goes on answering', async () => {
    const world = await onTimeline(full);
    const ids = [await world.place(), await world.place(), await world.place()];
    await world.elapse(14 * day);
    const seen = await Promise.all(ids.map((id) => world.seen(id)));
    expect(seen.filter((all) => all.length > 1)).toEqual([['In Production', 'delivered']]);
    expect(seen.filter((all) => all.length === 1)).toEqual([['In Production'], ['In Production']]);
    expect((await sandboxOf(world)).state.table('due_steps').size).toBe(0);
    expect((await (await world.sachet.login()).get('/v2/fulfillments')).status).toBe(200);
  });

  test('uses up no number of a shipment, so that the next package is as if nothing had been tried', async () => {
    const world = await onTimeline(full);
    await world.place();
    await world.place();
    await world.elapse(14 * day);
    const { shipments } = (await world.stage.state.get()).counters;
    expect(shipments).toBe(1);
  });

  test('ships what was left once there is room and the order is changed', async () => {
    const world = await onTimeline(full);
    const ids = [await world.place(), await world.place()];
    await world.elapse(14 * day);
    const left = [];
    for (const id of ids) if ((await world.packages(id)).length === 0) left.push(id);
    const [id = ''] = left;
    await world.stage.orders.cancel(orderId(1));
    await world.stage.records.fulfillments.delete(fulfillmentId(1));
    const { shipping_address } = await world.stage.records.orders.get(id);
    await world.stage.records.orders.update(id, { shipping_address: { ...shipping_address, city: 'Shelbyville' } });
    await world.elapse(14 * day);
    expect(await world.seen(id)).toEqual(['In Production', 'delivered']);
  });
});

test.each([
  ['label_created', ['In Production']],
  ['picked_up', ['In Production', 'label_created']],
  ['delivered', ['In Production', 'picked_up']],
])('where the sandbox has no status %s the timeline ends before it', async (status, seen) => {
  const statuses = fixtures.fulfillment_statuses.filter(({ id }) => id !== status);
  const fulfillments = fixtures.fulfillments.filter(({ status_id }) => status_id !== status);
  const world = await onTimeline({ fixtures: { ...fixtures, fulfillment_statuses: statuses, fulfillments } });
  const id = await world.place();
  await world.elapse(30 * day);
  expect([await world.seen(id), await world.due(id)]).toEqual([seen, undefined]);
});

test('without any carrier a package goes without tracking', async () => {
  const world = await onTimeline({ fixtures: { ...fixtures, carriers: [] } });
  const id = await world.place();
  await world.elapse(14 * day);
  expect(await world.onlyPackage(id)).toMatchObject({ status_id: 'delivered', tracking_info: null });
});

test('an order that is deleted leaves no row behind', async () => {
  const world = await onTimeline();
  const [id, other] = [await world.place(), await world.place({ order_lines: [orderLine(), orderLine()] })];
  await world.stage.records.orders.delete(id);
  expect(Array.from((await sandboxOf(world)).state.table('due_steps').entries(), ([, row]) => row.id)).toEqual([other]);
});

test('an order that the tester makes gets on from where it stands', async () => {
  const world = await onTimeline();
  const { id: _i, created_at: _c, updated_at: _u, ...accepted } = await world.stage.records.orders.get(orderId(17));
  const made = await world.stage.records.orders.create(accepted);
  expect((await world.next(made.id)).step).toBe('in_production');
});

test('the steps of one sandbox never touch another', async () => {
  const world = await onTimeline();
  const { sachet } = world;
  const w7 = sachet.control.sandbox('w7');
  const client = await sachet.login('demo+w7');
  await client.post('/v2/orders', someOrder());
  const id = await world.place();
  const roots = [await sandboxOf(world), await sandboxOf(world, 'production')];
  await w7.clock.advance({ by: 'P14D' });
  expect((await w7.records.fulfillments.list()).fulfillments).toHaveLength(fixtures.fulfillments.length + 1);
  expect([await sandboxOf(world), await sandboxOf(world, 'production')]).toEqual(roots);
  expect(await sandboxOf(world)).toBe(roots[0]);
  expect(await world.seen(id)).toEqual(['Pending']);
});
