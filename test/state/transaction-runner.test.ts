// One sandbox over a store that responds late, conflicts and fails: what it acknowledges is stored once, what it rejects never happened.
import { describe, expect, test } from 'vitest';
import type { Change, StoredChange } from '../../src/state/state.ts';
import { SandboxDeletedError, type Store, StoreFailure } from '../../src/state/store.ts';
import { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { createChaosStore, mark, marks, moved, plain, stageOver } from '../support/chaos-store.ts';
import { freshState } from '../support/test-state.ts';
import { make, open } from './store-suite.ts';

const calm = (isShared = false) => createChaosStore({ everyThird: false, isShared });
const names = (length: number) => Array.from({ length }, (_, n) => `m${n}`);
const snapshotOf = (change: Change | StoredChange) => ('keep' in change ? change.keep : Object.keys(change)[0]);
const failed = { status: 'rejected', reason: expect.any(StoreFailure) };
const fulfilled = (value: unknown) => ({ status: 'fulfilled', value });

/** Inserts a mark unless it exists. */
const claim = async (sandbox: TransactionRunner, id: string) =>
  sandbox.write((state) => {
    if (state.table('spent_refresh_tokens').get(id)) throw new RangeError('taken');
    state.table('spent_refresh_tokens').insert({ id });
  });

test('without a store a write is done when it has run', async () => {
  const runner = new TransactionRunner(freshState(), 1);
  const seen: number[] = [];
  runner.observe((version) => seen.push(version));
  const write = mark(runner, 'a');
  expect([runner.version, seen, moved(runner)]).toEqual([2, [2], 1]);
  expect([await write, await marks(runner)]).toEqual([1, ['a']]);
  await expect(claim(runner, 'a')).rejects.toThrow(RangeError);
  await runner.catchUp();
  runner.end();
  await expect(mark(runner, 'b')).rejects.toThrow(SandboxDeletedError);
  expect([runner.version, seen]).toEqual([2, [2]]);
});

test('writes and reads of what they wrote get a response only after the store has acknowledged them', async () => {
  const events: string[] = [];
  const store = calm();
  const append: Store['append'] = async (...args) => {
    const result = await store.append(...args);
    events.push(`acknowledged ${args[1] + 1}`);
    return result;
  };
  const sandbox = await stageOver({ ...store, append });
  const a = mark(sandbox, 'a').then(() => events.push('a'));
  const read = marks(sandbox).then((seen) => events.push(`read ${seen}`));
  const b = mark(sandbox, 'b').then(() => events.push('b'));
  await Promise.all([a, read, b]);
  expect(events).toEqual(['acknowledged 1', 'acknowledged 2', 'a', 'acknowledged 3', 'read a', 'b']);
});

test('concurrent writes share an append, and only one append is in progress', async () => {
  const store = calm();
  const appended: number[] = [];
  let [running, most] = [0, 0];
  const append: Store['append'] = async (...args) => {
    appended.push(args[2].filter((change) => 'table' in change && change.table === 'spent_refresh_tokens').length);
    most = Math.max(most, ++running);
    return store.append(...args).finally(() => --running);
  };
  const sandbox = await stageOver({ ...store, append });
  await Promise.all(names(30).map((id) => mark(sandbox, id)));
  expect([appended, most, sandbox.version]).toEqual([[0, 1, 29], 1, 3]);
});

test('writes that throw, writes that change nothing, reads and dry runs leave everything as it was', async () => {
  const sandbox = await stageOver(calm());
  const before = plain(sandbox);
  const write = async () =>
    sandbox.write((state) => {
      state.table('spent_refresh_tokens').insert({ id: 'a' });
      throw new RangeError('no');
    });
  await expect(write()).rejects.toThrow(RangeError);
  const read = sandbox.read((state) => state.table('spent_refresh_tokens').insert({ id: 'a' }));
  await expect(read).rejects.toThrow('only in a transaction');
  expect(await sandbox.write((state) => state.value('clock').now)).toBe(sandbox.state.value('clock').now);
  const dryRun = await sandbox.dryRun((state) => {
    state.table('spent_refresh_tokens').insert({ id: 'a' });
    return state.table('spent_refresh_tokens').size;
  });
  expect([dryRun, plain(sandbox)]).toEqual([1, before]);
});

test('observers get each stored commit, also those of other servers, until they end', async () => {
  const store = calm();
  const [sandbox, other] = [await make(store), await open(store)];
  const [seen, all]: [string[], number[]] = [[], []];
  sandbox.observe((version) => all.push(version));
  const end = sandbox.observe((version, changes) => seen.push(`${version}: ${changes.map(snapshotOf)}`));
  await other.write((state) => state.keep('theirs', 1));
  store.failNext(1);
  await expect(sandbox.write((state) => state.keep('lost', 1))).rejects.toThrow(StoreFailure);
  await sandbox.dryRun((state) => state.keep('tried', 1));
  await sandbox.write((state) => state.keep('ours', 1));
  end();
  await sandbox.write((state) => state.keep('unseen', 1));
  expect([seen, all]).toEqual([
    ['2: theirs', '3: ours'],
    [2, 3, 4],
  ]);
});

describe('commits of other servers', () => {
  test.each([false, true])('are loaded only if servers share the store: %s', async (isShared) => {
    const store = calm(isShared);
    await make(store);
    let loads = 0;
    const load: Store['load'] = (...args) => store.load(...args).finally(() => ++loads);
    const sandbox = await open({ ...store, load });
    await mark(sandbox, 'a');
    await Promise.all([marks(sandbox), mark(sandbox, 'b'), mark(sandbox, 'c')]);
    expect(loads).toBe(1);
    await sandbox.catchUp();
    expect(loads).toBe(isShared ? 2 : 1);
    // A successful append proves that there are no other commits.
    await Promise.all([mark(sandbox, 'd'), mark(sandbox, 'e'), sandbox.catchUp()]);
    expect(loads).toBe(isShared ? 2 : 1);
  });

  test('can come as a whole document', async () => {
    const store = calm(true);
    const other = await make(store);
    let { document, fixtures } = other.whole(other.version);
    const load: Store['load'] = async (name) => ({
      whole: { document: JSON.parse(JSON.stringify(document)), fixtures },
      commits: (await store.load(name, document.version))?.commits ?? [],
    });
    const sandbox = await open({ ...store, load });
    const seen: string[] = [];
    sandbox.observe((version, changes) => seen.push(`${version}: ${changes.map((change) => Object.keys(change)[0])}`));
    await other.write((state) => state.keep('one', 1));
    ({ document, fixtures } = other.whole(other.version));
    await other.write((state) => state.keep('two', 1));
    await sandbox.catchUp();
    await sandbox.write((state) => state.drop('one'));
    expect(seen).toEqual(['3: restore', '4: drop']);
    expect([...sandbox.state.snapshots.keys()]).toEqual(['', 'two']);
  });
});

describe('conflicts', () => {
  test('repeat writes, with one effect each and in order', async () => {
    const store = createChaosStore();
    const sandbox = await stageOver(store);
    for (const n of [1, 2, 3]) expect(await mark(sandbox, `${n}`)).toBe(n);
    expect(store.conflicts).toBeGreaterThan(0);
    const values = await Promise.all(names(200).map((id) => mark(sandbox, id)));
    expect(values).toEqual(values.map((_, n) => n + 4));
    expect([await marks(sandbox), moved(sandbox)]).toEqual([['1', '2', '3', ...names(200)], 203]);
  });

  test('judge a write again that was rejected because of a write that did not happen', async () => {
    const store = calm();
    const [sandbox, other] = [await stageOver(store), await stageOver(store)];
    await other.catchUp();
    const claims = [claim(other, 'one'), claim(sandbox, 'one'), claim(sandbox, 'one')];
    const outcomes = await Promise.allSettled(claims);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await marks(sandbox)).toEqual(['one']);
  });

  test('fail after 100 in a row; the next write succeeds', async () => {
    const store = calm();
    let [appends, conflicts] = [0, 100];
    const append: Store['append'] = async (...args) => {
      appends += 1;
      return args[1] > 0 && conflicts-- > 0 ? false : store.append(...args);
    };
    const sandbox = await stageOver({ ...store, append });
    const before = plain(sandbox);
    await expect(mark(sandbox, 'a')).rejects.toThrow('a write had 100 conflicts in a row');
    expect([plain(sandbox), appends]).toEqual([before, 101]);
    conflicts = 99;
    expect(await mark(sandbox, 'b')).toBe(1);
  });
});

