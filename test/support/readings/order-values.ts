// The readings of the values in an order request.
import { expect } from 'vitest';
import { type Cases, errorOf, faultOf } from '../assumption-cases.ts';
import { consumerId, lineOf, orderOf, pouchOf, products, someAddress, someOrder } from '../order-requests.ts';
import { testSachet } from '../sachet.ts';
import { refusalOf } from './refusal-of.ts';

const item = 'order_lines.0.pouches.0';
const withUnknownFields = someOrder({
  consumer: { id: consumerId(1), nickname: 'A' },
  shipping_address: { ...someAddress, address2: 'Apt 2' },
  order_lines: [{ ...lineOf({ ...pouchOf(), color: 'red' }), note: 'x' }],
  coupon: 'x',
});
const unknownFields = ['consumer.nickname', 'shipping_address.address2', 'order_lines.0.pouches.0.color'];

const textNumbers = someOrder({
  order_lines: [
    { duration: '30', pouches: [{ contents: [{ client_product_id: products.good, serving_size: ' 2.50 ' }] }] },
  ],
});
const emptyOrder = faultOf(422, 'order_lines', '"order_lines" must contain at least 1 items');
const noContents = faultOf(422, `${item}.contents`, '"contents" must contain at least 1 items');
const atTime = (time_of_administration: string) => orderOf({ ...pouchOf(), time_of_administration });

export const orderValueCases: Cases<'unknown_fields' | 'numeric_strings' | 'empty_arrays' | 'time_of_administration'> =
  {
    unknown_fields: {
      reject: async (sachet) => {
        const fields = [...unknownFields, 'order_lines.0.note', 'coupon'];
        const details = fields.map((field) => [field, `"${field.split('.').at(-1)}" is not allowed`] as const);
        expect(await refusalOf(sachet, withUnknownFields)).toEqual(errorOf(422, '"nickname" is not allowed', details));
      },
      ignore: async () => {
        const sachet = testSachet({ assumptions: { unknown_fields: 'ignore', order_fields: 'echo' } });
        const client = await sachet.login();
        const { body } = await client.post('/v2/orders', withUnknownFields);
        expect(body.order.shipping_address).toEqual(someAddress);
        expect(body.order.order_lines).toEqual([{ id: expect.any(String), ...lineOf() }]);
      },
    },
    numeric_strings: {
      reject: async (sachet) => {
        expect(await refusalOf(sachet, textNumbers)).toEqual(
          errorOf(422, '"duration" must be a number', [
            ['order_lines.0.duration', '"duration" must be a number'],
            [`${item}.contents.0.serving_size`, '"serving_size" must be a number'],
          ]),
        );
      },
      accept: async () => {
        const sachet = testSachet({ assumptions: { numeric_strings: 'accept', order_fields: 'echo' } });
        const client = await sachet.login();
        const [line] = (await client.post('/v2/orders', textNumbers)).body.order.order_lines;
        expect([line.duration, line.pouches[0].contents[0].serving_size]).toEqual([30, 2.5]);
        const noNumber = await client.post('/v2/orders', someOrder({ order_lines: [{ ...lineOf(), duration: 'x' }] }));
        expect(noNumber.body).toEqual(faultOf(422, 'order_lines.0.duration', '"duration" must be a number'));
      },
    },
    empty_arrays: {
      reject: async (sachet) => {
        const noPouches = someOrder({ order_lines: [{ duration: 30, pouches: [] }] });
        const pouches = faultOf(422, 'order_lines.0.pouches', '"pouches" must contain at least 1 items');
        expect(await refusalOf(sachet, noPouches)).toEqual(pouches);
        expect(await refusalOf(sachet, orderOf({ contents: [] }))).toEqual(noContents);
        expect(await refusalOf(sachet, someOrder({ order_lines: [] }))).toEqual(emptyOrder);
      },
      accept: async (sachet) => {
        expect(await refusalOf(sachet, someOrder({ order_lines: [{ duration: 30, pouches: [] }] }))).toBeUndefined();
        expect(await refusalOf(sachet, orderOf({ contents: [] }))).toEqual(noContents);
        expect(await refusalOf(sachet, someOrder({ order_lines: [] }))).toEqual(emptyOrder);
      },
    },
    time_of_administration: {
      any: async (sachet) => {
        expect(await refusalOf(sachet, atTime('Teatime'))).toBeUndefined();
        const words = '"time_of_administration" is not allowed to be empty';
        expect(await refusalOf(sachet, atTime(''))).toEqual(faultOf(422, `${item}.time_of_administration`, words));
      },
      closed: async (sachet) => {
        for (const time of ['Morning', 'Midday', 'Evening', 'Bedtime'])
          expect(await refusalOf(sachet, atTime(time))).toBeUndefined();
        const words = '"time_of_administration" must be one of [Morning, Midday, Evening, Bedtime]';
        for (const time of ['Teatime', 'morning', ''])
          expect(await refusalOf(sachet, atTime(time))).toEqual(faultOf(422, `${item}.time_of_administration`, words));
      },
    },
  };
