// The contract about orders: the request, its validation messages, the response, the states.
import { expect } from 'vitest';
import { known, lineWith, newConsumer, validOrder } from '../../cases/requests.ts';
import { orderIn } from '../../support/operator.ts';
import { expectTypes, rejectsByCase, type Section, type Statement, says, session } from './statement.ts';

type Patches = Readonly<Record<string, unknown>>;
/** An order with these values is accepted. */
const accepts =
  (...all: readonly Patches[]): Statement[2] =>
  async ({ order }) => {
    for (const patches of all) expect(await order(patches)).toMatchObject({ status: 201 });
  };
/** An order with these values is rejected, with one detail for this field. */
const rejects =
  (patches: Patches, field: string): Statement[2] =>
  async ({ order }) => {
    const { status, body } = await order(patches);
    expect([status, body.details.map((detail: { field: string }) => detail.field)]).toEqual([422, [field]]);
  };
const pouch = 'order_lines.0.pouches.0';
const servingSize = `${pouch}.contents.0.serving_size`;

const overview: Section = {
  title: 'What the service does',
  statements: [
    says('The service accepts orders of packs made of pouches with client products.', 'ORD-24', accepts({})),
    says(
      'Each pouch is taken at a time of administration.',
      'time_of_administration',
      accepts({ [`${pouch}.time_of_administration`]: 'Evening' }),
    ),
    says('A pouch holds one or more client products.', 'ORD-24', async (session) => {
      const contents = [{ client_product_id: known.product }, { client_product_id: known.product2 }];
      await accepts({ [`${pouch}.contents`]: contents })(session);
      await rejects({ [`${pouch}.contents`]: [] }, `${pouch}.contents`)(session);
    }),
    says('An order is placed on behalf of a consumer, who exists from then on.', 'ORD-24, CAT-2', async (api) => {
      const { id } = (await api.order()).body.order.consumer;
      expect((await api.client.get(`/v2/consumers/${id}`)).body.consumer).toMatchObject(newConsumer);
    }),
    says(
      'After an order is accepted, its shipments are exposed as fulfillments with carrier tracking data.',
      'FUL-1, FUL-2',
      async ({ client, stage, order }) => {
        const { id } = (await order()).body.order;
        const path = `/v2/orders/${id}/fulfillments`;
        expect((await client.get(path)).body).toEqual({ fulfillments: [] });
        await stage.orders.accept(id);
        await stage.orders.start_production(id);
        await stage.orders.ship(id, {});
        const [fulfillment] = (await client.get(path)).body.fulfillments;
        expect(fulfillment.order_id).toBe(id);
        expect(fulfillment.tracking_info.tracking_number).toMatch(/\w{6}/);
      },
    ),
    says('Precondition 1: the client account exists and is active.', 'AUTH-6', () =>
      expect(session('inactive-account')).rejects.toThrow('401'),
    ),
    says(
      'Preconditions 2 and 3: an account has a brand, and credentials issued for it.',
      'AUTH-1, CAT-1',
      async (api) => {
        const own = async ({ client }: Pick<typeof api, 'client'>): Promise<string[]> =>
          (await client.get('/v2/products')).body.client_products.map(({ id }: { id: string }) => id);
        const [first, second] = [await own(api), await own(await session('other-brand'))];
        expect(first.length * second.length).toBeGreaterThan(0);
        expect(first.filter((id) => second.includes(id))).toEqual([]);
      },
    ),
    says('Precondition 4: an order needs an active product.', 'ORD-19', () => rejectsByCase('ORD-19')),
    says('Precondition 5: an order needs a Packaging Asset Group (PAG).', 'ORD-21', () => rejectsByCase('ORD-21')),
  ],
};

