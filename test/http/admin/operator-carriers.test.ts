// How a package goes: the carrier, the method, its weight and charge, given or drawn.
import { describe, expect, test } from 'vitest';
import { addressIn, linesOf, type Operated, operated, orderIn, seen, withoutStatuses } from '../../support/operator.ts';
import { lineOf } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';

const methods: Readonly<Record<string, readonly string[]>> = {
  UPS: ['Ground', '2nd Day Air', 'Next Day Air Saver'],
  USPS: ['Ground Advantage', 'Priority Mail', 'Priority Mail Express'],
  'USPS International': ['First-Class Package International Service', 'Priority Mail International'],
  FedEx: ['Home Delivery', '2Day', 'Standard Overnight'],
  'DHL Express': ['Express Worldwide', 'Express 12:00'],
};
const ids = ['ups', 'usps', 'usps_international', 'fedex', 'dhl_express'];
const order = orderIn['In Production'];
const withCarriers = (...carriers: readonly string[]) => ({
  fixtures: { ...fixtures, carriers: fixtures.carriers.filter(({ id }) => carriers.includes(id)) },
});

describe('what is given', () => {
  test.each([
    ['ups', 'UPS', 'Next Day Air Saver'],
    ['usps', 'USPS', 'Priority Mail'],
    ['usps_international', 'USPS International', 'Priority Mail International'],
    ['fedex', 'FedEx', '2Day'],
    ['dhl_express', 'DHL Express', 'Express 12:00'],
  ])('the carrier %s and a method of it, wherever the order goes', async (carrier, name, method) => {
    const world = await operated();
    const { status, body } = await world.ship(order, { carrier, method, weight: 512.5, shipping_net_charge: 3.21 });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        weight: 512.5,
        shipping_net_charge: 3.21,
        tracking_info: expect.objectContaining({ shipping_carrier: name, shipping_method: method }),
      }),
    ]);
    const number = body.tracking_info.tracking_number;
    expect(body.tracking_info.tracking_url).toBe(`{base_url}/_tracking/${number}`);
    const tracking_url = `http://localhost:4010/sandboxes/stage/_tracking/${number}`;
    expect((await seen(world, body.id)).tracking_info).toEqual({ ...body.tracking_info, tracking_url });
  });

  test('a carrier without a method goes by one of its own', async () => {
    const world = await operated();
    const { shipping_carrier, shipping_method } = (await world.ship(order, { carrier: 'fedex' })).body.tracking_info;
    expect(shipping_carrier).toBe('FedEx');
    expect(methods.FedEx).toContain(shipping_method);
  });

  test('nothing is a weight and a charge, too', async () => {
    const world = await operated();
    const { body } = await world.ship(order, { weight: 0, shipping_net_charge: 0 });
    expect(await seen(world, body.id)).toMatchObject({ weight: 0, shipping_net_charge: 0 });
  });

  test.each([5e-324, 1e9])('the weight %d has a charge that is a number', async (weight) => {
    const world = await operated();
    const { body } = await world.ship(order, { weight });
    expect(await seen(world, body.id)).toMatchObject({ weight, shipping_net_charge: expect.any(Number) });
  });

  test.each([1e9 + 1, 1.7e308])('no weight and no charge is as large as %d', async (amount) => {
    const world = await operated();
    for (const body of [{ weight: amount }, { shipping_net_charge: amount }])
      expect((await world.refused(() => world.ship(order, body)))[0]).toBe(422);
  });

  test('no carrier yet: the partner finds no tracking data', async () => {
    const world = await operated();
    const { body } = await world.ship(order, { carrier: null });
    expect([body.tracking_info, (await seen(world, body.id)).tracking_info]).toEqual([null, null]);
    const omitting = await operated({ assumptions: { absent_values: 'omitted' } });
    const shipped = (await omitting.ship(order, { carrier: null })).body;
    expect(await seen(omitting, shipped.id)).not.toHaveProperty('tracking_info');
  });

  test.each<[string, object, string, readonly string[]]>([
    ['a carrier that is not there', { carrier: 'pigeon' }, 'carrier', ['"pigeon"', ...ids]],
    ['one by its name', { carrier: 'UPS' }, 'carrier', ids],
    ['the name of what every object has', { carrier: '__proto__' }, 'carrier', ids],
    ['no name at all', { carrier: '' }, 'carrier', ids],
    ['a very long name', { carrier: 'x'.repeat(10_000) }, 'carrier', ids],
    ['a method of another carrier', { carrier: 'ups', method: '2Day' }, 'method', ['UPS', ...(methods.UPS ?? [])]],
    ['a method in other letters', { carrier: 'ups', method: 'ground' }, 'method', methods.UPS ?? []],
    ['a method without a carrier', { method: 'Ground' }, 'method', ['carrier']],
    ['a method of no carrier', { carrier: null, method: 'Ground' }, 'method', ['carrier']],
  ])('%s is refused with what there is', async (_, body, field, words) => {
    const world = await operated();
    const path = `/sandboxes/stage/orders/${order}/fulfillments`;
    const answer = await world.admin('POST', path, body);
    expect([answer.status, answer.body.details[0].field]).toEqual([422, field]);
    for (const word of words) expect(answer.body.message).toContain(word);
    expect(answer.text.length).toBeLessThan(1000);
    expect(await world.refused(() => world.ship(order, body))).toEqual([422, answer.body.message]);
  });
});

