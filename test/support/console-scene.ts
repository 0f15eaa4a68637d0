// A sandbox in which every page of the console has something to show: what a partner's first day might leave.
import { pageIds } from '../../src/console/page-addresses.ts';
import { sampleOrder } from '../../src/index.ts';
import type { ConsoleServer } from './console-page.ts';

export interface Scene {
  /** Every page, and one of what each lists: their paths by name. */
  readonly paths: Readonly<Record<string, string>>;
  readonly orderId: string;
}

export async function sceneOf({ stage, client }: ConsoleServer): Promise<Scene> {
  const address1 = `${'Rua das Flores '.repeat(8)}1`;
  const { order } = await (await client.post('/v2/orders', sampleOrder())).json();
  await client.post('/v2/orders', sampleOrder({ shipping_address: { ...sampleOrder().shipping_address, address1 } }));
  await client.get('/v2/fulfillments?limit=2');
  await client.get('/v2/fulfillments?limit=all');
  await client.get(`/v2/orders/${order.id}?verbose=1`);
  await stage.fetch('/v2/products');
  await stage.switches.set({ rate_limit: { burst: 3 }, token_expiry: { lifetime_seconds: 120 } });
  await client.get('/v2/products');
  await stage.switches.set({
    connection: { drop: 'after_processing', burst: 2, match: { operation: 'orders.create' } },
    rate_limit: null,
  });
  await client.post('/v2/orders', sampleOrder()).catch(() => undefined);
  await stage.scenarios.apply('label-expiry');
  const { fulfillments } = await stage.records.fulfillments.list();
  const { orders } = await stage.records.orders.list();
  const { requests } = await stage.requests.list({ status: 422 });
  const moving = fulfillments.find(({ status_id }) => status_id === 'in_transit') ?? fulfillments[0];
  const made = orders.find(({ status }) => status === 'In Production') ?? orders[0];
  return {
    orderId: order.id,
    paths: {
      ...Object.fromEntries(pageIds.map((page) => [page, `stage/${page}`])),
      request: `stage/requests/${requests[0]?.id}`,
      order: `stage/orders/${made?.id}`,
      fulfillment: `stage/fulfillments/${moving?.id}`,
    },
  };
}
