// How an order line finds its Packaging Asset Group, and what its status means for the order (ORD-21, ORD-25).

import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { pagSlot, type World } from './world.ts';

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
  return pags.every((pag) => pag.status === 'Active' && !world.bent.isInactivePag(pag.id));
}
