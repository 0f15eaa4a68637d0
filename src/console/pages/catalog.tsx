// Catalog and packaging: what can be ordered, and buttons that change it.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/control/operations.ts';
import type { CollectionName } from '../../contract/records.ts';
import { isInactivePag } from '../../domain/orders.ts';
import { listRecords } from '../../sandbox/records.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Empty, Head, PageLink, Table } from '../parts/layout.tsx';
import { Badge, Rules } from '../parts/status.tsx';

/** So many records of each collection are shown. */
const maxShown = 200;

/** The first records, and how many the collection has. */
const firstRecords = <Name extends CollectionName>(state: State, name: Name) => ({
  rows: listRecords(state, name, { limit: maxShown }).records,
  total: state.table(name).size,
});

function readCatalog(state: State, writing: WriteContext) {
  const world = operatorWorld(state, writing);
  const brandName = (id: string): string => state.table('brands').get(id)?.name ?? id;
  const products = firstRecords(state, 'products');
  const packs = firstRecords(state, 'packs');
  const pags = firstRecords(state, 'pags');
  const productRows = products.rows.map((product) => ({
    product,
    brand: brandName(product.brand_id),
    operatorProduct: state.table('operator_products').get(product.operator_product_id),
  }));
  const brandIds = [...new Set(products.rows.map((product) => product.brand_id))];
  return {
    operator: state.value('operator').name,
    products,
    productsByBrand: brandIds.map((id) => productRows.filter(({ product }) => product.brand_id === id)),
    operatorProducts: firstRecords(state, 'operator_products'),
    packs: { ...packs, rows: packs.rows.map((pack) => ({ pack, brand: brandName(pack.brand_id) })) },
    pags: {
      ...pags,
      rows: pags.rows.map((pag) => ({
        pag,
        brand: brandName(pag.brand_id),
        isSwitchedOff: isInactivePag(world, pag.id),
      })),
    },
  };
}

