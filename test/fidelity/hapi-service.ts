/**
 * A service on the hapi reference, with choices of its own and three bugs: products have `name` in place of
 * `product_name`, a login says that its token lives an hour, and the 404 of a product has a field too many.
 */
import { randomUUID } from 'node:crypto';
import type { Lifecycle, Request, ResponseToolkit } from '@hapi/hapi';
import { joiOrder, type OrderChoices } from '../contract/joi/joi-order.ts';
import { refusal, startReference } from '../http/hapi/server.ts';

const orderChoices: OrderChoices = {
  new_consumer_contact: 'either',
  phone_format: 'length_only',
  blank_strings: 'reject',
  wrong_type_words: 'documented',
  faults_per_field: 'first',
  unknown_fields: 'ignore',
  numeric_strings: 'accept',
  empty_arrays: 'accept',
  pouch_both: 'joi',
  time_of_administration: 'closed',
  pack_id: 'any',
};

/** The choices of the service that a caller can see, `pack_id` only with a write. */
export const serviceChoices = {
  ...orderChoices,
  validation_placement: 'both',
  validation_report: 'all',
  field_path: 'dotted',
  business_rule_status: '400',
  order_created_status: '200',
  malformed_path_id: '400',
  missing_token_message: 'Missing authentication',
  unauthorized_message: 'Token expired',
  www_authenticate: 'present',
  bad_credentials: '403',
  order_endpoints: 'absent',
  consumer_endpoints: 'absent',
  single_read_body: 'bare',
  product_list: 'all',
  next_cursor: 'meta',
  absent_values: 'omitted',
  status_id: 'uuid',
} as const;
export const administrationTimes = ['Dawn', 'Dusk'];
export const credentials = { username: 'ann', password: 'a password of ann' };

const products = [
  { id: randomUUID(), name: 'Magnesium', active: true, serving_size: 1 },
  { id: randomUUID(), name: 'Zinc', active: false, serving_size: 2 },
];
const fulfillment = (port: number) => ({
  id: randomUUID(),
  order_id: randomUUID(),
  consumer_id: randomUUID(),
  status_id: randomUUID(),
  shipment_order_id: 'S-1',
  shipment_order_number: '1001',
  label_url: `http://127.0.0.1:${port}/labels/1.pdf?X-Amz-Signature=abc`,
  shipping_net_charge: 5,
  weight: 120,
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-01T08:00:00.000Z',
  order_lines: [],
});

/** Starts the service on a free port. `orders` has the bodies of the orders that it accepted. */
export async function startHapiService() {
  const tokens = new Set<string>();
  const orders: unknown[] = [];
  let port = 0;
  const newToken = (): string => {
    const token = `${randomUUID()}.${randomUUID()}.x`;
    tokens.add(token);
    return token;
  };
  const handlers: Record<string, Lifecycle.Method> = {
    'POST /v2/authentication/token': ({ payload }: Request, h: ResponseToolkit) => {
      const { username, password } = payload as typeof credentials;
      if (username !== credentials.username || password !== credentials.password)
        return refusal(h, 403, 'Invalid username or password');
      return { access_token: newToken(), refresh_token: randomUUID(), expires_in: 3600 };
    },
    'GET /v2/products': () => ({ client_products: products }),
    'GET /v2/products/{id}': ({ params }: Request, h: ResponseToolkit) => {
      const found = products.find(({ id }) => id === params.id);
      if (found) return { id: found.id, product_name: found.name, active: found.active, serving_size: 1 };
      const body = { statusCode: 404, error: 'Not Found', message: 'Product not found', code: 'E404' };
      return h.response(body).code(404);
    },
    'GET /v2/fulfillments': () => ({ fulfillments: [fulfillment(port)], meta: { next_cursor: null } }),
    'POST /v2/orders': ({ payload }: Request, h: ResponseToolkit) => {
      const body = payload as { order_lines: { pouches: { contents?: { client_product_id: string }[] }[] }[] };
      for (const [line, { pouches }] of body.order_lines.entries())
        for (const [pouch, { contents = [] }] of pouches.entries())
          for (const [content, { client_product_id: id }] of contents.entries()) {
            if (products.some((product) => product.id === id)) continue;
            const message = 'Product not found';
            const field = `order_lines.${line}.pouches.${pouch}.contents.${content}.client_product_id`;
            return refusal(h, 400, message, [{ field, message }]);
          }
      orders.push(body);
      const consumer = { id: randomUUID(), first_name: 'Ann', last_name: 'Lee' };
      return { order: { id: randomUUID(), status: 'Pending', consumer } };
    },
  };
  const order = joiOrder(orderChoices, administrationTimes);
  const server = await startReference({ order, handlers, isToken: (token) => tokens.has(token) });
  port = server.port;
  return { url: `http://127.0.0.1:${port}`, orders, close: server.close };
}
