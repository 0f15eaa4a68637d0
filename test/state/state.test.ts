// The state of a sandbox and its tables: transactions, snapshots, limits, and what stores get.
import { expect, test } from 'vitest';
import { documentOf, stateOf } from '../../src/state/persistence.ts';
import { deepFreeze, storedChanges } from '../../src/state/state.ts';
import { fulfillmentRow, orderId } from '../support/order-requests.ts';
import { freshState } from '../support/test-state.ts';

const tokens = 'spent_refresh_tokens' as string;

test('transactions do not nest, and every write needs one', () => {
  const state = freshState();
  const nested = () => state.transaction(() => state.transaction(() => undefined));
  expect(nested).toThrow('a transaction is already in progress');
  expect(() => state.count('orders')).toThrow('only in a transaction');
  expect(() => state.keep('one', 1)).toThrow('only in a transaction');
});

test('a snapshot restores everything except the history and stored responses', () => {
  const state = freshState();
  const [[, order] = []] = state.table('orders').entries();
  state.transaction(() => state.keep('one', 1));
  state.transaction(() => {
    state.table('orders').remove(order?.id ?? '');
    state.setValue('history', { ...state.value('history'), lives: 2 });
    state.setValue('answered_0', { n: 0, key: 'k', fingerprint: '', status: 200 });
  });
  state.transaction(() => state.restore('one'));
  expect(state.table('orders').get(order?.id ?? '')).toEqual(order);
  expect([state.value('history').lives, state.value('answered_0')?.key]).toEqual([2, 'k']);
  expect(() => state.transaction(() => state.restore('two'))).toThrow('there is no snapshot "two"');
});

test('a stored state that was emptied does not get the rows of the fixtures again', () => {
  const state = freshState();
  const [[, product] = []] = state.table('products').entries();
  state.transaction(() => {
    state.empty();
    if (product) state.table('products').insert(product);
  });
  const document = documentOf(state, 1, 'fixtures');
  expect(document.tables.orders).toEqual({ isEmptied: true, rows: [] });
  const loaded = stateOf(structuredClone(document), state.seed, { freeze: deepFreeze, maxRecords: 100 });
  const rows = Array.from(loaded.table('products').entries(), ([, row]) => row);
  expect([loaded.table('orders').size, rows]).toEqual([0, [product]]);
});

test('max_records limits tables of records, but not the internal ones', () => {
  const state = freshState('stage', 0, 40);
  const [records, internal] = [state.table('fulfillments'), state.table('tracking')];
  const { size } = records;
  const insert = (count: number) =>
    state.transaction(() => {
      for (let n = 0; n < count; n += 1) records.insert(fulfillmentRow(n));
    });
  expect(() => insert(41 - size)).toThrow('max_records');
  expect([records.size, records.isFull]).toEqual([size, false]);
  insert(40 - size);
  state.transaction(() => {
    for (let n = 0; n < 50; n += 1) internal.insert({ id: orderId(n), events: [] });
  });
  expect([records.size, records.isFull, internal.size, internal.isFull]).toEqual([40, true, 50, false]);
});

test('a table rejects a row too many, a taken id, an unknown id, an unknown index, and writes during a walk', () => {
  const state = freshState('stage', 0, 40);
  const table = state.table('fulfillments');
  const [[, row] = []] = table.entries();
  if (!row) throw new Error('no rows');
  const writing = (run: () => unknown) => () => state.transaction(run);
  const rewrite = (rows: Iterable<readonly [number, typeof row]>) => () => {
    for (const [, one] of rows) table.replace({ ...one });
  };
  expect(writing(() => table.insert(row))).toThrow(`fulfillments already has a record ${row.id}`);
  expect(writing(() => table.remove('x'))).toThrow('fulfillments has no record x');
  expect(writing(() => table.replace({ ...row, id: 'x' }))).toThrow('fulfillments has no record x');
  expect(() => [...table.walk('other' as 'brand', 'a')]).toThrow('fulfillments has no index other');
  const walks = [() => table.walk('brand', row.brand_id), () => table.newestFirst()];
  for (const walk of walks) {
    expect(writing(rewrite(walk()))).toThrow('fulfillments was written during a walk');
    expect(writing(rewrite([...walk()]))).not.toThrow();
  }
});

test('a store gets the last of several writes to a row', () => {
  const state = freshState();
  const table = state.table(tokens);
  const { changes } = state.transaction(() => {
    for (const id of ['a', 'b']) table.insert({ id });
    table.remove('a');
    state.keep('one', 1);
    table.remove('b');
  });
  expect(storedChanges(changes).filter((change) => !('table' in change && change.table === 'counters'))).toEqual([
    { table: tokens, seq: 0, id: 'a' },
    { table: tokens, seq: 1, row: { id: 'b' } },
    { keep: 'one', at: 1 },
    { table: tokens, seq: 1, id: 'b' },
  ]);
});

test('choices that were stored before an assumption existed get its default, and equal choices share one object', () => {
  const state = freshState();
  const choices = { ...state.value('readings'), next_cursor: 'meta' } as const;
  state.transaction(() => state.setValue('chosen', choices));
  const older = JSON.stringify(documentOf(state, 1, 'fixtures'), (key, value) =>
    key === 'list_order' ? undefined : value,
  );
  const loaded = stateOf(JSON.parse(older), state.seed, { freeze: deepFreeze, maxRecords: 100 });
  expect(loaded.value('readings')).toBe(state.value('readings'));
  expect(loaded.value('chosen')).toEqual(choices);
});

test('stored names stay the same, because older folders and databases have them', () => {
  const state = freshState();
  state.transaction(() => {
    state.setValue('clock', state.value('clock'));
    state.setValue('chosen', state.value('chosen'));
    state.setValue('readings', state.value('readings'));
    state.count('orders');
  });
  const { made, tables } = documentOf(state, 1, 'fixtures');
  expect(Object.keys(made)).toEqual(['identity', 'clock', 'readings', 'at']);
  expect(Object.keys(tables).toSorted()).toEqual(['counters', 'values']);
  const seeded = ['administration_times', 'expired', 'generations', 'operator', 'rate_window', 'scenarios'];
  const names = Array.from(state.table('values').unordered(), ({ row }) => row?.id);
  expect(names).toEqual(expect.arrayContaining([...seeded, 'chosen', 'clock', 'readings']));
});
