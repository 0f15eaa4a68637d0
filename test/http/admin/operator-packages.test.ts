// Packages of the operator: how an order is shipped in them, which actions each status allows, and the dates that they set.
import { describe, expect, test } from 'vitest';
import { statusOf } from '../../../src/domain/fulfillments.ts';
import {
  addressIn,
  allowedActions,
  lineIds,
  linesOf,
  type OperatorStage,
  operatorStage,
  orderIn,
  packageActions,
  packageStatuses,
  seen,
  withoutStatuses,
} from '../../support/operator.ts';
import { fulfillmentId, orderId, orderLine, someOrder, unknownId } from '../../support/order-requests.ts';
import { afterNoon, day, fixtures, hour, noon } from '../../support/sachet.ts';

const order = orderIn['In Production'];
const methodsOf = (carrier: string) => fixtures.carriers.find(({ name }) => name === carrier)?.methods;
const idsIn = ({ order_lines }: { readonly order_lines: readonly { readonly id: string }[] }) =>
  order_lines.map(({ id }) => id);

/** An order of so many lines in production, and its lines. */
async function ofLines(count: number) {
  const world = await operatorStage();
  const id = await world.inProduction(linesOf(count));
  return { world, id, lines: await lineIds(world, id) };
}

describe('an order is shipped whole', () => {
  test('with an empty body, none, or all its lines', async () => {
    const { world, id, lines } = await ofLines(3);
    await world.setTo(hour);
    const before = await world.order(id);
    await world.stage.snapshots.create({ name: 'before' });
    for (const body of [{}, undefined, { order_lines: lines }]) {
      await world.stage.snapshots.restore('before');
      const response = await world.ship(id, body);
      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), order_id: id, tracking_info: expect.any(Object) },
        ...{ consumer_id: before.consumer_id, brand_id: before.brand_id },
        ...{ status_id: 'label_created', pickup_date: null, delivery_date: null },
        shipment_order_id: expect.stringMatching(/^\d+$/),
        shipment_order_number: expect.stringMatching(/^SO-\d+$/),
        ...{ shipping_net_charge: expect.any(Number), weight: expect.any(Number) },
        ...{ created_at: afterNoon(hour), updated_at: afterNoon(hour) },
        order_lines: lines.map((line) => ({ id: line, name: 'Sunrise Vitamin D3' })),
      });
      expect([await world.package(response.body.id), await world.order(id)]).toEqual([response.body, before]);
    }
  });

  test('once only, also by ten calls at once', async () => {
    const { world, id, lines } = await ofLines(2);
    const responses = await Promise.all(Array.from({ length: 10 }, () => world.ship(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(422)]);
    const { fulfillments } = (await world.client.get(`/v2/orders/${id}/fulfillments`)).body;
    expect(fulfillments.map(idsIn)).toEqual([lines]);
  });

  test('for its own consumer and brand', async () => {
    const world = await operatorStage({ assumptions: { order_transitions: 'any' } });
    const { body } = await world.ship(orderId(15));
    const { brand_id, consumer_id } = await world.order(orderId(15));
    expect(body).toMatchObject({ brand_id, consumer_id, created_at: noon });
    const clients = [world.client, await world.sachet.login('other-brand')];
    const answers = clients.map((client) => client.get(`/v2/fulfillments/${body.id}`));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 200]);
  });
});

