// The readings of what a read tells of products, consumers and fulfillments.
import { expect } from 'vitest';
import type { Cases } from '../assumption-cases.ts';
import { consumerId, fulfillmentId, orderId, productId, someOrder } from '../order-requests.ts';
import type { TestSachet } from '../sachet.ts';

const amelia = {
  id: consumerId(1),
  first_name: 'Amelia',
  last_name: 'Hartwell',
  email: 'amelia.hartwell@example.com',
  phone_number: '+12065550143',
};
const vitaminD = { id: productId(1), product_name: 'Sunrise Vitamin D3', active: true, serving_size: 1 };

async function read(sachet: TestSachet, path: string) {
  return (await (await sachet.login()).get(path)).body;
}

const activeProducts = [1, 2, 3, 4, 5, 6, 8].map(productId);
const listedProducts = async (sachet: TestSachet) =>
  (await read(sachet, '/v2/products')).client_products.map(({ id }: { id: string }) => id);

const namelessOrder = someOrder({ consumer: { id: consumerId(4) } });
const lindenTree = { id: consumerId(4), email: 'linden.tree@example.net', phone_number: '+493023125042' };
const neverThere = ['delivery_date', 'pickup_date', 'tracking_info'];

async function expectStatusIds(sachet: TestSachet, labelCreated: string, delivered: string): Promise<void> {
  const { fulfillment } = await read(sachet, `/v2/fulfillments/${fulfillmentId(28)}`);
  expect(fulfillment.status_id).toBe(labelCreated);
  const { fulfillments } = await read(sachet, `/v2/orders/${orderId(1)}/fulfillments`);
  const { fulfillments: page } = await read(sachet, `/v2/fulfillments?order_id=${orderId(1)}`);
  for (const { status_id } of [...fulfillments, ...page]) expect(status_id).toBe(delivered);
}

export const readCases: Cases<'single_read_body' | 'product_list' | 'absent_values' | 'status_id'> = {
  single_read_body: {
    wrapped: async (sachet) => {
      expect(await read(sachet, `/v2/products/${productId(1)}`)).toEqual({ client_product: vitaminD });
      expect(await read(sachet, `/v2/consumers/${consumerId(1)}`)).toEqual({ consumer: amelia });
    },
    bare: async (sachet) => {
      expect(await read(sachet, `/v2/products/${productId(1)}`)).toEqual(vitaminD);
      expect(await read(sachet, `/v2/consumers/${consumerId(1)}`)).toEqual(amelia);
    },
  },
  product_list: {
    all: async (sachet) => expect(await listedProducts(sachet)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(productId)),
    active_only: async (sachet) => {
      expect(await listedProducts(sachet)).toEqual(activeProducts);
      expect((await read(sachet, `/v2/products/${productId(7)}`)).client_product.active).toBe(false);
    },
  },
  absent_values: {
    null: async (sachet) => {
      const names = { first_name: null, last_name: null };
      expect(await read(sachet, `/v2/consumers/${consumerId(4)}`)).toEqual({ consumer: { ...lindenTree, ...names } });
      const client = await sachet.login();
      const { order } = (await client.post('/v2/orders', namelessOrder)).body;
      expect(order.consumer).toEqual({ id: consumerId(4), ...names });
      const { fulfillment } = await read(sachet, `/v2/fulfillments/${fulfillmentId(28)}`);
      expect(Object.keys(fulfillment)).toHaveLength(15);
      for (const field of neverThere) expect(fulfillment[field]).toBeNull();
    },
    omitted: async (sachet) => {
      expect(await read(sachet, `/v2/consumers/${consumerId(4)}`)).toEqual({ consumer: lindenTree });
      const client = await sachet.login();
      const { order } = (await client.post('/v2/orders', namelessOrder)).body;
      expect(order.consumer).toEqual({ id: consumerId(4) });
      const { fulfillment } = await read(sachet, `/v2/fulfillments/${fulfillmentId(28)}`);
      expect(Object.keys(fulfillment)).toHaveLength(12);
      for (const field of neverThere) expect(fulfillment).not.toHaveProperty(field);
      const { fulfillment: shipped } = await read(sachet, `/v2/fulfillments/${fulfillmentId(29)}`);
      expect(shipped.tracking_info).toBeDefined();
    },
  },
  status_id: {
    slug: (sachet) => expectStatusIds(sachet, 'label_created', 'delivered'),
    uuid: (sachet) =>
      expectStatusIds(sachet, '61000000-0000-4000-8000-000000000001', '61000000-0000-4000-8000-000000000004'),
  },
};
