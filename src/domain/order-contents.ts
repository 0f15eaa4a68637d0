// The business rules on what an order holds (ORD-17 to ORD-20, `pack_id`), over all lines, in that order.
import type { OrderLineRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { type FieldPath, Refusal } from '../contract/refusal.ts';
import { moveOrder } from './order-status.ts';
import { pagSlot, type World } from './world.ts';

interface Used {
  readonly product: RecordOf<'products'> | undefined;
  /** Where it is used. */
  readonly path: FieldPath;
}

/** @throws Refusal of the first rule that the contents break. */
export function checkContents(world: World, lines: readonly OrderLineRequest[]): void {
  const { brandId } = world.caller;
  const used = usedProducts(world, lines);
  for (const { product, path } of used) if (!product) throw new Refusal('ORD-17', { path });
  for (const { product, path } of used) if (product?.brand_id !== brandId) throw new Refusal('ORD-18', { path });
  checkPacks(world, lines);
  const operatorProducts = world.table('operator_products');
  // Each name once, in the order of first use.
  const [inactive, discontinued] = [new Set<string>(), new Set<string>()];
  for (const { product } of used) {
    if (product && !product.active) inactive.add(product.product_name);
    const behind = product && operatorProducts.get(product.operator_product_id);
    if (behind?.discontinued) discontinued.add(behind.name);
  }
  const path = ['order_lines'];
  if (inactive.size > 0) throw new Refusal('ORD-19', { path, names: [...inactive] });
  if (discontinued.size > 0)
    throw new Refusal('ORD-20', { path, names: [...discontinued], operator: world.single('operator').name });
}

function usedProducts(world: World, lines: readonly OrderLineRequest[]): Used[] {
  const products = world.table('products');
  const used: Used[] = [];
  for (const [line, { pouches }] of lines.entries())
    for (const [pouch, { contents = [] }] of pouches.entries())
      for (const [content, { client_product_id: id }] of contents.entries()) {
        const path = ['order_lines', line, 'pouches', pouch, 'contents', content, 'client_product_id'];
        used.push({ product: products.get(id), path });
      }
  return used;
}

function checkPacks(world: World, lines: readonly OrderLineRequest[]): void {
  if (world.assumptions.get('pack_id') === 'any') return;
  const packs = world.table('packs');
  for (const [line, { pouches }] of lines.entries()) {
    for (const [pouch, { pack_id: id }] of pouches.entries()) {
      if (id === undefined || packs.get(String(id))?.brand_id === world.caller.brandId) continue;
      throw new Refusal('pack_id', { path: ['order_lines', line, 'pouches', pouch, 'pack_id'] });
    }
  }
}

// How an order line finds its Packaging Asset Group, and what its status means for the order (ORD-21, ORD-25).

type Pag = RecordOf<'pags'>;

/** The PAG of a brand's line of this duration, by the reading of `pag_lookup`. */
export function pagFor(world: World, brandId: string, duration: number | undefined): Pag | undefined {
  const pags = world.table('pags');
  const byDuration = duration !== undefined && world.assumptions.get('pag_lookup') === 'brand_duration';
  const own = byDuration ? pags.firstOf('slot', pagSlot(brandId, duration)) : undefined;
  return own ?? pags.firstOf('slot', pagSlot(brandId, null));
}

/**
 * Whether the packaging of all lines is Active.
 * @throws Refusal ORD-21 for the first line without a PAG.
 */
export function packagingIsActive(world: World, lines: readonly { readonly duration?: number | undefined }[]): boolean {
  const pags: Pag[] = [];
  for (const [index, { duration }] of lines.entries()) {
    const pag = pagFor(world, world.caller.brandId, duration);
    if (!pag) throw new Refusal('ORD-21', { path: ['order_lines', index] });
    pags.push(pag);
  }
  for (const pag of pags) if (pag.status !== 'Active' || world.isInactivePag(pag.id)) return false;
  return true;
}

// What becomes of orders that needed changes once their packaging is Active.

/**
 * A PAG became Active: orders that wait for it, and for no other, are Pending. Those that a switch made need changes while their packaging
 * was Active wait for nothing, and for the operator's word.
 */
export function releaseApproved(world: World, { id, brand_id: brandId }: RecordOf<'pags'>): void {
  for (const [, order] of [...world.table('orders').walk('needs_changes', brandId)]) {
    const pags = order.order_lines.map(({ duration }) => pagFor(world, brandId, duration));
    const waits = pags.some((pag) => pag?.id === id);
    if (waits && pags.every((pag) => pag?.status === 'Active')) moveOrder(world, order, 'approve_packaging');
  }
}
