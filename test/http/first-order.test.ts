import { expect, onTestFinished, test, vi } from 'vitest';
import { linesOf, operatorStage, seen } from '../support/operator.ts';

test('weight, shipping_net_charge and duration are plain numbers, and nothing names their unit (`units`)', async () => {
  const world = await operatorStage({ assumptions: { order_fields: 'echo' } });
  const id = await world.inProduction(linesOf(1));
  const { weight, shipping_net_charge, ...fulfillment } = await seen(world, (await world.ship(id)).body.id);
  const { order } = (await world.client.get(`/v2/orders/${id}`)).body;
  const number = expect.any(Number);
  expect([weight, shipping_net_charge, order.order_lines[0].duration]).toEqual([number, number, 30]);
  expect(JSON.stringify([fulfillment, order])).not.toMatch(/"[^"]*(?:unit|currency)[^"]*":|"(?:g|grams|USD|days)"/i);
});

test('an order is placed, shipped and delivered without a call to anybody (`events`)', async () => {
  const outgoing = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => outgoing.mockRestore());
  const world = await operatorStage();
  expect((await seen(world, await world.packageIn('delivered'))).status_id).toBe('delivered');
  expect(outgoing.mock.calls).toEqual([]);
});
