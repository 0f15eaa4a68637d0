// Catalog and packaging: products, PAGs and packs, and buttons that change them.
import type { Child } from 'hono/jsx';
import type { ControlId } from '../../contract/control/operations.ts';
import type { CollectionName } from '../../contract/records.ts';
import { isInactivePag } from '../../domain/orders.ts';
import { listRecords } from '../../sandbox/records.ts';
import { operatorWorld, type WriteContext } from '../../sandbox/sandbox-world.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/card.tsx';
import { Head, PageLink, Table } from '../parts/layout.tsx';
import { Badge, Rules } from '../parts/status.tsx';

export const catalogPage = ({ read }: ConsoleRequest) => read(renderCatalog);

/** The most records of a collection on the page. */
const maxShown = 200;

/** The first records, and the size of the collection. */
const firstRecords = <Name extends CollectionName>(state: State, name: Name) => ({
  records: listRecords(state, name, { limit: maxShown }).records,
  total: state.table(name).size,
});

function renderCatalog(state: State, writing: WriteContext) {
  const world = operatorWorld(state, writing);
  const operator = state.value('operator').name;
  const brandName = (id: string): string => state.table('brands').get(id)?.name ?? id;
  return (
    <section>
      <Head
        title="Catalog and packaging"
        description={
          <>
            Orders with an inactive (<Rules rules={['ORD-19']} />) or discontinued (<Rules rules={['ORD-20']} />)
            product are rejected. An order is Needs Changes if its packaging is not Active.
          </>
        }
      />
      <Collection
        heading="Products"
        empty="This sandbox has no products."
        titles={['Product', 'Brand', `${operator}’s product`, 'Serving size', 'State', 'Action']}
        {...firstRecords(state, 'products')}
        noun="products"
        row={({ id, product_name: name, brand_id, operator_product_id, serving_size, active }) => {
          const made = state.table('operator_products').get(operator_product_id);
          return (
            <Row kind="product" id={id} name={name}>
              <td>{brandName(brand_id)}</td>
              <td>
                {made?.name ?? operator_product_id}{' '}
                {made?.discontinued && <StateBadge isGood={false}>discontinued</StateBadge>}
              </td>
              <td>
                <span class="on-phone">serving size </span>
                {serving_size}
              </td>
              <td>
                <StateBadge isGood={active}>{active ? 'Active' : 'Inactive'}</StateBadge>
              </td>
              <Change
                operation="records.products.update"
                id={id}
                name={name}
                fields={{ 'active:json': String(!active) }}
                label={active ? 'Deactivate' : 'Activate'}
              />
            </Row>
          );
        }}
      />
      <Collection
        heading={`Products of ${operator}`}
        empty="The operator has no products."
        titles={['Product', 'State', 'Action']}
        {...firstRecords(state, 'operator_products')}
        noun="products of the operator"
        row={({ id, name, discontinued }) => (
          <Row kind="operator-product" id={id} name={name}>
            <td>
              <StateBadge isGood={!discontinued}>{discontinued ? 'Discontinued' : 'Made'}</StateBadge>
            </td>
            <Change
              operation="records.operator_products.update"
              id={id}
              name={name}
              fields={{ 'discontinued:json': String(!discontinued) }}
              label={discontinued ? 'Resume' : 'Discontinue'}
            />
          </Row>
        )}
      />
      <Collection
        heading="Packaging (PAGs)"
        empty="This sandbox has no packaging: every order is rejected (ORD-21)."
        titles={['Name', 'Brand', 'Duration', 'Status', 'Action']}
        {...firstRecords(state, 'pags')}
        noun="PAGs"
        row={({ id, name, brand_id, status, duration }) => (
          <Row kind="pag" id={id} name={name}>
            <td>{brandName(brand_id)}</td>
            <td>{duration === null ? 'any duration' : `duration ${duration}`}</td>
            <td>
              <StateBadge isGood={status === 'Active'}>{status}</StateBadge>
              {isInactivePag(world, id) && [' ', <PageLink to="switches">switched to Inactive</PageLink>]}
            </td>
            <Change
              operation="records.pags.update"
              id={id}
              name={name}
              fields={{ status: status === 'Active' ? 'Inactive' : 'Active' }}
              label={status === 'Active' ? 'Deactivate' : 'Activate'}
            />
          </Row>
        )}
      />
      <Collection
        heading="Packs"
        empty="This sandbox has no packs."
        titles={['Pack', 'Brand']}
        {...firstRecords(state, 'packs')}
        noun="packs"
        row={({ id, name, brand_id }) => (
          <Row kind="pack" id={id} name={name}>
            <td>{brandName(brand_id)}</td>
          </Row>
        )}
      />
    </section>
  );
}

interface CollectionProps<Row> {
  readonly heading: string;
  /** The message without records. */
  readonly empty: string;
  readonly titles: readonly string[];
  readonly records: readonly Row[];
  readonly total: number;
  readonly noun: string;
  readonly row: (row: Row) => Child;
}

const Collection = <Row,>({ heading, empty, titles, records, total, noun, row }: CollectionProps<Row>) => (
  <>
    <h2>{heading}</h2>
    {total === 0 ? (
      <Empty title={empty} />
    ) : (
      <Table titles={titles} caption={heading}>
        {records.map(row)}
      </Table>
    )}
    {total > maxShown && (
      <p class="muted">
        The first {maxShown} of {total.toLocaleString('en')} {noun} are shown. The control API lists all.
      </p>
    )}
  </>
);

interface RowProps {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly children: Child;
}

const Row = ({ kind, id, name, children }: RowProps) => (
  <tr id={`${kind}-${id}`}>
    <th scope="row">
      {name} <span class="id muted">{id}</span>
    </th>
    {children}
  </tr>
);

const StateBadge = ({ isGood, children }: { readonly isGood: boolean; readonly children: Child }) => (
  <Badge sign={isGood ? '✓' : '✕'} tone={isGood ? 'good' : 'warning'} text={children} />
);

const doneTexts = {
  Activate: 'is active',
  Deactivate: 'is inactive',
  Discontinue: 'is discontinued',
  Resume: 'is made again',
} as const;

interface ChangeProps {
  readonly operation: ControlId;
  readonly id: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: keyof typeof doneTexts;
}

/** A cell with a button that changes a field of the record. */
const Change = ({ operation, id, name, fields, label }: ChangeProps) => (
  <td>
    <Action
      operation={operation}
      params={{ id }}
      label={label}
      about={name}
      done={`${name} ${doneTexts[label]}`}
      quiet
      fields={fields}
    />
  </td>
);
