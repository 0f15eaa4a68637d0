// The catalog as people look at it: a bounded part of each collection, the products by brand.
import type { CollectionName, RecordOf } from '../../contract/records.ts';
import { listRecords } from '../../sandbox/records.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import type { State } from '../../state/state.ts';

/** Records of a collection that are shown. */
export const maxShown = 200;

/** The first records of a collection, and how many there are. */
export interface Some<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

export interface ProductView {
  readonly product: RecordOf<'products'>;
  readonly behind: RecordOf<'operator_products'> | undefined;
}

export interface PagView {
  readonly pag: RecordOf<'pags'>;
  readonly brand: string;
  /** Whether a switch makes it count as inactive, whatever its status. */
  readonly isBent: boolean;
}

export interface CatalogView {
  readonly operator: string;
  readonly brands: readonly { readonly name: string; readonly products: readonly ProductView[] }[];
  readonly products: Some<RecordOf<'products'>>;
  readonly operatorProducts: Some<RecordOf<'operator_products'>>;
  readonly packs: Some<{ readonly pack: RecordOf<'packs'>; readonly brand: string }>;
  readonly pags: Some<PagView>;
}

export function catalogView(state: State, writing: WriteContext): CatalogView {
  const brandName = (id: string): string => state.table('brands').get(id)?.name ?? id;
  const world = operatorWorld(state, writing);
  const products = some(state, 'products', (product) => product);
  return {
    operator: state.value('operator').name,
    brands: byBrand(state, products.rows, brandName),
    products,
    operatorProducts: some(state, 'operator_products', (product) => product),
    packs: some(state, 'packs', (pack) => ({ pack, brand: brandName(pack.brand_id) })),
    pags: some(state, 'pags', (pag) => ({
      pag,
      brand: brandName(pag.brand_id),
      isBent: world.isInactivePag(pag.id),
    })),
  };
}

function some<Name extends CollectionName, Row>(
  state: State,
  name: Name,
  shown: (record: RecordOf<Name>) => Row,
): Some<Row> {
  const { records } = listRecords(state, name, { limit: maxShown });
  return { rows: records.map(shown), total: state.table(name).size };
}

function byBrand(
  state: State,
  products: readonly RecordOf<'products'>[],
  brandName: (id: string) => string,
): CatalogView['brands'] {
  const brands = new Map<string, ProductView[]>();
  for (const product of products) {
    const shown = { product, behind: state.table('operator_products').get(product.operator_product_id) };
    brands.set(product.brand_id, [...(brands.get(product.brand_id) ?? []), shown]);
  }
  return Array.from(brands, ([id, shown]) => ({ name: brandName(id), products: shown }));
}
