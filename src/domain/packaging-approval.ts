// What becomes of orders that needed changes once their packaging is Active.
import type { RecordOf } from '../contract/records.ts';
import { moveOrder } from './order-moves.ts';
import { pagFor } from './packaging.ts';
import type { World } from './world.ts';

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
