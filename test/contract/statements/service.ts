// Every statement of the contract that a client can observe, by its sections; here those about tokens, the catalog, fulfillments, errors
// and limits. The conformance page lists them.
import { expect } from 'vitest';
import { known, unknownId, validOrder } from '../../cases/requests.ts';
import { orderIn } from '../../support/operator.ts';
import { passwordOf } from '../../support/sachet.ts';
import { orderSections } from './orders.ts';
import {
  type Check,
  instant,
  number,
  orNull,
  rejectedAs,
  type Section,
  type Session,
  says,
  text,
  uuid,
} from './statement.ts';

const seconds = 1000;
const day = 86_400 * seconds;
const one = `/v2/fulfillments/${known.fulfillment}`;
const read = async ({ client }: Pick<Session, 'client'>) => (await client.get(one)).body.fulfillment;
const succeeds =
  (path: string): Check =>
  async ({ client }) =>
    expect((await client.get(path)).status).toBe(200);
const refreshPath = '/v2/authentication/refresh-token';
const login = (username: string, password: string) =>
  ['POST', '/v2/authentication/token', { body: { username, password } }] as const;

const authentication: Section = {
  title: 'Authentication',
  statements: [
    says('A token is obtained with POST /v2/authentication/token, username and password.', 'AUTH-1').checkedBy(
      async ({ sachet }) => {
        const { body } = await sachet.call(...login('demo', passwordOf('demo')));
        const token = expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/);
        expect(body).toEqual({ access_token: token, refresh_token: token, expires_in: 86_400 });
      },
    ),
    says(
      'A new one is obtained with POST /v2/authentication/refresh-token, without the password.',
      'AUTH-2, old_token_after_refresh',
    ).checkedBy(async ({ sachet, client }) => {
      const { body } = await sachet.call('POST', refreshPath, { body: { refresh_token: client.refreshToken } });
      expect(body).toEqual({ access_token: text, expires_in: number });
      expect((await sachet.client(body.access_token).get('/v2/products')).status).toBe(200);
    }),
    says(
      'Every other endpoint needs the header `Authorization: Bearer <ACCESS_TOKEN>`.',
      'AUTH-3, missing_token_message, www_authenticate',
    ).checkedBy(async ({ sachet }) => {
      const paths = ['/v2/products', '/v2/fulfillments', one, `/v2/orders/${known.pendingOrder}/fulfillments`];
      for (const path of paths) expect((await sachet.call('GET', path)).status, path).toBe(401);
      expect((await sachet.call('POST', '/v2/orders', { body: validOrder })).status).toBe(401);
    }),
    says('An access token is valid for 86400 seconds (24 hours).', 'AUTH-3').checkedBy(async ({ sachet, client }) => {
      await sachet.advance(day - seconds);
      expect((await client.get('/v2/products')).status).toBe(200);
      await sachet.advance(seconds);
      expect((await client.get('/v2/products')).status).toBe(401);
    }),
    says('An expired token gives 401 with the message `Token expired`.', 'AUTH-3').checkedBy(
      rejectedAs('products.list', 'AUTH-3'),
    ),
    says('An invalid token gives 401.', 'AUTH-3, unauthorized_message').checkedBy(async ({ sachet, client }) => {
      for (const token of ['no-token', `${client.token}x`, client.refreshToken])
        expect((await sachet.client(token).get('/v2/products')).status).toBe(401);
    }),
    says(
      'A user who lacks the permission gets 403 with the message `Insufficient permissions`.',
      'AUTH-5, permissions',
    ).checkedBy(rejectedAs('products.list', 'AUTH-5')),
    says('Tokens of one environment (stage, production) are not valid in another.', 'AUTH-4').checkedBy(
      async ({ sachet, client }) => {
        const production = '/sandboxes/production';
        const refresh = { body: { refresh_token: client.refreshToken } };
        expect((await sachet.client(client.token, production).get('/v2/products')).status).toBe(401);
        expect((await sachet.call('POST', production + refreshPath, refresh)).status).toBe(401);
      },
    ),
  ],
};

const catalog: Section = {
  title: 'Client products and consumers',
  statements: [
    says(
      'GET /v2/products lists client products under the key client_products, with their four fields.',
      'CAT-1',
    ).checkedBy(async ({ client }) => {
      const { body } = await client.get('/v2/products');
      const product = { id: uuid, product_name: text, active: expect.any(Boolean), serving_size: number };
      expect(body).toEqual({ client_products: body.client_products.map(() => product) });
    }),
    says('Only products with active = true can be ordered.', 'ORD-19').checkedBy(rejectedAs('orders.create', 'ORD-19')),
    says('GET /v2/products/{id} verifies that a product exists.', 'CAT-2, single_read_body').checkedBy(
      succeeds(`/v2/products/${known.product}`),
      rejectedAs('products.get', 'CAT-2'),
    ),
    says('GET /v2/consumers/{id} verifies that a consumer exists.', 'CAT-2, single_read_body').checkedBy(
      succeeds(`/v2/consumers/${known.consumer}`),
      rejectedAs('consumers.get', 'CAT-2'),
    ),
  ],
};

