// A store as hard to live with as a real one: it answers late, conflicts every third time and fails on command.
import type { Change, Commit } from '../../src/state/root.ts';
import type { Store } from '../../src/state/store.ts';

export interface HarshStore extends Store {
  /** The next n appends fail; `kept` says whether the changes were kept all the same. */
  failNext(n: number, kept?: boolean): void;
  /** How often it answered `conflict`, for nothing or for a reason. */
  readonly conflicts: number;
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param everyThird whether every third append meets a conflict for nothing; off where a test counts real ones */
export function createHarshStore({ everyThird = true } = {}): HarshStore {
  const commits = new Map<string, Commit[]>();
  let tail: Promise<unknown> = Promise.resolve();
  let [appends, conflicts, failing] = [0, 0, 0];
  let failingKeeps = false;

  const isSpurious = () => {
    appends += 1;
    return everyThird && appends % 3 === 0;
  };
  const isFailing = () => failing > 0 && failing-- > 0;

  function decide(name: string, base: number, changes: readonly Change[]): 'committed' | 'conflict' {
    const kept = commits.get(name) ?? [];
    const [spurious, fails] = base > 0 ? [isSpurious(), isFailing()] : [false, false];
    const stands = (kept.at(-1)?.version ?? 0) === base && !spurious;
    if (stands && (!fails || failingKeeps)) commits.set(name, [...kept, { version: base + 1, changes }]);
    if (fails) throw new Error('the disk is on fire');
    if (!stands) conflicts += 1;
    return stands ? 'committed' : 'conflict';
  }

  return {
    async names() {
      await later();
      return [...commits.keys()];
    },
    trouble: () => undefined,
    async load(name) {
      await later();
      const kept = commits.get(name);
      const last = kept?.at(-1);
      return kept && last && { version: last.version, changes: kept.flatMap(({ changes }) => [...changes]) };
    },
    async since(name, version) {
      await later();
      return (commits.get(name) ?? []).filter((commit) => commit.version > version);
    },
    append(name, base, changes) {
      const list = structuredClone([...changes]);
      const answer = tail.then(later).then(() => decide(name, base, list));
      tail = answer.catch(() => undefined);
      return answer;
    },
    async remove(name) {
      await tail.then(later);
      commits.delete(name);
    },
    failNext(n, kept = false) {
      failing = n;
      failingKeeps = kept;
    },
    get conflicts() {
      return conflicts;
    },
  };
}
