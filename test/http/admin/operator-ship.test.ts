// Shipping an order: whole, in parts, and not at all.
import { describe, expect, test } from 'vitest';
import {
  afterNoon,
  hour,
  lineIds,
  linesOf,
  type Operated,
  operated,
  orderIn,
  seen,
  statuses,
} from '../../support/operator.ts';
import { orderId, unknownId } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';

const idsIn = ({ order_lines }: { readonly order_lines: readonly { readonly id: string }[] }) =>
  order_lines.map(({ id }) => id);

/** An order of so many lines in production, and its lines. */
async function ofLines(count: number, options: Parameters<typeof operated>[0] = {}) {
  const world = await operated(options);
  const id = await world.inProduction(linesOf(count));
  return { world, id, lines: await lineIds(world, id) };
}
const packagesOf = async ({ client }: Operated, id: string): Promise<{ id: string }[]> =>
  (await client.get(`/v2/orders/${id}/fulfillments`)).body.fulfillments;

describe('an order is shipped whole', () => {
  test.each([
    ['by an empty object', {}],
    ['without a body', undefined],
    ['by all its lines', 'lines'],
  ])('%s', async (_, body) => {
    const { world, id, lines } = await ofLines(3);
    await world.setTo(hour);
    const before = await world.order(id);
    const answer = await world.ship(id, body === 'lines' ? { order_lines: lines } : body);
    const { consumer_id, brand_id } = before;
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        order_id: id,
        consumer_id,
        brand_id,
        status_id: 'label_created',
        pickup_date: null,
        delivery_date: null,
        tracking_info: expect.any(Object),
        shipment_order_id: expect.stringMatching(/^\d+$/),
        shipment_order_number: expect.stringMatching(/^SO-\d+$/),
        shipping_net_charge: expect.any(Number),
        weight: expect.any(Number),
        created_at: afterNoon(hour),
        updated_at: afterNoon(hour),
        order_lines: lines.map((line) => ({ id: line, name: 'Sunrise Vitamin D3' })),
      },
    ]);
    expect([await world.package(answer.body.id), await world.order(id)]).toEqual([answer.body, before]);
  });

  test('by the client’s method, with nothing said', async () => {
    const { world, id, lines } = await ofLines(2);
    const shipped = await world.stage.orders.ship(id);
    expect([shipped.order_id, idsIn(shipped)]).toEqual([id, lines]);
  });

  test('and once only, also by ten at once', async () => {
    const { world, id } = await ofLines(2);
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.ship(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(422)]);
    expect(await packagesOf(world, id)).toHaveLength(1);
  });

  test('heavier and dearer the more it holds', async () => {
    const [one, many] = [await ofLines(1), await ofLines(5)];
    const [light, heavy] = [(await one.world.ship(one.id)).body, (await many.world.ship(many.id)).body];
    expect(heavy.weight).toBeGreaterThan(light.weight);
    expect(heavy.shipping_net_charge).toBeGreaterThan(light.shipping_net_charge);
    expect(light.shipping_net_charge * 100).toBeCloseTo(Math.round(light.shipping_net_charge * 100), 6);
  });
});

describe('an order is shipped in parts', () => {
  test('some lines first, then what is left, then nothing', async () => {
    const { world, id, lines } = await ofLines(4);
    const [first = '', second = '', ...rest] = lines;
    expect(idsIn((await world.ship(id, { order_lines: [second] })).body)).toEqual([second]);
    expect(idsIn((await world.ship(id, { order_lines: [first] })).body)).toEqual([first]);
    expect(idsIn((await world.ship(id)).body)).toEqual(rest);
    expect(await world.refused(() => world.ship(id))).toEqual([422, 'Every line of the order is already shipped']);
    const named = `${first} is already shipped; lines that can be shipped: none`;
    for (const order_lines of [[first], [first, ...rest]])
      expect(await world.refused(() => world.ship(id, { order_lines }))).toEqual([422, named]);
    const shipped = (await packagesOf(world, id)).flatMap((one) => idsIn(one as unknown as { order_lines: [] }));
    expect(shipped.sort()).toEqual(lines.toSorted());
  });

  test('lines may be named as a fulfillment shows them, and by their ids in upper case', async () => {
    const { world, id, lines } = await ofLines(3);
    const [first = '', second = ''] = lines;
    const order_lines = [{ id: second.toUpperCase(), name: 'What is in it' }, first.toUpperCase()];
    const { body } = await world.ship(id.toUpperCase(), { order_lines });
    expect([body.order_id, idsIn(body).sort()]).toEqual([id, [first, second].sort()]);
  });

  test('a line that was shipped over the data of the sandbox counts as shipped', async () => {
    const { world, id, lines } = await ofLines(2);
    const { id: shipped } = (await world.ship(id, { order_lines: lines.slice(0, 1) })).body;
    await world.stage.records.fulfillments.delete(shipped);
    const again = (await world.ship(id)).body;
    expect(idsIn(again)).toEqual(lines);
    const { id: _, ...data } = again;
    await world.stage.records.fulfillments.delete(again.id);
    await world.stage.records.fulfillments.create({ ...data, order_lines: data.order_lines.slice(1) });
    expect(idsIn((await world.ship(id)).body)).toEqual(lines.slice(0, 1));
  });

  test('the shipped order of the fixtures has nothing left', async () => {
    const world = await operated();
    expect((await world.refused(() => world.ship(orderId(1))))[0]).toBe(422);
  });
});

