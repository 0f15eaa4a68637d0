// What the contract says of orders: the request, its validation messages, the response, the states.
import { expect } from 'vitest';
import { known, lineOf, newConsumer, orderWith, validOrder } from '../../cases/requests.ts';
import { orderIn } from '../../support/operator.ts';
import { fixtures } from '../../support/sachet.ts';
import { expectTypes, placeOrder, rejectsByCase, type Section, type Statement, session } from './statement.ts';

const accepted = async (patches: Readonly<Record<string, unknown>>): Promise<void> => {
  const { status, text } = await placeOrder(orderWith(patches));
  expect(status, text).toBe(201);
};
const rejected = async (patches: Readonly<Record<string, unknown>>, field: string): Promise<void> => {
  const { status, body } = await placeOrder(orderWith(patches));
  expect([status, body.details.map((detail: { field: string }) => detail.field)]).toEqual([422, [field]]);
};

const overview: Section = {
  title: 'What the service does',
  statements: [
    ['The service accepts orders of packs made of pouches with client products.', 'ORD-24', () => accepted({})],
    [
      'Each pouch is taken at a time of administration.',
      'time_of_administration',
      () => accepted({ 'order_lines.0.pouches.0.time_of_administration': 'Evening' }),
    ],
    [
      'A pouch holds one or more client products.',
      'ORD-24',
      async () => {
        const content = { client_product_id: known.product };
        await accepted({ 'order_lines.0.pouches.0.contents': [content, { client_product_id: known.product2 }] });
        await rejected({ 'order_lines.0.pouches.0.contents': [] }, 'order_lines.0.pouches.0.contents');
      },
    ],
    [
      'An order is placed on behalf of a consumer, who exists from then on.',
      'ORD-24, CAT-2',
      async () => {
        const { client } = await session();
        const { order } = (await client.post('/v2/orders', validOrder)).body;
        const read = await client.get(`/v2/consumers/${order.consumer.id}`);
        expect(read.body.consumer).toMatchObject(newConsumer);
      },
    ],
    [
      'After an order is accepted, its shipments are exposed as fulfillments with carrier tracking data.',
      'FUL-1, FUL-2',
      async () => {
        const { client, stage } = await session();
        const { id } = (await client.post('/v2/orders', validOrder)).body.order;
        const path = `/v2/orders/${id}/fulfillments`;
        expect((await client.get(path)).body).toEqual({ fulfillments: [] });
        await stage.orders.accept(id);
        await stage.orders.start_production(id);
        await stage.orders.ship(id, {});
        const [fulfillment] = (await client.get(path)).body.fulfillments;
        expect(fulfillment.order_id).toBe(id);
        expect(fulfillment.tracking_info.tracking_number).toMatch(/\w{6}/);
      },
    ],
    [
      'Precondition 1: the client account exists and is active.',
      'AUTH-6',
      async () => {
        await expect(session('inactive-account')).rejects.toThrow('401');
      },
    ],
    [
      'Preconditions 2 and 3: an account has a brand, and credentials issued for it.',
      'AUTH-1, CAT-1',
      async () => {
        const own = async (username: string) =>
          (await (await session(username)).client.get('/v2/products')).body.client_products as { id: string }[];
        const [first, second] = [await own('demo'), await own('other-brand')];
        expect(first.length * second.length).toBeGreaterThan(0);
        expect(first.filter(({ id }) => second.some((other) => other.id === id))).toEqual([]);
      },
    ],
    ['Precondition 4: an order needs an active product.', 'ORD-19', () => rejectsByCase('ORD-19')],
    ['Precondition 5: an order needs a Packaging Asset Group (PAG).', 'ORD-21', () => rejectsByCase('ORD-21')],
  ],
};

