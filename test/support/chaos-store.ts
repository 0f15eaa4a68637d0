// A store in memory that responds late, conflicts every third time and fails on command.

import { createEngine } from '../../src/app.ts';
import { exportState } from '../../src/sandbox/state-document.ts';
import type { Commit, JournalRow, SharedStore, Store, StoredSandbox } from '../../src/state/store.ts';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { fixtures, noon } from './sachet.ts';

export interface ChaosStore extends Store {
  /** The next n appends fail; `kept` says whether the changes are stored anyway. */
  failNext(n: number, kept?: boolean): void;
  /** The number of conflicts, needless ones included. */
  readonly conflicts: number;
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The first version of a sandbox, and all commits since. */
interface Kept {
  readonly whole: StoredSandbox;
  readonly commits: Commit[];
}

/**
 * @param everyThird whether every third append has a needless conflict
 * @param isShared whether servers share it, so that each loads the commits of the others
 */
export function createChaosStore({ everyThird = true, isShared = false } = {}): ChaosStore {
  const kept = new Map<string, Kept>();
  let tail: Promise<unknown> = Promise.resolve();
  let [appends, conflicts, failing] = [0, 0, 0];
  let failingKeeps = false;

  const isSpurious = () => {
    appends += 1;
    return everyThird && appends % 3 === 0;
  };
  const isFailing = () => failing > 0 && failing-- > 0;

  const versionOf = (found: Kept | undefined) => found?.commits.at(-1)?.version ?? (found ? 1 : 0);

  function decide(
    name: string,
    version: number,
    changes: Commit['changes'],
    whole: StoredSandbox | undefined,
  ): boolean {
    const found = kept.get(name);
    const [spurious, fails] = version > 0 ? [isSpurious(), isFailing()] : [false, false];
    const isNext = versionOf(found) === version && !spurious;
    const isKept = isNext && (!fails || failingKeeps);
    if (isKept && whole) kept.set(name, { whole, commits: [] });
    else if (isKept && found) {
      found.commits.push({ version: version + 1, changes });
      // Moves it to the end: names are in the order of their last change.
      kept.delete(name);
      kept.set(name, found);
    }
    if (fails) throw new Error('the disk is on fire');
    if (!isNext) conflicts += 1;
    return isNext;
  }

  return {
    ...(isShared && { shared: sharedParts() }),
    async names() {
      await later();
      return [...kept.keys()];
    },
    problem: () => undefined,
    async load(name, version) {
      await later();
      const found = kept.get(name);
      if (!found) return undefined;
      const commits = structuredClone(found.commits.filter((commit) => commit.version > version));
      return version === 0 ? { whole: found.whole, commits } : { commits };
    },
    append(name, version, changes, whole) {
      const list = structuredClone(changes);
      const made = version === 0 ? JSON.parse(JSON.stringify(whole(1))) : undefined;
      const answer = tail.then(later).then(() => decide(name, version, list, made));
      tail = answer.catch(() => undefined);
      return answer;
    },
    async remove(name) {
      await tail.then(later);
      kept.delete(name);
    },
    failNext(n, isKept = false) {
      failing = n;
      failingKeeps = isKept;
    },
    get conflicts() {
      return conflicts;
    },
  };
}

function sharedParts(): SharedStore {
  const journals = new Map<string, JournalRow[]>();
  const rowsOf = (name: string) => journals.get(name) ?? [];
  return {
    now: () => Date.now(),
    noteUse: () => undefined,
    release: () => undefined,
    list: async () => [],
    makeRoom: async () => true,
    journals: {
      write: async (name, row) => void journals.set(name, [...rowsOf(name), row]),
      read: async (name, from) => ({
        run: '',
        first: from,
        rows: rowsOf(name).slice(from),
        clearedTo: 0,
        clearedAt: 0,
      }),
      clear: async () => undefined,
    },
  };
}

/** The sandbox `stage` of a new server. Two servers over one store are two replicas. */
export async function stageOver(store: Store): Promise<TransactionRunner> {
  return createEngine({ fixtures, clock: noon, randomSeed: 'test', store }).sandboxes.stage();
}

/** Adds a mark and advances the clock; returns the milliseconds since noon. */
export async function mark(sandbox: TransactionRunner, id: string, milliseconds = 1): Promise<number> {
  return sandbox.write((state) => {
    state.table('spent_refresh_tokens').insert({ id });
    const clock = state.value('clock');
    state.setValue('clock', { ...clock, now: clock.now + milliseconds });
    return clock.now + milliseconds - Date.parse(noon);
  });
}

/** Increments a counter and advances the clock; returns the counter's former value. */
export async function count(sandbox: TransactionRunner, purpose: string, milliseconds = 1): Promise<number> {
  return sandbox.write((state) => {
    const clock = state.value('clock');
    state.setValue('clock', { ...clock, now: clock.now + milliseconds });
    return state.count(purpose);
  });
}

/** The marks in the order of their sequence numbers. */
export const marks = (sandbox: TransactionRunner): Promise<string[]> =>
  sandbox.read((state) => Array.from(state.table('spent_refresh_tokens').entries(), ([, { id }]) => id));

/** The milliseconds that the clock was advanced. */
export const moved = (sandbox: TransactionRunner): number => sandbox.state.value('clock').now - Date.parse(noon);

/** All of a sandbox as plain data, to compare two. */
export const plain = ({ state, version }: TransactionRunner) => ({ version, ...exportState(state, 0) });
