// The answer of a list: its page, and the next cursor where the reading has it.
import type { Page } from '../../domain/paging.ts';
import { presentPage } from '../../domain/present.ts';
import type { World } from '../../domain/world.ts';
import { type Call, requestUrl } from '../call.ts';

export function listed<Key extends string, Row, Item>(
  call: Call,
  world: World,
  key: Key,
  page: Page<Row>,
  present: (world: World, row: Row) => Item,
) {
  call.next = page.next;
  const body = presentPage(
    world,
    key,
    page,
    (row) => present(world, row),
    () => requestUrl(call),
  );
  return { status: 200 as const, ...body };
}
