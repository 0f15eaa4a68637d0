// The interface between the rules and the state: records, time, new ids, the caller, the assumptions.
import type { Override, SettingsOf } from '../contract/control/overrides.ts';
import type { OverridePhase } from '../contract/control/switch-names.ts';
import type { CollectionName, DueStep, RecordOf, SingleName, SingleOf, StatusHistory } from '../contract/records.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { Hashes } from './hashes.ts';

/** A refresh token whose use counts (`refresh_token_lifetime: single_use`, `old_token_after_refresh: ends`). */
interface SpentRefreshToken {
  /** The token's jti. */
  readonly id: string;
  /** When the token and the access tokens that it gave are expired, in seconds since 1970. */
  readonly exp?: number | undefined;
  /** How often it was used. Default: once. */
  readonly uses?: number | undefined;
}

/** Tables besides the collections of the data model. */
interface OwnRows {
  readonly spent_refresh_tokens: SpentRefreshToken;
  readonly levers: Override;
  readonly due_steps: DueStep;
  /** Of orders, too. Stores and state documents have it by this name. */
  readonly tracking: StatusHistory;
}
type Rows = { readonly [Name in CollectionName]: RecordOf<Name> } & OwnRows;
export type TableName = keyof Rows;
export type RowOf<Name extends TableName> = Rows[Name];
type Indexes = { readonly [Name in TableName]?: Readonly<Record<string, (row: RowOf<Name>) => string | undefined>> };

/** An index groups the records of a table; undefined leaves one out. A walk visits a group in order of insertion. */
export const indexes = {
  users: { username: (user) => user.username },
  products: { brand: (product) => product.brand_id },
  pags: { slot: (pag) => pagSlot(pag.brand_id, pag.duration) },
  consumers: {
    brand: (consumer) => consumer.brand_id,
    email: ({ brand_id, email }) => (email === null ? undefined : emailSlot(brand_id, email)),
  },
  orders: {
    brand: (order) => order.brand_id,
    needs_changes: (order) => (order.status === 'Needs Changes' ? order.brand_id : undefined),
  },
  fulfillments: {
    brand: (fulfillment) => fulfillment.brand_id,
    order: (fulfillment) => fulfillment.order_id,
    shipment_number: (fulfillment) => fulfillment.shipment_order_number,
    tracking_number: (fulfillment) => fulfillment.tracking_info?.tracking_number,
  },
  carriers: { destination: (carrier) => destinationOf(carrier) },
  spent_refresh_tokens: { expiring: (token) => (token.exp === undefined ? undefined : '') },
  levers: { phase: (override) => (override.hidden ? undefined : override.turn) },
} satisfies Indexes;
export type IndexOf<Name extends TableName> = Name extends keyof typeof indexes
  ? keyof (typeof indexes)[Name] & string
  : never;

/** The group of a brand's PAGs for a duration; null is the brand's default. */
export const pagSlot = (brandId: string, duration: number | null): string => `${brandId} ${duration ?? 'default'}`;
/** The group of a brand's consumers with an e-mail address, ignoring case. */
export const emailSlot = (brandId: string, email: string): string => `${brandId} ${email.toLowerCase()}`;

/** The international post and DHL Express ship abroad, the others within the country. */
const destinationOf = ({ tracking_number }: RecordOf<'carriers'>): 'home' | 'abroad' =>
  tracking_number === 'upu_s10' || tracking_number === 'dhl_10' ? 'abroad' : 'home';

/** Where a walk starts: after this sequence number, in the walk's direction. */
export interface WalkFrom {
  readonly after?: number | undefined;
  readonly newestFirst?: boolean;
}

/** A table as the rules use it. */
export interface Table<Name extends TableName> {
  get(id: string): RowOf<Name> | undefined;
  /** The records of a group with their sequence numbers. Its cost depends on the number of records read, not stored. */
  walk(index: IndexOf<Name>, group: string, from?: WalkFrom): Iterable<readonly [sequence: number, row: RowOf<Name>]>;
  /** Whether it has reached the limit of records. */
  readonly isFull: boolean;
  firstOf(index: IndexOf<Name>, group: string): RowOf<Name> | undefined;
  insert(row: RowOf<Name>): void;
  /** Replaces the row with this id, which must exist. */
  replace(row: RowOf<Name>): void;
  /** Removes the row with this id, which must exist. */
  remove(id: string): void;
}

