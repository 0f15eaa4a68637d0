// References of the data model: every id is unique in its collection, every reference resolves, brands agree.
import type { FileFault } from './file-faults.ts';
import type { Fixtures, Origins } from './fixtures.ts';
import { type CollectionName, collectionNames, type RecordOf } from './records.ts';

interface Reference {
  readonly from: CollectionName;
  readonly field: string;
  readonly to: CollectionName;
  /** Both records must be of one brand. */
  readonly sameBrand?: true;
}

/** The plain references; those nested in lists stand in `checkLines`. */
const references: readonly Reference[] = [
  { from: 'brands', field: 'account_id', to: 'accounts' },
  { from: 'users', field: 'brand_id', to: 'brands' },
  { from: 'products', field: 'brand_id', to: 'brands' },
  { from: 'products', field: 'operator_product_id', to: 'operator_products' },
  { from: 'packs', field: 'brand_id', to: 'brands' },
  { from: 'pags', field: 'brand_id', to: 'brands' },
  { from: 'consumers', field: 'brand_id', to: 'brands' },
  { from: 'orders', field: 'brand_id', to: 'brands' },
  { from: 'orders', field: 'consumer_id', to: 'consumers', sameBrand: true },
  { from: 'fulfillments', field: 'brand_id', to: 'brands' },
  { from: 'fulfillments', field: 'order_id', to: 'orders', sameBrand: true },
  { from: 'fulfillments', field: 'consumer_id', to: 'consumers', sameBrand: true },
  { from: 'fulfillments', field: 'status_id', to: 'fulfillment_statuses' },
];

/** The collections whose records may name one of this collection. */
export const referrersOf = (to: CollectionName): readonly CollectionName[] => {
  const plain = references.filter((reference) => reference.to === to).map(({ from }) => from);
  return [...new Set(to === 'products' ? [...plain, 'orders' as const] : plain)];
};

type Loose = Readonly<Record<string, unknown>> & { readonly id: string };

/** Every fault of identity and reference in the fixtures. */
export function faultyReferences(fixtures: Fixtures, origins: Origins): FileFault[] {
  const byId = new Map<CollectionName, ReadonlyMap<string, Loose>>();
  const faults: FileFault[] = [];
  const fault = (record: object, field: string, found: string, expected: string) => {
    const origin = origins.get(record) ?? { file: '(fixtures)', path: '$' };
    faults.push({ file: origin.file, path: `${origin.path}.${field}`, found: JSON.stringify(found), expected });
  };
  for (const name of collectionNames) byId.set(name, indexed(name, fixtures, fault));
  for (const reference of references) checkReference(reference, fixtures, byId, fault);
  checkUsernames(fixtures, fault);
  checkLines(fixtures, byId, fault);
  return faults;
}

type Report = (record: object, field: string, found: string, expected: string) => void;
type ById = ReadonlyMap<CollectionName, ReadonlyMap<string, Loose>>;

function indexed(name: CollectionName, fixtures: Fixtures, fault: Report): ReadonlyMap<string, Loose> {
  const found = new Map<string, Loose>();
  for (const record of fixtures[name]) {
    if (found.has(record.id)) fault(record, 'id', record.id, `an id not used before in ${name}`);
    found.set(record.id, record as unknown as Loose);
  }
  return found;
}

function checkReference(
  { from, field, to, sameBrand }: Reference,
  fixtures: Fixtures,
  byId: ById,
  fault: Report,
): void {
  for (const record of fixtures[from] as unknown as readonly Loose[]) {
    const id = String(record[field]);
    const target = byId.get(to)?.get(id);
    if (!target) fault(record, field, id, `the id of a record in ${to}`);
    else if (sameBrand && target.brand_id !== record.brand_id)
      fault(record, field, id, `a record of ${to} of the same brand`);
  }
}

function checkUsernames({ users }: Fixtures, fault: Report): void {
  const seen = new Set<string>();
  for (const user of users) {
    if (seen.has(user.username)) fault(user, 'username', user.username, 'a username not used before');
    seen.add(user.username);
  }
}

/** Contents name products, lines of an order differ, and shipped lines name lines of their order. */
function checkLines({ orders, fulfillments }: Fixtures, byId: ById, fault: Report): void {
  for (const order of orders) {
    for (const { id, field } of productsOf(order)) {
      if (!byId.get('products')?.has(id)) fault(order, field, id, 'the id of a record in products');
    }
    const seen = new Set<string>();
    const again = order.order_lines.findIndex(({ id }) => seen.size === seen.add(id).size);
    const line = order.order_lines[again];
    if (line) fault(order, `order_lines[${again}].id`, line.id, 'an id not used before in the order');
  }
  const linesOf = new Map(orders.map((order) => [order.id, new Set(order.order_lines.map(({ id }) => id))]));
  for (const fulfillment of fulfillments) {
    const index = fulfillment.order_lines.findIndex(({ id }) => !linesOf.get(fulfillment.order_id)?.has(id));
    const line = fulfillment.order_lines[index];
    if (line) fault(fulfillment, `order_lines[${index}].id`, line.id, 'a line of its order');
  }
}

/** Every product that an order's contents name, and the field that names it. */
function productsOf({ order_lines }: RecordOf<'orders'>): { readonly id: string; readonly field: string }[] {
  return order_lines.flatMap(({ pouches }, line) =>
    pouches.flatMap(({ contents = [] }, pouch) =>
      contents.map(({ client_product_id: id }, content) => ({
        id,
        field: `order_lines[${line}].pouches[${pouch}].contents[${content}].client_product_id`,
      })),
    ),
  );
}
