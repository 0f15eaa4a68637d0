// Whatever state there is comes back from the folder as it was: out of its log, out of a snapshot, and out of both.
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lever } from '../../../src/contract/admin/lever.ts';
import { chooseReadings } from '../../../src/contract/readings.ts';
import { frozenClock } from '../../../src/control/clock.ts';
import { applyChanges, changesOf } from '../../../src/state/changes.ts';
import { Draft } from '../../../src/state/draft.ts';
import { deepFreeze } from '../../../src/state/freeze.ts';
import { type AppliedScenario, type Image, type Root, tableNames } from '../../../src/state/root.ts';
import { ForgetfulDisk } from '../../support/forgetful-disk.ts';
import { fulfillmentRow, otherBrand } from '../../support/fulfillment-rows.ts';
import { stateOn } from '../../support/kept-books.ts';
import { fulfillmentId, orderId } from '../../support/order-requests.ts';
import { bornRoot } from '../../support/roots.ts';
import { fixtures } from '../../support/sachet.ts';
import { seeded } from '../../support/seeded.ts';

/** Texts that are hard to write down: halves of characters, ends of lines, names that objects have. */
const text = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    '\0',
    '\n',
    '\r\n',
    '\u2028',
    '\ud800',
    'a\udc00b',
    '\ufeff',
    '"\\',
    '💊',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const number = fc.oneof(
  fc.constantFrom(0, 5e-324, 1.7976931348623157e308, 2 ** 53, -(2 ** 63), 0.1 + 0.2),
  fc.integer(),
);
const json = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie('any')), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).any;

