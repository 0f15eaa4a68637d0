// Catalog and packaging: what can be ordered, and what becomes of an order by its products and its packaging.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/control/operations.ts';
import { Action, Given } from '../parts/action.tsx';
import { Empty, Head, PageLink, Table } from '../parts/page.tsx';
import { Badge, Rules } from '../parts/status.tsx';
import type { Visit } from '../visit.ts';
import { catalogView, maxShown, type PagView, type ProductView, type Some } from './catalog-view.ts';

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

/** Says that not all of them are shown. */
const More = ({ of: { total }, what }: { readonly of: Some<unknown>; readonly what: string }) =>
  total > maxShown ? (
    <p class="muted">
      The first {maxShown} of {total.toLocaleString('en')} {what} are shown; the control API has them all.
    </p>
  ) : null;

interface CollectionProps<Row> extends Omit<ListedProps, 'children'> {
  readonly heading: string;
  /** What is said where there are none. */
  readonly none: string;
  readonly of: Some<Row>;
  /** What they are called where not all of them are shown. */
  readonly what: string;
  readonly row: (row: Row) => Child;
}

function Collection<Row>({ heading, none, of, what, row, ...named }: CollectionProps<Row>) {
  return (
    <>
      <h2>{heading}</h2>
      {of.rows.length === 0 ? <Empty title={none} /> : <Listed {...named}>{of.rows.map(row)}</Listed>}
      <More of={of} what={what} />
    </>
  );
}

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

const done = {
  Activate: 'is active',
  Deactivate: 'is inactive',
  Discontinue: 'is discontinued',
  'Bring back': 'is made again',
} as const;

interface ToggleProps {
  readonly of: ControlId;
  readonly id: string;
  readonly name: string;
  /** As a form names it, and what it will be. */
  readonly field: string;
  readonly value: string;
  readonly label: keyof typeof done;
}

/** The button that turns one field of a record the other way. */
const Toggle = ({ of, id, name, field, value, label }: ToggleProps) => (
  <Action of={of} names={{ id }} label={label} about={name} done={`${name} ${done[label]}`} quiet>
    <Given name={field} value={value} />
  </Action>
);

const PagRow = ({ pag: { id, name, status, duration }, brand, isBent }: PagView) => {
  const isActive = status === 'Active';
  return (
    <tr id={`pag-${id}`}>
      <Named name={name} id={id} />
      <td>{brand}</td>
      <td>{duration === null ? 'any duration' : `duration ${duration}`}</td>
      <td>
        <State isGood={isActive}>{status}</State>
        {isBent && [' ', <PageLink to="switches">inactive by a switch</PageLink>]}
      </td>
      <td>
        <Toggle
          of="records.pags.update"
          id={id}
          name={name}
          field="status"
          value={isActive ? 'Inactive' : 'Active'}
          label={isActive ? 'Deactivate' : 'Activate'}
        />
      </td>
    </tr>
  );
};

const ProductRow = ({ product, behind }: ProductView) => (
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

export async function catalogPage({ sandbox, call }: Visit) {
  const shown = await sandbox.readAt(call.machineTime, (state, now) =>
    catalogView(state, { now, hashes: call.deps.hashes }),
  );
  const { brands, products, operator, operatorProducts, pags, packs } = shown;
  return (
    <section>
      <Head title="Catalog and packaging" />
      <p class="lead">
        An order is refused for a product that is inactive by <Rules rules={['ORD-19']} />, for one that is discontinued
        behind it by <Rules rules={['ORD-20']} />. One whose packaging is not Active is made, and waits as Needs
        Changes.
      </p>
      <h2>Products</h2>
      {brands.length === 0 && <Empty title="This sandbox has no products." />}
      {brands.map(({ name, products: ofBrand }) => (
        <Listed caption={name} titles={['Product', `${operator}’s product`, 'Serving size', 'State', 'Change']}>
          {ofBrand.map(ProductRow)}
        </Listed>
      ))}
      <More of={products} what="products" />
      <Collection
        heading={`Products of ${operator}`}
        none="There are none."
        caption={`What brands’ products are made of, by ${operator}`}
        titles={['Product', 'State', 'Change']}
        of={operatorProducts}
        what="products of the operator"
        row={({ id, name, discontinued }) => (
          <tr id={`operator-product-${id}`}>
            <Named name={name} id={id} />
            <td>
              <State isGood={!discontinued}>{discontinued ? 'Discontinued' : 'Made'}</State>
            </td>
            <td>
              <Toggle
                of="records.operator_products.update"
                id={id}
                name={name}
                field="discontinued:json"
                value={String(!discontinued)}
                label={discontinued ? 'Bring back' : 'Discontinue'}
              />
            </td>
          </tr>
        )}
      />
      <Collection
        heading="Packaging (PAGs)"
        none="There is no packaging: every order is refused (ORD-21)."
        caption="Packaging Asset Groups"
        titles={['Name', 'Brand', 'Duration', 'Status', 'Change']}
        of={pags}
        what="PAGs"
        row={PagRow}
      />
      <Collection
        heading="Packs"
        none="This sandbox has no packs."
        caption="Ready-made packs"
        titles={['Pack', 'Brand']}
        of={packs}
        what="packs"
        row={({ pack: { id, name }, brand }) => (
          <tr id={`pack-${id}`}>
            <Named name={name} id={id} />
            <td>{brand}</td>
          </tr>
        )}
      />
    </section>
  );
}