describe('what cannot be shipped is refused with the lines that can', () => {
  const named = async (order_lines: (lines: readonly string[]) => readonly unknown[]) => {
    const { world, id, lines } = await ofLines(3);
    await world.ship(id, { order_lines: lines.slice(0, 1) });
    const answer = await world.refused(() => world.ship(id, { order_lines: order_lines(lines) }));
    return { answer, lines, left: lines.slice(1).join(', ') };
  };

  test.each<[string, (lines: readonly string[]) => readonly unknown[], (lines: readonly string[]) => string]>([
    ['a line that is already shipped', ([one]) => [one], ([one]) => `${one} is already shipped`],
    ['one that is, beside one that is not', ([one, two]) => [two, one], ([one]) => `${one} is already shipped`],
    ['a line of another order', () => ['51000000-0000-4000-8000-000000000001'], () => 'is not a line of the order'],
    ['a line of no order', () => [unknownId], () => `${unknownId} is not a line of the order`],
    ['a line named twice', ([, two]) => [two, two], ([, two]) => `${two} is named twice`],
    ['the same in upper case', ([, two = '']) => [two, two.toUpperCase()], ([, two]) => `${two} is named twice`],
    ['the same as an object', ([, two]) => [{ id: two }, two], ([, two]) => `${two} is named twice`],
  ])('%s', async (_, order_lines, words) => {
    const { answer, lines, left } = await named(order_lines);
    expect(answer).toEqual([422, expect.stringContaining(`${words(lines)}; lines that can be shipped: ${left}`)]);
  });

  test.each<[string, unknown, string]>([
    ['no line at all', [], 'order_lines'],
    ['what is no GUID', ['line-1'], 'order_lines[0]'],
    ['a number', [1], 'order_lines[0]'],
    ['an object without an id', [{ name: 'X' }], 'order_lines[0]'],
    ['no list', unknownId, 'order_lines'],
    ['null', null, 'order_lines'],
  ])('%s', async (_, order_lines, field) => {
    const { world, id } = await ofLines(1);
    const answer = await world.admin('POST', `/sandboxes/stage/orders/${id}/fulfillments`, { order_lines });
    expect([answer.status, answer.body.details[0].field]).toEqual([422, field]);
    expect(await packagesOf(world, id)).toEqual([]);
  });

  test.each([unknownId, 'nobody', '__proto__'])('an order that is not there (%s) is 404', async (id) => {
    const world = await operated();
    expect((await world.refused(() => world.ship(id)))[0]).toBe(404);
  });
});

const can = {
  Pending: 'the operator can: accept, hold, cancel',
  'On Hold': 'the operator can: release, cancel',
  'Needs Changes': 'the operator can: approve_packaging, cancel',
  Accepted: 'the operator can: start_production, cancel',
  Canceled: 'the operator can do nothing more',
} as const;

describe.each(statuses)('an order that is %s', (status) => {
  test(`is ${status === 'In Production' ? '' : 'not '}shipped on the documented path`, async () => {
    const world = await operated();
    const id = orderIn[status];
    if (status === 'In Production') expect((await world.ship(id)).status).toBe(201);
    else
      expect(await world.refused(() => world.ship(id))).toEqual([
        422,
        `ship is impossible: the order is ${status}; ${can[status]} (the choice order_transitions=any allows it)`,
      ]);
  });

  test('is shipped under order_transitions: any, and stays what it is', async () => {
    const world = await operated({ assumptions: { order_transitions: 'any' } });
    const id = orderIn[status];
    const shipped = await world.ship(id);
    expect([shipped.status, (await world.order(id)).status]).toEqual([201, status]);
    expect(await seen(world, shipped.body.id)).toMatchObject({ order_id: id, status_id: 'label_created' });
  });
});

test('the fulfillments may be no more than the sandbox may hold, and then nothing is shipped', async () => {
  const maxRecords = 29;
  const world = await operated({ maxRecords });
  const { length } = (await world.stage.records.fulfillments.list()).fulfillments;
  const id = await world.inProduction(linesOf(1 + maxRecords - length));
  const lines = await lineIds(world, id);
  for (const line of lines.slice(1)) expect((await world.ship(id, { order_lines: [line] })).status).toBe(201);
  const [status, message] = await world.refused(() => world.ship(id));
  expect([status, message]).toEqual([422, expect.stringContaining('The sandbox must have room for another record')]);
});

test('an order is shipped for the consumer and the brand that it is of', async () => {
  const world = await operated({ assumptions: { order_transitions: 'any' } });
  const { body } = await world.ship(orderId(15));
  const { brand_id, consumer_id } = await world.order(orderId(15));
  expect(body).toMatchObject({ brand_id, consumer_id, created_at: noon });
  expect((await world.client.get(`/v2/fulfillments/${body.id}`)).status).toBe(404);
  const other = await world.sachet.login('other-brand');
  expect((await other.get(`/v2/fulfillments/${body.id}`)).status).toBe(200);
});