const step = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const) }),
  fc.record({ kind: fc.constant('spend' as const), id: text }),
  fc.record({ kind: fc.constant('lever' as const), name: text, body: json }),
  fc.record({ kind: fc.constant('count' as const), purpose: text, n: number }),
  fc.record({
    kind: fc.constant('move' as const),
    n: fc.integer({ min: 1, max: 29 }),
    to: fc.integer({ min: 1, max: 18 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), n: fc.integer({ min: 1, max: 29 }) }),
  fc.record({ kind: fc.constant('clock' as const), now: number }),
  fc.record({ kind: fc.constant('readings' as const), reading: fc.constantFrom('body', 'meta', 'header') }),
  fc.record({ kind: fc.constant('scenario' as const), name: text }),
  fc.record({ kind: fc.constant('keep' as const), name: text }),
  fc.record({ kind: fc.constant('drop' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('restore' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('empty' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function run(draft: Draft, drawn: Step, n: number): void {
  if (drawn.kind === 'insert') draft.table('fulfillments').insert(fulfillmentRow(n));
  else if (drawn.kind === 'spend') spend(draft, `${n} ${drawn.id}`);
  else if (drawn.kind === 'lever') draft.table('levers').insert(lever(`${n} ${drawn.name}`, drawn.body));
  else if (drawn.kind === 'count') draft.setCounters(Object.fromEntries([[drawn.purpose, drawn.n]]));
  else if (drawn.kind === 'clock') draft.setValue('clock', frozenClock(drawn.now));
  else if (drawn.kind === 'readings') draft.setValue('readings', chooseReadings({ next_cursor: drawn.reading }));
  else if (drawn.kind === 'scenario') draft.setValue('scenarios', [scenario(drawn.name)]);
  else if (drawn.kind === 'keep') draft.keep(drawn.name, n);
  else if (drawn.kind === 'empty') draft.empty();
  else if (drawn.kind === 'drop' || drawn.kind === 'restore') withKept(draft, drawn.kind, drawn.of);
  else withFulfillment(draft, drawn);
}

const spend = (draft: Draft, id: string): void => void draft.table('spent_refresh_tokens').insert({ id });

function withKept(draft: Draft, kind: 'drop' | 'restore', of: number): void {
  const names = [...draft.snapshots.keys()];
  const name = names[of % names.length];
  if (name !== undefined) draft[kind](name);
}

function withFulfillment(draft: Draft, drawn: Extract<Step, { kind: 'move' | 'remove' }>): void {
  const table = draft.table('fulfillments');
  const row = table.get(fulfillmentId(drawn.n));
  if (row && drawn.kind === 'remove') table.remove(row.id);
  if (row && drawn.kind === 'move') table.replace({ ...row, order_id: orderId(drawn.to), brand_id: otherBrand });
}

const scenario = (name: string): AppliedScenario => ({ name, applied_at: 0, assumptions: {}, records: [] });

/** A fault that answers with this body. */
function lever(id: string, body: unknown): Lever {
  const state = { turn: 'fault', scenario: null, hidden: false, made_at: 0, seen: 0, hits: 0, rolls: 0 } as const;
  const settings = { answer: { status: 500, body } } as unknown as Lever['settings'];
  return { ...state, id, name: id, window: null, generation: null, kind: 'fault', settings } as Lever;
}

/** All of a root that reading it can show, the walks along its indexes too. */
function shown({ version, snapshots, ...image }: Root) {
  const kept = Array.from(snapshots, ([name, { at, ...snapshot }]) => [name, at, shownImage(snapshot)]);
  return { version, ...shownImage(image), kept };
}

function shownImage({ values, tables }: Image) {
  const groups = [...fixtures.brands, ...fixtures.orders].map(({ id }) => id);
  const walked = (index: 'brand' | 'order') =>
    groups.map((group) => Array.from(tables.fulfillments.walk(index, group), ([sequence]) => sequence));
  const levers = Array.from(tables.levers.walk('turn', 'fault'), ([sequence]) => sequence);
  const rows = tableNames.map((name) => [name, [...tables[name].entries()]]);
  return { values, rows, walks: [walked('brand'), walked('order'), levers] };
}

/** A write that is larger than any snapshot here, so that the log is folded after it. */
const filler: Step = { kind: 'count', purpose: 'x'.repeat(500_000), n: 1 };

/** Keeps each transaction; the root that they lead to. */
async function kept(disk: ForgetfulDisk, transactions: readonly (readonly Step[])[]): Promise<Root> {
  const store = await stateOn(disk);
  let root = bornRoot();
  await store.append('stage', 0, changesOf(root), { to: root });
  for (const [turn, steps] of transactions.entries()) {
    const draft = new Draft(root, deepFreeze);
    for (const [index, drawn] of steps.entries()) run(draft, drawn, 100 * turn + index);
    const next = draft.commit();
    expect(await store.append('stage', root.version, draft.changes, { from: root, to: next })).toBe('committed');
    root = next;
  }
  await disk.idle();
  await store.close();
  return root;
}

async function expectBack(disk: ForgetfulDisk, root: Root): Promise<void> {
  const commit = await (await stateOn(disk.killed(seeded(0)))).load('stage');
  if (!commit) throw new Error('there is no sandbox');
  expect(commit.version).toBe(root.version);
  // The runner's own comparison takes a field called `constructor` for one.
  deepStrictEqual(shown(applyChanges(undefined, commit, deepFreeze)), shown(root));
}

const transactions = fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 });
const ways: readonly [string, number, (drawn: Step[][]) => Step[][]][] = [
  ['out of a log', 1, (drawn) => drawn],
  ['out of a snapshot', 2, (drawn) => [...drawn, [filler]]],
  ['out of a snapshot and a log', 2, (drawn) => [...drawn.slice(0, 2), [filler], ...drawn.slice(2)]],
];

for (const [title, generation, told] of ways)
  test(`any state comes back as it was ${title}`, async () => {
    const property = fc.asyncProperty(transactions, async (drawn) => {
      const disk = new ForgetfulDisk();
      const root = await kept(disk, told(drawn));
      expect(await disk.files('/state/sandboxes/stage')).toContain(`snapshot-${generation}.json`);
      await expectBack(disk, root);
    });
    await fc.assert(property, { numRuns: 40 });
  });
