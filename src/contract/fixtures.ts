// The fixtures: all data a sandbox is born from, and where each record of it came from.
import { z } from 'zod';
import { type FileFault, FixturesError, faultsOfFile } from './file-errors.ts';
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
 * All data a sandbox is born from, by collection.
 * @example const { users }: Fixtures = loadFixtures('./fixtures');
 */
export type Fixtures = { readonly [Name in CollectionName]: readonly RecordOf<Name>[] } & {
  readonly [Name in SingleName]: SingleOf<Name>;
};

/** A parsed JSON file and the name to say in a fault. */
export interface FixtureFile {
  readonly name: string;
  readonly content: unknown;
}

/** The place of a record. */
interface Origin {
  readonly file: string;
  readonly path: string;
}

/** Where each record came from, for faults found after the merge. */
export type Origins = Pick<ReadonlyMap<object, Origin>, 'get'>;

// One file's content against its schema: the data, or every fault with its place.

/** Read once, so compiling the schemas would cost more than it saves: 10 ms of the start. */
const parsing = { reportInput: true, jitless: true } as const;

export type ParsedFile<T> =
  | { readonly data: T; readonly faults?: never }
  | { readonly data?: never; readonly faults: readonly FileFault[] };

/** `at` is the place of the content in its file, for a part that is parsed alone. */
export function parseFile<S extends z.ZodType>(
  schema: S,
  { name, content }: FixtureFile,
  at = '$',
): ParsedFile<z.output<S>> {
  try {
    const parsed = schema.safeParse(content, parsing);
    return parsed.success ? { data: parsed.data } : { faults: faultsOfFile(name, parsed.error, schema, at) };
  } catch (error) {
    // zod hands faults on as arguments of a call, of which there is a largest number.
    if (!(error instanceof RangeError)) throw error;
    return {
      faults: [
        { file: name, path: at, found: 'more faults than can be told', expected: 'a file that follows its form' },
      ],
    };
  }
}

// Fixture files: an object of collections each; together they must be whole and agree with one another.

/** Made where files are read: a start without any does without it. */
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
  const merge = new Merge();
  const schema = fileSchema();
  const faults = files.flatMap((file) => {
    const { data, faults } = parseFile(schema, file);
    return faults ?? merge.add(file.name, data);
  });
  if (faults.length > 0) throw new FixturesError(faults);
  const unsound = [...merge.missing(), ...faultyReferences(merge.fixtures, merge.origins)];
  if (unsound.length > 0) throw new FixturesError(unsound);
  return merge.fixtures;
}

class Merge {
  readonly #merged: Record<string, unknown> = Object.fromEntries(collectionNames.map((name) => [name, []]));
  readonly #singleFiles = new Map<string, string>();
  readonly origins = new Map<object, { file: string; path: string }>();

  get fixtures(): Fixtures {
    return this.#merged as unknown as Fixtures;
  }

  /** Adds a file's content; a resource that there is one of, and that stood in a file before, is a fault. */
  add(file: string, content: object): FileFault[] {
    return Object.entries(content).flatMap(([key, value]) => {
      if (Array.isArray(value)) return this.#addRecords(file, key, value);
      const former = this.#singleFiles.get(key);
      this.#singleFiles.set(key, file);
      this.#merged[key] = value;
      return former
        ? [{ file, path: `$.${key}`, found: `another one in ${former}`, expected: 'it in one file only' }]
        : [];
    });
  }

  #addRecords(file: string, key: string, records: readonly object[]): FileFault[] {
    for (const [index, record] of records.entries()) this.origins.set(record, { file, path: `$.${key}[${index}]` });
    this.#merged[key] = [...(this.#merged[key] as object[]), ...records];
    return [];
  }

  missing(): FileFault[] {
    const absent = singleNames.filter((name) => !(name in this.#merged));
    return absent.map((name) => ({
      file: '(all files)',
      path: `$.${name}`,
      found: 'nothing',
      expected: 'it in one file',
    }));
  }
}

// References of the data model: every id is unique in its collection, every reference resolves, brands agree.

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
