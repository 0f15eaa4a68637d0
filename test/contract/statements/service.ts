// What the contract says of tokens, the catalog, fulfillments, errors and limits.
import { expect } from 'vitest';
import { known, newConsumer, orderWith, unknownId, validOrder } from '../../cases/requests.ts';
import { orderIn } from '../../support/operator.ts';
import { passwordOf } from '../../support/sachet.ts';
import { expectTypes, refreshPath, type Section, session, tokenPath, tokensOf } from './statement.ts';

const seconds = 1000;
const day = 86_400 * seconds;

const authentication: Section = {
  title: 'Authentication',
  statements: [
    [
      'A token is obtained with POST /v2/authentication/token, username and password.',
      'AUTH-1',
      async () => {
        const body = await tokensOf((await session()).sachet);
        expectTypes(body, { access_token: 'string', refresh_token: 'string', expires_in: 'number' });
        expect([body.access_token.split('.').length, body.expires_in]).toEqual([3, 86_400]);
      },
    ],
    [
      'A new one is obtained with POST /v2/authentication/refresh-token, without the password.',
      'AUTH-2, old_token_after_refresh',
      async () => {
        const { sachet, client } = await session();
        const { body } = await sachet.call('POST', refreshPath, { body: { refresh_token: client.refreshToken } });
        expectTypes(body, { access_token: 'string', expires_in: 'number' });
        expect((await sachet.client(body.access_token).get('/v2/products')).status).toBe(200);
      },
    ],
    [
      'Every other endpoint needs the header `Authorization: Bearer <ACCESS_TOKEN>`.',
      'AUTH-3, missing_token_message, www_authenticate',
      async () => {
        const { sachet } = await session();
        const paths = ['/v2/products', '/v2/fulfillments', `/v2/fulfillments/${known.fulfillment}`];
        for (const path of [...paths, `/v2/orders/${known.pendingOrder}/fulfillments`])
          expect((await sachet.call('GET', path)).status, path).toBe(401);
        expect((await sachet.call('POST', '/v2/orders', { body: validOrder })).status).toBe(401);
      },
    ],
    [
      'An access token is valid for 86400 seconds (24 hours).',
      'AUTH-3',
      async () => {
        const { sachet, client } = await session();
        await sachet.advance(day - seconds);
        expect((await client.get('/v2/products')).status).toBe(200);
        await sachet.advance(seconds);
        expect((await client.get('/v2/products')).status).toBe(401);
      },
    ],
    [
      'An expired token gives 401 with the message `Token expired`.',
      'AUTH-3',
      async () => {
        const { sachet, client } = await session();
        await sachet.advance(day);
        const { body } = await client.get('/v2/products');
        expect(body).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Token expired' });
      },
    ],
    [
      'An invalid token gives 401.',
      'AUTH-3, unauthorized_message',
      async () => {
        const { sachet, client } = await session();
        for (const token of ['no-token', `${client.token}x`, client.refreshToken])
          expect((await sachet.client(token).get('/v2/products')).status).toBe(401);
      },
    ],
    [
      'A user who lacks the permission gets 403 with the message `Insufficient permissions`.',
      'AUTH-5, permissions',
      async () => {
        const { client } = await session('no-permissions');
        const { body } = await client.get('/v2/products');
        expect(body).toEqual({ statusCode: 403, error: 'Forbidden', message: 'Insufficient permissions' });
      },
    ],
    [
      'Tokens of one environment (stage, production) are not valid in another.',
      'AUTH-4',
      async () => {
        const { sachet, client } = await session();
        const elsewhere = sachet.client(client.token, '/sandboxes/production');
        expect((await elsewhere.get('/v2/products')).status).toBe(401);
        const refreshed = await sachet.call('POST', `/sandboxes/production${refreshPath}`, {
          body: { refresh_token: client.refreshToken },
        });
        expect(refreshed.status).toBe(401);
      },
    ],
  ],
};