describe('a store that fails', () => {
  test('rejects only the write of that append, which changes nothing', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    const before = plain(sandbox);
    store.failNext(1);
    await expect(mark(sandbox, 'a')).rejects.toThrow(StoreFailure);
    expect(plain(sandbox)).toEqual(before);
    store.failNext(1);
    const outcomes = await Promise.allSettled(names(4).map((id) => mark(sandbox, id)));
    expect(outcomes).toEqual([failed, fulfilled(1), fulfilled(2), fulfilled(3)]);
    expect(await marks(sandbox)).toEqual(['m1', 'm2', 'm3']);
  });

  test('may have stored a write that it rejects, once', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(1, true);
    const outcomes = await Promise.allSettled(names(3).map((id) => mark(sandbox, id)));
    expect(outcomes).toEqual([failed, fulfilled(2), fulfilled(3)]);
    expect(await marks(sandbox)).toEqual(names(3));
  });

  test('rejects everybody who needs the commits of other servers until it works again', async () => {
    const store = calm(true);
    let isDown = false;
    const load: Store['load'] = (...args) => {
      if (isDown) throw new Error('no connection');
      return store.load(...args);
    };
    const sandbox = await stageOver({ ...store, load });
    isDown = true;
    expect(await Promise.allSettled([sandbox.catchUp(), sandbox.catchUp()])).toEqual([failed, failed]);
    isDown = false;
    await sandbox.catchUp();
    expect([await mark(sandbox, 'b'), await marks(sandbox)]).toEqual([1, ['b']]);
  });

  test.each([false, true])('repeats those in a failed batch that wrote nothing; shared: %s', async (isShared) => {
    const store = calm(isShared);
    const sandbox = await stageOver(store);
    const kept = mark(sandbox, 'a');
    const refusing = async () =>
      sandbox.write((state) => {
        if (state.table('spent_refresh_tokens').get('b')) throw new RangeError('taken');
      });
    const batch = [mark(sandbox, 'b'), marks(sandbox), mark(sandbox, 'c'), refusing()];
    await kept;
    store.failNext(1);
    const outcomes = await Promise.allSettled([...batch, mark(sandbox, 'd'), marks(sandbox)]);
    expect(outcomes.slice(0, 4)).toEqual([failed, fulfilled(['a']), failed, fulfilled(undefined)]);
    // If servers share the store, nobody waits for it twice.
    expect(outcomes.slice(4)).toEqual(isShared ? [failed, failed] : [fulfilled(2), fulfilled(['a', 'd'])]);
    expect([await mark(sandbox, 'e'), await marks(sandbox)]).toEqual(isShared ? [2, ['a', 'e']] : [3, ['a', 'd', 'e']]);
  });
});

describe('a sandbox that another server deleted', () => {
  test('rejects writes, reads and dry runs', async () => {
    const store = calm();
    const [sandbox, other] = [await stageOver(store), await stageOver(store)];
    const seen: number[] = [];
    sandbox.observe((version) => seen.push(version));
    await store.remove(other.name);
    for (const late of [mark(sandbox, 'a'), mark(sandbox, 'b'), marks(sandbox), sandbox.dryRun(() => 1)])
      await expect(late).rejects.toThrow(SandboxDeletedError);
    await expect(marks(sandbox)).rejects.toThrow('the sandbox stage was deleted');
    expect([sandbox.isGone, sandbox.version, seen]).toEqual([true, 1, []]);
  });

  test('stores a write in progress, but no later one, and notifies nobody', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    const seen: number[] = [];
    sandbox.observe((version) => seen.push(version));
    const write = mark(sandbox, 'a');
    sandbox.end();
    await expect(mark(sandbox, 'b')).rejects.toThrow(SandboxDeletedError);
    expect([await write, (await store.load('stage', 0))?.commits.length, seen]).toEqual([1, 1, []]);
  });
});