const request: Section = {
  title: 'Order request',
  statements: [
    says('A consumer is an existing one with an id.', 'ORD-11', async ({ order }) => {
      const { status, body } = await order({ consumer: { id: known.consumer } });
      expect([status, body.order.consumer.id]).toEqual([201, known.consumer]);
    }),
    says('Or a new one with first_name, last_name, email and phone_number.', 'ORD-24', async ({ order }) => {
      const { consumer } = (await order({ consumer: newConsumer })).body.order;
      expect(consumer).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
    }),
    says(
      'The two patterns must not be mixed.',
      'ORD-26, OPEN-1',
      rejects({ consumer: { id: known.consumer, email: 'ada@example.com' } }, 'consumer.email'),
    ),
    says('phone_number has E.164 format.', 'phone_format, faults_per_field', async (api) => {
      await accepts({ 'consumer.phone_number': '+442071838750' })(api);
      await rejects({ 'consumer.phone_number': '0207' }, 'consumer.phone_number')(api);
    }),
    says(
      'province_name and postal_code are used, and not required.',
      'ORD-14',
      accepts({ 'shipping_address.province_name': undefined, 'shipping_address.postal_code': undefined }),
    ),
    says(
      'address1 has fewer than 100 characters: 99 are accepted.',
      'ORD-15',
      accepts({ 'shipping_address.address1': 'x'.repeat(99) }),
    ),
    says(
      'city has fewer than 50 characters: 49 are accepted.',
      'ORD-16',
      accepts({ 'shipping_address.city': 'x'.repeat(49) }),
    ),
    says(
      'phone_number has at most 15 characters: 15 are accepted.',
      'ORD-13',
      accepts({ 'consumer.phone_number': '+12345678901234' }),
    ),
    says('duration and serving_size are numbers, and not required.', 'OPEN-3, numeric_strings', async (api) => {
      const duration = 'order_lines.0.duration';
      await accepts({ [duration]: 30.5, [servingSize]: 2 }, { [duration]: undefined, [servingSize]: undefined })(api);
      await rejects({ [duration]: 'a month' }, duration)(api);
    }),
    says('A pouch has contents, or a pack_id.', 'ORD-6, pack_id', accepts({ [pouch]: { pack_id: known.pack } })),
    says('Never both.', 'ORD-26, pouch_both', rejects({ [`${pouch}.pack_id`]: known.pack }, pouch)),
    says(
      'Every content item references an active client product of the calling client.',
      'ORD-17, ORD-18, ORD-19',
      async () => {
        for (const rule of ['ORD-17', 'ORD-18', 'ORD-19']) await rejectsByCase(rule);
      },
    ),
    says(
      'An order has at least 1 line; several are accepted.',
      'ORD-4',
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
      async ({ order }) => {
        const { body } = await order();
        expect(Object.keys(body)).toEqual(['order']);
        expectTypes(body.order, { id: 'uuid', status: 'string', consumer: 'object' });
        expectTypes(body.order.consumer, { id: 'uuid', first_name: 'string', last_name: 'string' });
      },
    ),
  ],
};

const states: Section = {
  title: 'States and transitions',
  statements: [
    says('A valid order is Pending; order and consumer ids are returned.', 'ORD-24', async ({ order }) => {
      const { status, body } = await order();
      expect([status, body.order.status]).toEqual([201, 'Pending']);
    }),
    says(
      'With a PAG that is not Active the order gets the status Needs Changes, without an error.',
      'ORD-25',
      async () => {
        const { order } = await session('inactive-pag');
        const { status, body } = await order({ order_lines: [lineWith(known.inactivePagProduct)] });
        expect([status, body.order.status]).toEqual([201, 'Needs Changes']);
      },
    ),
    says('The operator must then approve the packaging.', 'ORD-25, order_transitions', async ({ client, stage }) => {
      await stage.orders.approve_packaging(orderIn['Needs Changes']);
      const { body } = await client.get(`/v2/orders/${orderIn['Needs Changes']}`);
      expect(body.order.status).toBe('Pending');
    }),
    says('An order also becomes accepted and then goes into production.', 'order_transitions', async (api) => {
      const { id } = (await api.order()).body.order;
      const status = async () => (await api.client.get(`/v2/orders/${id}`)).body.order.status;
      await api.stage.orders.accept(id);
      expect(await status()).toBe('Accepted');
      await api.stage.orders.start_production(id);
      expect(await status()).toBe('In Production');
    }),
    says('Rule 1: an order can be modified while it is Pending or On Hold.', 'ORD-22', async ({ client }) => {
      for (const id of [orderIn.Pending, orderIn['On Hold']])
        expect((await client.patch(`/v2/orders/${id}`, validOrder)).status).toBe(200);
    }),
    says('Otherwise the error `Order cannot be modified` results.', 'ORD-22', async ({ client }) => {
      for (const status of ['Accepted', 'In Production', 'Canceled', 'Needs Changes'] as const) {
        const { body } = await client.patch(`/v2/orders/${orderIn[status]}`, validOrder);
        expect(body.message, status).toBe('Order cannot be modified');
      }
    }),
    says(
      'Rule 2: an order in production cannot be canceled: `Order cannot be canceled`.',
      'ORD-23',
      async ({ client }) => {
        const cancel = async (id: string) => (await client.post(`/v2/orders/${id}/cancel`)).body;
        expect((await cancel(orderIn['In Production'])).message).toBe('Order cannot be canceled');
        expect((await cancel(orderIn.Accepted)).order.status).toBe('Canceled');
      },
    ),
  ],
};

const required = (field: string): Statement =>
  says(`${field} missing: \`"${field}" is required\`.`, 'ORD-14', async ({ order }) => {
    const path = `shipping_address.${field}`;
    const { details } = (await order({ [path]: undefined })).body;
    expect(details).toEqual([{ field: path, message: `"${field}" is required` }]);
  });

// The other messages are those of the rules ORD-1 to ORD-27: test/contract/rejections.test.ts.
const messages: Section = {
  title: 'Validation messages',
  statements: [required('city'), required('country_name')],
};

export const orderSections = [overview, request, response, states, messages];
