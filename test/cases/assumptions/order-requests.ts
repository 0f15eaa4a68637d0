// The choices of which orders are accepted.
import { expect } from 'vitest';
import {
  consumerId,
  orderLine,
  orderOf,
  pouchOf,
  products,
  someAddress,
  someOrder,
} from '../../support/order-requests.ts';
import { type TestSachet, testSachet } from '../../support/sachet.ts';
import { type Cases, errorOf, faultOf } from './choices.ts';
import { rejectionOf } from './rejections.ts';

const name = { first_name: 'Ada', last_name: 'Lovelace' };
const email = { email: 'ada@example.com' };
const phone = { phone_number: '+12025550123' };
const orderFor = (sachet: TestSachet, consumer: object) => rejectionOf(sachet, someOrder({ consumer }));
async function consumerOf(sachet: TestSachet, consumer: object) {
  const { body } = await (await sachet.login()).post('/v2/orders', someOrder({ consumer }));
  return body.order.consumer;
}

/** The messages for a new consumer with neither contact, an email, a phone number, both; an existing one needs no contact. */
async function expectContact(sachet: TestSachet, ...expected: readonly (readonly string[])[]): Promise<void> {
  for (const [index, contact] of [{}, email, phone, { ...email, ...phone }].entries()) {
    const body = await orderFor(sachet, { ...name, ...contact });
    const details = (body as { details?: { message: string }[] } | undefined)?.details ?? [];
    expect(details.map(({ message }) => message)).toEqual(expected[index] ?? []);
  }
  expect(await orderFor(sachet, { id: consumerId(1) })).toBeUndefined();
}
const [emailRequired, phoneRequired] = ['"email" is required', '"phone_number" is required'];
const phoneField = 'consumer.phone_number';
const tooLong = faultOf(422, phoneField, '"phone_number" length must be less than or equal to 15');

const pouch = 'order_lines.0.pouches.0';
const unknownFields = someOrder({
  consumer: { id: consumerId(1), nickname: 'A' },
  shipping_address: { ...someAddress, address2: 'Apt 2' },
  order_lines: [{ ...orderLine({ ...pouchOf(), color: 'red' }), note: 'x' }],
  coupon: 'x',
});
const contents = [{ client_product_id: products.good, serving_size: ' 2.50 ' }];
const textNumbers = someOrder({ order_lines: [{ duration: '30', pouches: [{ contents }] }] });
const emptyOrder = faultOf(422, 'order_lines', '"order_lines" must contain at least 1 items');
const noPouches = someOrder({ order_lines: [{ duration: 30, pouches: [] }] });
const noContents = faultOf(422, `${pouch}.contents`, '"contents" must contain at least 1 items');
const atTime = (time_of_administration: string) => orderOf({ ...pouchOf(), time_of_administration });

const both = orderOf({ ...pouchOf(), pack_id: 'PACK-MORNING-01' });
const neither = faultOf(422, pouch, 'Either pack_id or contents required');
const packNotFound = faultOf(422, `${pouch}.pack_id`, 'Pack not found');

/** The statuses of orders with PAGs of 30 days, 90 days, another duration, and no duration. */
async function expectStatuses(sachet: TestSachet, ...expected: readonly string[]) {
  const client = await sachet.login();
  for (const [index, duration] of [30, 90, 45, undefined].entries()) {
    const line = { ...(duration && { duration }), pouches: [pouchOf()] };
    const { body } = await client.post('/v2/orders', someOrder({ order_lines: [line] }));
    expect([duration, body.order.status]).toEqual([duration, expected[index]]);
  }
}

