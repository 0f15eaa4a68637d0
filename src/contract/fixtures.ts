// The fixtures: all data that a sandbox starts with. They are read from JSON files, each an object of collections.
import { z } from 'zod';
import { type FileFault, FixturesError, faultsOfFile, repetitions } from './file-errors.ts';
import {
  type CollectionName,
  collectionNames,
  collections,
  type RecordOf,
  type SingleName,
  type SingleOf,
  singleNames,
  singles,
} from './records.ts';

/**
 * All data that a sandbox starts with, by collection.
 * @example const { users }: Fixtures = loadFixtures('./fixtures');
 */
export type Fixtures = { readonly [Name in CollectionName]: readonly RecordOf<Name>[] } & {
  readonly [Name in SingleName]: SingleOf<Name>;
};

/** A parsed JSON file, and the name of the file for messages. */
export interface FixtureFile {
  readonly name: string;
  readonly content: unknown;
}

interface Origin {
  readonly file: string;
  readonly path: string;
}

/** The place of each record, for faults that are found after the merge. */
export type Origins = Pick<ReadonlyMap<object, Origin>, 'get'>;

/** A file is read once: compiling its schema would cost more than it saves, 10 ms of the start. */
const parsing = { jitless: true } as const;

export type ParsedFile<T> =
  | { readonly data: T; readonly faults?: never }
  | { readonly data?: never; readonly faults: readonly FileFault[] };

/** Parses a file, or a part of one that is at `at` in it. Returns the data, or every fault with its place. */
export function parseFile<S extends z.ZodType>(
  schema: S,
  { name, content }: FixtureFile,
  at = '$',
): ParsedFile<z.output<S>> {
  try {
    const parsed = schema.safeParse(content, parsing);
    return parsed.success ? { data: parsed.data } : { faults: faultsOfFile(name, content, parsed.error, schema, at) };
  } catch (error) {
    // zod passes faults on as arguments of one call, and their number is limited.
    if (!(error instanceof RangeError)) throw error;
    return {
      faults: [
        {
          file: name,
          path: at,
          found: 'more errors than can be listed',
          expected: 'a file with the documented fields',
        },
      ],
    };
  }
}

/** Built only when files are read, so that a start without files is faster. */
const fileSchema = () =>
  z.strictObject({
    ...Object.fromEntries(collectionNames.map((name) => [name, z.array(collections[name]).optional()])),
    ...Object.fromEntries(singleNames.map((name) => [name, singles[name].optional()])),
  });

/**
 * Fixtures from files: checked by schema, merged, then checked for unique ids and references.
 * @throws FixturesError with every fault of the first check that fails.
 * @example readFixtures([{ name: 'fixtures/accounts.json', content: JSON.parse(text) }, …])
 */
export function readFixtures(files: readonly FixtureFile[]): Fixtures {
  const schema = fileSchema();
  const merged: Record<string, unknown> = Object.fromEntries(collectionNames.map((name) => [name, []]));
  const origins = new Map<object, Origin>();
  const fileOf = new Map<string, string>();
  const add = (file: string, key: string, value: unknown): FileFault[] => {
    if (Array.isArray(value)) {
      for (const [index, record] of value.entries()) origins.set(record, { file, path: `$.${key}[${index}]` });
      merged[key] = [...(merged[key] as object[]), ...value];
      return [];
    }
    const former = fileOf.get(key);
    fileOf.set(key, file);
    merged[key] = value;
    return former
      ? [{ file, path: `$.${key}`, found: `the same key in ${former}`, expected: 'it in only one file' }]
      : [];
  };
  const faults = files.flatMap((file) => {
    const parsed = parseFile(schema, file);
    return parsed.faults ?? Object.entries(parsed.data).flatMap(([key, value]) => add(file.name, key, value));
  });
  if (faults.length > 0) throw new FixturesError(faults);
  const missing = singleNames
    .filter((name) => !(name in merged))
    .map((name) => ({
      file: '(all files)',
      path: `$.${name}`,
      found: 'no file with it',
      expected: 'one file with it',
    }));
  const fixtures = merged as unknown as Fixtures;
  const unresolved = [...missing, ...faultyReferences(fixtures, origins)];
  if (unresolved.length > 0) throw new FixturesError(unresolved);
  return fixtures;
}

