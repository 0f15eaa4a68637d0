// A draft is written to unseen: committed, it is the next root; discarded, it never was. It copies only what it writes.
import { describe, expect, test } from 'vitest';
import { frozenClock } from '../../src/control/clock.ts';
import { Draft } from '../../src/state/draft.ts';
import { deepFreeze, noFreeze } from '../../src/state/freeze.ts';
import { tableNames } from '../../src/state/root.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';
import { fulfillmentId, orderId } from '../support/order-requests.ts';
import { bornRoot } from '../support/roots.ts';
import { fixtures } from '../support/sachet.ts';

const rootOf = () => bornRoot();
const draftOf = (root = rootOf()) => new Draft(root, deepFreeze);
const fresh = fulfillmentRow(1);
const shipped = fulfillmentId(1);

/** A draft that wrote of everything: a row, another row's place, a value, a counter. */
function written(root = rootOf()) {
  const draft = draftOf(root);
  draft.table('fulfillments').insert(fresh);
  draft.table('spent_refresh_tokens').insert({ id: 't' });
  draft.setValue('clock', frozenClock(5));
  draft.count('ids of orders');
  return draft;
}

describe('a draft that is discarded', () => {
  test('leaves the root as it was', () => {
    const root = rootOf();
    const before = [...root.tables.fulfillments.entries()];
    const { values } = root;
    written(root);
    expect([...root.tables.fulfillments.entries()]).toEqual(before);
    expect(root.values).toBe(values);
    expect([values.clock.now, values.counters.fulfillments, values.counters['ids of orders']]).toEqual([
      0,
      fixtures.fulfillments.length,
      undefined,
    ]);
  });

  test('gives its numbers back', () => {
    const root = rootOf();
    const [first, second] = [draftOf(root), draftOf(root)];
    expect([first.count('a'), first.count('a'), first.count('b')]).toEqual([0, 1, 0]);
    expect([second.count('a'), draftOf(second.commit()).count('a')]).toEqual([0, 1]);
  });
});

describe('a draft that is committed', () => {
  test('is one version on, with all it wrote', () => {
    const root = rootOf();
    const next = written(root).commit();
    expect([root.version, next.version]).toEqual([1, 2]);
    expect(next.tables.fulfillments.get(fresh.id)).toEqual(fresh);
    expect(next.tables.fulfillments.sequenceOf(fresh.id)).toBe(fixtures.fulfillments.length);
    expect(next.values.clock.now).toBe(5);
    expect(next.values.counters).toEqual({
      ...root.values.counters,
      fulfillments: fixtures.fulfillments.length + 1,
      spent_refresh_tokens: 1,
      'ids of orders': 1,
    });
  });

  test('keeps every table that it did not write, also those it read', () => {
    const root = rootOf();
    const draft = written(root);
    draft.table('orders').get(orderId(1));
    expect([...draft.table('products').walk('brand', fresh.brand_id)]).not.toEqual([]);
    const next = draft.commit();
    const changed = tableNames.filter((name) => next.tables[name] !== root.tables[name]);
    expect(changed).toEqual(['fulfillments', 'spent_refresh_tokens']);
  });

  test('keeps every value that it did not write', () => {
    const root = rootOf();
    const next = written(root).commit();
    const names = Object.keys(root.values) as (keyof typeof root.values)[];
    expect(names.filter((name) => next.values[name] !== root.values[name]).sort()).toEqual(['clock', 'counters']);
  });

  test('tells as its changes what it wrote, and nothing where it wrote nothing', () => {
    const root = rootOf();
    const { length } = fixtures.fulfillments;
    const counters = { ...root.values.counters, fulfillments: length + 1, spent_refresh_tokens: 1, 'ids of orders': 1 };
    expect(written(root).changes).toEqual([
      { table: 'fulfillments', sequence: length, row: fresh },
      { table: 'spent_refresh_tokens', sequence: 0, row: { id: 't' } },
      { value: 'clock', to: frozenClock(5) },
      { value: 'counters', to: counters },
    ]);
    const reading = draftOf(root);
    reading.table('orders').get(orderId(1));
    reading.value('clock');
    expect(reading.changes).toEqual([]);
  });
});

describe('the table of a draft', () => {
  test('shows what the draft wrote, at once and only there', () => {
    const root = rootOf();
    const [draft, sibling] = [draftOf(root), draftOf(root)];
    const table = draft.table('fulfillments');
    table.insert(fresh);
    expect([table.get(fresh.id), draft.table('fulfillments').get(fresh.id)]).toEqual([fresh, fresh]);
    expect([...table.walk('order', fresh.order_id)].map(([, row]) => row)).toEqual([fresh]);
    expect(sibling.table('fulfillments').get(fresh.id)).toBeUndefined();
  });

  test('replaces a row in its place', () => {
    const root = rootOf();
    const draft = draftOf(root);
    const row = root.tables.fulfillments.get(shipped);
    if (!row) throw new Error('the shipped fixtures have it');
    draft.table('fulfillments').replace({ ...row, status_id: 'lost' });
    const next = draft.commit().tables.fulfillments;
    expect(next.get(shipped)).toEqual({ ...row, status_id: 'lost' });
    expect([next.sequenceOf(shipped), next.size]).toEqual([0, fixtures.fulfillments.length]);
    expect(root.tables.fulfillments.get(shipped)).toBe(row);
  });

  test('takes no second row of an id, and replaces none that is not there', () => {
    const table = draftOf().table('fulfillments');
    expect(() => table.insert({ ...fresh, id: shipped })).toThrow(`fulfillments has a record ${shipped} already`);
    expect(() => table.replace(fresh)).toThrow(`fulfillments has no record ${fresh.id}`);
  });

  test('holds rows that cannot be changed, where records are frozen', () => {
    const [frozen, loose] = [draftOf(), new Draft(rootOf(), noFreeze)];
    for (const draft of [frozen, loose]) draft.table('fulfillments').insert(structuredClone(fresh));
    expect(Object.isFrozen(frozen.table('fulfillments').get(fresh.id)?.tracking_info)).toBe(true);
    expect(Object.isFrozen(loose.table('fulfillments').get(fresh.id))).toBe(false);
  });
});
