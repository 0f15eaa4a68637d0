// Changes of records by testers and scenarios: check their references in both directions, write them, then update the
// timeline and the orders that wait for packaging.
import { bodyFault, type FileFault, quoted } from '../contract/file-errors.ts';
import { type Fixtures, faultyReferences, referrersOf } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../contract/records.ts';
import { onOrderChange, releaseApproved } from '../domain/orders.ts';
import { scheduleOrderAlone, schedulePackage } from '../domain/schedule.ts';
import { pagSlot, type RowOf, type World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { operatorWorld, type WriteContext } from './sandbox-world.ts';

export type AnyRecord = RecordOf<CollectionName>;

/** A record before and after a change: null if it does not exist. */
export interface RecordChange<Name extends CollectionName = CollectionName> {
  readonly collection: Name;
  readonly before: RecordOf<Name> | null;
  readonly after: RecordOf<Name> | null;
}

/** With its place in the tester's input, such as `$.data.orders[2]`. */
export type PlacedChange = RecordChange & { readonly at: string };

/** A record that a change would break, and how. */
interface Broken {
  readonly collection: CollectionName;
  readonly id: string;
  readonly fault: FileFault;
}

type Find = (collection: CollectionName, id: string) => AnyRecord | undefined;

const idOf = ({ before, after }: RecordChange): string => (before ?? after)?.id ?? '';

/** Identifies a record across collections. */
export const recordKey = (collection: CollectionName, id: string): string => `${collection} ${id}`;

/** Checks changes before they are written together. Their records must be valid according to their schemas. */
export class ChangeCheck {
  readonly #state: State;
  readonly #changes: readonly PlacedChange[];
  readonly #changed: ReadonlyMap<string, AnyRecord | null>;

  constructor(state: State, changes: readonly PlacedChange[]) {
    this.#state = state;
    this.#changes = changes;
    this.#changed = new Map(changes.map((change) => [recordKey(change.collection, idOf(change)), change.after]));
  }

  readonly #findBefore: Find = (collection, id) => this.#state.table(collection).get(id);
  readonly #findAfter: Find = (collection, id) => {
    const changed = this.#changed.get(recordKey(collection, id));
    return changed === undefined ? this.#findBefore(collection, id) : (changed ?? undefined);
  };

  faults(): FileFault[] {
    return [...this.takenUsernames(), ...this.referenceFaults()];
  }

  /** A fault for each username that another user has. */
  takenUsernames(): FileFault[] {
    return this.#changes.flatMap(({ after, at }) => {
      if (!(after && 'username' in after && this.#isTaken(after))) return [];
      return [bodyFault(`${at}.username`, quoted(after.username), 'a username that no other user has')];
    });
  }

  #isTaken({ id, username }: RecordOf<'users'>): boolean {
    for (const [, user] of this.#state.table('users').walk('username', username))
      if (user.id !== id && !this.#changed.has(recordKey('users', user.id))) return true;
    return this.#changes.some(
      ({ after }) => after && 'username' in after && after.username === username && after.id !== id,
    );
  }

  /** The faults of the changed records themselves, then one for each change that breaks another record. */
  referenceFaults(): FileFault[] {
    const own = this.#changes.flatMap(({ collection, after, at }) =>
      after ? faultsOf(after, { collection, at, find: this.#findAfter, others: this.#defaultPags(after) }) : [],
    );
    return [...own, ...this.#changes.flatMap((change) => this.#breakingFault(change) ?? [])];
  }

  /** The other default PAGs of the brand, after the changes, if the record is one. No record names them. */
  #defaultPags(record: AnyRecord): AnyRecord[] {
    if (!isDefaultPag(record)) return [];
    const slot = pagSlot(record.brand_id, null);
    const stored = Array.from(this.#state.table('pags').walk('slot', slot), ([, pag]) => pag);
    const changed = this.#changes.flatMap(({ after }) => after ?? []);
    return [...stored.filter(({ id }) => !this.#changed.has(recordKey('pags', id))), ...changed].filter(
      (other) => isDefaultPag(other) && other.brand_id === record.brand_id && other.id !== record.id,
    );
  }

  #breakingFault(change: PlacedChange): FileFault | undefined {
    const { before, after, at } = change;
    const broken = this.firstBroken(change);
    if (!(broken && before && after)) return undefined;
    const { collection, id, fault } = broken;
    const [field, found] = breakingField(before, after);
    const expected = `one that keeps ${collection} ${quoted(id)} valid: its ${fault.path} must be ${fault.expected}`;
    return bodyFault(`${at}.${field}`, found, expected);
  }

  /**
   * The first unchanged record that this change would break. Searches all collections that may reference the record:
   * such changes are rare, and an index for them would slow down every other write.
   */
  firstBroken(change: RecordChange): Broken | undefined {
    if (!change.before || !mayBreakOthers(change)) return undefined;
    for (const [collection, record] of this.#mentions(change.collection, change.before.id)) {
      const before = faultsOf(record, { collection, at: '', find: this.#findBefore });
      const former = new Set(before.map(({ path }) => path));
      const after = faultsOf(record, { collection, at: '', find: this.#findAfter });
      const fault = after.find(({ path }) => !former.has(path));
      if (fault) return { collection, id: record.id, fault: { ...fault, path: fault.path.slice(1) } };
    }
    return undefined;
  }

  /** Unchanged records that contain this id somewhere. */
  *#mentions(of: CollectionName, id: string): Generator<readonly [CollectionName, AnyRecord]> {
    const text = JSON.stringify(id);
    for (const name of referrersOf(of)) {
      const isIndexed = name === 'fulfillments' && of === 'orders';
      const candidates = isIndexed ? this.#state.table(name).walk('order', id) : this.#state.table(name).entries();
      for (const [, record] of candidates)
        if (JSON.stringify(record).includes(text) && !this.#changed.has(recordKey(name, record.id)))
          yield [name, record];
    }
  }
}

/** The changed field that breaks another record, and its value. */
function breakingField(before: AnyRecord, after: AnyRecord): [field: string, found: string] {
  if (brandOf(before) !== brandOf(after)) return ['brand_id', quoted(brandOf(after))];
  return consumerOf(before) === consumerOf(after)
    ? ['order_lines', 'fewer lines']
    : ['consumer_id', quoted(consumerOf(after))];
}

/**
 * Other records require that a record exists, that it is of their brand, and that an order has the shipped lines and
 * the consumer of its packages.
 */
function mayBreakOthers({ before, after }: RecordChange): boolean {
  if (!before || !after) return true;
  const left = new Set(lineIds(after));
  return (
    brandOf(before) !== brandOf(after) ||
    consumerOf(before) !== consumerOf(after) ||
    lineIds(before).some((id) => !left.has(id))
  );
}

type DefaultPag = RecordOf<'pags'> & { readonly duration: null };
/** No other collection has both fields at its top level. */
const isDefaultPag = (record: AnyRecord): record is DefaultPag =>
  'duration' in record && 'status' in record && record.duration === null;

const brandOf = (record: AnyRecord): string | undefined => ('brand_id' in record ? record.brand_id : undefined);
const consumerOf = (record: AnyRecord): string | undefined =>
  'consumer_id' in record ? record.consumer_id : undefined;
const lineIds = (record: AnyRecord): string[] =>
  'order_lines' in record ? record.order_lines.map(({ id }) => id) : [];

interface RecordCheck {
  readonly collection: CollectionName;
  readonly at: string;
  readonly find: Find;
  /** Records of the collection that it must differ from. */
  readonly others?: readonly AnyRecord[];
}

/**
 * The faults of one record: it is checked as fixtures are, together with every record whose id it contains, and after
 * these others.
 */
function faultsOf(record: AnyRecord, { collection, at, find, others = [] }: RecordCheck): FileFault[] {
  const texts = [...new Set(textsIn(record))];
  const named = collectionNames.map((name) => [name, texts.flatMap((text) => find(name, text) ?? [])]);
  const fixtures = Object.fromEntries([...named, [collection, [...others, record]]]) as Fixtures;
  const origin = { file: 'record', path: at };
  const faults = faultyReferences(fixtures, { get: (one) => (one === record ? origin : undefined) });
  return faults.filter(({ file }) => file === origin.file);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export function writeRecord(state: State, change: RecordChange): void {
  const { collection, before, after } = change;
  const table = state.table(collection);
  if (!after) table.remove(idOf(change));
  else if (before) table.replace(after as RowOf<typeof collection>);
  else table.insert(after as RowOf<typeof collection>);
}

/** Applies the consequences of a change. Write all changes of the same transaction before. */
export function applyConsequences(state: State, change: RecordChange, context: WriteContext): void {
  const { collection } = change;
  const world = operatorWorld(state, context);
  if (collection === 'orders') onOrderRecordChange(world, change as RecordChange<'orders'>);
  if (collection === 'fulfillments') onPackageChange(world, change as RecordChange<'fulfillments'>);
  if (collection === 'pags') onPagChange(world, change as RecordChange<'pags'>);
}

function onOrderRecordChange(world: World, change: RecordChange<'orders'>): void {
  const order = world.table('orders').get(idOf(change));
  if (order) onOrderChange(world, change.before, order);
  else removeProgress(world, idOf(change));
}

/** If the package has other lines or another order, each order has more or fewer lines to ship. */
function onPackageChange(world: World, change: RecordChange<'fulfillments'>): void {
  const { before, after } = change;
  if (after) schedulePackage(world, after);
  else removeProgress(world, idOf(change));
  if (contentsOf(before) === contentsOf(after)) return;
  for (const id of new Set([before?.order_id, after?.order_id])) {
    const order = id === undefined ? undefined : world.table('orders').get(id);
    if (order) scheduleOrderAlone(world, order);
  }
}

const contentsOf = (fulfillment: RecordOf<'fulfillments'> | null): string =>
  [fulfillment?.order_id, ...(fulfillment?.order_lines ?? []).map(({ id }) => id)].join(' ');

function onPagChange(world: World, { before, after }: RecordChange<'pags'>): void {
  if (after?.status === 'Active' && before?.status !== 'Active') releaseApproved(world, after);
}

function removeProgress(world: World, id: string): void {
  for (const name of ['due_steps', 'tracking'] as const) if (world.table(name).get(id)) world.table(name).remove(id);
}