const catalog: Section = {
  title: 'Client products and consumers',
  statements: [
    [
      'GET /v2/products lists client products under the key client_products, with their four fields.',
      'CAT-1',
      async () => {
        const { body } = await (await session()).client.get('/v2/products');
        expect(Object.keys(body)).toEqual(['client_products']);
        for (const product of body.client_products)
          expectTypes(product, { id: 'uuid', product_name: 'string', active: 'boolean', serving_size: 'number' });
      },
    ],
    [
      'Only products with active = true can be ordered.',
      'ORD-19',
      async () => {
        const { client } = await session();
        const { body } = await client.get('/v2/products');
        const inactive = body.client_products.find((product: { active: boolean }) => !product.active);
        const order = orderWith({ 'order_lines.0.pouches.0.contents.0.client_product_id': inactive.id });
        expect((await client.post('/v2/orders', order)).body.message).toContain(inactive.product_name);
      },
    ],
    [
      'GET /v2/products/{id} verifies that a product exists.',
      'CAT-2, single_read_body',
      async () => {
        const { client } = await session();
        expect((await client.get(`/v2/products/${known.product}`)).status).toBe(200);
        expect((await client.get(`/v2/products/${unknownId}`)).body.message).toBe('Product not found');
      },
    ],
    [
      'GET /v2/consumers/{id} verifies that a consumer exists.',
      'CAT-2, single_read_body',
      async () => {
        const { client } = await session();
        expect((await client.get(`/v2/consumers/${known.consumer}`)).status).toBe(200);
        expect((await client.get(`/v2/consumers/${unknownId}`)).body.message).toBe('Consumer not found');
      },
    ],
  ],
};

const fulfillmentFields = {
  id: 'uuid',
  order_id: 'uuid',
  consumer_id: 'uuid',
  status_id: 'string',
  delivery_date: 'instant?',
  pickup_date: 'instant?',
  tracking_info: 'object',
  shipment_order_id: 'string?',
  shipment_order_number: 'string?',
  label_url: 'string',
  shipping_net_charge: 'number?',
  weight: 'number?',
  created_at: 'instant',
  updated_at: 'instant',
  order_lines: 'array',
};
const trackingFields = {
  shipping_carrier: 'string?',
  shipping_method: 'string?',
  tracking_number: 'string?',
  tracking_url: 'string?',
};
const one = `/v2/fulfillments/${known.fulfillment}`;
type Ids = { readonly fulfillments: readonly { readonly id: string; readonly order_id: string }[] };

