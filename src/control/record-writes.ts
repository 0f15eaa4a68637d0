// Writes changes of records that were judged before, and what follows from them: orders and packages keep their place in the timeline,
// and approved packaging lets orders go on.
import type { RecordOf } from '../contract/records.ts';
import { releaseApproved } from '../domain/packaging-approval.ts';
import { scheduleOrder, scheduleOrderAlone, schedulePackage } from '../domain/schedule.ts';
import type { RowOf, TableName, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { backstage, type Writing } from './backstage.ts';
import type { RecordChange } from './record-changes.ts';

type Written = Pick<RecordChange, 'collection' | 'before' | 'after'>;

export function writeRecord(draft: Draft, { collection, before, after }: Written): void {
  const table = draft.table(collection);
  if (!after) table.remove(before?.id ?? '');
  else if (before) table.replace(after as RowOf<typeof collection>);
  else table.insert(after as RowOf<typeof collection>);
}

/** Draws the consequences of a change, once all that came with it are written. */
export function settle(draft: Draft, { collection, before, after }: Written, writing: Writing): void {
  const world = backstage(draft, writing);
  const [was, is] = [before, after] as readonly unknown[];
  if (collection === 'orders') settleOrder(world, (is ?? was) as RecordOf<'orders'>);
  if (collection === 'fulfillments')
    settlePackage(world, was as RecordOf<'fulfillments'> | null, is as RecordOf<'fulfillments'> | null);
  if (collection === 'pags') settlePag(world, was as RecordOf<'pags'> | null, is as RecordOf<'pags'> | null);
}

function settleOrder(world: World, { id }: RecordOf<'orders'>): void {
  const order = world.table('orders').get(id);
  if (order) scheduleOrder(world, order);
  else drop(world, 'due_steps', id);
}

/** The order that a package has left has lines to ship again, the one that it came to has fewer; any other change is none of its order's. */
function settlePackage(
  world: World,
  before: RecordOf<'fulfillments'> | null,
  after: RecordOf<'fulfillments'> | null,
): void {
  if (after) schedulePackage(world, after);
  else if (before) for (const table of ['due_steps', 'tracking'] as const) drop(world, table, before.id);
  if (contentsOf(before) === contentsOf(after)) return;
  for (const id of new Set([before?.order_id, after?.order_id])) {
    const order = id === undefined ? undefined : world.table('orders').get(id);
    if (order) scheduleOrderAlone(world, order);
  }
}

const contentsOf = (fulfillment: RecordOf<'fulfillments'> | null): string =>
  [fulfillment?.order_id, ...(fulfillment?.order_lines ?? []).map(({ id }) => id)].join(' ');

function settlePag(world: World, before: RecordOf<'pags'> | null, after: RecordOf<'pags'> | null): void {
  if (after?.status === 'Active' && before?.status !== 'Active') releaseApproved(world, after);
}

function drop(world: World, name: TableName, id: string): void {
  const table = world.table(name);
  if (table.get(id)) table.remove(id);
}
