// What the contract does not show and no setting decides: units of numbers, and events.
import { afterEach, expect, test, vi } from 'vitest';
import { validOrder } from '../cases/requests.ts';
import { linesOf, operated, seen } from '../support/operator.ts';
import { testSachet } from '../support/sachet.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('weight, shipping_net_charge and duration are plain numbers, and nothing names their unit (`units`)', async () => {
  const world = await operated();
  const id = await world.inProduction(linesOf(1));
  const fulfillment = await seen(world, (await world.ship(id)).body.id);
  expect([typeof fulfillment.weight, typeof fulfillment.shipping_net_charge]).toEqual(['number', 'number']);
  const client = await testSachet({ assumptions: { order_fields: 'echo' } }).login();
  const { order } = (await client.post('/v2/orders', validOrder)).body;
  expect(order.order_lines[0].duration).toBe(30);
  expect(JSON.stringify([fulfillment, order])).not.toMatch(/"[^"]*(?:unit|currency)[^"]*":|"(?:g|grams|USD|days)"/i);
});

test('an order is placed, shipped and delivered without a call to anybody (`events`)', async () => {
  const outgoing = vi.spyOn(globalThis, 'fetch');
  const world = await operated();
  const id = await world.packageIn('delivered');
  expect((await seen(world, id)).status_id).toBe('delivered');
  expect(outgoing.mock.calls).toEqual([]);
});
