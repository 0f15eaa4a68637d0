// Reads of the caller's own records: single ones (CAT-2, FUL-1, FUL-2), products (CAT-1), fulfillments (FUL-3).
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import type { RuleId } from '../contract/rules.ts';
import { emptyPage, type Page, type PageQuery, pageOf } from './paging.ts';
import type { RowOf, World } from './world.ts';

type Product = RecordOf<'products'>;
type Fulfillment = RecordOf<'fulfillments'>;
type OwnedTable = 'products' | 'consumers' | 'orders' | 'fulfillments';
const notFound = {
  products: ['CAT-2', 'Product'],
  consumers: ['CAT-2', 'Consumer'],
  orders: ['FUL-2', 'Order'],
  fulfillments: ['FUL-1', 'Fulfillment'],
} as const satisfies Record<OwnedTable, readonly [RuleId, string]>;

/** The record, if it is the calling client's. */
export function own<Name extends OwnedTable>(world: World, name: Name, id: string): RowOf<Name> | undefined {
  const row = world.table(name).get(id) as (RowOf<Name> & { readonly brand_id: string }) | undefined;
  return row?.brand_id === world.caller.brandId ? row : undefined;
}

/** The record, or the refusal of a read that found none of the caller's. */
export function readOwn<Name extends OwnedTable>(world: World, name: Name, id: string): RowOf<Name> {
  const row = own(world, name, id);
  if (row) return row;
  // Asked for whether or not somebody else has it: what is asked for is told with the answer.
  const tellsForeign = world.assumptions.get('foreign_resource') === '403';
  if (tellsForeign && world.table(name).get(id)) throw new Refusal('foreign_resource');
  const [rule, what] = notFound[name];
  throw new Refusal(rule, { what });
}

export const getProduct = (world: World, id: string): Product => readOwn(world, 'products', id);

/** All products of the calling client, whole: the contract pages only fulfillments. */
export function listProducts(world: World): Product[] {
  const isTold = world.assumptions.get('product_list') === 'all' ? () => true : ({ active }: Product) => active;
  const told: Product[] = [];
  for (const [, product] of world.table('products').walk('brand', world.caller.brandId))
    if (isTold(product)) told.push(product);
  return told;
}

export const getFulfillment = (world: World, id: string): Fulfillment => readOwn(world, 'fulfillments', id);

/** All fulfillments of one of the caller's orders, in the order of `list_order`. */
export function fulfillmentsOfOrder(world: World, orderId: string): Fulfillment[] {
  const order = readOwn(world, 'orders', orderId);
  const newestFirst = world.assumptions.get('list_order') === 'newest_first';
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
