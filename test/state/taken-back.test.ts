// What is written in place and does not stand is taken back; what is kept is written no more; and a walk notices that it was overtaken.
import { describe, expect, test } from 'vitest';
import { Batch } from '../../src/state/batch.ts';
import { Collection } from '../../src/state/collection.ts';
import type { Draft } from '../../src/state/draft.ts';
import { deepFreeze } from '../../src/state/freeze.ts';
import { createMemoryStore } from '../../src/state/memory.ts';
import { Sandbox } from '../../src/state/sandbox.ts';
import type { Store } from '../../src/state/store.ts';
import { StoreFailure } from '../../src/state/store-failure.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';
import { InstantStore } from '../support/instant-store.ts';
import { fulfillmentId } from '../support/order-requests.ts';
import { shownRoot } from '../support/random-writes.ts';
import { bornRoot } from '../support/roots.ts';

const keeping = { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY };
const insert = (n: number) => (draft: Draft) => draft.table('fulfillments').insert(fulfillmentRow(n));
/** Puts the row that is there by then at another place, too. */
const moveTo = (place: number) => (draft: Draft) => draft.table('fulfillments').put(place, fulfillmentRow(1));

const refuse = () => {
  throw new RangeError('no');
};

/** A sandbox that has written, so that its tables are its own. */
function written(store: Store = createMemoryStore()): Sandbox {
  const sandbox = new Sandbox('stage', bornRoot(), store, keeping);
  void sandbox.write(insert(1));
  return sandbox;
}

/** Inserts, moves and removes, and then does something else. */
const much =
  (last: (draft: Draft) => void = () => undefined) =>
  (draft: Draft) => {
    const table = draft.table('fulfillments');
    for (let n = 100; n < 200; n += 1) table.insert(fulfillmentRow(n));
    for (const [, row] of [...table.entries()].slice(0, 60)) table.replace({ ...row, order_id: 'elsewhere' });
    for (const [, { id }] of [...table.entries()].slice(20, 90)) table.remove(id);
    draft.count('a');
    last(draft);
  };

describe('over a store that is at hand', () => {
  test('a write leaves the very same tables, written', () => {
    const sandbox = written();
    const { version, tables } = sandbox.root;
    void sandbox.write(insert(2));
    expect(sandbox.root.version).toBe(version + 1);
    expect(sandbox.root.tables).toBe(tables);
    expect(tables.fulfillments.get(fulfillmentRow(2).id)).toEqual(fulfillmentRow(2));
  });

  test.each<[string, (draft: Draft) => void]>([
    ['after all its writes', much(refuse)],
    ['after a restore', much((draft) => [draft.restore(''), insert(1)(draft), refuse()])],
    ['after it emptied all', much((draft) => [draft.empty(), insert(1)(draft), refuse()])],
    ['after it kept an image', much((draft) => [draft.keep('one', 1), insert(2)(draft), refuse()])],
    ['after a row took the place of another', (draft) => [moveTo(0)(draft), insert(2)(draft), refuse()]],
    ['after a row was made at a place that was taken', (draft) => [draft.setCounters({}), insert(2)(draft), refuse()]],
  ])('a write that throws %s leaves nothing', (_, write) => {
    const sandbox = written();
    const before = shownRoot(sandbox.root);
    expect(() => sandbox.write(write)).toThrow(RangeError);
    expect(shownRoot(sandbox.root)).toEqual(before);
    expect(sandbox.root.tables.fulfillments.get(fulfillmentId(1))).toBeDefined();
  });

  test('a row that stands twice is known where it was, also after another was made in one of its places and refused', () => {
    const sandbox = written();
    for (const at of [0, 50]) void sandbox.write(moveTo(at));
    const before = shownRoot(sandbox.root);
    expect(() => sandbox.write((draft) => [draft.setCounters({}), insert(2)(draft), refuse()])).toThrow(RangeError);
    expect(shownRoot(sandbox.root)).toEqual(before);
  });

  test('a row that an index cannot read leaves nothing, neither of it nor of what came before', () => {
    const sandbox = written();
    const before = shownRoot(sandbox.root);
    // Behind indexes that can.
    const unreadable = Object.defineProperty(fulfillmentRow(9), 'tracking_info', { get: refuse, enumerable: false });
    expect(() => sandbox.write(much((draft) => draft.table('fulfillments').insert(unreadable)))).toThrow('no');
    expect(shownRoot(sandbox.root)).toEqual(before);
    void sandbox.write(insert(2));
    expect(sandbox.root.tables.fulfillments.size).toBe(before.newestFirst.length + 1);
  });

  test('what a read writes is seen by itself alone, also where it throws', () => {
    const sandbox = written();
    const before = shownRoot(sandbox.root);
    const seen = sandbox.read((draft) => [much()(draft), draft.table('fulfillments').get(fulfillmentRow(199).id)]);
    expect(seen).toEqual([undefined, fulfillmentRow(199)]);
    expect(() => sandbox.read(much(refuse))).toThrow(RangeError);
    expect(shownRoot(sandbox.root)).toEqual(before);
  });

  test('an image that is kept, and one that is brought back, are written no more', () => {
    const sandbox = written();
    void sandbox.write((draft) => [insert(2)(draft), draft.keep('one', 1)]);
    const kept = shownRoot(sandbox.root);
    void sandbox.write(much());
    void sandbox.write((draft) => draft.restore('one'));
    expect(shownRoot(sandbox.root)).toEqual(kept);
    void sandbox.write(much());
    void sandbox.write((draft) => [draft.restore('one'), insert(3)(draft)]);
    void sandbox.write((draft) => draft.restore('one'));
    expect(shownRoot(sandbox.root)).toEqual(kept);
  });

  test('an image that somebody else kept meanwhile is written no more', async () => {
    const store = new InstantStore({ isAtHand: true });
    const sandbox = written(store);
    const before = shownRoot({ ...sandbox.root, snapshots: new Map() });
    store.next({ overtakenBy: [{ keep: 'one', at: 7 }] });
    await sandbox.write(insert(2));
    await sandbox.write(insert(3));
    const kept = sandbox.root.snapshots.get('one');
    expect(kept && shownRoot({ ...kept, snapshots: new Map() })).toEqual(before);
  });

  test('sandboxes that were born alike know nothing of each other', () => {
    const [one, other] = [written(), written()];
    const before = shownRoot(other.root);
    void one.write(much());
    expect(shownRoot(other.root)).toEqual(before);
  });

  test('an append that fails leaves nothing, and one that conflicts is run again', async () => {
    const store = new InstantStore({ isAtHand: true });
    const sandbox = written(store);
    const before = shownRoot(sandbox.root);
    store.next('fails');
    expect(() => sandbox.write(much())).toThrow(StoreFailure);
    expect(shownRoot(sandbox.root)).toEqual(before);
    store.next('conflicts');
    const { version } = sandbox.root;
    const writing = sandbox.write(insert(2));
    const seen = () => sandbox.root.version - version + before.newestFirst.length;
    // At every moment until it stands, its rows are there with its version, or not at all.
    while (sandbox.root.version === version) {
      expect(sandbox.root.tables.fulfillments.size).toBe(seen());
      await Promise.resolve();
    }
    await writing;
    expect(sandbox.root.tables.fulfillments.size).toBe(before.newestFirst.length + 1);
  });

  test('an answer that comes later all the same is a failure, and what the store kept comes with the next call', async () => {
    const store = new InstantStore({ isAtHand: true, isLate: true });
    const sandbox = new Sandbox('stage', bornRoot(), store, keeping);
    const before = shownRoot(sandbox.root);
    expect(() => sandbox.write(much())).toThrow(StoreFailure);
    expect(shownRoot(sandbox.root)).toEqual(before);
    await Promise.resolve();
    expect(sandbox.read((draft) => draft.table('fulfillments').get(fulfillmentRow(199).id))).toBeDefined();
    expect(sandbox.root.version).toBe(2);
  });
});