export async function catalogPage({ read }: ConsoleRequest) {
  const { products, productsByBrand, operator, operatorProducts, pags, packs } = await read(readCatalog);
  return (
    <section>
      <Head title="Catalog and packaging" />
      <p class="lead">
        Orders with an inactive (<Rules rules={['ORD-19']} />) or discontinued (<Rules rules={['ORD-20']} />) product
        are rejected. An order whose packaging is not Active waits as Needs Changes.
      </p>
      <h2>Products</h2>
      {products.rows.length === 0 && <Empty title="This sandbox has no products." />}
      {productsByBrand.map((rows) => (
        <RecordTable
          caption={rows[0]?.brand ?? ''}
          titles={['Product', `${operator}’s product`, 'Serving size', 'State', 'Change']}
        >
          {rows.map(ProductRow)}
        </RecordTable>
      ))}
      <Truncated total={products.total} noun="products" />
      <Collection
        heading={`Products of ${operator}`}
        empty="There are none."
        caption={`What brands’ products are made of, by ${operator}`}
        titles={['Product', 'State', 'Change']}
        records={operatorProducts}
        noun="products of the operator"
        row={({ id, name, discontinued }) => (
          <tr id={`operator-product-${id}`}>
            <Name name={name} id={id} />
            <td>
              <StateBadge isGood={!discontinued}>{discontinued ? 'Discontinued' : 'Made'}</StateBadge>
            </td>
            <td>
              <Change
                operation="records.operator_products.update"
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
        empty="There is no packaging: every order is refused (ORD-21)."
        caption="Packaging Asset Groups"
        titles={['Name', 'Brand', 'Duration', 'Status', 'Change']}
        records={pags}
        noun="PAGs"
        row={PagRow}
      />
      <Collection
        heading="Packs"
        empty="This sandbox has no packs."
        caption="Ready-made packs"
        titles={['Pack', 'Brand']}
        records={packs}
        noun="packs"
        row={({ pack: { id, name }, brand }) => (
          <tr id={`pack-${id}`}>
            <Name name={name} id={id} />
            <td>{brand}</td>
          </tr>
        )}
      />
    </section>
  );
}

type RecordTableProps = { readonly caption: string; readonly titles: readonly string[]; readonly children: Child };

const RecordTable = ({ children, ...props }: RecordTableProps) => (
  <Table class="records named" isCaptionVisible {...props}>
    {children}
  </Table>
);

interface CollectionProps<Row> extends Omit<RecordTableProps, 'children'> {
  readonly heading: string;
  /** The message without records. */
  readonly empty: string;
  readonly records: { readonly rows: readonly Row[]; readonly total: number };
  readonly noun: string;
  readonly row: (row: Row) => Child;
}

const Collection = <Row,>({ heading, empty, records: { rows, total }, noun, row, ...table }: CollectionProps<Row>) => (
  <>
    <h2>{heading}</h2>
    {rows.length === 0 ? <Empty title={empty} /> : <RecordTable {...table}>{rows.map(row)}</RecordTable>}
    <Truncated total={total} noun={noun} />
  </>
);

const Truncated = ({ total, noun }: { readonly total: number; readonly noun: string }) =>
  total > maxShown ? (
    <p class="muted">
      The first {maxShown} of {total.toLocaleString('en')} {noun} are shown; the control API has them all.
    </p>
  ) : null;

type Catalog = ReturnType<typeof readCatalog>;

const PagRow = ({ pag: { id, name, status, duration }, brand, isSwitchedOff }: Catalog['pags']['rows'][number]) => {
  const isActive = status === 'Active';
  return (
    <tr id={`pag-${id}`}>
      <Name name={name} id={id} />
      <td>{brand}</td>
      <td>{duration === null ? 'any duration' : `duration ${duration}`}</td>
      <td>
        <StateBadge isGood={isActive}>{status}</StateBadge>
        {isSwitchedOff && [' ', <PageLink to="switches">inactive by a switch</PageLink>]}
      </td>
      <td>
        <Change
          operation="records.pags.update"
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

const ProductRow = ({ product, operatorProduct }: Catalog['productsByBrand'][number][number]) => (
  <tr id={`product-${product.id}`}>
    <Name name={product.product_name} id={product.id} />
    <td>
      {operatorProduct?.name ?? product.operator_product_id}
      {operatorProduct?.discontinued && <StateBadge isGood={false}>discontinued</StateBadge>}
    </td>
    <td class="number">
      <span class="on-phone">serving size </span>
      {product.serving_size}
    </td>
    <td>
      <StateBadge isGood={product.active}>{product.active ? 'Active' : 'Inactive'}</StateBadge>
    </td>
    <td>
      <Change
        operation="records.products.update"
        id={product.id}
        name={product.product_name}
        field="active:json"
        value={String(!product.active)}
        label={product.active ? 'Deactivate' : 'Activate'}
      />
    </td>
  </tr>
);

const Name = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <th scope="row">
    {name} <span class="id muted">{id}</span>
  </th>
);

const StateBadge = ({ isGood, children }: { readonly isGood: boolean; readonly children: Child }) => (
  <Badge sign={isGood ? '✓' : '✕'} tone={isGood ? 'good' : 'warning'} text={children} />
);

const doneTexts = {
  Activate: 'is active',
  Deactivate: 'is inactive',
  Discontinue: 'is discontinued',
  'Bring back': 'is made again',
} as const;

interface ChangeProps {
  readonly operation: ControlId;
  readonly id: string;
  readonly name: string;
  /** The field of the form, and its new value. */
  readonly field: string;
  readonly value: string;
  readonly label: keyof typeof doneTexts;
}

/** A button that changes one field of a record. */
const Change = ({ operation, id, name, field, value, label }: ChangeProps) => (
  <Action
    operation={operation}
    params={{ id }}
    label={label}
    about={name}
    done={`${name} ${doneTexts[label]}`}
    quiet
    fields={{ [field]: value }}
  />
);
