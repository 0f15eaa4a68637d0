// The contract about orders: the request, its validation messages, the response, the states.
import { expect } from 'vitest';
import { known, lineWith, newConsumer, validOrder } from '../../cases/requests.ts';
import { orderIn } from '../../support/operator.ts';
import { type Check, rejectedAs, type Section, type Statement, says, session, text, uuid } from './statement.ts';

type Patches = Readonly<Record<string, unknown>>;
/** An order with these values is accepted, and Pending, with the ids of the order and of its consumer. */
const accepts =
  (...all: readonly Patches[]): Check =>
  async ({ order }) => {
    for (const patches of all) {
      const { status, body } = await order(patches);
      expect([status, body.order]).toMatchObject([201, { id: uuid, status: 'Pending', consumer: { id: uuid } }]);
    }
  };
/** An order with these values is rejected, with one detail for this field. */
const rejects =
  (patches: Patches, field: string, message: unknown = expect.any(String)): Check =>
  async ({ order }) => {
    const { status, body } = await order(patches);
    expect([status, body.details]).toEqual([422, [{ field, message }]]);
  };

const pouch = 'order_lines.0.pouches.0';
const contents = `${pouch}.contents`;
const twoProducts = [{ client_product_id: known.product }, { client_product_id: known.product2 }];
const [duration, servingSize] = ['order_lines.0.duration', `${contents}.0.serving_size`];

const overview: Section = {
  title: 'What the service does',
  statements: [
    says('The service accepts orders of packs made of pouches with client products.', 'ORD-24').checkedBy(accepts({})),
    says('Each pouch is taken at a time of administration.', 'time_of_administration').checkedBy(
      accepts({ [`${pouch}.time_of_administration`]: 'Evening' }),
    ),
    says('A pouch holds one or more client products.', 'ORD-24').checkedBy(
      accepts({ [contents]: twoProducts }),
      rejects({ [contents]: [] }, contents),
    ),
    says('An order is placed on behalf of a consumer, who exists from then on.', 'ORD-24, CAT-2').checkedBy(
      async (api) => {
        const { id } = (await api.order()).body.order.consumer;
        expect((await api.client.get(`/v2/consumers/${id}`)).body.consumer).toMatchObject(newConsumer);
      },
    ),
    says(
      'After an order is accepted, its shipments are exposed as fulfillments with carrier tracking data.',
      'FUL-1, FUL-2',
    ).checkedBy(async ({ client, stage, order }) => {
      const { id } = (await order()).body.order;
      const path = `/v2/orders/${id}/fulfillments`;
      expect((await client.get(path)).body).toEqual({ fulfillments: [] });
      await stage.orders.accept(id);
      await stage.orders.start_production(id);
      await stage.orders.ship(id, {});
      const [fulfillment] = (await client.get(path)).body.fulfillments;
      expect(fulfillment.order_id).toBe(id);
      expect(fulfillment.tracking_info.tracking_number).toMatch(/\w{6}/);
    }),
    says('Precondition 1: the client account exists and is active.', 'AUTH-6').checkedBy(() =>
      expect(session('inactive-account')).rejects.toThrow('401'),
    ),
    says('Preconditions 2 and 3: an account has a brand, and credentials issued for it.', 'AUTH-1, CAT-1').checkedBy(
      async (api) => {
        const own = async ({ client }: Pick<typeof api, 'client'>): Promise<string[]> =>
          (await client.get('/v2/products')).body.client_products.map(({ id }: { id: string }) => id);
        const [first, second] = [await own(api), await own(await session('other-brand'))];
        expect(first.length * second.length).toBeGreaterThan(0);
        expect(first.filter((id) => second.includes(id))).toEqual([]);
      },
    ),
    says('Precondition 4: an order needs an active product.', 'ORD-19').checkedBy(
      rejectedAs('orders.create', 'ORD-19'),
    ),
    says('Precondition 5: an order needs a Packaging Asset Group (PAG).', 'ORD-21').checkedBy(
      rejectedAs('orders.create', 'ORD-21'),
    ),
  ],
};

