// The readings of what is wrong with the value of one field: blank, of another type, or wrong twice.
import { expect } from 'vitest';
import { type Cases, errorOf, faultOf } from '../assumption-cases.ts';
import { orderOf, someAddress, someOrder } from '../order-requests.ts';
import { type TestSachet, testSachet } from '../sachet.ts';
import { refusalOf } from './refusal-of.ts';

const blank = ' \t\u00a0';
const isEmpty = (field: string) => [field, `"${field.split('.').at(-1)}" is not allowed to be empty`] as const;
const blankNames = someOrder({
  consumer: { first_name: blank, last_name: ' ' },
  shipping_address: { address1: ' '.repeat(200), city: blank, province_name: ' ', country_name: ' ', postal_code: ' ' },
});
const blankFields = [
  ...['consumer.first_name', 'consumer.last_name', 'shipping_address.address1', 'shipping_address.city'],
  ...['shipping_address.province_name', 'shipping_address.country_name', 'shipping_address.postal_code'],
];

const content = 'order_lines.0.pouches.0.contents.0.client_product_id';
const withProduct = (client_product_id: unknown) => orderOf({ contents: [{ client_product_id }] });
/** An order with this value as each id and as the email, and the fields that have it. */
const typed = (value: unknown): [field: string, body: unknown][] => [
  ['consumer.id', someOrder({ consumer: { id: value } })],
  ['consumer.email', someOrder({ consumer: { email: value } })],
  [content, withProduct(value)],
];

/** What is said of null, a number, an object and an empty string as ids and as an email. */
async function wordsOf(sachet: TestSachet): Promise<unknown[]> {
  const told: unknown[] = [];
  for (const value of [null, 7, {}, '']) for (const [, body] of typed(value)) told.push(await refusalOf(sachet, body));
  return told;
}
const everywhere = (wordsFor: (field: string, value: unknown) => string) =>
  [null, 7, {}, ''].flatMap((value) =>
    typed(value).map(([field]) => faultOf(422, field, `"${field.split('.').at(-1)}" ${wordsFor(field, value)}`)),
  );

const phone = '1'.repeat(16);
const tooLong = '"phone_number" length must be less than or equal to 15';
const noNumber = `"phone_number" with value "${phone}" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/`;
const wrongTwice = someOrder({ consumer: { first_name: 'Ada', phone_number: phone } });
const lastName = ['consumer.last_name', '"last_name" is required'] as const;
const at = 'consumer.phone_number';

export const fieldFaultCases: Cases<'blank_strings' | 'wrong_type_words' | 'faults_per_field'> = {
  blank_strings: {
    accept: async () => {
      const sachet = testSachet({ assumptions: { blank_strings: 'accept', order_fields: 'echo' } });
      const address = { ...blankNames.shipping_address, address1: blank };
      const { status, body } = await (await sachet.login()).post('/v2/orders', {
        ...blankNames,
        shipping_address: address,
      });
      expect([status, body.order.consumer.first_name, body.order.shipping_address]).toEqual([201, blank, address]);
    },
    reject: async (sachet) => {
      const [first = ''] = blankFields;
      expect(await refusalOf(sachet, blankNames)).toEqual(errorOf(422, isEmpty(first)[1], blankFields.map(isEmpty)));
      const padded = { ...someAddress, city: ' Prague ', address1: '\u200b' };
      expect(await refusalOf(sachet, someOrder({ shipping_address: padded }))).toBeUndefined();
      expect(await refusalOf(sachet, orderOf({ pack_id: ' ', time_of_administration: ' ' }))).toBeUndefined();
    },
  },
  wrong_type_words: {
    joi: async (sachet) => {
      const words = (_: string, value: unknown) => (value === '' ? 'is not allowed to be empty' : 'must be a string');
      expect(await wordsOf(sachet)).toEqual(everywhere(words));
    },
    documented: async (sachet) => {
      const words = (field: string) => `must be a valid ${field === 'consumer.email' ? 'email' : 'GUID'}`;
      expect(await wordsOf(sachet)).toEqual(everywhere(words));
      expect(await refusalOf(sachet, withProduct(undefined))).toEqual(
        faultOf(422, content, '"client_product_id" is required'),
      );
      const client = await sachet.login();
      const refused = await client.post('/v2/orders', someOrder({ consumer: { id: null } }));
      expect(refused.headers.get('sandbox-rule')).toBe('ORD-10');
    },
  },
  faults_per_field: {
    first: async (sachet) =>
      expect(await refusalOf(sachet, wrongTwice)).toEqual(errorOf(422, lastName[1], [lastName, [at, tooLong]])),
    all: async (sachet) => {
      const details = [lastName, [at, tooLong], [at, noNumber]] as const;
      const client = await sachet.login();
      const refused = await client.post('/v2/orders', wrongTwice);
      expect(refused.body).toEqual(errorOf(422, lastName[1], details));
      expect(refused.headers.get('sandbox-rule')).toBe('ORD-9, ORD-13, phone_format');
      expect(refused.headers.get('sandbox-assumption')).toContain('faults_per_field=all');
      const page = await client.get('/v2/fulfillments?limit=-1.5');
      const words = ['"limit" must be an integer', '"limit" must be greater than or equal to 1'] as const;
      expect(page.body).toEqual(
        errorOf(400, words[0], [
          ['limit', words[0]],
          ['limit', words[1]],
        ]),
      );
      const { requests } = await sachet.control.sandbox('stage').requests.list({ operation: 'orders.create' });
      expect(requests[0]?.decision?.details.map(({ rule }) => rule)).toEqual(['ORD-9', 'ORD-13', 'phone_format']);
      // Of the first error of all there is one.
      await sachet.control.sandbox('stage').assumptions.set({ validation_report: 'first' });
      expect((await client.post('/v2/orders', wrongTwice)).body).toEqual(faultOf(422, ...lastName));
    },
  },
};
