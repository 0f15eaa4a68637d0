// Changes of records before they are written: what a changed record names must be there, and what names it must still hold.
import { type FileFault, quoted } from '../contract/file-errors.ts';
import type { Fixtures } from '../contract/fixtures.ts';
import { faultyReferences, referrersOf } from '../contract/fixtures.ts';
import { type CollectionName, collectionNames, type RecordOf } from '../contract/records.ts';
import type { State } from '../state/state.ts';

export type AnyRecord = RecordOf<CollectionName>;

/** A record before and after a change: null where it is not there yet, or no more. */
export interface RecordChange {
  readonly collection: CollectionName;
  readonly before: AnyRecord | null;
  readonly after: AnyRecord | null;
  /** The place of what the tester sent, such as `$.data.orders[2]`. */
  readonly at: string;
}

/** A record that a change would break, and how. */
export interface Broken {
  readonly collection: CollectionName;
  readonly id: string;
  readonly fault: FileFault;
}

type Find = (collection: CollectionName, id: string) => AnyRecord | undefined;
/** A record's place: its collection and its id. */
export const placeOf = (collection: CollectionName, id: string): string => `${collection} ${id}`;

/** Records as they are, and as some changes would leave them. */
export class RecordChanges {
  readonly #state: State;
  readonly #changes: readonly RecordChange[];
  readonly #changed: ReadonlyMap<string, AnyRecord | null>;

  constructor(state: State, changes: readonly RecordChange[]) {
    this.#state = state;
    this.#changes = changes;
    this.#changed = new Map(
      changes.map(({ collection, before, after }) => [placeOf(collection, (before ?? after)?.id ?? ''), after]),
    );
  }

  readonly #before: Find = (collection, id) => this.#state.table(collection).get(id);
  readonly #after: Find = (collection, id) => {
    const changed = this.#changed.get(placeOf(collection, id));
    return changed === undefined ? this.#before(collection, id) : (changed ?? undefined);
  };

  /** Usernames that another user has. */
  takenUsernames(): FileFault[] {
    return this.#changes.flatMap(({ after, at }) => {
      if (!(after && 'username' in after && this.#isTaken(after))) return [];
      const found = quoted(after.username);
      return [{ file: '', path: `${at}.username`, found, expected: 'a username that no other user has' }];
    });
  }

  #isTaken({ id, username }: RecordOf<'users'>): boolean {
    for (const [, user] of this.#state.table('users').walk('username', username))
      if (user.id !== id && !this.#changed.has(placeOf('users', user.id))) return true;
    return this.#changes.some(
      ({ after }) => after && 'username' in after && after.username === username && after.id !== id,
    );
  }

  /** References of the changed records that do not hold. Costs what they name, not what is stored. */
  faultyReferences(): FileFault[] {
    return this.#changes.flatMap(({ collection, after, at }) =>
      after ? faultsAmong(this.#after, collection, after, at) : [],
    );
  }

  /** The faults of those records, left alone, that the changes would break: at the changed record, one for each. */
  faultyReferrers(): FileFault[] {
    return this.#changes.flatMap((change) => {
      const { before, after, at } = change;
      const broken = this.firstBroken(change);
      if (!(broken && before && after)) return [];
      const { collection, id, fault } = broken;
      const [field, found] =
        brandOf(before) === brandOf(after) ? ['order_lines', 'fewer lines'] : ['brand_id', quoted(brandOf(after))];
      const expected = `no change that breaks ${collection} ${quoted(id)}: its ${fault.path} must be ${fault.expected}`;
      return [{ file: '', path: `${at}.${field}`, found, expected }];
    });
  }

  /**
   * The first record, left alone, that this change would break. Looks through the collections that may name it until it finds one: that a
   * record goes, or goes over to another brand, is an operator's rare act, and an index for it would burden every other write.
   */
  firstBroken(change: RecordChange): Broken | undefined {
    if (!change.before || !mayBreak(change)) return undefined;
    for (const [collection, record] of this.#mentioning(change.collection, change.before.id)) {
      const former = new Set(faultsAmong(this.#before, collection, record, '').map(({ path }) => path));
      const fault = faultsAmong(this.#after, collection, record, '').find(({ path }) => !former.has(path));
      if (fault) return { collection, id: record.id, fault: { ...fault, path: fault.path.slice(1) } };
    }
    return undefined;
  }

  /** Records that are left alone and in which this id stands somewhere. */
  *#mentioning(to: CollectionName, id: string): Generator<readonly [CollectionName, AnyRecord]> {
    const text = JSON.stringify(id);
    for (const name of referrersOf(to)) {
      for (const record of this.#candidates(name, to, id))
        if (JSON.stringify(record).includes(text) && !this.#changed.has(placeOf(name, record.id))) yield [name, record];
    }
  }

  /** Shipments of an order are found by their index; all else is looked through. */
  *#candidates(name: CollectionName, to: CollectionName, id: string): Generator<AnyRecord> {
    const shipments = name === 'fulfillments' && to === 'orders';
    const found = shipments ? this.#state.table(name).walk('order', id) : this.#state.table(name).entries();
    for (const [, record] of found) yield record;
  }
}

/** Others ask of a record that it is there, that it is of their brand, and of an order that it has the lines that were shipped. */
function mayBreak({ before, after }: RecordChange): boolean {
  if (!before || !after) return true;
  const left = new Set(linesOf(after));
  return brandOf(before) !== brandOf(after) || linesOf(before).some((id) => !left.has(id));
}

const brandOf = (record: AnyRecord): string | undefined => ('brand_id' in record ? record.brand_id : undefined);
const linesOf = (record: AnyRecord): string[] =>
  'order_lines' in record ? record.order_lines.map(({ id }) => id) : [];

/** What references.ts says of one record, when it stands among those that it names: whichever of its texts is the id of one. */
function faultsAmong(find: Find, collection: CollectionName, record: AnyRecord, at: string): FileFault[] {
  const texts = [...new Set(textsIn(record))];
  const named = collectionNames.map((name) => [name, texts.flatMap((text) => find(name, text) ?? [])]);
  const around = Object.fromEntries([...named, [collection, [record]]]) as Fixtures;
  const origin = { file: 'record', path: at };
  const faults = faultyReferences(around, { get: (one) => (one === record ? origin : undefined) });
  return faults.filter(({ file }) => file === origin.file);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