interface Reference {
  readonly from: CollectionName;
  readonly field: string;
  readonly to: CollectionName;
  /** Both records must be of one brand. */
  readonly sameBrand?: true;
}

/** The references of the data model. Those nested in lists are in `checkLines`. */
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

/** The collections whose records can refer to a record of this collection. */
export const referrersOf = (to: CollectionName): readonly CollectionName[] => {
  const plain = references.filter((reference) => reference.to === to).map(({ from }) => from);
  return [...new Set(to === 'products' ? [...plain, 'orders' as const] : plain)];
};

type Loose = Readonly<Record<string, unknown>> & { readonly id: string };

/** Repeated ids, usernames and default PAGs; references that do not resolve, or lead to another brand or consumer. */
export function faultyReferences(fixtures: Fixtures, origins: Origins): FileFault[] {
  const byId = new Map<CollectionName, ReadonlyMap<string, Loose>>();
  const faults: FileFault[] = [];
  const isRepeated = repetitions();
  const fault: Report = (record, field, found, expected) => {
    const { file, path: at } = origins.get(record) ?? { file: '(fixtures)', path: '$' };
    const path = `${at}.${field}`;
    // The first fault of a field says enough.
    if (!isRepeated(`${file} ${path}`)) faults.push({ file, path, found: JSON.stringify(found), expected });
  };
  for (const name of collectionNames) byId.set(name, indexed(name, fixtures, fault));
  for (const reference of references) checkReference(reference, fixtures, byId, fault);
  checkUsernames(fixtures, fault);
  checkDefaultPags(fixtures, fault);
  checkLines(fixtures, byId, fault);
  checkShippedTo(fixtures, byId, fault);
  return faults;
}

type Report = (record: object, field: string, found: string | null, expected: string) => void;
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
  const isRepeated = repetitions();
  for (const user of users)
    if (isRepeated(user.username)) fault(user, 'username', user.username, 'a username not used before');
}

/** The default PAG of a brand is the one whose duration is null. */
function checkDefaultPags({ pags }: Fixtures, fault: Report): void {
  const defaults = new Map<string, string>();
  for (const pag of pags) {
    if (pag.duration !== null) continue;
    const other = defaults.get(pag.brand_id);
    if (other === undefined) defaults.set(pag.brand_id, pag.id);
    else if (other !== pag.id)
      fault(pag, 'duration', null, `a number: the brand's default PAG (duration null) is ${JSON.stringify(other)}`);
  }
}

/** A package goes to the consumer of its order. */
function checkShippedTo({ fulfillments }: Fixtures, byId: ById, fault: Report): void {
  for (const fulfillment of fulfillments) {
    const consumer = byId.get('orders')?.get(fulfillment.order_id)?.consumer_id ?? fulfillment.consumer_id;
    if (consumer !== fulfillment.consumer_id)
      fault(
        fulfillment,
        'consumer_id',
        fulfillment.consumer_id,
        `the consumer of its order, ${JSON.stringify(consumer)}`,
      );
  }
}

/**
 * Contents must refer to products of the order's brand, the lines of an order must differ, and shipped lines must be
 * lines of their order.
 */
function checkLines({ orders, fulfillments }: Fixtures, byId: ById, fault: Report): void {
  for (const order of orders) {
    for (const { id, field } of productsOf(order)) {
      const product = byId.get('products')?.get(id);
      if (!product) fault(order, field, id, 'the id of a record in products');
      else if (product.brand_id !== order.brand_id) fault(order, field, id, 'a product of the same brand');
    }
    const isRepeated = repetitions();
    const again = order.order_lines.findIndex(({ id }) => isRepeated(id));
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

/** Every product that the contents of an order refer to, and the field that does. */
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
