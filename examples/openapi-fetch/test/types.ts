// Type tests: tsc checks this file, and nothing runs it. Each line below an @ts-expect-error has one mistake.
import type { Client } from 'openapi-fetch';
import { expectTypeOf } from 'vitest';
import type { components as Control, paths as ControlPaths } from '../generated/control.ts';
import type { ServiceClient } from '../src/service-client.ts';
import type { ErrorBody, Order, OrderRequest } from '../src/wire.ts';

const id = '20000000-0000-4000-8000-000000000001';
const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
const { city, ...addressWithoutCity } = {
  address1: '1 Main Street',
  city: 'Springfield',
  country_name: 'United States',
};
const shipping_address = { ...addressWithoutCity, city };
const contents = [{ client_product_id: id }];
const order_lines = [{ pouches: [{ contents }] }];

export async function checkResponses({ api }: ServiceClient): Promise<void> {
  const { data, error } = await api.GET('/v2/orders/{orderId}', { params: { path: { orderId: id } } });
  expectTypeOf(data?.order).toEqualTypeOf<Order | undefined>();
  expectTypeOf(error).toEqualTypeOf<ErrorBody | undefined>();
  expectTypeOf<Order['status']>().toEqualTypeOf<
    'Pending' | 'On Hold' | 'Needs Changes' | 'Accepted' | 'In Production' | 'Canceled'
  >();
  // @ts-expect-error: a result has data or an error, not both
  if (error) data.order;
}

export async function checkOperations({ api }: ServiceClient): Promise<void> {
  // @ts-expect-error: unknown path
  await api.GET('/v2/shipments');
  // @ts-expect-error: products have no DELETE
  await api.DELETE('/v2/products/{id}', { params: { path: { id } } });
  // @ts-expect-error: the parameter is called fulfillmentId
  await api.GET('/v2/fulfillments/{fulfillmentId}', { params: { path: { id } } });
  // @ts-expect-error: a limit is a number
  await api.GET('/v2/fulfillments', { params: { query: { limit: 'all' } } });
}

export async function checkBodies({ api }: ServiceClient): Promise<void> {
  await api.POST('/v2/orders', { body: { consumer, shipping_address, order_lines } });
  await api.POST('/v2/orders', { body: { consumer: { id }, shipping_address, order_lines } });
  // @ts-expect-error: an order needs a body
  await api.POST('/v2/orders');
  // @ts-expect-error: an address needs a city
  await api.POST('/v2/orders', { body: { consumer, shipping_address: addressWithoutCity, order_lines } });
}

type Pouch = OrderRequest['order_lines'][number]['pouches'][number];

export const pouches: readonly Pouch[] = [
  { contents },
  { pack_id: 'starter' },
  // @ts-expect-error: contents or pack_id is required
  { time_of_administration: 'Morning' },
];

export async function checkControl(control: Client<ControlPaths>): Promise<void> {
  const params = { path: { sandbox: 'stage' } };
  const { data } = await control.GET('/_admin/sandboxes/{sandbox}/switches', { params });
  expectTypeOf(data?.rate_limit?.burst).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: a burst is a number
  await control.PATCH('/_admin/sandboxes/{sandbox}/switches', { params, body: { rate_limit: { burst: 'all' } } });
  // @ts-expect-error: unknown operation
  await control.POST('/_admin/sandboxes/{sandbox}/faults', { params, body: { match: { operation: 'orders.make' } } });
}

// openapi-fetch accepts unknown fields in a body. Declare the type of the body to find them.
export const switches: Control['schemas']['SwitchesPatch'] = {
  rate_limit: { burst: 3 },
  // @ts-expect-error: unknown switch
  snow: { all: true },
};