type Listed = readonly { readonly id: string; readonly order_id: string }[];

const fulfillments: Section = {
  title: 'Fulfillments',
  statements: [
    says(
      'GET /v2/fulfillments/{fulfillmentId} gives `fulfillment` with the 15 documented fields.',
      'FUL-1, absent_values, status_id',
    ).checkedBy(async ({ client }) => {
      expect((await client.get(one)).body).toEqual({
        fulfillment: {
          ...{ id: uuid, order_id: uuid, consumer_id: uuid, status_id: text, tracking_info: expect.any(Object) },
          ...{ delivery_date: orNull(instant), pickup_date: orNull(instant), created_at: instant, updated_at: instant },
          ...{ label_url: text, shipping_net_charge: orNull(number), weight: orNull(number) },
          ...{ shipment_order_id: orNull(text), shipment_order_number: orNull(text), order_lines: expect.any(Array) },
        },
      });
    }),
    says('tracking_info has carrier, method, number and URL.', 'FUL-1').checkedBy(async ({ client }) => {
      const fields = ['shipping_carrier', 'shipping_method', 'tracking_number', 'tracking_url'];
      const { tracking_info } = await read({ client });
      expect(tracking_info).toEqual(Object.fromEntries(fields.map((field) => [field, orNull(text)])));
    }),
    says('tracking_url is a direct link to the tracking page.', 'FUL-1').checkedBy(async ({ sachet, client }) => {
      const { tracking_info: tracking } = await read({ client });
      const page = await sachet.call('GET', tracking.tracking_url);
      expect([page.status, page.text.includes(tracking.tracking_number)]).toEqual([200, true]);
    }),
    says('order_lines are objects with id and name.', 'FUL-1').checkedBy(async ({ client }) => {
      const { order_lines } = await read({ client });
      expect(order_lines).not.toHaveLength(0);
      for (const line of order_lines) expect(line).toEqual({ id: uuid, name: text });
    }),
    says(
      'delivery_date and pickup_date say when the carrier delivered and picked up the package.',
      'FUL-1, fulfillment_timeline',
    ).checkedBy(async ({ sachet, client, stage }) => {
      const { id } = await stage.orders.ship(orderIn['In Production'], {});
      await stage.fulfillments.pick_up(id);
      await sachet.advance(60 * seconds);
      await stage.fulfillments.deliver(id);
      const { delivery_date, pickup_date } = (await client.get(`/v2/fulfillments/${id}`)).body.fulfillment;
      expect(Date.parse(delivery_date) - Date.parse(pickup_date)).toBe(60 * seconds);
    }),
    says('label_url is pre-signed, and downloads the shipping label.', 'FUL-4, storage_auth').checkedBy(
      async ({ sachet, client }) => {
        const { label_url: url } = await read({ client });
        expect(new URL(url).searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
        const label = await sachet.call('GET', url);
        expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      },
    ),
    says('label_url expires after 15 minutes.', 'FUL-4').checkedBy(async ({ sachet, client }) => {
      const { label_url: url } = await read({ client });
      await sachet.advance(899 * seconds);
      expect((await sachet.call('GET', url)).status).toBe(200);
      await sachet.advance(seconds);
      expect((await sachet.call('GET', url)).status).toBe(403);
    }),
    says('To obtain a fresh label_url after expiry, a fresh fulfillment is requested.', 'FUL-5').checkedBy(
      async ({ sachet, client }) => {
        const { label_url: expired } = await read({ client });
        await sachet.advance(900 * seconds);
        const { label_url: fresh } = await read({ client });
        const statuses = [(await sachet.call('GET', expired)).status, (await sachet.call('GET', fresh)).status];
        expect(statuses).toEqual([403, 200]);
      },
    ),
    says('GET /v2/orders/{orderId}/fulfillments gives the array `fulfillments` of the order.', 'FUL-2').checkedBy(
      async ({ client }) => {
        const { order_id: orderId } = await read({ client });
        const { body } = await client.get(`/v2/orders/${orderId}/fulfillments`);
        const listed: Listed = body.fulfillments;
        expect(Object.keys(body)).toEqual(['fulfillments']);
        expect(listed.map(({ id }) => id)).toContain(known.fulfillment);
        expect(new Set(listed.map(({ order_id }) => order_id))).toEqual(new Set([orderId]));
      },
    ),
    says(
      'GET /v2/fulfillments gives the array `fulfillments`; limit is the number of results, by default 20.',
      'FUL-3, max_limit, over_max_limit',
    ).checkedBy(async ({ client }) => {
      expect((await client.get('/v2/fulfillments')).body.fulfillments).toHaveLength(20);
      expect((await client.get('/v2/fulfillments?limit=7')).body.fulfillments).toHaveLength(7);
    }),
    says('cursor continues a list.', 'FUL-3, next_cursor, list_order').checkedBy(async ({ client }) => {
      const read: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await client.get(`/v2/fulfillments?limit=7${cursor && `&cursor=${cursor}`}`);
        read.push(...body.fulfillments);
        cursor = body.next_cursor;
      }
      const all: Listed = (await client.get('/v2/fulfillments?limit=100')).body.fulfillments;
      expect((read as Listed).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    }),
    says('order_id filters by order.', 'FUL-3').checkedBy(async ({ client }) => {
      const { order_id: orderId } = await read({ client });
      const listed: Listed = (await client.get(`/v2/fulfillments?order_id=${orderId}`)).body.fulfillments;
      expect(new Set(listed.map(({ order_id }) => order_id))).toEqual(new Set([orderId]));
      expect((await client.get(`/v2/fulfillments?order_id=${unknownId}`)).body.fulfillments).toEqual([]);
    }),
    says('limit is an integer, order_id a UUID.', 'FUL-3, malformed_parameter').checkedBy(async ({ client }) => {
      for (const query of ['limit=1.5', 'order_id=7'])
        expect((await client.get(`/v2/fulfillments?${query}`)).status, query).toBe(400);
    }),
  ],
};

const errors: Section = {
  title: 'Errors and limits',
  statements: [
    says(
      'All calls use JSON, and requests with a body carry `Content-Type: application/json`.',
      'HTTP-1, malformed_body',
    ).checkedBy(
      async ({ order }) => {
        const { headers, status } = await order();
        expect([status, headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
      },
      rejectedAs('orders.create', 'unsupported_media_type'),
    ),
    says('The version is part of the path: all endpoints start with /v2.', 'HTTP-1').checkedBy(async ({ client }) => {
      expect([(await client.get('/products')).status, (await client.get('/v1/products')).status]).toEqual([404, 404]);
    }),
    says('200 is success, 201 a created resource.', 'HTTP-2, order_created_status').checkedBy(
      async ({ client, order }) => {
        expect([(await client.get('/v2/products')).status, (await order()).status]).toEqual([200, 201]);
      },
    ),
    says('400 is a bad request (format).', 'malformed_body, malformed_path_id').checkedBy(
      rejectedAs('orders.create', 'malformed_body'),
      rejectedAs('fulfillments.get', 'malformed_path_id'),
    ),
    says('401 is a token that is expired or invalid, 403 a missing permission.', 'AUTH-3, AUTH-5').checkedBy(
      rejectedAs('products.list', 'AUTH-3', 'unauthorized_message', 'AUTH-5'),
    ),
    says('404 is not found.', 'FUL-1, FUL-2, foreign_resource').checkedBy(
      rejectedAs('fulfillments.get', 'FUL-1'),
      rejectedAs('orders.fulfillments', 'FUL-2'),
    ),
    says('422 is a validation error.', 'validation_placement, business_rule_status').checkedBy(
      rejectedAs('orders.create', 'ORD-1'),
    ),
    says(
      '429 with the header `Retry-After: 60` is a call over the rate limit.',
      'LIM-1, rate_limit, rate_limit_scope',
    ).checkedBy(async ({ client, stage }) => {
      await stage.switches.set({ rate_limit: { burst: 1 } });
      const { status, headers, body } = await client.get('/v2/products');
      expect([status, headers.get('retry-after'), body.error]).toEqual([429, '60', 'Too Many Requests']);
      expect((await client.get('/v2/products')).status).toBe(200);
    }),
    says('500 is a server error.', 'HTTP-3').checkedBy(async ({ client, stage }) => {
      await stage.switches.set({ server_error: { burst: 1 } });
      const message = 'An internal server error occurred';
      const { body } = await client.get('/v2/products');
      expect(body).toEqual({ statusCode: 500, error: 'Internal Server Error', message });
    }),
    says(
      'The error body has statusCode, error, message, and optionally details of field and message.',
      'HTTP-3, validation_report',
    ).checkedBy(rejectedAs('orders.create', 'ORD-1'), rejectedAs('fulfillments.get', 'FUL-1')),
    says('field is a dotted path such as consumer.email.', 'HTTP-3, field_path').checkedBy(
      rejectedAs('orders.create', 'ORD-12', 'ORD-5'),
    ),
    says('A login with wrong credentials fails.', 'bad_credentials').checkedBy(
      rejectedAs('authentication.token', 'bad_credentials'),
    ),
  ],
};

export const sections = [...orderSections, authentication, catalog, fulfillments, errors];
