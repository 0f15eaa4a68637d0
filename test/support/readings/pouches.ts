// The readings of pouches and of the packaging they are put in.
import { expect } from 'vitest';
import { type Cases, faultOf } from '../assumption-cases.ts';
import { orderOf, pouchOf, products, someOrder } from '../order-requests.ts';
import type { TestSachet } from '../sachet.ts';
import { refusalOf } from './refusal-of.ts';

const item = 'order_lines.0.pouches.0';
const both = orderOf({ ...pouchOf(), pack_id: 'PACK-MORNING-01' });
const neither = faultOf(422, item, 'Either pack_id or contents required');
const packNotFound = faultOf(422, `${item}.pack_id`, 'Pack not found');

async function statusOf(sachet: TestSachet, duration: unknown): Promise<string> {
  const client = await sachet.login();
  const line = { ...(duration === undefined ? {} : { duration }), pouches: [pouchOf()] };
  return (await client.post('/v2/orders', someOrder({ order_lines: [line] }))).body.order.status;
}

export const pouchCases: Cases<'pouch_both' | 'pack_id' | 'pag_lookup'> = {
  pouch_both: {
    documented: async (sachet) => {
      expect(await refusalOf(sachet, both)).toEqual(neither);
      expect(await refusalOf(sachet, orderOf({}))).toEqual(neither);
    },
    joi: async (sachet) => {
      const words = '"[0]" contains a conflict between exclusive peers [contents, pack_id]';
      expect(await refusalOf(sachet, both)).toEqual(faultOf(422, item, words));
      expect(await refusalOf(sachet, orderOf({}))).toEqual(neither);
    },
  },
  pack_id: {
    any: async (sachet) => {
      for (const pack_id of ['PACK-MORNING-01', 'PACK-FOCUS-01', 'x', 12])
        expect(await refusalOf(sachet, orderOf({ pack_id }))).toBeUndefined();
    },
    known: async (sachet) => {
      expect(await refusalOf(sachet, orderOf({ pack_id: 'PACK-MORNING-01' }))).toBeUndefined();
      for (const pack_id of ['PACK-FOCUS-01', 'x', 12])
        expect(await refusalOf(sachet, orderOf({ pack_id }))).toEqual(packNotFound);
      const afterForeign = orderOf({ pack_id: 'x' }, pouchOf(products.foreign));
      const words = 'Product does not belong to client';
      const foreign = faultOf(422, 'order_lines.0.pouches.1.contents.0.client_product_id', words);
      expect(await refusalOf(sachet, afterForeign)).toEqual(foreign);
      const beforeInactive = orderOf({ pack_id: 'x' }, pouchOf(products.inactive));
      expect(await refusalOf(sachet, beforeInactive)).toEqual(packNotFound);
    },
  },
  pag_lookup: {
    brand_duration: async (sachet) => {
      expect(await Promise.all([30, 90, 45, undefined].map((duration) => statusOf(sachet, duration)))).toEqual([
        'Pending',
        'Needs Changes',
        'Pending',
        'Pending',
      ]);
    },
    brand: async (sachet) => {
      expect(await Promise.all([30, 90, undefined].map((duration) => statusOf(sachet, duration)))).toEqual([
        'Pending',
        'Pending',
        'Pending',
      ]);
    },
  },
};
