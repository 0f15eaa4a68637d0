// An order that the partner may modify though parts of it are shipped: reached where any transition goes (ORD-22).
import { describe, expect, test } from 'vitest';
import { lineIds, linesOf, type Operated, operated, orderIn, seen } from '../support/operator.ts';
import { consumerId, lineOf } from '../support/order-requests.ts';

const anyTransition = { assumptions: { order_transitions: 'any', order_fields: 'echo' } } as const;
const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };
const order_lines = [{ ...lineOf(), duration: 60 }];

/** An order On Hold of two lines, of which the first is shipped. */
async function heldAndShipped(options: Parameters<typeof operated>[0] = {}) {
  const world = await operated({ ...options, ...anyTransition });
  const id = await world.inProduction(linesOf(2));
  const shipped = (await world.ship(id, { order_lines: (await lineIds(world, id)).slice(0, 1) })).body.id as string;
  expect((await world.act(id, 'hold')).body.status).toBe('On Hold');
  const modify = (change: object) => world.client.patch(`/v2/orders/${id}`, change);
  return { world, id, shipped, modify };
}

const versionOf = async ({ sachet }: Operated) => (await sachet.sandbox()).version;

describe('an order On Hold of which lines are shipped', () => {
  test.each([
    ['its lines', { order_lines }],
    ['its lines and its address', { order_lines, shipping_address }],
    ['its lines and a new consumer', { order_lines, consumer: { first_name: 'Ada', last_name: 'Lovelace' } }],
    ['another consumer', { consumer: { id: consumerId(2) } }],
    ['a new consumer', { consumer: { first_name: 'Ada', last_name: 'Lovelace' } }],
  ])('is not modified by %s: ORD-22, and nothing changes', async (_, change) => {
    const { world, modify } = await heldAndShipped();
    const before = await versionOf(world);
    const answer = await modify(change);
    expect([answer.status, answer.body.message, answer.headers.get('sandbox-rule')]).toEqual([
      422,
      'Order cannot be modified',
      'ORD-22',
    ]);
    expect(answer.body).not.toHaveProperty('details');
    expect(await versionOf(world)).toBe(before);
  });

  test('is given another address, and what is left goes there', async () => {
    const { world, id, shipped, modify } = await heldAndShipped();
    const lines = await lineIds(world, id);
    const answer = await modify({ shipping_address });
    expect([answer.status, answer.body.order]).toEqual([200, expect.objectContaining({ shipping_address })]);
    expect(await lineIds(world, id)).toEqual(lines);
    const { body } = await world.ship(id);
    expect(body.order_lines.map((line: { id: string }) => line.id)).toEqual(lines.slice(1));
    expect(['DHL Express', 'USPS International']).toContain(body.tracking_info.shipping_carrier);
    expect((await seen(world, shipped)).order_id).toBe(id);
  });

  test('may name its consumer again', async () => {
    const { modify } = await heldAndShipped();
    const answer = await modify({ consumer: { id: consumerId(1).toUpperCase() }, shipping_address });
    expect([answer.status, answer.body.order.consumer.id]).toEqual([200, consumerId(1)]);
  });

  test('tells an invalid change by its own rule', async () => {
    const { modify } = await heldAndShipped();
    const answer = await modify({ order_lines: [] });
    expect([answer.status, answer.headers.get('sandbox-rule')]).toEqual([422, 'ORD-4']);
  });

  test('is canceled, and what was shipped stays', async () => {
    const { world, id, shipped } = await heldAndShipped();
    expect((await world.client.post(`/v2/orders/${id}/cancel`)).body.order.status).toBe('Canceled');
    expect((await seen(world, shipped)).status_id).toBe('label_created');
    expect((await world.move(shipped, 'pick_up')).status).toBe(200);
  });

  test('is modified again once its package is taken away', async () => {
    const { world, id, shipped, modify } = await heldAndShipped();
    await world.stage.records.fulfillments.delete(shipped);
    const answer = await modify({ order_lines });
    expect([answer.status, (await world.order(id)).order_lines.length]).toEqual([200, 1]);
  });

  test('is exported and imported, and goes on there as here', async () => {
    const { world, id, shipped, modify } = await heldAndShipped();
    expect((await modify({ shipping_address })).status).toBe(200);
    await world.move(shipped, 'pick_up');
    const other = await operated();
    const document = await world.stage.state.get();
    await other.stage.state.put(document);
    expect(await other.stage.state.get()).toEqual(document);
    for (const one of [world, other]) {
      expect((await one.ship(id)).status).toBe(201);
      expect((await one.move(shipped, 'deliver')).status).toBe(200);
    }
    expect((await other.stage.state.get()).data).toEqual((await world.stage.state.get()).data);
    const again = await other.sachet.login();
    const answer = await again.patch(`/v2/orders/${id}`, { order_lines });
    expect([answer.status, answer.headers.get('sandbox-rule')]).toEqual([422, 'ORD-22']);
  });
});

test('an order On Hold of which nothing is shipped is modified in all it has', async () => {
  const { client, order } = await operated();
  const id = orderIn['On Hold'];
  const before = await order(id);
  expect((await client.patch(`/v2/orders/${id}`, { order_lines, shipping_address })).status).toBe(200);
  const after = await order(id);
  expect([after.order_lines.length, after.shipping_address]).toEqual([1, shipping_address]);
  expect(after.order_lines[0]?.id).not.toBe(before.order_lines[0]?.id);
});

test('an order that is Pending again, whose only package came back, still keeps its lines', async () => {
  const world = await operated(anyTransition);
  const id = await world.inProduction();
  const { body } = await world.ship(id);
  for (const action of ['pick_up', 'return']) await world.move(body.id, action);
  await world.act(id, 'release');
  expect((await world.client.patch(`/v2/orders/${id}`, { order_lines })).status).toBe(422);
  expect((await world.client.patch(`/v2/orders/${id}`, { shipping_address })).status).toBe(200);
});
