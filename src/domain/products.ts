// Products (CAT-1, CAT-2).
import type { RecordOf } from '../contract/records.ts';
import { getOwned } from './reads.ts';
import type { World } from './world.ts';

type Product = RecordOf<'products'>;

export const getProduct = (world: World, id: string): Product => getOwned(world, 'products', id);

/** All products of the calling client: the contract does not page them. */
export function listProducts(world: World): Product[] {
  const withInactive = world.assumptions.get('product_list') === 'all';
  const products: Product[] = [];
  for (const [, product] of world.table('products').walk('brand', world.caller.brandId))
    if (withInactive || product.active) products.push(product);
  return products;
}

/** Record → wire. */
export function presentProduct({ id, product_name, active, serving_size }: RecordOf<'products'>) {
  return { id, product_name, active, serving_size };
}
