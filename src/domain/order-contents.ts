// The business rules on what an order holds (ORD-17 to ORD-20, `pack_id`), over all lines, in that order.
import type { OrderLineRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { type FieldPath, Refusal } from '../contract/refusal.ts';
import type { World } from './world.ts';

interface Used {
  readonly product: RecordOf<'products'> | undefined;
  readonly path: FieldPath;
}

/** @throws Refusal of the first rule that the contents break. */
export function checkContents(world: World, lines: readonly OrderLineRequest[]): void {
  const used = usedProducts(world, lines);
  refuseFirst('ORD-17', used, ({ product }) => !product);
  refuseFirst('ORD-18', used, ({ product }) => product?.brand_id !== world.caller.brandId);
  checkPacks(world, lines);
  const products = used.flatMap(({ product }) => product ?? []);
  refuseNamed(
    'ORD-19',
    products.filter(({ active }) => !active).map(({ product_name }) => product_name),
  );
  const behind = products.flatMap((product) => world.table('operator_products').get(product.operator_product_id) ?? []);
  const names = behind.filter(({ discontinued }) => discontinued).map(({ name }) => name);
  refuseNamed('ORD-20', names, world.single('operator').name);
}

function usedProducts(world: World, lines: readonly OrderLineRequest[]): Used[] {
  const products = world.table('products');
  return lines.flatMap(({ pouches }, line) =>
    pouches.flatMap(({ contents = [] }, pouch) =>
      contents.map(({ client_product_id: id }, content) => ({
        product: products.get(id),
        path: ['order_lines', line, 'pouches', pouch, 'contents', content, 'client_product_id'],
      })),
    ),
  );
}

function refuseFirst(rule: 'ORD-17' | 'ORD-18', used: readonly Used[], broken: (used: Used) => boolean): void {
  const found = used.find(broken);
  if (found) throw new Refusal(rule, { path: found.path });
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
