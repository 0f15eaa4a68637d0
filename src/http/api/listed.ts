// The answer of a list: its page, and the next cursor where the reading has it.
import type { Pieces } from '../../control/journal/pieces.ts';
import type { Page } from '../../domain/paging.ts';
import { presentCursor } from '../../domain/present.ts';
import type { World } from '../../domain/world.ts';
import { type Call, requestUrl } from '../call.ts';

/** @param bodyOf makes the body with what stands beside the list */
export function listed<Body>(
  call: Call,
  world: World,
  { next }: Pick<Page<unknown>, 'next'>,
  bodyOf: (beside?: object) => Pieces<Body>,
): { readonly status: 200; readonly body: Pieces<Body>; readonly headers?: Readonly<Record<string, string>> } {
  call.next = next;
  const { beside, headers } = presentCursor(world, next, () => requestUrl(call));
  return { status: 200, body: bodyOf(beside), ...(headers && { headers }) };
}
