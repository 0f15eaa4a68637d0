// Writes of every kind, drawn at random, and all that a root shows of them.
import fc from 'fast-check';
import { frozenClock } from '../../src/control/clock.ts';
import type { Collection } from '../../src/state/collection.ts';
import type { Draft } from '../../src/state/draft.ts';
import { asMade, type Image, type Root, tableNames } from '../../src/state/root.ts';
import { brandOfDemo, fulfillmentRow, otherBrand } from './fulfillment-rows.ts';
import { orderId } from './order-requests.ts';

const brands = [brandOfDemo, otherBrand];
const orders = [orderId(1), orderId(2), orderId(3)];
const kept = fc.constantFrom('one', 'two');
const place = fc.nat(150);

const kind = <const Kind extends string>(name: Kind) => fc.constant(name);
/** Many rows at once split the nodes of trees, and remove them. */
const write = fc.oneof(
  fc.record({ kind: kind('insert'), many: fc.integer({ min: 1, max: 70 }), order: fc.nat(2) }),
  fc.record({ kind: kind('replace'), at: place, many: fc.nat(40), order: fc.nat(2), brand: fc.nat(1) }),
  fc.record({ kind: kind('remove'), at: place, many: fc.nat(60) }),
  fc.record({ kind: kind('put'), at: place, as: place }),
  fc.record({ kind: kind('schedule'), at: place, minute: fc.nat(9) }),
  fc.record({ kind: kind('clock'), now: fc.nat() }),
  fc.record({ kind: kind('count'), purpose: fc.constantFrom('a', 'b') }),
  fc.record({ kind: kind('keep'), name: kept }),
  fc.record({ kind: kind('drop'), name: kept }),
  fc.record({ kind: kind('restore'), name: fc.oneof(kept, kind(asMade)) }),
  fc.record({ kind: kind('empty') }),
);
type Write = typeof write extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Of<Kind extends Write['kind']> = Extract<Write, { readonly kind: Kind }>;

/** What one transaction does, one after another. */
export const writes = fc.array(write, { minLength: 1, maxLength: 6 });

export function runWrites(draft: Draft, drawn: readonly Write[]): void {
  for (const one of drawn) run(draft, one);
}

function run(draft: Draft, drawn: Write): void {
  if (drawn.kind === 'insert') insert(draft, drawn);
  else if (drawn.kind === 'replace' || drawn.kind === 'remove') change(draft, drawn);
  else if (drawn.kind === 'put') draft.table('fulfillments').put(drawn.at, fulfillmentRow(1000 + drawn.as));
  else if (drawn.kind === 'schedule') schedule(draft, drawn);
  else if (drawn.kind === 'clock') draft.setValue('clock', frozenClock(drawn.now));
  else if (drawn.kind === 'count') draft.count(drawn.purpose);
  else if (drawn.kind === 'keep') draft.keep(drawn.name, draft.count('kept'));
  else if (drawn.kind === 'drop') draft.drop(drawn.name);
  else if (drawn.kind === 'empty') draft.empty();
  else if (draft.snapshots.has(drawn.name)) draft.restore(drawn.name);
}

function insert(draft: Draft, { many, order }: Of<'insert'>): void {
  const table = draft.table('fulfillments');
  for (let left = many; left > 0; left -= 1) {
    const row = fulfillmentRow(1000 + draft.count('rows'), { order_id: orders[order] ?? '' });
    if (!table.get(row.id)) table.insert(row);
  }
}

/** Of the rows that stand there, so many from a place on. */
function change(draft: Draft, drawn: Of<'replace' | 'remove'>): void {
  const table = draft.table('fulfillments');
  const found = Array.from(table.entries(), ([, row]) => row).slice(drawn.at, drawn.at + drawn.many);
  for (const { id } of found) {
    // Put twice, it may be gone with the one before it.
    const row = table.get(id);
    if (row && drawn.kind === 'remove') table.remove(id);
    else if (row && drawn.kind === 'replace')
      table.replace({ ...row, order_id: orders[drawn.order] ?? '', brand_id: brands[drawn.brand] ?? '' });
  }
}

function schedule(draft: Draft, { at, minute }: Of<'schedule'>): void {
  const table = draft.table('due_steps');
  const row = { id: orderId(at), step: 'accepted', due_at: new Date(minute * 60_000).toISOString() } as const;
  if (table.get(row.id)?.due_at === row.due_at) table.remove(row.id);
  else if (table.get(row.id)) table.replace(row);
  else table.insert(row);
}

/** All of a root that reading it can show, but its version: the tables whole and by id, walks along indexes both ways, kept images. */
export function shownRoot({ snapshots, ...image }: Omit<Root, 'version'>) {
  return { ...shownImage(image), kept: Array.from(snapshots, ([name, one]) => [name, one.at, shownImage(one)]) };
}

function shownImage({ tables, values }: Image) {
  const { fulfillments, due_steps } = tables;
  const walked = (index: 'brand' | 'order', groups: readonly string[]) =>
    groups.flatMap((group) =>
      [false, true].map((newestFirst) => [...fulfillments.walk(index, group, { newestFirst })]),
    );
  return {
    values,
    rows: tableNames.map((name) => [name, tables[name].size, [...tables[name].entries()]]),
    newestFirst: [...fulfillments.newestFirst()],
    places: placesOf(fulfillments),
    walks: [walked('brand', brands), walked('order', orders)],
    due: [due_steps.first('due_at'), ...due_steps.inOrder('due_at')],
  };
}

const ids = Array.from({ length: 1300 }, (_, n) => fulfillmentRow(n).id);

/** Where ids are known to stand, also those that are not there. */
const placesOf = (table: Collection<'fulfillments'>) => ids.map((id) => [table.sequenceOf(id), table.get(id)?.id]);