/** The user who calls. The brand is the contract's calling client. */
export interface Caller {
  readonly user: RecordOf<'users'>;
  readonly brandId: string;
}

/** Set when the sandbox is created; a reset does not change it. */
export interface Identity {
  readonly name: string;
  readonly environment: string;
  /** Signs its tokens, labels and cursors: 32 bytes in hexadecimal digits. */
  readonly signingKey: string;
  readonly seed: string;
  /** Created by a login with `user+tag`: at the limit of sandboxes, it makes room for another one. */
  readonly madeByLogin: boolean;
  /** SHA-256 of the admin key for this sandbox only. */
  readonly ownKeyHash: string | null;
  /** Real seconds without use after which it is deleted. */
  readonly ttlSeconds: number | null;
  /** The link that hands out its own key: SHA-256 of its token, and when it expires in real milliseconds. */
  readonly invite?: { readonly tokenHash: string; readonly expiresAt: number } | undefined;
}

export interface World {
  /** The sandbox's time in milliseconds since 1970, read once per request. */
  readonly now: number;
  readonly assumptions: Assumptions;
  readonly identity: Identity;
  /** The absolute {base_url} of this sandbox, for URLs in responses; without a slash at the end. */
  readonly baseUrl: string;
  readonly hashes: Hashes;
  /** Contained in the tokens and labels that are issued now. */
  readonly generations: { readonly tokens: number; readonly labels: number };
  /** @throws Error if the endpoint needs no token and so has no caller */
  readonly caller: Caller;
  table<Name extends TableName>(name: Name): Table<Name>;
  single<Name extends SingleName>(name: Name): SingleOf<Name>;
  /** The next UUID of a purpose, drawn from the sandbox's seed. A rejected request uses up no UUID. */
  newId(purpose: TableName | 'order_lines' | 'tokens'): string;
  /** The n-th number of a purpose, drawn from the seed: at least 0, less than 1. */
  draw(purpose: string, n: number): number;
  /** The next number of a purpose, from 0. A rejected request uses up no number. */
  count(purpose: string): number;
  /** The settings of a switch that is on for this request and `applies`. The response names each switch that did. */
  override<Name extends WorldSwitch>(
    name: Name,
    applies: (settings: SettingsOf<Name>) => boolean,
  ): SettingsOf<Name> | undefined;
  /** Whether everything that was issued in this generation is expired. The response names the switch that did it. */
  isExpired(what: 'tokens' | 'labels', generation: number): boolean;
}

/** The switches that change the world, instead of answering the request. */
export type WorldSwitch = Exclude<OverridePhase, 'maintenance' | 'rate_limit' | 'fault'>;

/** The lifetime of a token or URL issued now, in seconds. @param usual without the switch */
export const lifetimeOf = (world: World, name: 'token_expiry' | 'label_expiry', usual: number): number =>
  world.override(name, (settings) => settings.lifetime_seconds !== undefined)?.lifetime_seconds ?? usual;

/** The sandbox's time as ISO 8601 in UTC with milliseconds. */
export function timestamp({ now }: Pick<World, 'now'>): string {
  if (last.now !== now) last = { now, text: new Date(now).toISOString() };
  return last.text;
}

/** One request writes the same time often. */
let last = { now: Number.NaN, text: '' };

/** The time of a change to a record with these dates: now, but never before them, also if the clock was set back. */
export const timestampAfter = (world: World, ...dates: readonly (string | null)[]): string =>
  dates.reduce<string>((latest, date) => (date !== null && date > latest ? date : latest), timestamp(world));

// Random numbers per record: the same for the same record of the same sandbox.

/** A number of a purpose, drawn from the seed and the record's id: at least 0, less than 1. */
export const drawFor = (world: World, purpose: string, id: string): number =>
  world.draw(purpose, Number.parseInt(id.slice(-8), 16));

/** A random item; undefined for an empty list. */
export const pickFor = <T>(world: World, purpose: string, id: string, among: readonly T[]): T | undefined =>
  among[Math.floor(drawFor(world, purpose, id) * among.length)];
