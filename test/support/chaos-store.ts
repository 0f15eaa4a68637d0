// A store as hard to live with as a real one: it answers late, conflicts every third time and fails on command.
import type { Commit, JournalRow, SharedStore, Store, StoredSandbox } from '../../src/state/store.ts';

export interface ChaosStore extends Store {
  /** The next n appends fail; `kept` says whether the changes were kept all the same. */
  failNext(n: number, kept?: boolean): void;
  /** How many conflicts it told, for nothing or for a reason. */
  readonly conflicts: number;
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A sandbox as it was made, and all commits since. */
interface Kept {
  readonly whole: StoredSandbox;
  readonly commits: Commit[];
}

/**
 * @param everyThird whether every third append meets a conflict for nothing; off where a test counts real ones
 * @param isShared whether servers share it: then each asks what the others did
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
    const stands = versionOf(found) === version && !spurious;
    const isKept = stands && (!fails || failingKeeps);
    if (isKept && whole) kept.set(name, { whole, commits: [] });
    else if (isKept && found) {
      found.commits.push({ version: version + 1, changes });
      // Behind the others: names are told in the order of their last change.
      kept.delete(name);
      kept.set(name, found);
    }
    if (fails) throw new Error('the disk is on fire');
    if (!stands) conflicts += 1;
    return stands;
  }

  return {
    ...(isShared && { shared: beside() }),
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

/** What servers share beside the sandboxes. */
function beside(): SharedStore {
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
