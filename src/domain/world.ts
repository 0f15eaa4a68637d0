// All that a rule may touch: the records, the time, fresh ids, the caller, the terms. The state implements it.
import type { Override } from '../contract/control/overrides.ts';
import type { CollectionName, DueStep, RecordOf, SingleName, SingleOf, TrackingHistory } from '../contract/records.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { Hashes } from './hashes.ts';

/** A refresh token that was good for one use and had it (`refresh_token_lifetime: single_use`). */
interface SpentRefreshToken {
  /** The token's jti. */
  readonly id: string;
  /** When the token expires, in seconds since 1970: from then on it is refused for that. */
  readonly exp?: number | undefined;
}

/** What is kept beside the data model's collections: by the service itself, and what a tester bends. */
interface OwnRows {
  readonly spent_refresh_tokens: SpentRefreshToken;
  readonly levers: Override;
  readonly due_steps: DueStep;
  readonly tracking: TrackingHistory;
}
export type TableName = CollectionName | keyof OwnRows;
export type RowOf<Name extends TableName> = Name extends CollectionName
  ? RecordOf<Name>
  : Name extends keyof OwnRows
    ? OwnRows[Name]
    : never;

/**
 * What records are looked up and listed by: an index groups the records of a table, undefined leaves one out.
 * A list is a walk within a group, in the order in which the records were made.
 */
export const indexes = {
  users: { username: (user: RecordOf<'users'>) => user.username },
  products: { brand: (product: RecordOf<'products'>) => product.brand_id },
  pags: { slot: (pag: RecordOf<'pags'>) => pagSlot(pag.brand_id, pag.duration) },
  consumers: {
    brand: (consumer: RecordOf<'consumers'>) => consumer.brand_id,
    email: (consumer: RecordOf<'consumers'>) =>
      consumer.email === null ? undefined : emailSlot(consumer.brand_id, consumer.email),
  },
  orders: {
    brand: (order: RecordOf<'orders'>) => order.brand_id,
    needs_changes: (order: RecordOf<'orders'>) => (order.status === 'Needs Changes' ? order.brand_id : undefined),
  },
  fulfillments: {
    brand: (fulfillment: RecordOf<'fulfillments'>) => fulfillment.brand_id,
    order: (fulfillment: RecordOf<'fulfillments'>) => fulfillment.order_id,
    shipment_number: (fulfillment: RecordOf<'fulfillments'>) => fulfillment.shipment_order_number,
    tracking_number: (fulfillment: RecordOf<'fulfillments'>) => fulfillment.tracking_info?.tracking_number,
  },
  carriers: { reach: (carrier: RecordOf<'carriers'>) => reachOf(carrier) },
  spent_refresh_tokens: {
    expiring: (token: SpentRefreshToken) => (token.exp === undefined ? undefined : ''),
  },
  levers: { turn: (override: Override) => (override.hidden ? undefined : override.turn) },
} as const;
export type IndexOf<Name extends TableName> = Name extends keyof typeof indexes
  ? keyof (typeof indexes)[Name] & string
  : never;

/** The group of a brand's PAGs for a duration; null is the brand's default. */
export const pagSlot = (brandId: string, duration: number | null): string => `${brandId} ${duration ?? 'default'}`;
/** The group of a brand's consumers with an e-mail address, whatever its case. */
export const emailSlot = (brandId: string, email: string): string => `${brandId} ${email.toLowerCase()}`;

/** Where carriers go. */
export type Reach = 'home' | 'abroad';
/** The international post and DHL Express carry abroad, the others within the country. */
const reachOf = ({ tracking_number }: RecordOf<'carriers'>): Reach =>
  tracking_number === 'upu_s10' || tracking_number === 'dhl_10' ? 'abroad' : 'home';

/** Where a walk starts: after this sequence number, in the walk's direction. */
export interface WalkFrom {
  readonly after?: number | undefined;
  readonly newestFirst?: boolean;
}