const fulfillments: Section = {
  title: 'Fulfillments',
  statements: [
    [
      'GET /v2/fulfillments/{fulfillmentId} gives `fulfillment` with the 15 documented fields.',
      'FUL-1, absent_values, status_id',
      async () => {
        const { body } = await (await session()).client.get(one);
        expect(Object.keys(body)).toEqual(['fulfillment']);
        expectTypes(body.fulfillment, fulfillmentFields);
      },
    ],
    [
      'tracking_info has carrier, method, number and URL.',
      'FUL-1',
      async () => {
        const { fulfillment } = (await (await session()).client.get(one)).body;
        expectTypes(fulfillment.tracking_info, trackingFields);
      },
    ],
    [
      'tracking_url is a direct link to the tracking page.',
      'FUL-1',
      async () => {
        const { sachet, client } = await session();
        const { tracking_info: tracking } = (await client.get(one)).body.fulfillment;
        const page = await sachet.call('GET', tracking.tracking_url);
        expect([page.status, page.text.includes(tracking.tracking_number)]).toEqual([200, true]);
      },
    ],
    [
      'order_lines are objects with id and name.',
      'FUL-1',
      async () => {
        const { fulfillment } = (await (await session()).client.get(one)).body;
        for (const line of fulfillment.order_lines) expectTypes(line, { id: 'uuid', name: 'string' });
        expect(fulfillment.order_lines).not.toHaveLength(0);
      },
    ],
    [
      'delivery_date and pickup_date say when the carrier delivered and picked up the package.',
      'FUL-1, fulfillment_timeline',
      async () => {
        const { sachet, client, stage } = await session();
        const shipped = await stage.orders.ship(orderIn['In Production'], {});
        await sachet.advance(60 * seconds);
        await stage.fulfillments.pick_up(shipped.id);
        await sachet.advance(60 * seconds);
        await stage.fulfillments.deliver(shipped.id);
        const { fulfillment } = (await client.get(`/v2/fulfillments/${shipped.id}`)).body;
        expect(Date.parse(fulfillment.delivery_date) - Date.parse(fulfillment.pickup_date)).toBe(60 * seconds);
      },
    ],
    [
      'label_url is pre-signed, and downloads the shipping label.',
      'FUL-4, storage_auth',
      async () => {
        const { sachet, client } = await session();
        const { label_url: url } = (await client.get(one)).body.fulfillment;
        expect(new URL(url).searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
        const label = await sachet.call('GET', url);
        expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      },
    ],
    [
      'label_url expires after 15 minutes.',
      'FUL-4',
      async () => {
        const { sachet, client } = await session();
        const { label_url: url } = (await client.get(one)).body.fulfillment;
        await sachet.advance(899 * seconds);
        expect((await sachet.call('GET', url)).status).toBe(200);
        await sachet.advance(seconds);
        expect((await sachet.call('GET', url)).status).toBe(403);
      },
    ],
    [
      'To obtain a fresh label_url after expiry, a fresh fulfillment is requested.',
      'FUL-5',
      async () => {
        const { sachet, client } = await session();
        await sachet.advance(900 * seconds);
        const { label_url: url } = (await client.get(one)).body.fulfillment;
        expect((await sachet.call('GET', url)).status).toBe(200);
      },
    ],
    [
      'GET /v2/orders/{orderId}/fulfillments gives the array `fulfillments` of the order.',
      'FUL-2',
      async () => {
        const { client } = await session();
        const { order_id: orderId } = (await client.get(one)).body.fulfillment;
        const { body } = await client.get(`/v2/orders/${orderId}/fulfillments`);
        expect(Object.keys(body)).toEqual(['fulfillments']);
        expect((body as Ids).fulfillments.some(({ id }) => id === known.fulfillment)).toBe(true);
        expect((body as Ids).fulfillments.every((each) => each.order_id === orderId)).toBe(true);
      },
    ],
    [
      'GET /v2/fulfillments gives the array `fulfillments`; limit is the number of results, by default 20.',
      'FUL-3, max_limit, over_max_limit',
      async () => {
        const { client } = await session();
        expect((await client.get('/v2/fulfillments')).body.fulfillments).toHaveLength(20);
        expect((await client.get('/v2/fulfillments?limit=7')).body.fulfillments).toHaveLength(7);
      },
    ],
    [
      'cursor continues a list.',
      'FUL-3, next_cursor, list_order',
      async () => {
        const { client } = await session();
        const ids: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { body } = await client.get(`/v2/fulfillments?limit=7${cursor && `&cursor=${cursor}`}`);
          ids.push(...(body as Ids).fulfillments.map(({ id }) => id));
          cursor = body.next_cursor;
        }
        const all = (await client.get('/v2/fulfillments?limit=100')).body as Ids;
        expect(ids).toEqual(all.fulfillments.map(({ id }) => id));
      },
    ],
    [
      'order_id filters by order.',
      'FUL-3',
      async () => {
        const { client } = await session();
        const { order_id: orderId } = (await client.get(one)).body.fulfillment;
        const { body } = await client.get(`/v2/fulfillments?order_id=${orderId}`);
        expect((body as Ids).fulfillments.map((each) => each.order_id)).toContain(orderId);
        expect(new Set((body as Ids).fulfillments.map((each) => each.order_id)).size).toBe(1);
        expect((await client.get(`/v2/fulfillments?order_id=${unknownId}`)).body.fulfillments).toEqual([]);
      },
    ],
    [
      'limit is an integer, order_id a UUID.',
      'FUL-3, malformed_parameter',
      async () => {
        const { client } = await session();
        for (const query of ['limit=0', 'limit=x', 'limit=1.5', 'order_id=7'])
          expect((await client.get(`/v2/fulfillments?${query}`)).status, query).toBe(400);
      },
    ],
  ],
};

const statusOf = async (run: () => Promise<{ status: number }>): Promise<number> => (await run()).status;