test('of three writes of a batch the second throws: the first and the third stand', () => {
  const batch = new Batch(bornRoot(), keeping);
  const outcomes = [insert(1), much(refuse), insert(2)].map((write) => batch.run(write));
  expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, true, false]);
  const plain = new Batch(bornRoot(), keeping);
  for (const write of [insert(1), insert(2)]) plain.run(write);
  expect(shownRoot(batch.root)).toEqual(shownRoot(plain.root));
  expect(batch.changes).toEqual(plain.changes);
});

describe('a walk', () => {
  const walks: [string, (draft: Draft) => Iterable<unknown>][] = [
    ['all of a table', (draft) => draft.table('fulfillments').entries()],
    ['a table newest first', (draft) => draft.table('fulfillments').newestFirst()],
    ['a group', (draft) => draft.table('fulfillments').walk('order', fulfillmentRow(1).order_id)],
    ['an index', (draft) => draft.table('fulfillments').inOrder('order')],
  ];
  const goOn = (walk: (draft: Draft) => Iterable<unknown>) => (draft: Draft) => {
    for (const _ of walk(draft)) insert(draft.count('rows') + 50)(draft);
  };

  test.each(walks)('along %s throws where its table was written meanwhile, in place and in a clone', (_, walk) => {
    const sandbox = written();
    const before = shownRoot(sandbox.root);
    expect(() => sandbox.write(goOn(walk))).toThrow('fulfillments was written while it was walked');
    expect(() => sandbox.read(goOn(walk))).toThrow('fulfillments was written while it was walked');
    expect(shownRoot(sandbox.root)).toEqual(before);
  });

  test.each(walks)('along %s that ends with the write is none', (_, walk) => {
    const sandbox = written();
    const first = (draft: Draft) => {
      for (const _ of walk(draft)) return insert(50)(draft);
    };
    void sandbox.write(first);
    expect(sandbox.root.tables.fulfillments.get(fulfillmentRow(50).id)).toBeDefined();
  });

  test('of a table that somebody else goes on with is not disturbed', () => {
    const table = new Collection('fulfillments');
    for (const n of [0, 1, 2]) table.put(n, fulfillmentRow(n));
    const walked = table.clone();
    const rows = [];
    for (const entry of walked.entries()) {
      rows.push(entry);
      table.put(9, fulfillmentRow(9));
    }
    expect(rows).toHaveLength(3);
  });
});
