// Dates stay in order, also when the clock is set back between two actions: nothing happens to a record before what happened to it last.
import { describe, expect, test } from 'vitest';
import { day, hour, type Operated, operated, seen } from '../../support/operator.ts';
import { someOrder } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';

const inOrder = (...dates: readonly (string | null)[]): void => {
  const there = dates.filter((date) => date !== null);
  expect(there.toSorted()).toEqual(there);
};
async function packageDates(world: Operated, id: string): Promise<(string | null)[]> {
  const { created_at, pickup_date, delivery_date, updated_at } = await seen(world, id);
  return [created_at, pickup_date, delivery_date, updated_at];
}

describe('when the clock is set back', () => {
  test('a package is never picked up before it was made, nor delivered before it was picked up', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    const steps = ['pick_up', 'depart', 'delay', 'depart', 'deliver', 'return'] as const;
    for (const [index, step] of steps.entries()) {
      await world.setTo(-(index + 1) * day);
      expect((await world.move(id, step)).status).toBe(200);
      inOrder(...(await packageDates(world, id)));
    }
    expect(await packageDates(world, id)).toEqual([noon, noon, noon, noon]);
  });

  test('and on again, each date is the latest yet', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    await world.setTo(2 * hour);
    const pickup = (await world.move(id, 'pick_up')).body.pickup_date;
    await world.setTo(hour);
    expect((await world.move(id, 'delay')).body.updated_at).toBe(pickup);
    await world.setTo(3 * hour);
    const { delivery_date } = (await world.move(id, 'deliver')).body;
    expect(delivery_date > pickup).toBe(true);
    inOrder(...(await packageDates(world, id)));
  });

  test('an order is never updated before it was made', async () => {
    const world = await operated({ assumptions: { order_fields: 'echo' } });
    const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
    for (const [index, action] of (['hold', 'release', 'accept', 'start_production', 'cancel'] as const).entries()) {
      await world.setTo(-(index + 1) * day);
      const { created_at, updated_at } = (await world.act(id, action)).body;
      expect([created_at, updated_at]).toEqual([noon, noon]);
    }
  });

  test('nor by the partner', async () => {
    const world = await operated({ assumptions: { order_fields: 'echo' } });
    const { id, order_lines } = (await world.client.post('/v2/orders', someOrder())).body.order;
    await world.setTo(-day);
    const modified = await world.client.patch(`/v2/orders/${id}`, { shipping_address: someOrder().shipping_address });
    expect(modified.body.order).toMatchObject({ created_at: noon, updated_at: noon, order_lines });
    await world.setTo(-2 * day);
    const canceled = await world.client.post(`/v2/orders/${id}/cancel`);
    expect(canceled.body.order).toMatchObject({ created_at: noon, updated_at: noon });
  });

  test('a package is never made before its order was made or put in production', async () => {
    const world = await operated();
    const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
    await world.setTo(hour);
    for (const action of ['accept', 'start_production']) await world.act(id, action);
    await world.setTo(-day);
    const { body } = await world.ship(id);
    const order = await world.order(id);
    inOrder(order.created_at, order.updated_at, body.created_at, body.updated_at);
  });

  test('also where a tester changed the package in between', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    await world.setTo(hour);
    await world.move(id, 'pick_up');
    await world.setTo(-day);
    await world.stage.records.fulfillments.update(id, { weight: 5 });
    await world.move(id, 'deliver');
    inOrder(...(await packageDates(world, id)));
  });

  test('also where a tester dated the package’s last update otherwise', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    await world.setTo(hour);
    await world.move(id, 'pick_up');
    await world.setTo(2 * hour);
    await world.move(id, 'deliver');
    await world.setTo(-day);
    await world.stage.records.fulfillments.update(id, { updated_at: noon });
    await world.move(id, 'return');
    inOrder(...(await packageDates(world, id)));
  });

  test('also where a tester changed the order in between', async () => {
    const world = await operated();
    const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
    await world.setTo(-day);
    await world.stage.records.orders.update(id, { shipping_address: { city: 'Bern' } });
    await world.act(id, 'accept');
    const { created_at, updated_at } = await world.order(id);
    inOrder(created_at, updated_at);
  });
});

test('forced actions that come in order are dated in order, too', async () => {
  const world = await operated();
  const id = await world.packageIn('label_created');
  await world.setTo(-hour);
  for (const action of ['pick_up', 'deliver', 'deliver', 'pick_up']) await world.move(id, action, { force: true });
  expect(await packageDates(world, id)).toEqual([noon, noon, noon, noon]);
});

test('a package of the future is moved no earlier than its own dates', async () => {
  const world = await operated();
  await world.setTo(20 * hour);
  const later = (await world.stage.clock.get()).now;
  const id = await world.packageIn('picked_up');
  await world.stage.clock.set({ now: '1970-01-01T00:00:00.000Z' });
  expect((await world.move(id, 'deliver')).body).toMatchObject({ delivery_date: later, updated_at: later });
});
