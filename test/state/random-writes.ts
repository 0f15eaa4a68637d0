// Writes of every kind, drawn at random, and all that a state shows of them.
import fc from 'fast-check';
import { exportState } from '../../src/sandbox/state-document.ts';
import { frozenClock } from '../../src/state/clock.ts';
import { initialSnapshot, type State } from '../../src/state/state.ts';
import { tableNames } from '../../src/state/values.ts';
import { brandOfDemo, fulfillmentRow, orderId, otherBrand } from '../support/order-requests.ts';

const brands = [brandOfDemo, otherBrand];
const orders = [orderId(1), orderId(2), orderId(3)];
const kept = fc.constantFrom('one', 'two');
const place = fc.nat(150);

const kind = <const Kind extends string>(name: Kind) => fc.constant(name);
const write = fc.oneof(
  fc.record({ kind: kind('insert'), many: fc.integer({ min: 1, max: 70 }), order: fc.nat(2) }),
  fc.record({ kind: kind('replace'), at: place, many: fc.nat(40), order: fc.nat(2), brand: fc.nat(1) }),
  fc.record({ kind: kind('remove'), at: place, many: fc.nat(60) }),
  fc.record({ kind: kind('place'), as: fc.nat(150) }),
  fc.record({ kind: kind('schedule'), at: fc.nat(7), minute: fc.nat(9) }),
  fc.record({ kind: kind('clock'), now: fc.nat() }),
  fc.record({ kind: kind('lasting'), lives: fc.nat(9) }),
  fc.record({ kind: kind('count'), purpose: fc.constantFrom('a', 'b') }),
  fc.record({ kind: kind('keep'), name: kept }),
  fc.record({ kind: kind('drop'), name: kept }),
  fc.record({ kind: kind('restore'), name: fc.oneof(kept, kind(initialSnapshot)) }),
  fc.record({ kind: kind('empty') }),
);
type Write = typeof write extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Of<Kind extends Write['kind']> = Extract<Write, { readonly kind: Kind }>;

/** What one transaction does, one after another. */
export const writes = fc.array(write, { minLength: 1, maxLength: 6 });

export function runWrites(state: State, drawn: readonly Write[]): void {
  for (const one of drawn) run(state, one);
}

function run(state: State, drawn: Write): void {
  if (drawn.kind === 'insert') insert(state, drawn);
  else if (drawn.kind === 'replace' || drawn.kind === 'remove') change(state, drawn);
  else if (drawn.kind === 'place') placeAside(state, drawn.as);
  else if (drawn.kind === 'schedule') schedule(state, drawn);
  else if (drawn.kind === 'clock') state.setValue('clock', frozenClock(drawn.now));
  else if (drawn.kind === 'lasting') state.setValue('history', { ...state.value('history'), lives: drawn.lives });
  else if (drawn.kind === 'count') state.count(drawn.purpose);
  else if (drawn.kind === 'keep') state.keep(drawn.name, state.count('kept'));
  else if (drawn.kind === 'drop') state.drop(drawn.name);
  else if (drawn.kind === 'empty') state.empty();
  else if (state.snapshots.has(drawn.name)) state.restore(drawn.name);
}

/** As an import does: a row at a number that no other has. */
function placeAside(state: State, as: number): void {
  const row = fulfillmentRow(5000 + as);
  if (!state.table('fulfillments').get(row.id)) state.table('fulfillments').place(state.count('fulfillments'), row);
}

function insert(state: State, { many, order }: Of<'insert'>): void {
  const table = state.table('fulfillments');
  for (let left = many; left > 0; left -= 1) {
    const row = fulfillmentRow(1000 + state.count('rows'), { order_id: orders[order] ?? '' });
    if (!table.get(row.id)) table.insert(row);
  }
}

/** Of the rows that stand there, so many from a place on. */
function change(state: State, drawn: Of<'replace' | 'remove'>): void {
  const table = state.table('fulfillments');
  const found = Array.from(table.entries(), ([, row]) => row).slice(drawn.at, drawn.at + drawn.many);
  for (const { id } of found) {
    // Put twice, it may be gone with the one before it.
    const row = table.get(id);
    if (row && drawn.kind === 'remove') table.remove(id);
    else if (row && drawn.kind === 'replace')
      table.replace({ ...row, order_id: orders[drawn.order] ?? '', brand_id: brands[drawn.brand] ?? '' });
  }
}

function schedule(state: State, { at, minute }: Of<'schedule'>): void {
  const table = state.table('due_steps');
  const row = { id: orderId(at), step: 'accepted', due_at: new Date(minute * 60_000).toISOString() } as const;
  if (table.get(row.id)?.due_at === row.due_at) table.remove(row.id);
  else if (table.get(row.id)) table.replace(row);
  else table.insert(row);
}

/** All of a state that reading it can show: tables and values, walks along indexes both ways, and what each snapshot brings back. */
export function shownState(state: State) {
  const kept = [...state.snapshots].sort(([one], [other]) => (one < other ? -1 : 1));
  const images = kept.map(([name, { at }]) => [name, at, rehearsed(state, name)]);
  return { ...shownTables(state), history: state.value('history'), images };
}

/** What it shows once a snapshot is brought back, of which nothing is kept. */
function rehearsed(state: State, name: string) {
  const { result, changes } = state.transaction(() => {
    state.restore(name);
    return shownTables(state);
  });
  state.undo(changes);
  return result;
}

function shownTables(state: State) {
  const fulfillments = state.table('fulfillments');
  const walked = (index: 'brand' | 'order', groups: readonly string[]) =>
    groups.flatMap((group) =>
      [false, true].map((newestFirst) => [...fulfillments.walk(index, group, { newestFirst })]),
    );
  return {
    exported: exportState(state, 0),
    sizes: tableNames.map((name) => [name, state.table(name).size]),
    newestFirst: [...fulfillments.newestFirst()],
    walks: [walked('brand', brands), walked('order', orders)],
    due: state.firstDue,
    ids: ids.map((id) => fulfillments.get(id)?.id),
  };
}

const ids = Array.from({ length: 1300 }, (_, n) => fulfillmentRow(n).id);
