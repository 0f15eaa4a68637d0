// Handlers of the product reads (CAT-1, CAT-2).
import type { RecordOf } from '../../contract/records.ts';
import { getProduct, listProducts } from '../../domain/catalog.ts';
import { presentProduct } from '../../domain/present.ts';
import { Fragments, listOf } from './fragments.ts';
import type { HandlersFor } from './handlers-for.ts';

const fragments = new Fragments<RecordOf<'products'>>();
const fragmentOf = (product: RecordOf<'products'>) => fragments.of(product, undefined, () => presentProduct(product));

export const catalogHandlers: HandlersFor<'products.list' | 'products.get'> = {
  'products.list': (call) =>
    call.read((world) => {
      const products = listProducts(world);
      return { status: 200, body: listOf('client_products', products.map(fragmentOf), products[0]) };
    }),
  'products.get': (call, { params }) =>
    call.read((world) => {
      const product = presentProduct(getProduct(world, params.id));
      const wrapped = world.terms.get('single_read_body') === 'wrapped';
      return { status: 200, body: wrapped ? { client_product: product } : product };
    }),
};
