// Tests that every store passes, and sandboxes over a store without a server around them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeHashes } from '../../src/node/platform.ts';
import { beginEpoch, reset } from '../../src/sandbox/snapshots.ts';
import { type Persistence, persistenceOver } from '../../src/state/persistence.ts';
import { deepFreeze } from '../../src/state/state.ts';
import type { Store } from '../../src/state/store.ts';
import { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { freshState } from '../support/test-state.ts';
import { shownState, type Write, writes } from './random-writes.ts';

const persistence = (store: Store): Persistence =>
  persistenceOver(store, { freeze: deepFreeze, maxRecords: Number.POSITIVE_INFINITY }, nodeHashes);

/** A new sandbox of the shipped fixtures. */
export async function make(store: Store, name = 'stage'): Promise<TransactionRunner> {
  const sandbox = new TransactionRunner(freshState(name, 0), 1, persistence(store));
  if (!(await store.append(name, 0, [], (version) => sandbox.whole(version))))
    throw new Error(`there is a sandbox ${name} already`);
  return sandbox;
}

/** Opens a stored sandbox, as another server does. */
export async function open(store: Store, name = 'stage'): Promise<TransactionRunner> {
  const loaded = await store.load(name, 0);
  if (!loaded?.whole) throw new Error(`there is no sandbox ${name}`);
  const { whole, commits } = loaded;
  const { state, version } = persistence(store).open(whole, commits);
  return new TransactionRunner(state, version, persistence(store));
}

/** All of a sandbox, to compare two. */
export const allOf = ({ state, version }: TransactionRunner) => ({ version, ...shownState(state) });

/** Expects that a store has the sandbox's current state. */
export async function expectKept(sandbox: TransactionRunner, elsewhere: Store): Promise<void> {
  const found = await open(elsewhere, sandbox.name);
  await sandbox.catchUp();
  expect(allOf(found)).toEqual(allOf(sandbox));
}

/** A store, and how a server that starts later opens it. */
export interface OpenedStore {
  readonly store: Store;
  /** Closes the store first if only one process can have it open. */
  reopen(): Promise<Store>;
}

const work = fc.oneof(
  { weight: 6, arbitrary: writes },
  fc.constant<Write>((state) => reset(state, 0)),
  fc.constant<Write>((state) => {
    const rows = [...state.table('fulfillments').entries()];
    state.empty();
    for (const [seq, row] of rows) state.table('fulfillments').place(seq * 2 + 1, row);
    state.setCounters({ ...state.counters, fulfillments: ((rows.at(-1)?.[0] ?? 0) + 1) * 2 });
    beginEpoch(state);
  }),
);

/** After this, the disk's time is another one. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

export function storeSuite(name: string, opened: () => Promise<OpenedStore>): void {
  describe(name, () => {
    test('has one sandbox per name, with its fixtures and texts of any length and script', async () => {
      const { store, reopen } = await opened();
      const sandbox = await make(store);
      const whole = (version: number) => sandbox.whole(version);
      expect(await store.append('stage', 0, [], whole)).toBe(false);
      expect([...(await store.names())].filter((one) => one === 'stage')).toEqual(['stage']);
      const again = await reopen();
      const made = { whole: JSON.parse(JSON.stringify(whole(1))), commits: [] };
      expect(await again.load('stage', 0)).toEqual(made);
      const same = await open(again);
      for (const id of ['é\r\n\u2028\u2029\u0000"\\\ufeff\u{10ffff}', '__proto__', '😀'.repeat(100_000)])
        await same.write((state) => state.table('spent_refresh_tokens').insert({ id }));
      await expectKept(same, await reopen());
    });

    test('accepts only the next version, and loads the commits after a version, or the whole', async () => {
      const { store } = await opened();
      const sandbox = await make(store);
      const whole = (version: number) => sandbox.whole(version);
      const changes = (id: string) => [{ table: 'spent_refresh_tokens', seq: 0, row: { id } }];
      expect(await store.append('stage', 2, changes('early'), whole)).toBe(false);
      expect(await store.append('stage', 1, changes('next'), whole)).toBe(true);
      expect(await store.append('stage', 1, changes('late'), whole)).toBe(false);
      expect(await store.append('nowhere', 1, changes('lost'), whole)).toBe(false);
      expect(await store.load('stage', 2)).toEqual({ commits: [] });
      for (let n = 0; n < 2; n += 1) await sandbox.write((state) => state.keep(`k${n}`, n));
      const commits = [0, 1].map((n) => ({ version: n + 3, changes: [{ keep: `k${n}`, at: n }] }));
      const loaded = await store.load('stage', 2);
      expect(loaded).toEqual(loaded?.whole ? { whole: sandbox.whole(4), commits: [] } : { commits });
    });

    test('removes a sandbox, whose name is free again', async () => {
      const { store, reopen } = await opened();
      const sandbox = await make(store);
      await sandbox.write((state) => state.keep('one', 1));
      await store.remove('stage');
      await store.remove('stage');
      expect(await store.load('stage', 0)).toBeUndefined();
      await expect(sandbox.write((state) => state.count('a'))).rejects.toThrow('was deleted');
      const again = await make(store);
      await expectKept(again, await reopen());
    });

    test('lists names, the longest unchanged first', async () => {
      const { store, reopen } = await opened();
      const names = ['b', 'a', 'c'];
      const sandboxes = [];
      for (const one of names) sandboxes.push(await make(store, one));
      for (const sandbox of sandboxes.toReversed()) {
        await pause();
        await sandbox.write((state) => state.keep('one', 1));
      }
      expect(await (await reopen()).names()).toEqual(names.toReversed());
    });

    test('has all writes, sequential or concurrent', async () => {
      const steps = fc.array(fc.array(work, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
      let runs = 0;
      const { store, reopen } = await opened();
      const made = new Map<string, ReturnType<typeof allOf>>();
      const property = fc.asyncProperty(steps, async (drawn) => {
        runs += 1;
        const sandbox = await make(store, `s${runs}`);
        const plain = freshState(`s${runs}`, 0);
        for (const works of drawn) {
          await Promise.all(works.map((one) => sandbox.write(one)));
          for (const one of works) plain.transaction(one);
        }
        expect(shownState(sandbox.state)).toEqual(shownState(plain));
        made.set(sandbox.name, allOf(sandbox));
      });
      await fc.assert(property, { numRuns: 25 });
      const again = await reopen();
      for (const [one, shown] of made) expect(allOf(await open(again, one))).toEqual(shown);
    });
  });
}