const request: Section = {
  title: 'Order request',
  statements: [
    [
      'A consumer is an existing one with an id.',
      'ORD-11',
      async () => {
        const { status, body } = await placeOrder(orderWith({ consumer: { id: known.consumer } }));
        expect([status, body.order.consumer.id]).toEqual([201, known.consumer]);
      },
    ],
    [
      'Or a new one with first_name, last_name, email and phone_number.',
      'ORD-24',
      async () => {
        const { body } = await placeOrder(orderWith({ consumer: newConsumer }));
        expect(body.order.consumer).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
      },
    ],
    [
      'The two patterns must not be mixed.',
      'ORD-26, OPEN-1',
      () => rejected({ consumer: { id: known.consumer, email: 'ada@example.com' } }, 'consumer.email'),
    ],
    [
      'phone_number has E.164 format.',
      'phone_format, faults_per_field',
      async () => {
        await accepted({ 'consumer.phone_number': '+442071838750' });
        await rejected({ 'consumer.phone_number': '0207' }, 'consumer.phone_number');
      },
    ],
    [
      'province_name and postal_code are used, and not required.',
      'ORD-14',
      () => accepted({ 'shipping_address.province_name': undefined, 'shipping_address.postal_code': undefined }),
    ],
    [
      'address1 has fewer than 100 characters: 99 are accepted.',
      'ORD-15',
      () => accepted({ 'shipping_address.address1': 'x'.repeat(99) }),
    ],
    [
      'city has fewer than 50 characters: 49 are accepted.',
      'ORD-16',
      () => accepted({ 'shipping_address.city': 'x'.repeat(49) }),
    ],
    [
      'phone_number has at most 15 characters: 15 are accepted.',
      'ORD-13',
      () => accepted({ 'consumer.phone_number': '+12345678901234' }),
    ],
    [
      'duration and serving_size are numbers, and not required.',
      'OPEN-3, numeric_strings',
      async () => {
        await accepted({
          'order_lines.0.duration': 30.5,
          'order_lines.0.pouches.0.contents.0.serving_size': 2,
        });
        await accepted({
          'order_lines.0.duration': undefined,
          'order_lines.0.pouches.0.contents.0.serving_size': undefined,
        });
        await rejected({ 'order_lines.0.duration': 'a month' }, 'order_lines.0.duration');
      },
    ],
    [
      'A pouch has contents, or a pack_id.',
      'ORD-6, pack_id',
      () => accepted({ 'order_lines.0.pouches.0': { pack_id: known.pack } }),
    ],
    [
      'Never both.',
      'ORD-26, pouch_both',
      () => rejected({ 'order_lines.0.pouches.0.pack_id': known.pack }, 'order_lines.0.pouches.0'),
    ],
    [
      'Every content item references an active client product of the calling client.',
      'ORD-17, ORD-18, ORD-19',
      async () => {
        for (const rule of ['ORD-17', 'ORD-18', 'ORD-19']) await rejectsByCase(rule);
      },
    ],
    [
      'An order has at least 1 line; several are accepted.',
      'ORD-4',
      () => accepted({ order_lines: [lineOf(known.product), lineOf(known.product2)] }),
    ],
  ],
};

const response: Section = {
  title: 'Order response',
  statements: [
    [
      'The body is an object with the key `order`: id, status, consumer (id, first_name, last_name).',
      'ORD-24, order_fields',
      async () => {
        const { body } = await placeOrder(validOrder);
        expect(Object.keys(body)).toEqual(['order']);
        expectTypes(body.order, { id: 'uuid', status: 'string', consumer: 'object' });
        expectTypes(body.order.consumer, { id: 'uuid', first_name: 'string', last_name: 'string' });
      },
    ],
  ],
};

const modify = (id: string) => async () => (await session()).client.patch(`/v2/orders/${id}`, validOrder);
const cancel = (id: string) => async () => (await session()).client.post(`/v2/orders/${id}/cancel`);

const states: Section = {
  title: 'States and transitions',
  statements: [
    [
      'A valid order is Pending; order and consumer ids are returned.',
      'ORD-24',
      async () => {
        const { status, body } = await placeOrder(validOrder);
        expect([status, body.order.status]).toEqual([201, 'Pending']);
      },
    ],
    [
      'With a PAG that is not Active the order gets the status Needs Changes, without an error.',
      'ORD-25',
      async () => {
        const { status, body } = await placeOrder(
          { ...validOrder, order_lines: [lineOf(known.inactivePagProduct)] },
          'inactive-pag',
        );
        expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
      },
    ],
    [
      'The operator must then approve the packaging.',
      'ORD-25, order_transitions',
      async () => {
        const { client, stage } = await session();
        await stage.orders.approve_packaging(orderIn['Needs Changes']);
        const { body } = await client.get(`/v2/orders/${orderIn['Needs Changes']}`);
        expect(body.order.status).toBe('Pending');
      },
    ],
    [
      'An order also becomes accepted and then goes into production.',
      'order_transitions',
      async () => {
        const { client, stage } = await session();
        const { id } = (await client.post('/v2/orders', validOrder)).body.order;
        const status = async () => (await client.get(`/v2/orders/${id}`)).body.order.status;
        await stage.orders.accept(id);
        expect(await status()).toBe('Accepted');
        await stage.orders.start_production(id);
        expect(await status()).toBe('In Production');
      },
    ],
    [
      'Rule 1: an order can be modified while it is Pending or On Hold.',
      'ORD-22',
      async () => {
        expect((await modify(orderIn.Pending)()).status).toBe(200);
        expect((await modify(orderIn['On Hold'])()).status).toBe(200);
      },
    ],
    [
      'Otherwise the error `Order cannot be modified` results.',
      'ORD-22',
      async () => {
        for (const status of ['Accepted', 'In Production', 'Canceled', 'Needs Changes'] as const)
          expect((await modify(orderIn[status])()).body.message, status).toBe('Order cannot be modified');
      },
    ],
    [
      'Rule 2: an order in production cannot be canceled: `Order cannot be canceled`.',
      'ORD-23',
      async () => {
        expect((await cancel(orderIn['In Production'])()).body.message).toBe('Order cannot be canceled');
        expect((await cancel(orderIn.Accepted)()).body.order.status).toBe('Canceled');
      },
    ],
  ],
};

