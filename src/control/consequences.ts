// What follows from a record that a tester added, changed or removed: orders keep their place in the timeline, and approved packaging
// lets orders go on.
import type { RecordOf } from '../contract/records.ts';
import type { Hashes } from '../domain/hashes.ts';
import { releaseApproved } from '../domain/packaging-approval.ts';
import { schedule } from '../domain/schedule.ts';
import type { World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { backstage } from './backstage.ts';
import type { RecordChange } from './record-changes.ts';

/** The sandbox's time in milliseconds, and what ids are drawn by. */
export interface Writing {
  readonly now: number;
  readonly hashes: Hashes;
}

/** Draws the consequences of a change that is written. */
export function settle(draft: Draft, { collection, before, after }: RecordChange, { now, hashes }: Writing): void {
  const world = backstage(draft, hashes, now);
  const record = after ?? before;
  if (collection === 'orders') settleOrder(world, record as RecordOf<'orders'>);
  if (collection === 'fulfillments') settlePackage(world, record as RecordOf<'fulfillments'>);
  if (collection === 'pags' && after && isActive(after) && !isActive(before))
    releaseApproved(world, after as RecordOf<'pags'>);
}

const isActive = (pag: RecordChange['after']): boolean => pag !== null && 'status' in pag && pag.status === 'Active';

function settleOrder(world: World, { id }: RecordOf<'orders'>): void {
  const order = world.table('orders').get(id);
  if (order) schedule(world, order);
  else if (world.table('due_steps').get(id)) world.table('due_steps').remove(id);
}

function settlePackage(world: World, { id, order_id }: RecordOf<'fulfillments'>): void {
  const isGone = !world.table('fulfillments').get(id);
  if (isGone && world.table('tracking').get(id)) world.table('tracking').remove(id);
  const order = world.table('orders').get(order_id);
  if (order) schedule(world, order);
}
