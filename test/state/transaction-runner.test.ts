// One sandbox over a store that answers late and conflicts: what is answered was kept, what was refused never happened.
import { describe, expect, test } from 'vitest';
import type { Change, StoredChange } from '../../src/state/state.ts';
import { SandboxDeletedError, type Store, StoreFailure } from '../../src/state/store.ts';
import { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { count, mark, marks, moved, plain, stageOver } from '../support/chaos-sandboxes.ts';
import { createChaosStore } from '../support/chaos-store.ts';
import { freshState } from '../support/drafts.ts';
import { make, open } from '../support/stored-sandboxes.ts';

const calm = () => createChaosStore({ everyThird: false });
const thirty = Array.from({ length: 30 }, (_, n) => `m${n}`);

const whole = (change: Change | StoredChange) => ('keep' in change ? change.keep : 'another');

/** The store, noting when it acknowledges. */
function noting(store: Store, events: string[]): Store {
  return {
    ...store,
    append: async (...appended) => {
      const answer = await store.append(...appended);
      events.push(`acknowledged ${appended[1] + 1}`);
      return answer;
    },
  };
}

describe('a write', () => {
  test('is answered only after the store has acknowledged it', async () => {
    const events: string[] = [];
    const sandbox = await stageOver(noting(calm(), events));
    const answers = ['a', 'b'].map(async (id) => events.push(`answered ${await mark(sandbox, id)}`));
    await Promise.all(answers);
    expect(events).toEqual(['acknowledged 1', 'acknowledged 2', 'answered 1', 'acknowledged 3', 'answered 2']);
  });

  test('is told to no reader before it is acknowledged', async () => {
    const events: string[] = [];
    const sandbox = await stageOver(noting(calm(), events));
    const writing = mark(sandbox, 'a');
    expect(await marks(sandbox)).toEqual(['a']);
    expect(events.at(-1)).toBe('acknowledged 2');
    await writing;
  });

  test('that comes while another is under way waits, and is appended together with all that did', async () => {
    const store = calm();
    const appended: number[] = [];
    let [running, most] = [0, 0];
    const append: Store['append'] = async (...asked) => {
      appended.push(asked[2].filter((change) => 'table' in change && change.table === 'spent_refresh_tokens').length);
      most = Math.max(most, ++running);
      return store.append(...asked).finally(() => --running);
    };
    const sandbox = await stageOver({ ...store, append });
    await Promise.all(thirty.map((id) => mark(sandbox, id)));
    expect([appended, most, sandbox.version]).toEqual([[0, 1, 29], 1, 3]);
  });

  test('that throws is refused with what it threw, and changes nothing', async () => {
    const sandbox = await stageOver(calm());
    const before = plain(sandbox);
    const refusing = async () =>
      sandbox.write((state) => {
        state.table('spent_refresh_tokens').insert({ id: 'a' });
        throw new RangeError('no');
      });
    await expect(refusing()).rejects.toThrow(RangeError);
    expect(plain(sandbox)).toEqual(before);
  });

  test('that writes nothing makes no version', async () => {
    const sandbox = await stageOver(calm());
    expect(await sandbox.write((state) => state.value('clock').now)).toBe(sandbox.state.value('clock').now);
    expect(sandbox.version).toBe(1);
  });
});

test('a read that writes throws', async () => {
  const sandbox = await stageOver(calm());
  const before = plain(sandbox);
  const writing = sandbox.read((state) => state.table('spent_refresh_tokens').insert({ id: 'a' }));
  await expect(writing).rejects.toThrow('only in a transaction');
  expect(plain(sandbox)).toEqual(before);
});

test('a dry run leaves nothing that others see', async () => {
  const sandbox = await stageOver(calm());
  const before = plain(sandbox);
  const seen = await sandbox.dryRun((state) => {
    state.table('spent_refresh_tokens').insert({ id: 'a' });
    return state.table('spent_refresh_tokens').size;
  });
  expect([seen, plain(sandbox)]).toEqual([1, before]);
});

test('who observes is told of each commit once it is kept, of others, too, until it ends', async () => {
  const store = calm();
  const [sandbox, other] = [await make(store), await open(store)];
  const told: string[] = [];
  const all: number[] = [];
  sandbox.observe((version) => all.push(version));
  const end = sandbox.observe((version, changes) => told.push(`${version}: ${changes.map(whole)}`));
  await other.write((state) => state.keep('theirs', 1));
  store.failNext(1);
  await expect(sandbox.write((state) => state.keep('lost', 1))).rejects.toThrow(StoreFailure);
  await sandbox.dryRun((state) => state.keep('tried', 1));
  await sandbox.write((state) => state.keep('ours', 1));
  expect(told).toEqual(['2: theirs', '3: ours']);
  end();
  await sandbox.write((state) => state.keep('unheard', 1));
  expect([told.length, all]).toEqual([2, [2, 3, 4]]);
});

test('a sandbox in memory reads and writes at once, and refuses all when it has ended', async () => {
  const sandbox = new TransactionRunner(freshState(), 1);
  const writing = sandbox.write((state) => state.count('a'));
  expect([sandbox.state.counters.a, sandbox.version]).toEqual([1, 2]);
  expect([await writing, await sandbox.dryRun((state) => state.count('a'))]).toEqual([0, 1]);
  await sandbox.catchUp();
  sandbox.end();
  for (const asked of [sandbox.write((state) => state.count('a')), sandbox.read((state) => state.counters)])
    await expect(asked).rejects.toThrow(SandboxDeletedError);
  expect([sandbox.isGone, sandbox.state.counters.a, sandbox.version]).toEqual([true, 1, 2]);
});

describe('what others did', () => {
  test.each([false, true])(
    'is asked for only where servers share the store, and by who must know; shared: %s',
    async (isShared) => {
      const store = createChaosStore({ everyThird: false, isShared });
      await make(store);
      let loads = 0;
      const load: Store['load'] = (...asked) => store.load(...asked).finally(() => ++loads);
      const append = store.append;
      const sandbox = await open({ ...store, load, append: (...asked) => append(...asked) });
      await mark(sandbox, 'a');
      await Promise.all([marks(sandbox), mark(sandbox, 'b'), mark(sandbox, 'c')]);
      expect(loads).toBe(1);
      await sandbox.catchUp();
      expect(loads).toBe(isShared ? 2 : 1);
      // What is appended behind the last version proves that nothing else was.
      await Promise.all([mark(sandbox, 'd'), mark(sandbox, 'e'), sandbox.catchUp()]);
      expect(loads).toBe(isShared ? 2 : 1);
    },
  );

  test('may be that a database lost its last moments', async () => {
    const store = createChaosStore({ everyThird: false, isShared: true });
    await make(store);
    const sandbox = await open({ ...store, load: (name) => store.load(name, 0) });
    await sandbox.write((state) => state.keep('lost', 1));
    await store.remove('stage');
    await make(store);
    await sandbox.write((state) => state.keep('next', 1));
    expect([sandbox.version, ...sandbox.state.snapshots.keys()]).toEqual([2, '', 'next']);
  });

  test('may be told as a whole', async () => {
    const store = createChaosStore({ everyThird: false, isShared: true });
    const other = await make(store);
    let { document, fixtures } = other.whole(other.version);
    const load: Store['load'] = async (name) => ({
      whole: { document: JSON.parse(JSON.stringify(document)), fixtures },
      commits: (await store.load(name, document.version))?.commits ?? [],
    });
    const sandbox = await open({ ...store, load });
    const told: string[] = [];
    sandbox.observe((version, changes) => told.push(`${version}: ${changes.map((change) => Object.keys(change)[0])}`));
    await other.write((state) => state.keep('one', 1));
    ({ document, fixtures } = other.whole(other.version));
    await other.write((state) => state.keep('two', 1));
    await sandbox.catchUp();
    await sandbox.write((state) => state.drop('one'));
    expect(told).toEqual(['3: restore', '4: drop']);
    expect([...sandbox.state.snapshots.keys()]).toEqual(['', 'two']);
  });
});

describe('a conflict', () => {
  test('runs a write again, to one effect', async () => {
    const store = createChaosStore();
    const sandbox = await stageOver(store);
    for (const [n, id] of thirty.entries()) expect(await mark(sandbox, id)).toBe(n + 1);
    expect(store.conflicts).toBeGreaterThanOrEqual(10);
    expect([await marks(sandbox), sandbox.version]).toEqual([thirty, 31]);
  });

  test('keeps the order of writes that are under way together', async () => {
    const sandbox = await stageOver(createChaosStore());
    expect(await Promise.all(thirty.map((id) => mark(sandbox, id)))).toEqual(thirty.map((_, n) => n + 1));
    expect([await marks(sandbox), moved(sandbox)]).toEqual([thirty, 30]);
  });

  test('lets a write judge anew, that refused on what never was', async () => {
    const store = calm();
    const [sandbox, other] = [await stageOver(store), await stageOver(store)];
    const claim = async (by: TransactionRunner) =>
      by.write((state) => {
        if (state.table('spent_refresh_tokens').get('one')) throw new RangeError('taken');
        state.table('spent_refresh_tokens').insert({ id: 'one' });
      });
    await other.catchUp();
    const outcomes = await Promise.allSettled([claim(other), claim(sandbox), claim(sandbox)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await marks(sandbox)).toEqual(['one']);
  });

  test.each([200, 400])('does not wear out %i writes under way together', async (many) => {
    const sandbox = await stageOver(createChaosStore());
    const outcomes = await Promise.allSettled(Array.from({ length: many }, (_, n) => count(sandbox, 'a', n)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(0);
    expect(sandbox.state.counters.a).toBe(many);
  });
});
