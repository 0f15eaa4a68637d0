// Reads of single records: the caller's own, or a refusal (CAT-2, FUL-1, FUL-2, `foreign_resource`).
import { Refusal } from '../contract/refusal.ts';
import type { RuleId } from '../contract/rules.ts';
import type { RowOf, World } from './world.ts';

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
  const tellsForeign = world.terms.get('foreign_resource') === '403';
  if (tellsForeign && world.table(name).get(id)) throw new Refusal('foreign_resource');
  throw notFoundRefusal(name);
}

/** The refusal of an id that names nothing the caller may know of. */
function notFoundRefusal(name: OwnedTable): Refusal {
  const [rule, what] = notFound[name];
  return new Refusal(rule, { what });
}
