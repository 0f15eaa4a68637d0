// The readings of how an order gets on: by whom, and by which ways.
import { expect } from 'vitest';
import type { Cases } from '../assumption-cases.ts';
import { orderId, someOrder } from '../order-requests.ts';
import type { TestSachet } from '../sachet.ts';

const tenDays = 10 * 86_400_000;

/** The statuses of an order's packages, ten days after it was made. */
async function afterTenDays(sachet: TestSachet): Promise<string[]> {
  const client = await sachet.login();
  const { id } = (await client.post('/v2/orders', someOrder())).body.order;
  await sachet.advance(tenDays);
  const again = await sachet.login();
  const { fulfillments } = (await again.get(`/v2/orders/${id}/fulfillments`)).body;
  return fulfillments.map((one: { status_id: string }) => one.status_id);
}

/** What the operator's acceptance of an order In Production comes to. */
const accepted = (sachet: TestSachet) =>
  sachet.control
    .sandbox('stage')
    .orders.accept(orderId(16))
    .then(({ status }) => status, String);

export const timelineCases: Pick<Cases, 'fulfillment_timeline' | 'order_transitions'> = {
  fulfillment_timeline: {
    manual: async (sachet) => expect(await afterTenDays(sachet)).toEqual([]),
    automatic: async (sachet) => expect(await afterTenDays(sachet)).toEqual(['delivered']),
  },
  order_transitions: {
    documented_path: async (sachet) =>
      expect(await accepted(sachet)).toContain('accept is impossible: the order is In Production'),
    any: async (sachet) => expect(await accepted(sachet)).toBe('Accepted'),
  },
};
