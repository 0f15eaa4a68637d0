// The business rules on what an order holds (ORD-17 to ORD-20, `pack_id`), over all lines, in that order.
import type { OrderLineRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { type FieldPath, Refusal } from '../contract/refusal.ts';
import { moveOrder } from './order-status.ts';
import { pagSlot, type World } from './world.ts';

interface Used {
  readonly product: RecordOf<'products'> | undefined;
  /** Where it is used, by the indexes. */
  readonly line: number;
  readonly pouch: number;
  readonly content: number;
}

const pathOf = ({ line, pouch, content }: Used): FieldPath => [
  'order_lines',
  line,
  'pouches',
  pouch,
  'contents',
  content,
  'client_product_id',
];

/** @throws Refusal of the first rule that the contents break. */
export function checkContents(world: World, lines: readonly OrderLineRequest[]): void {
  const used = usedProducts(world, lines);
  refuseFirst('ORD-17', used, ({ product }) => !product);
  refuseFirst('ORD-18', used, ({ product }) => product?.brand_id !== world.caller.brandId);
  checkPacks(world, lines);
  const { inactive, discontinued } = unavailable(world, used);
  refuseNamed('ORD-19', inactive);
  refuseNamed('ORD-20', discontinued, world.single('operator').name);
}

/** The names of used products that are not active, and of the operator's behind used ones that are discontinued. */
function unavailable(world: World, used: readonly Used[]) {
  const operatorProducts = world.table('operator_products');
  const [inactive, discontinued]: [string[], string[]] = [[], []];
  for (const { product } of used) {
    if (product && !product.active) inactive.push(product.product_name);
    const behind = product && operatorProducts.get(product.operator_product_id);
    if (behind?.discontinued) discontinued.push(behind.name);
  }
  return { inactive, discontinued };
}

function usedProducts(world: World, lines: readonly OrderLineRequest[]): Used[] {
  const products = world.table('products');
  const used: Used[] = [];
  lines.forEach(({ pouches }, line) => {
    pouches.forEach(({ contents }, pouch) => {
      contents?.forEach(({ client_product_id: id }, content) => {
        used.push({ product: products.get(id), line, pouch, content });
      });
    });
  });
  return used;
}

function refuseFirst(rule: 'ORD-17' | 'ORD-18', used: readonly Used[], broken: (used: Used) => boolean): void {
  const found = used.find(broken);
  if (found) throw new Refusal(rule, { path: pathOf(found) });
}

/** One refusal that lists all names, each once, in order of first use. */
function refuseNamed(rule: 'ORD-19' | 'ORD-20', names: readonly string[], operator?: string): void {
  if (names.length === 0) return;
  const facts = { path: ['order_lines'], names: [...new Set(names)] };
  throw new Refusal(rule, operator === undefined ? facts : { ...facts, operator });
}

function checkPacks(world: World, lines: readonly OrderLineRequest[]): void {
  if (world.terms.get('pack_id') === 'any') return;
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

const firstPag = (world: World, brandId: string, duration: number | null): Pag | undefined =>
  world.table('pags').firstOf('slot', pagSlot(brandId, duration));

/** The PAG of a brand's line of this duration, by the reading of `pag_lookup`. */
export function pagFor(world: World, brandId: string, duration: number | undefined): Pag | undefined {
  const byDuration = duration !== undefined && world.terms.get('pag_lookup') === 'brand_duration';
  return (byDuration ? firstPag(world, brandId, duration) : undefined) ?? firstPag(world, brandId, null);
}

/**
 * Whether the packaging of all lines is Active.
 * @throws Refusal ORD-21 for the first line without a PAG.
 */
export function packagingIsActive(world: World, lines: readonly { readonly duration?: number | undefined }[]): boolean {
  const pags = lines.map((line, index) => {
    const pag = pagFor(world, world.caller.brandId, line.duration);
    if (!pag) throw new Refusal('ORD-21', { path: ['order_lines', index] });
    return pag;
  });
  return pags.every((pag) => pag.status === 'Active' && !world.isInactivePag(pag.id));
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
