// Cursors and pages (FUL-3). A cursor holds the sequence number of the last item and a seal, so that only given ones are good.
import { Refusal } from '../contract/refusal.ts';
import { hex, utf8 } from './hashes.ts';
import type { IndexOf, RowOf, TableName, World } from './world.ts';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page, null on the last one. */
  readonly next: string | null;
}

const sealDigits = 16;

/** Opaque to the client: base64url of the sequence number and its seal. */
function cursorOf(world: World, list: string, sequence: number): string {
  const sealed = `cursor ${list} ${world.caller.brandId} ${sequence}`;
  const seal = hex(world.hashes.hmac(utf8(world.identity.signingKey), sealed)).slice(0, sealDigits);
  return btoa(`${sequence}.${seal}`).replaceAll('=', '');
}

/** @throws Refusal for a cursor that this server did not give for this list and client. */
function sequenceOf(world: World, list: string, cursor: string): number {
  const sequence = Number.parseInt(decoded(cursor), 10);
  if (cursor === cursorOf(world, list, sequence)) return sequence;
  const about = { rule: 'malformed_parameter', path: ['cursor'], facts: { label: 'cursor', value: cursor } } as const;
  throw new Refusal([{ ...about, words: '"cursor" contains an invalid value' }]);
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return '';
  }
}

/** Refuses a cursor that was not given, also where the list turns out to be empty. */
export function emptyPage(world: World, name: TableName, group: string, { cursor }: PageQuery): Page<never> {
  if (cursor !== undefined) sequenceOf(world, `${name} ${group}`, cursor);
  return { rows: [], next: null };
}

/** One page of a group, in the order of `list_order`. Costs the page, not the list. */
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
