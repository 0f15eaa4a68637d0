// What compiles against the documents and what does not: tsc reads this, nobody runs it. A line below an @ts-expect-error has one mistake.
import type { Client } from 'openapi-fetch';
import { expectTypeOf } from 'vitest';
import type { components as Control, paths as ControlPaths } from '../generated/control.ts';
import type { ServiceClient } from '../src/service-client.ts';
import type { ErrorBody, Order, OrderRequest } from '../src/wire.ts';

const id = '20000000-0000-4000-8000-000000000001';
const consumer = { first_name: 'Ada', last_name: 'Lovelace' };
const { city, ...cityless } = { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' };
const shipping_address = { ...cityless, city };
const contents = [{ client_product_id: id }];
const order_lines = [{ pouches: [{ contents }] }];

export async function ofAnswers({ api }: ServiceClient): Promise<void> {
  const { data, error } = await api.GET('/v2/orders/{orderId}', { params: { path: { orderId: id } } });
  expectTypeOf(data?.order).toEqualTypeOf<Order | undefined>();
  expectTypeOf(error).toEqualTypeOf<ErrorBody | undefined>();
  expectTypeOf<Order['status']>().toEqualTypeOf<
    'Pending' | 'On Hold' | 'Needs Changes' | 'Accepted' | 'In Production' | 'Canceled'
  >();
  // @ts-expect-error: either there is data, or an error
  if (error) data.order;
}

export async function ofOperations({ api }: ServiceClient): Promise<void> {
  // @ts-expect-error: there is no such path
  await api.GET('/v2/shipments');
  // @ts-expect-error: products are not deleted
  await api.DELETE('/v2/products/{id}', { params: { path: { id } } });
  // @ts-expect-error: the parameter is called fulfillmentId
  await api.GET('/v2/fulfillments/{fulfillmentId}', { params: { path: { id } } });
  // @ts-expect-error: a limit is a number
  await api.GET('/v2/fulfillments', { params: { query: { limit: 'all' } } });
}

export async function ofBodies({ api }: ServiceClient): Promise<void> {
  await api.POST('/v2/orders', { body: { consumer, shipping_address, order_lines } });
  await api.POST('/v2/orders', { body: { consumer: { id }, shipping_address, order_lines } });
  // @ts-expect-error: an order has a body
  await api.POST('/v2/orders');
  // @ts-expect-error: an address has a city
  await api.POST('/v2/orders', { body: { consumer, shipping_address: cityless, order_lines } });
  // @ts-expect-error: a consumer is either known, by an id, or new
  await api.POST('/v2/orders', { body: { consumer: { id, ...consumer }, shipping_address, order_lines } });
}

type Pouch = OrderRequest['order_lines'][number]['pouches'][number];

export const pouches: readonly Pouch[] = [
  { contents },
  { pack_id: 'starter' },
  // @ts-expect-error: never both
  { contents, pack_id: 'starter' },
  // @ts-expect-error: never neither
  { time_of_administration: 'Morning' },
];

export async function ofControl(control: Client<ControlPaths>): Promise<void> {
  const params = { path: { sandbox: 'stage' } };
  const { data } = await control.GET('/_admin/sandboxes/{sandbox}/switches', { params });
  expectTypeOf(data?.rate_limit?.burst).toEqualTypeOf<number | undefined>();
  // @ts-expect-error: a burst is a number
  await control.PATCH('/_admin/sandboxes/{sandbox}/switches', { params, body: { rate_limit: { burst: 'all' } } });
  // @ts-expect-error: no operation is called so
  await control.POST('/_admin/sandboxes/{sandbox}/faults', { params, body: { match: { operation: 'orders.make' } } });
}

// openapi-fetch lets a field pass that the document does not name. Where the body has its type said, it is found.
export const switches: Control['schemas']['SwitchesPatch'] = {
  rate_limit: { burst: 3 },
  // @ts-expect-error: no switch is called so
  snow: { all: true },
};
