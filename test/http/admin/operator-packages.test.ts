// Actions on packages: what can become of one in each status, and when it was picked up and delivered.
import { describe, expect, test } from 'vitest';
import {
  afterNoon,
  hour,
  operated,
  type PackageAction,
  type PackageStatus,
  packageActions,
  packageStatuses,
  seen,
} from '../../support/operator.ts';
import { fulfillmentId, unknownId } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';

const leads: Readonly<Record<PackageAction, PackageStatus>> = {
  pick_up: 'picked_up',
  depart: 'in_transit',
  delay: 'delayed',
  deliver: 'delivered',
  lose: 'lost',
  return: 'returned',
};
const allowed: Readonly<Record<PackageStatus, readonly PackageAction[]>> = {
  label_created: ['pick_up'],
  picked_up: ['depart', 'delay', 'deliver', 'lose', 'return'],
  in_transit: ['delay', 'deliver', 'lose', 'return'],
  delayed: ['depart', 'deliver', 'lose', 'return'],
  delivered: ['return'],
  lost: ['depart', 'return'],
  returned: [],
};
const dateOf: Readonly<Partial<Record<PackageAction, string>>> = { pick_up: 'pickup_date', deliver: 'delivery_date' };

describe.each(packageStatuses)('a package that is %s', (status) => {
  test.each(packageActions)('%s', async (action) => {
    const world = await operated();
    const id = await world.packageIn(status);
    const before = await world.package(id);
    expect(before.status_id).toBe(status);
    await world.setTo(hour);
    if (allowed[status].includes(action)) {
      const at = afterNoon(hour);
      const { status: code, body } = await world.move(id, action);
      const date = dateOf[action];
      const dates = date ? { [date]: at } : {};
      expect([code, body]).toEqual([200, { ...before, status_id: leads[action], updated_at: at, ...dates }]);
      expect(await world.package(id)).toEqual(body);
      expect((await seen(world, id)).status_id).toBe(leads[action]);
    } else {
      const next =
        allowed[status].length > 0 ? `possible actions: ${allowed[status].join(', ')}` : 'this is its final status';
      const [code, message] = await world.refused(() => world.move(id, action));
      expect([code, message]).toEqual([
        422,
        expect.stringContaining(`${action} is impossible: the package is ${status}`),
      ]);
      expect(message).toContain(next);
      expect(message).toContain('{"force": true}');
    }
  });

  test.each(packageActions)('%s by force, whatever it is', async (action) => {
    const world = await operated();
    const id = await world.packageIn(status);
    const before = await world.package(id);
    await world.setTo(hour);
    const at = afterNoon(hour);
    const { status: code, body } = await world.move(id, action, { force: true });
    const pickup_date = action === 'pick_up' ? (before.pickup_date ?? at) : before.pickup_date;
    const delivery_date = action === 'deliver' ? (before.delivery_date ?? at) : before.delivery_date;
    expect([code, body]).toEqual([
      200,
      { ...before, status_id: leads[action], updated_at: at, pickup_date, delivery_date },
    ]);
    expect(await seen(world, id)).toMatchObject({
      status_id: leads[action],
      updated_at: at,
      pickup_date,
      delivery_date,
    });
  });
});

