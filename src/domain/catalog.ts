// The client's products (CAT-1, CAT-2).
import type { RecordOf } from '../contract/records.ts';
import { readOwn } from './ownership.ts';
import type { World } from './world.ts';

type Product = RecordOf<'products'>;

export const getProduct = (world: World, id: string): Product => readOwn(world, 'products', id);

/** All products of the calling client, whole: the contract pages only fulfillments. */
export function listProducts(world: World): Product[] {
  const all = Array.from(world.table('products').walk('brand', world.caller.brandId), ([, product]) => product);
  return world.terms.get('product_list') === 'all' ? all : all.filter(({ active }) => active);
}
