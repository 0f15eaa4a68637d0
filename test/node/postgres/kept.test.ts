// What is written through one store is what another one loads.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginLife, reset } from '../../../src/control/snapshots.ts';
import type { Draft } from '../../../src/state/draft.ts';
import type { Root } from '../../../src/state/root.ts';
import type { Store } from '../../../src/state/store.ts';
import { mark, marks } from '../../support/harsh-sandboxes.ts';
import { allOf, bear, expectKept, open } from '../../support/postgres/sandboxes.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { databaseOfTest, storeAt } from '../../support/postgres/stores.ts';
import { versionsIn } from '../../support/postgres/tables.ts';
import { runWrites, shownRoot, writes } from '../../support/random-writes.ts';

type Work = (draft: Draft) => void;

function restore(draft: Draft, name: string): void {
  if (!draft.snapshots.has(name)) return;
  draft.restore(name);
  beginLife(draft);
}

/** As an import does: all rows at other places. */
function moveAll(draft: Draft, by: number): void {
  const rows = [...draft.table('fulfillments').entries()];
  draft.empty();
  for (const [sequence, row] of rows) draft.table('fulfillments').put(sequence * 2 + by, row);
  beginLife(draft);
}

/** A row that is put beside another of its id leaves it open which one an id leads to: an import refuses that. */
const sound = writes.map((drawn) => drawn.filter(({ kind }) => kind !== 'put'));

const work = fc.oneof(
  {
    weight: 6,
    arbitrary: sound.map(
      (drawn): Work =>
        (draft) =>
          runWrites(draft, drawn),
    ),
  },
  fc.constant<Work>((draft) => reset(draft, 0)),
  fc.nat(3).map(
    (by): Work =>
      (draft) =>
        moveAll(draft, by),
  ),
  fc.constantFrom('one', 'two').map(
    (name): Work =>
      (draft) =>
        restore(draft, name),
  ),
);

const step = fc.record({
  /** The first goes alone, the others together in one list of changes. */
  works: fc.array(work, { minLength: 1, maxLength: 4 }),
  /** Which of two servers writes. */
  through: fc.nat(1),
  /** Whether that one has loaded the sandbox anew before it does. */
  isLoaded: fc.boolean(),
});

/** One that is kept again under its name may come at another place among the kept. */
const inOrder = (root: Root): Root => ({ ...root, snapshots: new Map([...root.snapshots].sort()) });

type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Two servers that write a sandbox by turns; a third one loads it after each step. */
async function runSteps(steps: readonly Step[], name: string, [first, second, third]: readonly Store[]): Promise<void> {
  const stores = [first, second] as Store[];
  const servers = [await bear(first as Store, name), await open(second as Store, name)];
  for (const { works, through, isLoaded } of steps) {
    if (isLoaded) servers[through] = await open(stores[through] as Store, name);
    await Promise.all(works.map((one) => servers[through]?.write(one)));
    for (const sandbox of servers) await expectKept(sandbox, third as Store);
  }
  const { root } = await open(third as Store, name);
  for (const sandbox of servers) expect(shownRoot(inOrder(sandbox.root))).toEqual(shownRoot(inOrder(root)));
}

describe.skipIf(postgresMissing())('a sandbox in a database', () => {
  test('is loaded as it was written, whatever was written through whom', async () => {
    const url = await databaseOfTest();
    const stores = [await storeAt(url), await storeAt(url), await storeAt(url)];
    let runs = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      runs += 1;
      return runSteps(steps, `s${runs}`, stores);
    });
    await fc.assert(property, { numRuns: 80 });
  });

  test('comes whole to a server that is farther behind than changes are kept', async () => {
    const url = await databaseOfTest();
    const sandbox = await bear(await storeAt(url));
    const behind = await open(await storeAt(url));
    const told: number[] = [];
    behind.observe(({ version }) => void told.push(version));
    for (let n = 0; n < 1300; n += 1) await mark(sandbox, `m${n}`);
    await expect.poll(async () => (await versionsIn(url))[0]).toBeGreaterThan(2);
    await behind.read(() => undefined);
    expect(told).toEqual([1301]);
    expect(allOf(behind.root)).toEqual(allOf(sandbox.root));
    expect((await versionsIn(url)).length).toBeGreaterThanOrEqual(1000);
    await mark(behind, 'after');
    await expectKept(sandbox, await storeAt(url));
  });

  test('comes whole to as many servers at once as have something to write', async () => {
    const url = await databaseOfTest();
    const [store, other] = [await storeAt(url), await storeAt(url)];
    // More than a server has connections.
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const ahead = await Promise.all(names.map((name) => bear(store, name)));
    const behind = await Promise.all(names.map((name) => open(other, name)));
    await Promise.all(ahead.map((sandbox) => mark(sandbox, 'theirs')));
    await ask(url, 'delete from change_lists');
    // They do not look first, and so meet a conflict.
    await Promise.all(behind.map((sandbox) => sandbox.write((draft) => draft.count('ours'), true)));
    for (const sandbox of behind) expect(await marks(sandbox)).toEqual(['theirs']);
  });
});
