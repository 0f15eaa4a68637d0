// The client's products (CAT-1, CAT-2).
import type { RecordOf } from '../contract/records.ts';
import { readOwn } from './ownership.ts';
import type { World } from './world.ts';

type Product = RecordOf<'products'>;

export const getProduct = (world: World, id: string): Product => readOwn(world, 'products', id);

/** All products of the calling client, whole: the contract pages only fulfillments. */
export function listProducts(world: World): Product[] {
  const isTold = world.terms.get('product_list') === 'all' ? () => true : ({ active }: Product) => active;
  const told: Product[] = [];
  for (const [, product] of world.table('products').walk('brand', world.caller.brandId))
    if (isTold(product)) told.push(product);
  return told;
}