const errors: Section = {
  title: 'Errors and limits',
  statements: [
    [
      'All calls use JSON, and requests with a body carry `Content-Type: application/json`.',
      'HTTP-1, malformed_body',
      async () => {
        const { client } = await session();
        const { headers, status } = await client.post('/v2/orders', validOrder);
        expect([status, headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
        const text = { raw: JSON.stringify(validOrder), headers: { 'content-type': 'text/plain' } };
        expect((await client.post('/v2/orders', undefined, text)).status).toBe(400);
      },
    ],
    [
      'The version is part of the path: all endpoints start with /v2.',
      'HTTP-1',
      async () => {
        const { client } = await session();
        expect([(await client.get('/products')).status, (await client.get('/v1/products')).status]).toEqual([404, 404]);
      },
    ],
    [
      '200 is success, 201 a created resource.',
      'HTTP-2, order_created_status',
      async () => {
        const { client } = await session();
        expect(await statusOf(() => client.get('/v2/products'))).toBe(200);
        expect(await statusOf(() => client.post('/v2/orders', validOrder))).toBe(201);
      },
    ],
    [
      '400 is a bad request (format).',
      'malformed_body, malformed_path_id',
      async () => {
        const { client } = await session();
        expect(await statusOf(() => client.post('/v2/orders', undefined, { raw: '{' }))).toBe(400);
        expect(await statusOf(() => client.get('/v2/fulfillments/7'))).toBe(400);
      },
    ],
    [
      '401 is a token that is expired or invalid, 403 a missing permission.',
      'AUTH-3, AUTH-5',
      async () => {
        const { sachet } = await session();
        const { client } = await session('no-permissions');
        expect(await statusOf(() => sachet.call('GET', '/v2/products'))).toBe(401);
        expect(await statusOf(() => client.get('/v2/products'))).toBe(403);
      },
    ],
    [
      '404 is not found.',
      'FUL-1, FUL-2, foreign_resource',
      async () => {
        const { client } = await session();
        for (const id of [unknownId, known.foreignFulfillment])
          expect(await statusOf(() => client.get(`/v2/fulfillments/${id}`))).toBe(404);
        expect((await client.get(`/v2/orders/${unknownId}/fulfillments`)).body.message).toBe('Order not found');
      },
    ],
    [
      '422 is a validation error.',
      'validation_placement, business_rule_status',
      async () => {
        const { client } = await session();
        expect(await statusOf(() => client.post('/v2/orders', {}))).toBe(422);
      },
    ],
    [
      '429 with the header `Retry-After: 60` is a call over the rate limit.',
      'LIM-1, rate_limit, rate_limit_scope',
      async () => {
        const { client, stage } = await session();
        await stage.switches.set({ rate_limit: { burst: 1 } });
        const { status, headers, body } = await client.get('/v2/products');
        expect([status, headers.get('retry-after'), body.error]).toEqual([429, '60', 'Too Many Requests']);
        expect(await statusOf(() => client.get('/v2/products'))).toBe(200);
      },
    ],
    [
      '500 is a server error.',
      'HTTP-3',
      async () => {
        const { client, stage } = await session();
        await stage.switches.set({ server_error: { burst: 1 } });
        const { body } = await client.get('/v2/products');
        const message = 'An internal server error occurred';
        expect(body).toEqual({ statusCode: 500, error: 'Internal Server Error', message });
      },
    ],
    [
      'The error body has statusCode, error, message, and optionally details of field and message.',
      'HTTP-3, validation_report',
      async () => {
        const { body, status } = await (await session()).client.post('/v2/orders', {});
        expectTypes(body, { statusCode: 'number', error: 'string', message: 'string', details: 'array' });
        expect(body.statusCode).toBe(status);
        for (const detail of body.details) expectTypes(detail, { field: 'string', message: 'string' });
      },
    ],
    [
      'field is a dotted path such as consumer.email.',
      'HTTP-3, field_path',
      async () => {
        const order = orderWith({ consumer: { ...newConsumer, email: 'ada' }, 'order_lines.0.pouches': undefined });
        const { details } = (await (await session()).client.post('/v2/orders', order)).body;
        const fields = details.map(({ field }: { field: string }) => field);
        expect(fields).toEqual(['consumer.email', 'order_lines.0.pouches']);
      },
    ],
    [
      'A login with wrong credentials fails.',
      'bad_credentials',
      async () => {
        const { sachet } = await session();
        const login = (username: string, password: string) => () =>
          sachet.call('POST', tokenPath, { body: { username, password } });
        expect(await statusOf(login('demo', 'wrong'))).toBe(401);
        expect(await statusOf(login('nobody', passwordOf('demo')))).toBe(401);
      },
    ],
  ],
};

export const serviceSections = [authentication, catalog, fulfillments, errors];
