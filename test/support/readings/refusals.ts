// The readings of how a refusal looks: where its messages stand, how many they are, how a field is written.
import { expect } from 'vitest';
import { type Cases, errorOf } from '../assumption-cases.ts';
import { consumerId, orderId, orderOf, products, someAddress, someOrder } from '../order-requests.ts';
import type { TestSachet } from '../sachet.ts';

const twoFaults = someOrder({ shipping_address: { address1: '1 Main Street' } });
const city = ['shipping_address.city', '"city" is required'] as const;
const country = ['shipping_address.country_name', '"country_name" is required'] as const;

async function refusalOf(sachet: TestSachet, body: unknown): Promise<unknown> {
  const client = await sachet.login();
  return (await client.post('/v2/orders', body)).body;
}

/** A refusal that has no details looks the same wherever a validation message stands. */
async function expectPlainConflict(sachet: TestSachet): Promise<void> {
  const client = await sachet.login();
  const answer = await client.patch(`/v2/orders/${orderId(17)}`, { shipping_address: someAddress });
  expect(answer.body).toEqual(errorOf(422, 'Order cannot be modified'));
}

const lineWithoutPouches = someOrder({ order_lines: [{ duration: 30 }] });
const contentWithoutProduct = orderOf({ pack_id: 'a' }, { contents: [{ serving_size: 1 }] });
const noPag = someOrder({ consumer: { last_name: 'Roe' }, order_lines: orderOf({ pack_id: 'a' }).order_lines });

/** The fields of three faults: a missing key, one that stands deep, and an item of a list. */
async function fieldsOf(sachet: TestSachet): Promise<unknown[]> {
  const [demo, other] = [await sachet.login(), await sachet.login('no-pag')];
  const answers = [
    await demo.post('/v2/orders', lineWithoutPouches),
    await demo.post('/v2/orders', contentWithoutProduct),
    await other.post('/v2/orders', noPag),
    await demo.post('/v2/orders', orderOf({ contents: [{ client_product_id: products.foreign }] })),
    await demo.post('/v2/orders', someOrder({ consumer: { id: 'x' } })),
  ];
  return answers.map(({ body }) => body.details[0].field);
}

export const refusalCases: Cases<'validation_placement' | 'validation_report' | 'field_path'> = {
  validation_placement: {
    both: async (sachet) => {
      expect(await refusalOf(sachet, twoFaults)).toEqual(errorOf(422, city[1], [city, country]));
      await expectPlainConflict(sachet);
    },
    details: async (sachet) => {
      expect(await refusalOf(sachet, twoFaults)).toEqual(errorOf(422, 'Validation failed', [city, country]));
      await expectPlainConflict(sachet);
    },
    message: async (sachet) => {
      expect(await refusalOf(sachet, twoFaults)).toEqual(errorOf(422, city[1]));
      await expectPlainConflict(sachet);
    },
    joined: async (sachet) => {
      const words = '"city" is required. "country_name" is required';
      expect(await refusalOf(sachet, twoFaults)).toEqual(errorOf(422, words));
      await expectPlainConflict(sachet);
    },
  },
  validation_report: {
    all: async (sachet) => {
      const body = { consumer: { id: '' }, shipping_address: { address1: '1 Main Street', city: '' } };
      expect(await refusalOf(sachet, body)).toEqual(
        errorOf(422, '"id" is not allowed to be empty', [
          ['consumer.id', '"id" is not allowed to be empty'],
          ['shipping_address.city', '"city" is not allowed to be empty'],
          country,
          ['order_lines', '"order_lines" is required'],
        ]),
      );
    },
    first: async (sachet) => {
      expect(await refusalOf(sachet, twoFaults)).toEqual(errorOf(422, city[1], [city]));
      const known = someOrder({ consumer: { id: consumerId(1), email: 'a@example.com' }, x: 1 });
      expect(await refusalOf(sachet, known)).toEqual(
        errorOf(422, '"email" is not allowed', [['consumer.email', '"email" is not allowed']]),
      );
    },
  },
  field_path: {
    dotted: async (sachet) => {
      expect(await fieldsOf(sachet)).toEqual([
        'order_lines.0.pouches',
        'order_lines.0.pouches.1.contents.0.client_product_id',
        'order_lines.0',
        'order_lines.0.pouches.0.contents.0.client_product_id',
        'consumer.id',
      ]);
    },
    brackets: async (sachet) => {
      expect(await fieldsOf(sachet)).toEqual([
        'order_lines[0].pouches',
        'order_lines[0].pouches[1].contents[0].client_product_id',
        'order_lines[0]',
        'order_lines[0].pouches[0].contents[0].client_product_id',
        'consumer.id',
      ]);
    },
  },
};
