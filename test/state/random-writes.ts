// Writes of every kind, drawn at random, and all that a state shows of them.
import fc from 'fast-check';
import { exportState } from '../../src/sandbox/state-document.ts';
import { frozenClock } from '../../src/state/clock.ts';
import { initialSnapshot, type State } from '../../src/state/state.ts';
import { tableNames } from '../../src/state/values.ts';
import { brandOfDemo, fulfillmentRow, orderId, otherBrand } from '../support/order-requests.ts';

const brands = [brandOfDemo, otherBrand];
const orders = [orderId(1), orderId(2), orderId(3)];
const order_id = fc.constantFrom(...orders);
const brand_id = fc.constantFrom(...brands);
const kept = fc.constantFrom('one', 'two');
const place = fc.nat(150);

export type Write = (state: State) => void;
const drawn = <T>(values: fc.Arbitrary<T>, run: (state: State, value: T) => unknown): fc.Arbitrary<Write> =>
  values.map((value) => (state) => void run(state, value));

function insert(state: State, [many, order_id]: [number, string]): void {
  const table = state.table('fulfillments');
  for (let left = many; left > 0; left -= 1) {
    const row = fulfillmentRow(1000 + state.count('rows'), { order_id });
    if (!table.get(row.id)) table.insert(row);
  }
}

/** As an import does: a row at a number that no other has. */
function placeAside(state: State, n: number): void {
  const row = fulfillmentRow(5000 + n);
  if (!state.table('fulfillments').get(row.id)) state.table('fulfillments').place(state.count('fulfillments'), row);
}

/** So many rows from a place on get these values, or are removed. */
function change(state: State, [at, many, changes]: [number, number, changes?: object]): void {
  const table = state.table('fulfillments');
  for (const [, row] of [...table.entries()].slice(at, at + many))
    if (changes) table.replace({ ...row, ...changes });
    else table.remove(row.id);
}

function schedule(state: State, [at, minute]: [number, number]): void {
  const table = state.table('due_steps');
  const row = { id: orderId(at), step: 'accepted', due_at: new Date(minute * 60_000).toISOString() } as const;
  if (table.get(row.id)?.due_at === row.due_at) table.remove(row.id);
  else if (table.get(row.id)) table.replace(row);
  else table.insert(row);
}

const write = fc.oneof(
  drawn(fc.tuple(fc.integer({ min: 1, max: 70 }), order_id), insert),
  drawn(fc.tuple(place, fc.nat(40), fc.record({ order_id, brand_id })), change),
  drawn(fc.tuple(place, fc.nat(60)), change),
  drawn(place, placeAside),
  drawn(fc.tuple(fc.nat(7), fc.nat(9)), schedule),
  drawn(fc.nat(), (state, now) => state.setValue('clock', frozenClock(now))),
  drawn(fc.nat(9), (state, lives) => state.setValue('history', { ...state.value('history'), lives })),
  drawn(fc.constantFrom('a', 'b'), (state, purpose) => state.count(purpose)),
  drawn(kept, (state, name) => state.keep(name, state.count('kept'))),
  drawn(kept, (state, name) => state.drop(name)),
  drawn(
    fc.oneof(kept, fc.constant(initialSnapshot)),
    (state, name) => state.snapshots.has(name) && state.restore(name),
  ),
  drawn(fc.constant(0), (state) => state.empty()),
);

/** What one transaction does, one after another. */
export const writes = drawn(fc.array(write, { minLength: 1, maxLength: 6 }), (state, all) => {
  for (const one of all) one(state);
});

/** All of a state that reading it can show: tables and values, walks along indexes both ways, and what each snapshot brings back. */
export function shownState(state: State) {
  const names = [...state.snapshots].sort(([one], [other]) => (one < other ? -1 : 1));
  const images = names.map(([name, { at }]) => {
    const { result, changes } = state.transaction(() => {
      state.restore(name);
      return shownTables(state);
    });
    state.undo(changes);
    return [name, at, result];
  });
  return { ...shownTables(state), history: state.value('history'), images };
}

const ids = Array.from({ length: 1300 }, (_, n) => fulfillmentRow(n).id);

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
