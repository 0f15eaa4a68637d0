// The three reads of fulfillments (FUL-1 to FUL-3).
import type { RecordOf } from '../contract/records.ts';
import { own, readOwn } from './ownership.ts';
import { emptyPage, type Page, type PageQuery, pageOf } from './paging.ts';
import type { World } from './world.ts';

type Fulfillment = RecordOf<'fulfillments'>;

export const getFulfillment = (world: World, id: string): Fulfillment => readOwn(world, 'fulfillments', id);

/** All fulfillments of one of the caller's orders, in the order of `list_order`. */
export function fulfillmentsOfOrder(world: World, orderId: string): Fulfillment[] {
  const order = readOwn(world, 'orders', orderId);
  const newestFirst = world.terms.get('list_order') === 'newest_first';
  const found = world.table('fulfillments').walk('order', order.id, { newestFirst });
  return Array.from(found, ([, fulfillment]) => fulfillment);
}

/** One page; an order_id that is not one of the caller's orders matches nothing. */
export function listFulfillments(
  world: World,
  query: PageQuery & { readonly order_id?: string | undefined },
): Page<Fulfillment> {
  const { order_id: orderId } = query;
  if (orderId === undefined) return pageOf(world, 'fulfillments', 'brand', world.caller.brandId, query);
  if (!own(world, 'orders', orderId)) return emptyPage(world, 'fulfillments', orderId, query);
  return pageOf(world, 'fulfillments', 'order', orderId, query);
}
