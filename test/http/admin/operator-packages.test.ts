// Operator actions on packages: which are allowed in each status, by force or not, and the dates that they set.
import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/domain/fulfillments.ts';
import {
  addressIn,
  allowedActions,
  type OperatorStage,
  operatorStage,
  packageActions,
  packageStatuses,
  seen,
  withoutStatuses,
} from '../../support/operator.ts';
import { fulfillmentId, someOrder, unknownId } from '../../support/order-requests.ts';
import { afterNoon, day, hour, noon } from '../../support/sachet.ts';

test.each(packageStatuses)('a package that is %s', async (status) => {
  const world = await operatorStage();
  const id = await world.packageIn(status);
  const before = await world.package(id);
  expect(before.status_id).toBe(status);
  await world.stage.snapshots.create({ name: 'before' });
  const at = afterNoon(hour);
  const allowed = allowedActions[status];
  const next = allowed.length > 0 ? `possible actions: ${allowed.join(', ')}` : 'this is its final status';
  for (const action of packageActions) {
    await world.stage.snapshots.restore('before');
    await world.setTo(hour);
    const isAllowed = allowed.includes(action);
    if (!isAllowed) {
      const message = `${action} is impossible: the package is ${status}; ${next}. Set {"force": true} to do it anyway`;
      for (const body of [undefined, { force: false }])
        expect(await world.expectRefusal(() => world.move(id, action, body))).toEqual([422, message]);
    }
    const after = {
      ...{ status_id: statusOf[action], updated_at: at },
      pickup_date: before.pickup_date ?? (action === 'pick_up' ? at : null),
      delivery_date: before.delivery_date ?? (action === 'deliver' ? at : null),
    };
    const moved = await world.move(id, action, { force: !isAllowed });
    expect([moved.status, moved.body], action).toEqual([200, { ...before, ...after }]);
    expect(await world.package(id)).toEqual(moved.body);
    expect(await seen(world, id)).toMatchObject(after);
  }
});

describe('a package', () => {
  test('is found by its id in upper case; an unknown one is 404', async () => {
    const world = await operatorStage();
    const id = await world.packageIn('label_created');
    expect(id).toMatch(/[a-f]/);
    expect((await world.move(id.toUpperCase(), 'pick_up')).body).toMatchObject({ id, status_id: 'picked_up' });
    const message = expect.stringContaining('There is no record in fulfillments');
    for (const missing of [unknownId, '__proto__'])
      for (const action of packageActions)
        expect(await world.expectRefusal(() => world.move(missing, action, { force: true }))).toEqual([404, message]);
  });

  test('of any brand is changed alone: no other package, and not its order', async () => {
    const { stage, move } = await operatorStage();
    const all = async () => (await stage.records.fulfillments.list()).fulfillments;
    const [before, orders] = [await all(), await stage.records.orders.list()];
    const { body } = await move(fulfillmentId(21), 'lose');
    expect(await all()).toEqual(before.map((one) => (one.id === fulfillmentId(21) ? body : one)));
    expect(await stage.records.orders.list()).toEqual(orders);
    expect((await move(fulfillmentId(6), 'return')).body).toMatchObject({ status_id: 'returned', updated_at: noon });
  });

  test('in a status of the fixtures’ own moves by force only', async () => {
    const world = await operatorStage();
    const uuid = '61000000-0000-4000-8000-0000000000c0';
    await world.stage.records.fulfillment_statuses.create({ id: 'customs', uuid, name: 'At Customs' });
    const id = await world.packageIn('in_transit');
    await world.stage.records.fulfillments.update(id, { status_id: 'customs' });
    const message = /the package is customs.*this status comes from the fixtures and allows no action.*{"force": true}/;
    for (const action of packageActions)
      expect(await world.expectRefusal(() => world.move(id, action))).toEqual([422, expect.stringMatching(message)]);
    expect((await world.move(id, 'depart', { force: true })).body.status_id).toBe('in_transit');
  });

  test('never gets a status that the sandbox lacks', async () => {
    const world = await operatorStage({ fixtures: withoutStatuses('lost') });
    const id = await world.packageIn('picked_up');
    for (const body of [{}, { force: true }])
      expect(await world.expectRefusal(() => world.move(id, 'lose', body))).toEqual([
        422,
        expect.stringContaining('lost'),
      ]);
    expect((await world.move(id, 'deliver')).status).toBe(200);
  });
});

