// Written in place or in clones, a sandbox is the same: whatever is written, kept, brought back, refused, lost by the store or overtaken.
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { deepFreeze } from '../../src/state/freeze.ts';
import type { Change, Root } from '../../src/state/root.ts';
import { Sandbox } from '../../src/state/sandbox.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';
import { InstantStore, type Mishap } from '../support/instant-store.ts';
import { runWrites, shownRoot, writes } from '../support/random-writes.ts';
import { bornRoot } from '../support/roots.ts';

const keeping = { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY };
const sandboxOver = (store: InstantStore) => new Sandbox('stage', bornRoot(), store, keeping);

/** What somebody else may have committed. */
const row: Change = { table: 'fulfillments', sequence: 500, row: fulfillmentRow(500) };
const keep: Change = { keep: 'two', at: 7 };
const transaction = fc.record({
  writes,
  ends: fc.oneof(
    { weight: 4, arbitrary: fc.constant('committed' as const) },
    fc.constantFrom('refused' as const, 'read' as const),
    fc.constantFrom<Mishap>('fails', 'conflicts', { overtakenBy: [row, keep] }, { overtakenBy: [keep] }),
  ),
});
type Transaction = typeof transaction extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What came of it, in words. */
async function outcomeOf(
  { writes: drawn, ends }: Transaction,
  sandbox: Sandbox,
  store?: InstantStore,
): Promise<string> {
  const isMishap = ends !== 'committed' && ends !== 'refused' && ends !== 'read';
  store?.next(isMishap ? ends : undefined);
  try {
    await sandbox[ends === 'read' ? 'read' : 'write']((draft) => {
      runWrites(draft, drawn);
      if (ends === 'refused') throw new RangeError('no');
    });
    return 'done';
  } catch (error) {
    return String(error);
  }
}

const shown = ({ root }: Sandbox) => ({ version: root.version, ...shownRoot(root) });

test('one transaction after another leaves the same, and tells the store the same', async () => {
  const property = fc.asyncProperty(fc.array(transaction, { maxLength: 10 }), async (transactions) => {
    const stores = [new InstantStore({ isAtHand: true }), new InstantStore()] as const;
    const [inPlace, cloning] = [sandboxOver(stores[0]), sandboxOver(stores[1])];
    for (const one of transactions) {
      deepStrictEqual(await outcomeOf(one, inPlace, stores[0]), await outcomeOf(one, cloning, stores[1]));
      deepStrictEqual(shown(inPlace), shown(cloning));
    }
    deepStrictEqual(stores[0].commits, stores[1].commits);
  });
  await fc.assert(property, { numRuns: 60 });
});

test('writes that go to the store together leave what they leave one after another, also where they meet a conflict', async () => {
  const alone = transaction.filter(({ ends }) => ends === 'committed' || ends === 'refused');
  const groups = fc.array(fc.record({ alone: fc.array(alone, { maxLength: 5 }), conflicts: fc.boolean() }), {
    maxLength: 4,
  });
  const property = fc.asyncProperty(groups, async (drawn) => {
    const late = new InstantStore({ isLate: true });
    const [together, cloning] = [sandboxOver(late), sandboxOver(new InstantStore())];
    for (const { alone: group, conflicts } of drawn) {
      late.next(conflicts ? 'conflicts' : undefined);
      const outcomes = await Promise.all(group.map((one) => outcomeOf(one, together)));
      const expected: string[] = [];
      for (const one of group) expected.push(await outcomeOf(one, cloning));
      deepStrictEqual(outcomes, expected);
      deepStrictEqual(shownRoot(together.root), shownRoot(cloning.root));
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

test('what was seen of a store that is not at hand stays as it is, whatever is written later', async () => {
  const property = fc.asyncProperty(fc.array(writes, { maxLength: 8 }), async (transactions) => {
    const sandbox = sandboxOver(new InstantStore({ isLate: true }));
    const seen: [Root, ReturnType<typeof shownRoot>][] = [];
    for (const drawn of transactions) {
      seen.push([sandbox.root, shownRoot(sandbox.root)]);
      await sandbox.write((draft) => runWrites(draft, drawn));
    }
    for (const [root, then] of seen) deepStrictEqual(shownRoot(root), then);
  });
  await fc.assert(property, { numRuns: 40 });
});
