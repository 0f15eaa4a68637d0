// The business rules of an order request that POST and PATCH have in common.
import { fixtures, type TestSachet } from '../support/sachet.ts';
import { invalid } from './case.ts';
import { patched } from './order-shape.ts';
import { known, lineOf, unknownId } from './requests.ts';

const ordered = (product: string) => ({ order_lines: [lineOf(product)] });
const productField = 'order_lines.0.pouches.0.contents.0.client_product_id';

/** Leaves the brand of `demo` without a default PAG: a line of another duration than 30 or 90 then has none. */
export async function dropDefaultPag(sachet: TestSachet): Promise<void> {
  const pag = fixtures.pags.find(({ duration }) => duration === null);
  if (!pag) throw new Error('the fixtures have a default PAG');
  const sandbox = await sachet.sandbox();
  await sandbox.write((draft) => draft.table('pags').replace({ ...pag, duration: 365 }));
}

export const orderBusinessCases = {
  'ORD-11': patched({ consumer: { id: unknownId } }, invalid('consumer.id', 'Consumer not found')),
  'ORD-17': patched(ordered(unknownId), invalid(productField, 'Product not found')),
  'ORD-18': patched(ordered(known.foreignProduct), invalid(productField, 'Product does not belong to client')),
  'ORD-19': patched(
    ordered(known.inactiveProduct),
    invalid('order_lines', 'The following client products are inactive and cannot be ordered: Ashwagandha Balance'),
  ),
  'ORD-20': patched(
    ordered(known.discontinuedProduct),
    invalid(
      'order_lines',
      'The following Meridian products are inactive and cannot be ordered: Turmeric Curcumin 500 mg Capsule',
    ),
  ),
  'ORD-21': {
    ...patched(
      { 'order_lines.0.duration': 31 },
      invalid('order_lines.0', 'No Packaging Asset Group ID found for the order line'),
    ),
    meanwhile: dropDefaultPag,
  },
  pack_id: patched(
    { 'order_lines.0.pouches.0': { pack_id: known.foreignPack } },
    invalid('order_lines.0.pouches.0.pack_id', 'Pack not found'),
    { pack_id: 'known' },
  ),
} as const;
