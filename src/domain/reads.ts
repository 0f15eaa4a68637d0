// Reads of the caller's own records (CAT-2, FUL-1, FUL-2), pages of them (FUL-3), and what all presented records share.
import type { Choice } from '../contract/assumptions.ts';
import { invalidCursor, nextCursorHeaders } from '../contract/paging.ts';
import { Refusal } from '../contract/refusal.ts';
import type { RuleId } from '../contract/rules.ts';
import { hex, utf8 } from './hashes.ts';
import type { IndexOf, RowOf, TableName, World } from './world.ts';

type OwnedTable = 'products' | 'consumers' | 'orders' | 'fulfillments';
const notFound = {
  products: ['CAT-2', 'Product'],
  consumers: ['CAT-2', 'Consumer'],
  orders: ['FUL-2', 'Order'],
  fulfillments: ['FUL-1', 'Fulfillment'],
} as const satisfies Record<OwnedTable, readonly [RuleId, string]>;

/** The record, if it belongs to the calling client. */
export function findOwned<Name extends OwnedTable>(world: World, name: Name, id: string): RowOf<Name> | undefined {
  const row = world.table(name).get(id) as (RowOf<Name> & { readonly brand_id: string }) | undefined;
  return row?.brand_id === world.caller.brandId ? row : undefined;
}

/** The record. @throws Refusal if the calling client has no such record */
export function getOwned<Name extends OwnedTable>(world: World, name: Name, id: string): RowOf<Name> {
  const row = findOwned(world, name, id);
  if (row) return row;
  // Ask for the choice even if no other client has the record: the trace of the answer must not reveal that.
  const isForbidden = world.assumptions.get('foreign_resource') === '403';
  if (isForbidden && world.table(name).get(id)) throw new Refusal('foreign_resource');
  const [rule, what] = notFound[name];
  throw new Refusal(rule, { what });
}

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page, null on the last one. */
  readonly next: string | null;
}

/** One page of a group, in the order of `list_order`. Its cost depends on the page, not on the list. */
export function pageOf<Name extends TableName>(
  world: World,
  name: Name,
  index: IndexOf<Name>,
  group: string,
  { limit, cursor }: PageQuery,
): Page<RowOf<Name>> {
  const list = `${name} ${group}`;
  const after = cursor === undefined ? undefined : sequenceOf(world, list, cursor);
  const newestFirst = world.assumptions.get('list_order') === 'newest_first';
  const rows: RowOf<Name>[] = [];
  let last = 0;
  for (const [sequence, row] of world.table(name).walk(index, group, { after, newestFirst })) {
    if (rows.length === limit) return { rows, next: cursorOf(world, list, last) };
    rows.push(row);
    last = sequence;
  }
  return { rows, next: null };
}

/** An empty page. @throws Refusal for a cursor that the service did not issue, as `pageOf` does */
export function emptyPage(world: World, name: TableName, group: string, { cursor }: PageQuery): Page<never> {
  if (cursor !== undefined) sequenceOf(world, `${name} ${group}`, cursor);
  return { rows: [], next: null };
}

const sealDigits = 16;

/** Opaque to the client: base64url of the last item's sequence number and a seal, so that no client can forge one. */
function cursorOf(world: World, list: string, sequence: number): string {
  const sealed = `cursor ${list} ${world.caller.brandId} ${sequence}`;
  const seal = hex(world.hashes.hmac(utf8(world.identity.signingKey), sealed)).slice(0, sealDigits);
  return btoa(`${sequence}.${seal}`).replaceAll('=', '');
}

/** @throws Refusal for a cursor that the service did not issue for this list and client */
function sequenceOf(world: World, list: string, cursor: string): number {
  const sequence = Number.parseInt(decoded(cursor), 10);
  if (cursor === cursorOf(world, list, sequence)) return sequence;
  const facts = { label: 'cursor', value: cursor, problem: 'this list returned no such cursor to this client' };
  throw new Refusal([{ rule: 'malformed_parameter', path: ['cursor'], facts, words: invalidCursor }]);
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return '';
  }
}

/** Puts the next cursor next to the items in the body, or into a header (`next_cursor`). */
export function presentCursor({ assumptions }: World, cursor: string | null, requestUrl: () => URL) {
  const place = assumptions.get('next_cursor');
  if (place === 'body') return { fields: { next_cursor: cursor } };
  if (place === 'meta') return { fields: { meta: { next_cursor: cursor } } };
  if (cursor === null) return {};
  if (place === 'header') return { headers: { [nextCursorHeaders.header]: cursor } };
  const next = requestUrl();
  next.searchParams.set('cursor', cursor);
  return { headers: { [nextCursorHeaders.link_header]: `<${next}>; rel="next"` } };
}

/** Changes the body: if absent values are omitted, null becomes undefined, which JSON leaves out. */
export function applyAbsentValues<T extends object>(
  absentValues: Choice<'absent_values'>,
  body: T,
): { [K in keyof T]: T[K] } {
  if (absentValues === 'null') return body;
  for (const name in body) if (body[name] === null) body[name] = undefined as T[typeof name];
  return body;
}