describe('an order is shipped in parts', () => {
  test('some lines first, then the rest, then nothing', async () => {
    const { world, id, lines } = await ofLines(4);
    const [first = '', second = '', ...rest] = lines;
    expect(idsIn((await world.ship(id, { order_lines: [second] })).body)).toEqual([second]);
    // Lines may be objects as a fulfillment shows them, and ids in upper case.
    const order_lines = [{ id: first.toUpperCase(), name: 'What is in it' }];
    expect(idsIn((await world.ship(id.toUpperCase(), { order_lines })).body)).toEqual([first]);
    expect(idsIn((await world.ship(id)).body)).toEqual(rest);
    const nothing = 'Every line of the order is already shipped';
    expect(await world.expectRefusal(() => world.ship(id))).toEqual([422, nothing]);
    const named = `${first} is already shipped; lines that can be shipped: none`;
    expect(await world.expectRefusal(() => world.ship(id, { order_lines: [first, ...rest] }))).toEqual([422, named]);
  });

  test('lines of packages that a tester added or deleted count, those of lost and returned ones can be shipped again', async () => {
    const { world, id, lines } = await ofLines(2);
    const { fulfillments } = world.stage.records;
    await fulfillments.delete((await world.ship(id, { order_lines: lines.slice(0, 1) })).body.id);
    const { id: again, ...data } = (await world.ship(id)).body;
    expect(idsIn(data)).toEqual(lines);
    await fulfillments.delete(again);
    await fulfillments.create({ ...data, order_lines: data.order_lines.slice(1) });
    for (const action of ['lose', 'return', 'pick_up']) {
      const { body } = await world.ship(id, { order_lines: lines.slice(0, 1) });
      expect(idsIn(body)).toEqual(lines.slice(0, 1));
      await world.move(body.id, action, { force: true });
    }
    expect((await world.expectRefusal(() => world.ship(orderId(1))))[0]).toBe(422);
  });

  test('lines that cannot be shipped are rejected with those that can', async () => {
    const { world, id, lines } = await ofLines(3);
    const [one = '', two = '', three = ''] = lines;
    await world.ship(id, { order_lines: [one] });
    for (const [order_lines, problem] of [
      [[one], `${one} is already shipped`],
      [[two, one], `${one} is already shipped`],
      [['51000000-0000-4000-8000-000000000001'], 'is not a line of the order'],
      [[unknownId], `${unknownId} is not a line of the order`],
      [[two, two.toUpperCase()], `${two} is named twice`],
      [[{ id: two }, two], `${two} is named twice`],
    ] as const) {
      const message = expect.stringContaining(`${problem}; lines that can be shipped: ${two}, ${three}`);
      expect(await world.expectRefusal(() => world.ship(id, { order_lines }))).toEqual([422, message]);
    }
    for (const missing of [unknownId, 'nobody', '__proto__'])
      expect((await world.expectRefusal(() => world.ship(missing)))[0]).toBe(404);
  });
});

test('a body of the wrong form is rejected with each field', async () => {
  const world = await operatorStage();
  const json = { 'content-type': 'application/json' };
  const { version } = await world.sachet.sandbox();
  for (const [init, fields] of [
    [{ body: { weight: -1, carrier: 5, order_lines: [] } }, ['carrier', 'order_lines', 'weight']],
    [{ body: { weight: 1e9 + 1, shipping_net_charge: -0.01 } }, ['shipping_net_charge', 'weight']],
    [{ body: { weight: '300', shipping_net_charge: 1e9 + 1 } }, ['shipping_net_charge', 'weight']],
    [{ raw: '{"weight":1e999}', headers: json }, ['weight']],
    [{ body: { carrier: 'ups', method: null } }, ['method']],
    [{ body: { status_id: 'delivered' } }, ['']],
    [{ body: { order_lines: ['line-1', 1, { name: 'X' }] } }, ['order_lines[0]', 'order_lines[1]', 'order_lines[2]']],
  ] as const) {
    const { status, body } = await world.ship(order, undefined, init);
    const found = body.details.map(({ field }: { field: string }) => field.replace('].id', ']'));
    expect([status, found.sort()], JSON.stringify(init)).toEqual([422, fields]);
  }
  expect((await world.sachet.sandbox()).version).toBe(version);
});

describe('a carrier that is given', () => {
  test.each(fixtures.carriers)('$id ships anywhere with each of its methods', async (one) => {
    const world = await operatorStage();
    const sizes = { weight: 512.5, shipping_net_charge: 3.21 };
    for (const method of one.methods) {
      await world.stage.reset();
      const { status, body } = await world.ship(order, { carrier: one.id, method, ...sizes });
      const info = { shipping_carrier: one.name, shipping_method: method };
      expect([status, body]).toMatchObject([201, { ...sizes, tracking_info: info }]);
      const path = `/_tracking/${body.tracking_info.tracking_number}`;
      expect(body.tracking_info.tracking_url).toBe(`{base_url}${path}`);
      const tracking_url = `http://localhost:4010/sandboxes/stage${path}`;
      expect((await seen(world, body.id)).tracking_info).toEqual({ ...body.tracking_info, tracking_url });
    }
  });

  test('may be null: the partner finds no tracking data', async () => {
    const world = await operatorStage();
    const { body } = await world.ship(order, { carrier: null });
    expect([body.tracking_info, (await seen(world, body.id)).tracking_info]).toEqual([null, null]);
    const omitting = await operatorStage({ assumptions: { absent_values: 'omitted' } });
    const { id } = (await omitting.ship(order, { carrier: null })).body;
    expect(await seen(omitting, id)).not.toHaveProperty('tracking_info');
  });

  test('must exist and have the method: the message lists what exists', async () => {
    const world = await operatorStage();
    const ids = fixtures.carriers.map(({ id }) => id);
    const { version } = await world.sachet.sandbox();
    for (const [body, field, words] of [
      [{ carrier: 'UPS' }, 'carrier', ['"UPS"', ...ids]],
      [{ carrier: 'x'.repeat(10_000) }, 'carrier', ids],
      [{ carrier: 'ups', method: '2Day' }, 'method', ['UPS', ...(methodsOf('UPS') ?? [])]],
      [{ carrier: null, method: 'Ground' }, 'method', ['carrier']],
    ] as const) {
      const response = await world.ship(order, body);
      expect([response.status, response.body.details[0].field]).toEqual([422, field]);
      for (const word of words) expect(response.body.message).toContain(word);
      expect(response.text.length).toBeLessThan(1000);
    }
    expect((await world.sachet.sandbox()).version).toBe(version);
  });
});

