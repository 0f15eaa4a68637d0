// Products (CAT-1, CAT-2).
import type { RecordOf } from '../contract/records.ts';
import { getOwned } from './reads.ts';
import type { World } from './world.ts';

export const getProduct = (world: World, id: string) => presentProduct(getOwned(world, 'products', id));

/** All products of the calling client: the contract does not page them. */
export function listProducts(world: World) {
  const withInactive = world.assumptions.get('product_list') === 'all';
  const products: ReturnType<typeof presentProduct>[] = [];
  for (const [, product] of world.table('products').walk('brand', world.caller.brandId))
    if (withInactive || product.active) products.push(presentProduct(product));
  return products;
}

/** Record → wire. */
function presentProduct({ id, product_name, active, serving_size }: RecordOf<'products'>) {
  return { id, product_name, active, serving_size };
}
