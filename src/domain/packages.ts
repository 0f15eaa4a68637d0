// The packages of an order: what is shipped, and what is not yet.
import type { RecordOf } from '../contract/records.ts';
import { isGone } from './fulfillment-status.ts';
import type { World } from './world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;
export type OrderLine = Order['order_lines'][number];

/** Oldest first. */
export const packagesOf = (world: World, orderId: string): Fulfillment[] =>
  Array.from(world.table('fulfillments').walk('order', orderId), ([, fulfillment]) => fulfillment);

export const hasPackages = (world: World, orderId: string): boolean =>
  world.table('fulfillments').firstOf('order', orderId) !== undefined;

/** The lines of the order that are in none of these packages. */
export function unshippedLines({ order_lines }: Order, packages: readonly Fulfillment[]): OrderLine[] {
  const shipped = new Set(packages.flatMap((one) => one.order_lines.map(({ id }) => id)));
  return order_lines.filter(({ id }) => !shipped.has(id));
}

/** The lines that may be shipped: those that are not yet, and those whose packages were lost or came back. */
export const shippableLines = (order: Order, packages: readonly Fulfillment[]): OrderLine[] =>
  unshippedLines(
    order,
    packages.filter(({ status_id }) => !isGone(status_id)),
  );

/** Another brand's pack of the same id is none of this one's. */
function packName(world: World, brandId: string, id: string): string {
  const pack = world.table('packs').get(id);
  return pack?.brand_id === brandId ? pack.name : id;
}

/** A line's name is what its pouches hold, each once (FUL-1). */
export function lineName(world: World, brandId: string, { pouches }: OrderLine): string {
  const names = pouches.flatMap(({ contents = [], pack_id: pack }) => [
    ...(pack === undefined ? [] : [packName(world, brandId, String(pack))]),
    ...contents.flatMap(({ client_product_id: id }) => world.table('products').get(id)?.product_name ?? []),
  ]);
  return [...new Set(names)].join(' + ') || 'Empty pouches';
}