/** The carriers of so many packages that go to this country, each once. */
async function carriersTo(country: string, count = 5, options: Parameters<typeof operatorStage>[0] = {}) {
  const world = await operatorStage(options);
  const id = await world.inProduction({ ...linesOf(count), ...addressIn(country) });
  const names = new Set<string | undefined>();
  for (const line of await lineIds(world, id)) {
    const { tracking_info } = (await world.ship(id, { order_lines: [line] })).body;
    if (tracking_info) expect(methodsOf(tracking_info.shipping_carrier)).toContain(tracking_info.shipping_method);
    names.add(tracking_info?.shipping_carrier);
  }
  return [...names].sort();
}
const withCarriers = (...ids: readonly string[]) => ({
  fixtures: { ...fixtures, carriers: fixtures.carriers.filter(({ id }) => ids.includes(id)) },
});

describe('what is not given is drawn', () => {
  test('a carrier that goes to the country, with one of its methods', async () => {
    const home = ['FedEx', 'UPS', 'USPS'];
    const abroad = ['DHL Express', 'USPS International'];
    expect([await carriersTo('United States', 20), await carriersTo('Germany', 20)]).toEqual([home, abroad]);
    for (const country of ['usa', ' U.S. ', 'United States of America'])
      for (const name of await carriersTo(country)) expect(home, country).toContain(name);
    for (const name of await carriersTo('USSR')) expect(abroad).toContain(name);
  });

  test('another carrier where the fixtures have no other, none where they have none', async () => {
    expect(await carriersTo('United States', 2, withCarriers('dhl_express'))).toEqual(['DHL Express']);
    expect(await carriersTo('Japan', 2, withCarriers('ups'))).toEqual(['UPS']);
    expect(await carriersTo('Germany', 2, withCarriers())).toEqual([undefined]);
  });

  test('a weight and a charge that grow with the content, and a charge that is higher abroad', async () => {
    const world = await operatorStage();
    const shipped = async (changes: object, body: object = {}) =>
      (await world.ship(await world.inProduction(changes), body)).body;
    const [light, heavy] = [await shipped(linesOf(1)), await shipped(linesOf(5))];
    expect(heavy.weight).toBeGreaterThan(light.weight);
    expect(heavy.shipping_net_charge).toBeGreaterThan(light.shipping_net_charge);
    expect(light.shipping_net_charge * 100).toBeCloseTo(Math.round(light.shipping_net_charge * 100), 6);
    const chargeTo = async (country: string) =>
      (await shipped(addressIn(country), { weight: 300 })).shipping_net_charge;
    expect(await chargeTo('Germany')).toBeGreaterThan(await chargeTo('United States'));
    for (const most of [1e9, 0]) {
      const sizes = { weight: most, shipping_net_charge: most };
      expect(await shipped({}, sizes)).toMatchObject(sizes);
    }
    for (const duration of [-5, 29.5, Number.MAX_SAFE_INTEGER]) {
      const { weight, shipping_net_charge } = await shipped({ order_lines: [{ ...orderLine(), duration }] });
      expect([Number.isInteger(weight), weight > 0, weight <= 31_500]).toEqual([true, true, true]);
      expect(shipping_net_charge).toBeGreaterThan(0);
    }
  });
});

test('no package gets a status that the sandbox lacks', async () => {
  const world = await operatorStage({ fixtures: withoutStatuses('label_created', 'lost') });
  const rejection = (status: string) => [422, expect.stringContaining(status)];
  expect(await world.expectRefusal(() => world.ship(order))).toEqual(rejection('label_created'));
  const label = { id: 'label_created', uuid: '61000000-0000-4000-8000-0000000000ff', name: 'Label' };
  await world.stage.records.fulfillment_statuses.create(label);
  const { id } = (await world.ship(order)).body;
  await world.move(id, 'pick_up');
  for (const body of [{}, { force: true }])
    expect(await world.expectRefusal(() => world.move(id, 'lose', body))).toEqual(rejection('lost'));
  expect((await world.move(id, 'deliver')).status).toBe(200);
});

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
});

const datesOf = async (world: OperatorStage, id: string): Promise<(string | null)[]> => {
  const { created_at, pickup_date, delivery_date, updated_at } = await seen(world, id);
  return [created_at, pickup_date, delivery_date, updated_at];
};

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
