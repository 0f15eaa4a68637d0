// A snapshot is the root's image kept under a name: it costs nothing, and bringing it back is one change.
import { expect, test } from 'vitest';
import { frozenClock } from '../../src/control/clock.ts';
import { Draft } from '../../src/state/draft.ts';
import { deepFreeze } from '../../src/state/freeze.ts';
import { asMade, type Root } from '../../src/state/root.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';
import { bornRoot } from '../support/roots.ts';
import { fixtures } from '../support/sachet.ts';

const born = () => bornRoot();

/** The root after a draft was written to. */
function after(root: Root, write: (draft: Draft) => void): Root {
  const draft = new Draft(root, deepFreeze);
  write(draft);
  return draft.commit();
}

const grown = (root: Root): Root => after(root, (draft) => draft.table('fulfillments').insert(fulfillmentRow(1)));

test('a snapshot shares every collection with the root it was taken of', () => {
  const kept = after(grown(born()), (draft) => draft.keep('one', 7));
  expect(kept.snapshots.get('one')).toEqual({ tables: kept.tables, values: kept.values, at: 7 });
  expect(kept.snapshots.get('one')?.tables.fulfillments).toBe(kept.tables.fulfillments);
});

test('a restore brings collections and values back as they were, in one change', () => {
  const root = after(grown(born()), (draft) => draft.keep('one', 0));
  const changed = after(root, (draft) => {
    draft.table('fulfillments').remove(fulfillmentRow(1).id);
    draft.count('a');
    draft.setValue('clock', frozenClock(5));
  });
  const draft = new Draft(changed, deepFreeze);
  draft.restore('one');
  expect(draft.changes).toEqual([{ restore: 'one' }]);
  const { tables, values } = draft.commit();
  expect([tables.fulfillments, values]).toEqual([root.tables.fulfillments, root.values]);
  expect(tables.fulfillments).toBe(root.tables.fulfillments);
});

test('lasting values stay over a restore, also those written just before it', () => {
  const history = { lives: 9, generations: { tokens: 4, labels: 2 } };
  const aged = after(born(), (draft) => draft.setValue('history', history));
  expect(after(aged, (draft) => draft.restore(asMade)).values.history).toEqual(history);
  const later = { ...history, lives: 10 };
  const both = after(aged, (draft) => {
    draft.setValue('history', later);
    draft.setValue('clock', frozenClock(5));
    draft.restore(asMade);
  });
  expect([both.values.history, both.values.clock]).toEqual([later, frozenClock(0)]);
});

test('what is written after a restore stands upon it', () => {
  const root = after(grown(born()), (draft) => {
    draft.restore(asMade);
    draft.table('fulfillments').insert(fulfillmentRow(2));
  });
  expect(root.tables.fulfillments.get(fulfillmentRow(1).id)).toBeUndefined();
  expect(root.tables.fulfillments.get(fulfillmentRow(2).id)).toEqual(fulfillmentRow(2));
  expect(root.values.counters.fulfillments).toBe(fixtures.fulfillments.length + 1);
});

test('a snapshot that is dropped is gone, and there is none that was not taken', () => {
  const root = after(born(), (draft) => draft.keep('one', 0));
  const dropped = after(root, (draft) => draft.drop('one'));
  expect([...dropped.snapshots.keys()]).toEqual([asMade]);
  expect(() => new Draft(dropped, deepFreeze).restore('one')).toThrow('there is no snapshot "one"');
});
