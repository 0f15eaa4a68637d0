// Catalog and packaging: what can be ordered, and what becomes of an order by its products and its packaging.
import type { Child } from 'hono/jsx';
import { pageAt } from '../addresses.ts';
import { Empty } from '../parts/empty.tsx';
import type { Visit } from '../visit.ts';
import { type CatalogShown, catalogShown, type PagShown, type ProductShown } from './catalog-shown.ts';
import { Listed, More } from './listed.tsx';
import { Toggle } from './toggle.tsx';

export async function catalogPage({ sandbox, call }: Visit) {
  const shown = await sandbox.readAt(call.machineTime, (draft) => catalogShown(draft));
  const { name } = sandbox;
  return (
    <section>
      <div class="head">
        <h1>Catalog and packaging</h1>
      </div>
      <p class="lead">
        An order is refused for a product that is inactive (<code class="rule">ORD-19</code>) or discontinued behind it
        (<code class="rule">ORD-20</code>). One whose packaging is not Active is made, and waits as Needs Changes.
      </p>
      <Products sandbox={name} shown={shown} />
      <OperatorProducts sandbox={name} shown={shown} />
      <Pags sandbox={name} shown={shown} />
      <Packs shown={shown} />
    </section>
  );
}

interface Props {
  readonly sandbox: string;
  readonly shown: CatalogShown;
}

const Products = ({ sandbox, shown: { brands, products, operator } }: Props) => (
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

const ProductRow = ({
  sandbox,
  shown: { product, behind },
}: {
  readonly sandbox: string;
  readonly shown: ProductShown;
}) => (
  <tr id={`product-${product.id}`}>
    <Named name={product.product_name} id={product.id} />
    <td>
      {behind?.name ?? product.operator_product_id}
      {behind?.discontinued && <State isGood={false}>discontinued</State>}
    </td>
    <td class="number">serving size {product.serving_size}</td>
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

const OperatorProducts = ({ sandbox, shown: { operatorProducts, operator } }: Props) => (
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

const Pags = ({ sandbox, shown: { pags } }: Props) => (
  <>
    <h2>Packaging (PAGs)</h2>
    {pags.rows.length === 0 && <Empty title="There is no packaging: every order is refused (ORD-21)." />}
    {pags.rows.length > 0 && (
      <Listed caption="Packaging Asset Groups" titles={['Name', 'Brand', 'Duration', 'Status', 'Change']}>
        {pags.rows.map((one) => (
          <PagRow sandbox={sandbox} shown={one} />
        ))}
      </Listed>
    )}
    <More of={pags} what="PAGs" />
  </>
);

const PagRow = ({ sandbox, shown: { pag, brand, isBent } }: { readonly sandbox: string; readonly shown: PagShown }) => {
  const isActive = pag.status === 'Active';
  return (
    <tr id={`pag-${pag.id}`}>
      <Named name={pag.name} id={pag.id} />
      <td>{brand}</td>
      <td>{pag.duration === null ? 'any duration' : `duration ${pag.duration}`}</td>
      <td>
        <State isGood={isActive}>{pag.status}</State>
        {isBent && (
          <>
            {' '}
            <a href={pageAt(sandbox, 'switches')}>inactive by a switch</a>
          </>
        )}
      </td>
      <td>
        <Toggle
          sandbox={sandbox}
          of="records.pags.update"
          id={pag.id}
          name={pag.name}
          field="status"
          value={isActive ? 'Inactive' : 'Active'}
          label={isActive ? 'Deactivate' : 'Activate'}
        />
      </td>
    </tr>
  );
};

const Packs = ({ shown: { packs } }: { readonly shown: CatalogShown }) => (
  <>
    <h2>Packs</h2>
    {packs.rows.length === 0 && <Empty title="This sandbox has no packs." />}
    {packs.rows.length > 0 && (
      <Listed caption="Ready-made packs" titles={['Pack', 'Brand']}>
        {packs.rows.map(({ pack: { id, name }, brand }) => (
          <tr id={`pack-${id}`}>
            <Named name={name} id={id} />
            <td>{brand}</td>
          </tr>
        ))}
      </Listed>
    )}
    <More of={packs} what="packs" />
  </>
);

const Named = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <th scope="row">
    {name} <span class="id muted">{id}</span>
  </th>
);

const State = ({ isGood, children }: { readonly isGood: boolean; readonly children: Child }) => (
  <span class={isGood ? 'badge there' : 'badge held'}>
    <span aria-hidden="true">{isGood ? '✓' : '✕'}</span> {children}
  </span>
);