/** A table as a rule may use it. */
export interface Table<Name extends TableName> {
  get(id: string): RowOf<Name> | undefined;
  /** The records of a group with their sequence numbers; costs what is taken of it, not what is stored. */
  walk(index: IndexOf<Name>, group: string, from?: WalkFrom): Iterable<readonly [sequence: number, row: RowOf<Name>]>;
  /** Whether it holds as many records as it may. */
  readonly isFull: boolean;
  /** The first record of a group. */
  firstOf(index: IndexOf<Name>, group: string): RowOf<Name> | undefined;
  insert(row: RowOf<Name>): void;
  /** Puts the row in the place of the one with its id, which must be there. */
  replace(row: RowOf<Name>): void;
  /** Takes the row with this id out, which must be there. */
  remove(id: string): void;
}

/** Who calls: a user of a brand; the brand is the contract's calling client. */
export interface Caller {
  readonly user: RecordOf<'users'>;
  readonly brandId: string;
}

/** Who the sandbox is; made once, kept by a reset. */
export interface Identity {
  readonly name: string;
  readonly environment: string;
  /** Signs its tokens, labels and cursors: 32 bytes in hexadecimal digits. */
  readonly signingKey: string;
  readonly seed: string;
  /** Made by a login with `user+tag`; only such a sandbox is reached by a tag. */
  readonly madeByLogin: boolean;
  /** SHA-256 of the key that controls this sandbox alone. */
  readonly ownKeyHash: string | null;
  /** Real seconds without use after which it is deleted. */
  readonly ttlSeconds: number | null;
}

export interface World {
  /** The sandbox's time in milliseconds since 1970, read once per request. */
  readonly now: number;
  readonly assumptions: Assumptions;
  readonly identity: Identity;
  /** The absolute {base_url} of this sandbox, for the URLs in answers; no slash at its end. */
  readonly baseUrl: string;
  readonly hashes: Hashes;
  /** What is issued now carries these. */
  readonly generations: { readonly tokens: number; readonly labels: number };
  /** @throws where the endpoint needs no token and so has no caller. */
  readonly caller: Caller;
  table<Name extends TableName>(name: Name): Table<Name>;
  single<Name extends SingleName>(name: Name): SingleOf<Name>;
  /** A UUID by the sandbox's seed: the n-th of its purpose. A discarded request gives its ids back. */
  newId(purpose: TableName | 'order_lines' | 'tokens'): string;
  /** The n-th number of a purpose, which follows from the seed alone: at least 0, under 1. */
  draw(purpose: string, n: number): number;
  /** The next number of a purpose, from 0. A discarded request gives it back. */
  count(purpose: string): number;
  // Switches of the tester override these. The answer tells which of them did.
  accessTokenSeconds(): number;
  labelSeconds(): number;
  /** Whether all that was issued in this generation is expired. */
  isExpired(what: 'tokens' | 'labels', generation: number): boolean;
  /** Whether a PAG counts as Inactive, whatever its status. */
  isInactivePag(id: string): boolean;
}

/** The world's time as the service writes it: ISO 8601, UTC, milliseconds. */
export function timestamp({ now }: Pick<World, 'now'>): string {
  if (last.now !== now) last = { now, text: new Date(now).toISOString() };
  return last.text;
}

/** Of one time many are told. */
let last = { now: Number.NaN, text: '' };

/** When something happens to a record with these dates: now, and never before them. A clock that was set back turns no dates round. */
export const timestampAfter = (world: World, ...dates: readonly (string | null)[]): string =>
  dates.reduce<string>((latest, date) => (date !== null && date > latest ? date : latest), timestamp(world));

// Chance that belongs to a record: the same for the same record of the same sandbox, whatever else there is.

/** A number of a purpose that follows from the seed and the record's id: at least 0, under 1. */
export const drawFor = (world: World, purpose: string, id: string): number =>
  world.draw(purpose, Number.parseInt(id.slice(-8), 16));

/** One of these, by chance; undefined where there is none. */
export const pickFor = <T>(world: World, purpose: string, id: string, among: readonly T[]): T | undefined =>
  among[Math.floor(drawFor(world, purpose, id) * among.length)];