const request: Section = {
  title: 'Order request',
  statements: [
    says('A consumer is an existing one with an id.', 'ORD-11').checkedBy(
      accepts({ consumer: { id: known.consumer } }),
    ),
    says('Or a new one with first_name, last_name, email and phone_number.', 'ORD-24').checkedBy(async ({ order }) => {
      const { first_name, last_name } = newConsumer;
      expect((await order({ consumer: newConsumer })).body.order.consumer).toMatchObject({ first_name, last_name });
    }),
    says('The two patterns must not be mixed.', 'ORD-26, OPEN-1').checkedBy(
      rejects({ consumer: { id: known.consumer, email: 'ada@example.com' } }, 'consumer.email'),
    ),
    says('phone_number has E.164 format.', 'phone_format, faults_per_field').checkedBy(
      accepts({ 'consumer.phone_number': '+442071838750' }),
      rejectedAs('orders.create', 'phone_format'),
    ),
    says('province_name and postal_code are used, and not required.', 'ORD-14').checkedBy(
      accepts({ 'shipping_address.province_name': undefined, 'shipping_address.postal_code': undefined }),
    ),
    says('address1 has fewer than 100 characters: 99 are accepted.', 'ORD-15').checkedBy(
      accepts({ 'shipping_address.address1': 'x'.repeat(99) }),
    ),
    says('city has fewer than 50 characters: 49 are accepted.', 'ORD-16').checkedBy(
      accepts({ 'shipping_address.city': 'x'.repeat(49) }),
    ),
    says('phone_number has at most 15 characters: 15 are accepted.', 'ORD-13').checkedBy(
      accepts({ 'consumer.phone_number': '+12345678901234' }),
    ),
    says('duration and serving_size are numbers, and not required.', 'OPEN-3, numeric_strings').checkedBy(
      accepts({ [duration]: 30.5, [servingSize]: 2 }, { [duration]: undefined, [servingSize]: undefined }),
      rejects({ [duration]: 'a month' }, duration),
    ),
    says('A pouch has contents, or a pack_id.', 'ORD-6, pack_id').checkedBy(
      accepts({ [pouch]: { pack_id: known.pack } }),
    ),
    says('Never both.', 'ORD-26, pouch_both').checkedBy(rejects({ [`${pouch}.pack_id`]: known.pack }, pouch)),
    says(
      'Every content item references an active client product of the calling client.',
      'ORD-17, ORD-18, ORD-19',
    ).checkedBy(rejectedAs('orders.create', 'ORD-17', 'ORD-18', 'ORD-19')),
    says('An order has at least 1 line; several are accepted.', 'ORD-4').checkedBy(
      accepts({ order_lines: [lineWith(known.product), lineWith(known.product2)] }),
    ),
  ],
};

const response: Section = {
  title: 'Order response',
  statements: [
    says(
      'The body is an object with the key `order`: id, status, consumer (id, first_name, last_name).',
      'ORD-24, order_fields',
    ).checkedBy(async ({ order }) => {
      const consumer = { id: uuid, first_name: text, last_name: text };
      expect((await order()).body).toEqual({ order: { id: uuid, status: text, consumer } });
    }),
  ],
};

const states: Section = {
  title: 'States and transitions',
  statements: [
    says('A valid order is Pending; order and consumer ids are returned.', 'ORD-24').checkedBy(accepts({})),
    says(
      'With a PAG that is not Active the order gets the status Needs Changes, without an error.',
      'ORD-25',
    ).checkedBy(async () => {
      const { order } = await session('inactive-pag');
      const { status, body } = await order({ order_lines: [lineWith(known.inactivePagProduct)] });
      expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
    }),
    says('The operator must then approve the packaging.', 'ORD-25, order_transitions').checkedBy(
      async ({ client, stage }) => {
        await stage.orders.approve_packaging(orderIn['Needs Changes']);
        const { body } = await client.get(`/v2/orders/${orderIn['Needs Changes']}`);
        expect(body.order.status).toBe('Pending');
      },
    ),
    says('An order also becomes accepted and then goes into production.', 'order_transitions').checkedBy(
      async (api) => {
        const { id } = (await api.order()).body.order;
        const status = async () => (await api.client.get(`/v2/orders/${id}`)).body.order.status;
        await api.stage.orders.accept(id);
        expect(await status()).toBe('Accepted');
        await api.stage.orders.start_production(id);
        expect(await status()).toBe('In Production');
      },
    ),
    says('Rule 1: an order can be modified while it is Pending or On Hold.', 'ORD-22').checkedBy(async ({ client }) => {
      for (const id of [orderIn.Pending, orderIn['On Hold']])
        expect((await client.patch(`/v2/orders/${id}`, validOrder)).status).toBe(200);
    }),
    says('Otherwise the error `Order cannot be modified` results.', 'ORD-22').checkedBy(
      rejectedAs('orders.update', 'ORD-22'),
    ),
    says('Rule 2: an order in production cannot be canceled: `Order cannot be canceled`.', 'ORD-23').checkedBy(
      rejectedAs('orders.cancel', 'ORD-23'),
    ),
  ],
};

const required = (field: string): Statement => {
  const [path, message] = [`shipping_address.${field}`, `"${field}" is required`];
  return says(`${field} missing: \`${message}\`.`, 'ORD-14').checkedBy(rejects({ [path]: undefined }, path, message));
};

// The other messages are those of the rules ORD-1 to ORD-27: test/contract/rejections.test.ts.
const messages: Section = {
  title: 'Validation messages',
  statements: [required('city'), required('country_name')],
};

export const orderSections = [overview, request, response, states, messages];