const datesOf = async (world: OperatorStage, id: string): Promise<(string | null)[]> => {
  const { created_at, pickup_date, delivery_date, updated_at } = await seen(world, id);
  return [created_at, pickup_date, delivery_date, updated_at];
};

test('the dates of a package are those of its pickup and delivery, with a delay or a return too', async () => {
  const world = await operatorStage();
  const id = await world.packageIn('label_created');
  const [pickup, delivery] = [afterNoon(hour), afterNoon(7 * hour)];
  const steps = ['pick_up', 'depart', 'delay', 'depart', 'lose', 'depart', 'deliver', 'return'] as const;
  for (const [index, step] of steps.entries()) {
    const now = afterNoon((index + 1) * hour);
    await world.setTo((index + 1) * hour);
    await world.stage.fulfillments[step](id);
    expect(await datesOf(world, id)).toEqual([noon, pickup, index < 6 ? null : delivery, now]);
  }
});

test('a package that is delivered by force has no pickup after its delivery', async () => {
  const world = await operatorStage();
  const id = await world.packageIn('label_created');
  await world.setTo(hour);
  await world.move(id, 'deliver', { force: true });
  expect(await datesOf(world, id)).toEqual([noon, null, afterNoon(hour), afterNoon(hour)]);
  await world.setTo(2 * hour);
  await world.move(id, 'pick_up', { force: true });
  expect(await datesOf(world, id)).toEqual([noon, afterNoon(hour), afterNoon(hour), afterNoon(2 * hour)]);
});

describe('when the clock is set back', () => {
  test('no date of a package is before an earlier one', async () => {
    const world = await operatorStage();
    const id = await world.packageIn('label_created');
    for (const [index, step] of (['pick_up', 'depart', 'delay', 'depart', 'deliver', 'return'] as const).entries()) {
      await world.setTo(-(index + 1) * day);
      expect((await world.move(id, step)).status).toBe(200);
    }
    expect(await datesOf(world, id)).toEqual([noon, noon, noon, noon]);
    await world.setTo(0);
    const later = await world.packageIn('label_created');
    await world.setTo(2 * hour);
    await world.move(later, 'pick_up');
    await world.setTo(hour);
    expect((await world.move(later, 'delay')).body.updated_at).toBe(afterNoon(2 * hour));
    await world.stage.records.fulfillments.update(later, { updated_at: noon });
    expect((await world.move(later, 'deliver')).body).toMatchObject({ delivery_date: afterNoon(2 * hour) });
  });

  test('no order is updated before it was created, by the operator or the partner', async () => {
    const world = await operatorStage({ assumptions: { order_fields: 'echo' } });
    const create = async () => (await world.client.post('/v2/orders', someOrder())).body.order.id;
    const [id, own] = [await create(), await create()];
    const dates = { created_at: noon, updated_at: noon };
    await world.setTo(-day);
    for (const action of ['hold', 'release', 'accept', 'start_production', 'cancel'])
      expect((await world.act(id, action)).body).toMatchObject(dates);
    const { client } = world;
    const changes = [await client.patch(`/v2/orders/${own}`, addressIn('Germany'))];
    changes.push(await client.post(`/v2/orders/${own}/cancel`));
    for (const { body } of changes) expect(body.order).toMatchObject(dates);
  });

  test('no package is created before its order went into production', async () => {
    const world = await operatorStage();
    const { id } = (await world.client.post('/v2/orders', someOrder())).body.order;
    await world.setTo(hour);
    for (const action of ['accept', 'start_production']) await world.act(id, action);
    await world.setTo(-day);
    expect((await world.ship(id)).body).toMatchObject({ created_at: afterNoon(hour), updated_at: afterNoon(hour) });
  });
});