const table = (condition: string, rule: string): Statement => [
  `${condition}.`,
  rule,
  () => rejectsByCase(rule, rule === 'ORD-22' ? 'orders.update' : rule === 'ORD-23' ? 'orders.cancel' : undefined),
];

const [operator] = [fixtures.operator.name];

const messages: Section = {
  title: 'Validation messages',
  statements: [
    table('consumer missing: `"consumer" is required`', 'ORD-1'),
    table('shipping_address missing: `"shipping_address" is required`', 'ORD-2'),
    table('order_lines missing: `"order_lines" is required`', 'ORD-3'),
    table('order_lines empty: `"order_lines" must contain at least 1 items`', 'ORD-4'),
    table('pouches missing: `"pouches" is required`', 'ORD-5'),
    table('pouch has neither pack_id nor contents: `Either pack_id or contents required`', 'ORD-6'),
    table('content without product: `"client_product_id" is required`', 'ORD-7'),
    table('first_name without last_name: `"last_name" is required`', 'ORD-9'),
    table('consumer id not a UUID: `"id" must be a valid GUID`', 'ORD-10'),
    table('consumer id unknown: `Consumer not found`', 'ORD-11'),
    table('invalid e-mail: `"email" must be a valid email`', 'ORD-12'),
    table('phone too long: `"phone_number" length must be less than or equal to 15`', 'ORD-13'),
    table('address1 missing: `"address1" is required`', 'ORD-14'),
    ...['city', 'country_name'].map((field): Statement => {
      const message = `"${field}" is required`;
      const path = `shipping_address.${field}`;
      const check = async () => {
        const { body } = await placeOrder(orderWith({ [path]: undefined }));
        expect(body.details).toEqual([{ field: path, message }]);
      };
      return [`${field} missing: \`${message}\`.`, 'ORD-14', check];
    }),
    table('address1 too long: `Address line 1 must be less than 100 characters`', 'ORD-15'),
    table('city too long: `City must be less than 50 characters`', 'ORD-16'),
    table('product id not a UUID: `"client_product_id" must be a valid GUID`', 'ORD-8'),
    table('inactive client products: their names after a fixed sentence', 'ORD-19'),
    table(`inactive underlying products: their names after the sentence with the operator's name`, 'ORD-20'),
    table('product unknown: `Product not found`', 'ORD-17'),
    table('product of another client: `Product does not belong to client`', 'ORD-18'),
    table('no PAG for the order line: `No Packaging Asset Group ID found for the order line`', 'ORD-21'),
    table('order not modifiable: `Order cannot be modified`', 'ORD-22'),
    table('order not cancelable: `Order cannot be canceled`', 'ORD-23'),
    [
      `The sentence of an underlying product names the operator of the fixtures.`,
      'ORD-20',
      async () => {
        const { body } = await placeOrder({ ...validOrder, order_lines: [lineOf(known.discontinuedProduct)] });
        expect(body.message).toContain(`The following ${operator} products are inactive`);
      },
    ],
    [
      'A rejected order changes nothing.',
      'ORD-27',
      async () => {
        const { client } = await session();
        const { body: first } = await (await session()).client.post('/v2/orders', validOrder);
        await client.post('/v2/orders', orderWith({ 'order_lines.0.pouches.0': {} }));
        await client.post('/v2/orders', { ...validOrder, order_lines: [lineOf(known.inactiveProduct)] });
        expect((await client.post('/v2/orders', validOrder)).body).toEqual(first);
      },
    ],
  ],
};

export const orderSections = [overview, request, response, states, messages];
