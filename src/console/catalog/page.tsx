// Catalog and packaging: what can be ordered, and what becomes of an order by its products and its packaging.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/admin.ts';
import {
  mostShown,
  type ShownCatalog,
  type ShownPag,
  type ShownProduct,
  type Some,
  shownCatalog,
} from '../../control/shown-catalog.ts';
import { pageAt } from '../addresses.ts';
import { Action, Given } from '../parts/action.tsx';
import { Empty, Table } from '../parts/page.tsx';
import { Rules } from '../parts/request-link.tsx';
import { Badge } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';

// A table of records with its name above it, what is the same in its rows, and words where not all of them are shown.

interface ListedProps {
  readonly caption: string;
  readonly titles: readonly string[];
  readonly children: Child;
}

const Listed = ({ children, ...named }: ListedProps) => (
  <Table class="records named" isCaptionSeen {...named}>
    {children}
  </Table>
);

const More = ({ of: { total }, what }: { readonly of: Some<unknown>; readonly what: string }) =>
  total > mostShown ? (
    <p class="muted">
      The first {mostShown} of {total.toLocaleString('en')} {what} are shown; the control API has them all.
    </p>
  ) : null;

const Named = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <th scope="row">
    {name} <span class="id muted">{id}</span>
  </th>
);

const State = ({ isGood, children }: { readonly isGood: boolean; readonly children: Child }) => (
  <Badge sign={isGood ? '✓' : '✕'} class={isGood ? 'badge there' : 'badge held'}>
    {children}
  </Badge>
);

// The button that turns one field of a record the other way.

interface ToggleProps {
  readonly sandbox: string;
  readonly of: ControlId;
  readonly id: string;
  readonly name: string;
  /** As a form names it, and what it will be. */
  readonly field: string;
  readonly value: string;
  readonly label: 'Activate' | 'Deactivate' | 'Discontinue' | 'Bring back';
}

const done = {
  Activate: 'is active',
  Deactivate: 'is inactive',
  Discontinue: 'is discontinued',
  'Bring back': 'is made again',
} as const;

const Toggle = ({ sandbox, of, id, name, field, value, label }: ToggleProps) => (
  <Action sandbox={sandbox} of={of} names={{ id }} label={label} about={name} done={`${name} ${done[label]}`} quiet>
    <Given name={field} value={value} />
  </Action>
);

// What orders are packed in: the PAGs, which hold an order up where they are not Active, and the ready-made packs.

const Pags = ({ sandbox, shown: { pags } }: { readonly sandbox: string; readonly shown: ShownCatalog }) => (
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

interface PackagingRowProps {
  readonly sandbox: string;
  readonly shown: ShownPag;
}

const PagRow = ({ sandbox, shown: { pag, brand, isBent } }: PackagingRowProps) => {
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

const Packs = ({ shown: { packs } }: { readonly shown: ShownCatalog }) => (
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

// The products of the brands, and those of the operator that they are made of.

interface ProductsProps {
  readonly sandbox: string;
  readonly shown: ShownCatalog;
}

const Products = ({ sandbox, shown: { brands, products, operator } }: ProductsProps) => (
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

const OperatorProducts = ({ sandbox, shown: { operatorProducts, operator } }: ProductsProps) => (
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

export async function catalogPage({ sandbox, call }: Visit) {
  const shown = await sandbox.readAt(call.machineTime, (state, now) =>
    shownCatalog(state, { now, hashes: call.edge.hashes }),
  );
  const { name } = sandbox;
  return (
    <section>
      <div class="head">
        <h1>Catalog and packaging</h1>
      </div>
      <p class="lead">
        An order is refused for a product that is inactive by <Rules rules={['ORD-19']} />, for one that is discontinued
        behind it by <Rules rules={['ORD-20']} />. One whose packaging is not Active is made, and waits as Needs
        Changes.
      </p>
      <Products sandbox={name} shown={shown} />
      <OperatorProducts sandbox={name} shown={shown} />
      <Pags sandbox={name} shown={shown} />
      <Packs shown={shown} />
    </section>
  );
}
