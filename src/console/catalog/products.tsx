// The products of the brands, and those of the operator that they are made of.
import type { ShownCatalog, ShownProduct } from '../../control/shown-catalog.ts';
import { Empty } from '../parts/empty.tsx';
import { Listed, More, Named, State } from './listed.tsx';
import { Toggle } from './toggle.tsx';

interface Props {
  readonly sandbox: string;
  readonly shown: ShownCatalog;
}

export const Products = ({ sandbox, shown: { brands, products, operator } }: Props) => (
  <>
    <h2>Products</h2>
    {brands.length === 0 && <Empty title="This sandbox has no products." />}
    {brands.map(({ name, products: ofBrand }) => (
      <Listed caption={name} titles={['Product', `${operator}’s product`, 'Serving size', 'State', 'Change']}>
        {ofBrand.map((one) => (
          <ProductRow sandbox={sandbox} shown={one} />
        ))}
      </Listed>
    ))}
    <More of={products} what="products" />
  </>
);

interface RowProps {
  readonly sandbox: string;
  readonly shown: ShownProduct;
}

const ProductRow = ({ sandbox, shown: { product, behind } }: RowProps) => (
  <tr id={`product-${product.id}`}>
    <Named name={product.product_name} id={product.id} />
    <td>
      {behind?.name ?? product.operator_product_id}
      {behind?.discontinued && <State isGood={false}>discontinued</State>}
    </td>
    <td class="number">
      <span class="on-phone">serving size </span>
      {product.serving_size}
    </td>
    <td>
      <State isGood={product.active}>{product.active ? 'Active' : 'Inactive'}</State>
    </td>
    <td>
      <Toggle
        sandbox={sandbox}
        of="records.products.update"
        id={product.id}
        name={product.product_name}
        field="active:json"
        value={String(!product.active)}
        label={product.active ? 'Deactivate' : 'Activate'}
      />
    </td>
  </tr>
);

export const OperatorProducts = ({ sandbox, shown: { operatorProducts, operator } }: Props) => (
  <>
    <h2>Products of {operator}</h2>
    {operatorProducts.rows.length === 0 && <Empty title="There are none." />}
    {operatorProducts.rows.length > 0 && (
      <Listed caption={`What brands’ products are made of, by ${operator}`} titles={['Product', 'State', 'Change']}>
        {operatorProducts.rows.map(({ id, name, discontinued }) => (
          <tr id={`operator-product-${id}`}>
            <Named name={name} id={id} />
            <td>
              <State isGood={!discontinued}>{discontinued ? 'Discontinued' : 'Made'}</State>
            </td>
            <td>
              <Toggle
                sandbox={sandbox}
                of="records.operator_products.update"
                id={id}
                name={name}
                field="discontinued:json"
                value={String(!discontinued)}
                label={discontinued ? 'Bring back' : 'Discontinue'}
              />
            </td>
          </tr>
        ))}
      </Listed>
    )}
    <More of={operatorProducts} what="products of the operator" />
  </>
);