describe('the dates of a package', () => {
  test('are those of its pickup and delivery, whatever comes in between and after', async () => {
    const { stage, packageIn, setTo } = await operated();
    const id = await packageIn('label_created');
    const dated: unknown[] = [];
    const steps = ['pick_up', 'depart', 'delay', 'depart', 'lose', 'depart', 'deliver', 'return'] as const;
    for (const [index, step] of steps.entries()) {
      await setTo((index + 1) * hour);
      const { pickup_date, delivery_date, updated_at, created_at } = await stage.fulfillments[step](id);
      expect([created_at, updated_at]).toEqual([noon, afterNoon((index + 1) * hour)]);
      dated.push([pickup_date, delivery_date]);
    }
    const [pickup, delivery] = [afterNoon(hour), afterNoon(7 * hour)];
    expect(dated).toEqual([...Array(6).fill([pickup, null]), [pickup, delivery], [pickup, delivery]]);
  });

  test('stay when the same is told twice, and the package is updated all the same', async () => {
    const { packageIn, setTo, stage } = await operated();
    const id = await packageIn('delivered');
    const before = await stage.records.fulfillments.get(id);
    for (const n of [1, 2]) {
      await setTo(n * hour);
      const again = await stage.fulfillments.deliver(id, { force: true });
      expect(again).toEqual({ ...before, updated_at: afterNoon(n * hour) });
    }
  });

  test('stay when an update comes too late: its status goes back, its delivery stays', async () => {
    const world = await operated();
    const id = await world.packageIn('delivered');
    await world.setTo(hour);
    await world.move(id, 'pick_up', { force: true });
    const back = { status_id: 'picked_up', pickup_date: noon, delivery_date: noon, updated_at: afterNoon(hour) };
    expect(await seen(world, id)).toMatchObject(back);
    await world.setTo(2 * hour);
    expect((await world.move(id, 'deliver')).body).toMatchObject({ status_id: 'delivered', delivery_date: noon });
  });

  test('come out of order where updates do: delivered first, then picked up', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    await world.setTo(hour);
    await world.move(id, 'deliver', { force: true });
    expect(await seen(world, id)).toMatchObject({ pickup_date: null, delivery_date: afterNoon(hour) });
    await world.setTo(2 * hour);
    await world.move(id, 'pick_up', { force: true });
    // Late news of a pickup: it was not after the delivery.
    const both = { pickup_date: afterNoon(hour), delivery_date: afterNoon(hour), status_id: 'picked_up' };
    expect(await seen(world, id)).toMatchObject(both);
  });
});

describe('a status of the fixtures’ own', () => {
  const customs = { id: 'customs', uuid: '61000000-0000-4000-8000-0000000000c0', name: 'At Customs' };

  test('leads nowhere but by force, and from there as ever', async () => {
    const world = await operated();
    await world.stage.records.fulfillment_statuses.create(customs);
    const id = await world.packageIn('in_transit');
    await world.stage.records.fulfillments.update(id, { status_id: 'customs' });
    for (const action of packageActions) {
      const [status, message] = await world.refused(() => world.move(id, action));
      expect([status, message]).toEqual([422, expect.stringContaining('the package is customs')]);
      expect(message).toContain('{"force": true}');
    }
    expect((await world.move(id, 'depart', { force: true })).body.status_id).toBe('in_transit');
    expect((await world.move(id, 'deliver')).status).toBe(200);
  });
});

describe('a package is found', () => {
  test.each([unknownId, 'nobody', '__proto__'])('or not: %s is 404', async (id) => {
    const world = await operated();
    for (const action of packageActions) {
      const [status, message] = await world.refused(() => world.move(id, action, { force: true }));
      expect([status, message]).toEqual([404, expect.stringContaining('There is no record in fulfillments')]);
    }
  });

  test('by its id in upper case', async () => {
    const world = await operated();
    const id = await world.packageIn('label_created');
    expect(id).toMatch(/[a-f]/);
    expect((await world.move(id.toUpperCase(), 'pick_up')).body).toMatchObject({ id, status_id: 'picked_up' });
  });

  test('among those of the fixtures, of any brand', async () => {
    const { move } = await operated();
    expect((await move(fulfillmentId(21), 'deliver')).body).toMatchObject({ status_id: 'delivered' });
    expect((await move(fulfillmentId(6), 'return')).body).toMatchObject({ status_id: 'returned', updated_at: noon });
  });

  test('and changed alone: no other package, and not its order', async () => {
    const { stage, move } = await operated();
    const all = async () => (await stage.records.fulfillments.list()).fulfillments;
    const [before, orders] = [await all(), await stage.records.orders.list()];
    const { body } = await move(fulfillmentId(21), 'lose');
    expect(await all()).toEqual(before.map((one) => (one.id === fulfillmentId(21) ? body : one)));
    expect(await stage.records.orders.list()).toEqual(orders);
  });
});
