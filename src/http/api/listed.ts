// The answer of a list: its page, and the next cursor where the reading has it.
import type { Fragment, Pieces } from '../../control/journal/pieces.ts';
import type { Page } from '../../domain/paging.ts';
import { presentCursor } from '../../domain/present.ts';
import type { World } from '../../domain/world.ts';
import { type Call, requestUrl } from '../call.ts';
import type { keptListOf, listOf } from './fragments.ts';

export function listed<Body, Row extends object>(
  call: Call,
  world: World,
  key: keyof Body & string,
  page: Page<Row>,
  fragmentOf: (row: Row) => Fragment,
  list: typeof listOf | typeof keptListOf,
): { readonly status: 200; readonly body: Pieces<Body>; readonly headers?: Readonly<Record<string, string>> } {
  call.next = page.next;
  const items = page.rows.map(fragmentOf);
  const { beside, headers } = presentCursor(world, page.next, () => requestUrl(call));
  return { status: 200, body: list<Body>(key, items, beside, page.rows[0]), ...(headers && { headers }) };
}