/** The names of the carriers of so many orders that go there. */
async function carriersTo(world: Operated, country: string, count = 8): Promise<(string | undefined)[]> {
  const id = await world.inProduction({ ...linesOf(count), ...addressIn(country) });
  const { order_lines } = await world.order(id);
  const names: (string | undefined)[] = [];
  for (const line of order_lines) {
    const { tracking_info } = (await world.ship(id, { order_lines: [line.id] })).body;
    if (tracking_info) expect(methods[tracking_info.shipping_carrier]).toContain(tracking_info.shipping_method);
    names.push(tracking_info?.shipping_carrier);
  }
  return names;
}
const different = (names: readonly unknown[]) => [...new Set(names)].sort();

describe('what is drawn', () => {
  test('at home each of the carriers there, and each of their methods is of theirs', async () => {
    expect(different(await carriersTo(await operated(), 'United States', 40))).toEqual(['FedEx', 'UPS', 'USPS']);
  });

  test('abroad each of those that go there', async () => {
    expect(different(await carriersTo(await operated(), 'Germany', 40))).toEqual(['DHL Express', 'USPS International']);
  });

  test.each(['US', 'usa', ' U.S. ', 'u.s.a.', 'UNITED STATES', 'United States of America'])(
    '%j is at home',
    async (country) => {
      for (const name of await carriersTo(await operated(), country)) expect(['FedEx', 'UPS', 'USPS']).toContain(name);
    },
  );

  test.each(['United States Minor Outlying Islands', 'USSR', 'Usedom', 'Canada'])('%j is abroad', async (country) => {
    const names = await carriersTo(await operated(), country);
    for (const name of names) expect(['DHL Express', 'USPS International']).toContain(name);
  });

  test('dearer abroad, for the same weight', async () => {
    const world = await operated();
    const charge = async (country: string) =>
      (await world.ship(await world.inProduction(addressIn(country)), { weight: 300 })).body.shipping_net_charge;
    expect(await charge('Germany')).toBeGreaterThan(await charge('United States'));
  });

  test('a carrier that does not go there, where no other is', async () => {
    expect(different(await carriersTo(await operated(withCarriers('dhl_express')), 'United States'))).toEqual([
      'DHL Express',
    ]);
    expect(different(await carriersTo(await operated(withCarriers('ups')), 'Japan'))).toEqual(['UPS']);
  });

  test('nothing where there is no carrier', async () => {
    const world = await operated(withCarriers());
    expect(different(await carriersTo(world, 'Germany', 2))).toEqual([undefined]);
    const [status, message] = await world.refused(() => world.ship(order, { carrier: 'ups' }));
    expect([status, message]).toEqual([422, expect.stringContaining('"ups"')]);
  });

  test.each([0, -5, 0.01, 29.5, 1e6, Number.MAX_SAFE_INTEGER])(
    'a whole weight that a package can have, for %d days',
    async (duration) => {
      const world = await operated();
      const id = await world.inProduction({ order_lines: [{ ...lineOf(), duration }] });
      const { weight, shipping_net_charge } = (await world.ship(id)).body;
      expect([Number.isInteger(weight), weight > 0, weight <= 31_500]).toEqual([true, true, true]);
      expect(shipping_net_charge).toBeGreaterThan(0);
    },
  );

  test('the same again after a reset', async () => {
    const world = await operated();
    const first = (await world.ship(order)).body;
    await world.stage.reset();
    expect((await world.ship(order)).body).toEqual(first);
  });
});

describe('a sandbox without one of the service’s own statuses', () => {
  test('ships nothing without label_created, and says so', async () => {
    const world = await operated({ fixtures: withoutStatuses('label_created') });
    const [status, message] = await world.refused(() => world.ship(order));
    expect([status, message]).toEqual([422, expect.stringContaining('label_created')]);
    const label = { id: 'label_created', uuid: '61000000-0000-4000-8000-0000000000ff', name: 'Label' };
    await world.stage.records.fulfillment_statuses.create(label);
    expect((await world.ship(order)).status).toBe(201);
  });

  test('moves no package into one that it has not, forced or not', async () => {
    const world = await operated({ fixtures: withoutStatuses('lost') });
    const id = await world.packageIn('picked_up');
    for (const body of [{}, { force: true }])
      expect(await world.refused(() => world.move(id, 'lose', body))).toEqual([422, expect.stringContaining('lost')]);
    expect((await world.move(id, 'deliver')).status).toBe(200);
  });
});