export const orderRequestCases = {
  new_consumer_contact: {
    none: (sachet) => expectContact(sachet),
    email: (sachet) => expectContact(sachet, [emailRequired], [], [emailRequired]),
    phone_number: (sachet) => expectContact(sachet, [phoneRequired], [phoneRequired]),
    either: (sachet) => expectContact(sachet, ['"consumer" must contain at least one of [email, phone_number]']),
    both: (sachet) => expectContact(sachet, [emailRequired, phoneRequired], [phoneRequired], [emailRequired]),
  },
  new_consumer_match: {
    always_new: async (sachet) => {
      const created = await consumerOf(sachet, { ...name, email: 'amelia.hartwell@example.com' });
      expect(created).toEqual({ id: expect.any(String), ...name });
      expect(created.id).not.toBe(consumerId(1));
    },
    by_email: async (sachet) => {
      const client = await sachet.login();
      const before = (await client.get(`/v2/consumers/${consumerId(1)}`)).body;
      const known = { ...name, ...phone, email: 'amelia.hartwell@example.com' };
      const amelia = { id: consumerId(1), first_name: 'Amelia', last_name: 'Hartwell' };
      expect(await consumerOf(sachet, known)).toEqual(amelia);
      expect((await client.get(`/v2/consumers/${consumerId(1)}`)).body).toEqual(before);
      const ofAnotherClient = await consumerOf(sachet, { ...name, email: 'jonas.whitfield@example.com' });
      expect(ofAnotherClient).toEqual({ id: expect.any(String), ...name });
      expect(ofAnotherClient.id).not.toBe(consumerId(5));
      expect((await consumerOf(sachet, name)).id).not.toBe((await consumerOf(sachet, name)).id);
    },
  },
  phone_format: {
    pattern: async (sachet) => {
      const message = '"phone_number" with value "abc" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/';
      expect(await orderFor(sachet, { ...name, phone_number: 'abc' })).toEqual(faultOf(422, phoneField, message));
      expect(await orderFor(sachet, { ...name, ...phone })).toBeUndefined();
      expect(await orderFor(sachet, { ...name, phone_number: `+${'1'.repeat(15)}` })).toEqual(tooLong);
    },
    length_only: async (sachet) => {
      for (const phone_number of ['abc', 'x'.repeat(15)])
        expect(await orderFor(sachet, { ...name, phone_number })).toBeUndefined();
      expect(await orderFor(sachet, { ...name, phone_number: 'x'.repeat(16) })).toEqual(tooLong);
    },
  },
  unknown_fields: {
    reject: async (sachet) => {
      const places = [
        'consumer.nickname',
        'shipping_address.address2',
        `${pouch}.color`,
        'order_lines.0.note',
        'coupon',
      ];
      const details = places.map((field) => [field, `"${field.split('.').at(-1)}" is not allowed`] as const);
      expect(await rejectionOf(sachet, unknownFields)).toEqual(errorOf(422, '"nickname" is not allowed', details));
    },
    ignore: async () => {
      const sachet = testSachet({ assumptions: { unknown_fields: 'ignore', order_fields: 'echo' } });
      const { order } = (await (await sachet.login()).post('/v2/orders', unknownFields)).body;
      const stored = (await sachet.sandbox()).state.table('orders').get(order.id);
      for (const { shipping_address, order_lines } of [order, stored]) {
        expect(shipping_address).toEqual(someAddress);
        expect(order_lines).toEqual([{ id: expect.any(String), ...orderLine() }]);
      }
    },
  },
  numeric_strings: {
    reject: async (sachet) => {
      const duration = ['order_lines.0.duration', '"duration" must be a number'] as const;
      const details = [duration, [`${pouch}.contents.0.serving_size`, '"serving_size" must be a number']] as const;
      expect(await rejectionOf(sachet, textNumbers)).toEqual(errorOf(422, duration[1], details));
    },
    accept: async () => {
      const sachet = testSachet({ assumptions: { numeric_strings: 'accept', order_fields: 'echo' } });
      const { order } = (await (await sachet.login()).post('/v2/orders', textNumbers)).body;
      const stored = (await sachet.sandbox()).state.table('orders').get(order.id);
      const pouches = [{ contents: [{ client_product_id: products.good, serving_size: 2.5 }] }];
      for (const { order_lines } of [order, stored])
        expect(order_lines).toEqual([{ id: expect.any(String), duration: 30, pouches }]);
      const rejected = await rejectionOf(sachet, someOrder({ order_lines: [{ ...orderLine(), duration: 'x' }] }));
      expect(rejected).toEqual(faultOf(422, 'order_lines.0.duration', '"duration" must be a number'));
    },
  },
  empty_arrays: {
    reject: async (sachet) => {
      const message = '"pouches" must contain at least 1 items';
      expect(await rejectionOf(sachet, noPouches)).toEqual(faultOf(422, 'order_lines.0.pouches', message));
    },
    accept: async (sachet) => {
      expect(await rejectionOf(sachet, noPouches)).toBeUndefined();
      expect(await rejectionOf(sachet, orderOf({ contents: [] }))).toEqual(noContents);
      expect(await rejectionOf(sachet, someOrder({ order_lines: [] }))).toEqual(emptyOrder);
    },
  },
  time_of_administration: {
    any: async (sachet) => {
      expect(await rejectionOf(sachet, atTime('Teatime'))).toBeUndefined();
      const message = '"time_of_administration" is not allowed to be empty';
      expect(await rejectionOf(sachet, atTime(''))).toEqual(faultOf(422, `${pouch}.time_of_administration`, message));
    },
    closed: async (sachet) => {
      for (const time of ['Morning', 'Midday', 'Evening', 'Bedtime'])
        expect(await rejectionOf(sachet, atTime(time))).toBeUndefined();
      const message = '"time_of_administration" must be one of [Morning, Midday, Evening, Bedtime]';
      const rejected = faultOf(422, `${pouch}.time_of_administration`, message);
      for (const time of ['Teatime', 'morning', '']) expect(await rejectionOf(sachet, atTime(time))).toEqual(rejected);
    },
  },
  pouch_both: {
    documented: async (sachet) => {
      for (const order of [both, orderOf({})]) expect(await rejectionOf(sachet, order)).toEqual(neither);
    },
    joi: async (sachet) => {
      const message = '"[0]" contains a conflict between exclusive peers [contents, pack_id]';
      expect(await rejectionOf(sachet, both)).toEqual(faultOf(422, pouch, message));
      expect(await rejectionOf(sachet, orderOf({}))).toEqual(neither);
    },
  },
  pack_id: {
    any: async (sachet) => {
      for (const pack_id of ['PACK-MORNING-01', 'PACK-FOCUS-01', 'x', 12])
        expect(await rejectionOf(sachet, orderOf({ pack_id }))).toBeUndefined();
    },
    known: async (sachet) => {
      expect(await rejectionOf(sachet, orderOf({ pack_id: 'PACK-MORNING-01' }))).toBeUndefined();
      for (const pack_id of ['PACK-FOCUS-01', 'x', 12])
        expect(await rejectionOf(sachet, orderOf({ pack_id }))).toEqual(packNotFound);
    },
  },
  pag_lookup: {
    brand_duration: (sachet) => expectStatuses(sachet, 'Pending', 'Needs Changes', 'Pending', 'Pending'),
    brand: (sachet) => expectStatuses(sachet, 'Pending', 'Pending', 'Pending', 'Pending'),
  },
} satisfies Partial<Cases>;
