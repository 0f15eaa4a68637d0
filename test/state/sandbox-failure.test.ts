// One sandbox over a store that fails: what was not kept is refused, what was kept happened once, and it goes on.
import { describe, expect, test } from 'vitest';
import { SandboxDeletedError, type Store, StoreFailure } from '../../src/state/store.ts';
import { count, mark, marks, moved, plain, stageOver } from '../support/chaos-sandboxes.ts';
import { createChaosStore } from '../support/chaos-store.ts';

const calm = () => createChaosStore({ everyThird: false });

describe('a store that fails', () => {
  test('refuses the write with a StoreFailure; nothing changed, and the next one succeeds', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    const before = plain(sandbox);
    store.failNext(1);
    await expect(mark(sandbox, 'a')).rejects.toThrow(StoreFailure);
    expect(plain(sandbox)).toEqual(before);
    expect([await mark(sandbox, 'a'), await marks(sandbox)]).toEqual([1, ['a']]);
  });

  test('refuses only the write it failed at; those behind it happen, in their order', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(1);
    const [first, ...others] = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => mark(sandbox, id)));
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(StoreFailure) });
    expect(others).toEqual([1, 2, 3].map((value) => ({ status: 'fulfilled', value })));
    expect(await marks(sandbox)).toEqual(['b', 'c', 'd']);
  });

  test('may have kept the write that it refused; then everybody sees it, once', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(1, true);
    const [first, ...others] = await Promise.allSettled(['a', 'b', 'c'].map((id) => mark(sandbox, id)));
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(StoreFailure) });
    expect(others).toEqual([2, 3].map((value) => ({ status: 'fulfilled', value })));
    expect(await marks(sandbox)).toEqual(['a', 'b', 'c']);
  });

  test('that kept several writes all the same has none of them run twice', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(2, true);
    const digits = [1, 10, 100];
    const outcomes = await Promise.allSettled(digits.map((digit) => count(sandbox, 'a', digit)));
    // Meets what was kept.
    await count(sandbox, 'b', 0);
    const times = digits.map((digit) => Math.floor(moved(sandbox) / digit) % 10);
    for (const [n, { status }] of outcomes.entries())
      expect(times[n], `write ${n} was ${status}`).toBeOneOf(status === 'fulfilled' ? [1] : [0, 1]);
    expect(sandbox.state.counters.a).toBe(times.filter((time) => time === 1).length);
  });

  test('to tell what is new, refuses whoever asks for it until it tells again', async () => {
    const store = createChaosStore({ everyThird: false, isShared: true });
    let isDown = false;
    const load: Store['load'] = (...asked) => {
      if (isDown) throw new Error('no connection');
      return store.load(...asked);
    };
    const sandbox = await stageOver({ ...store, load });
    isDown = true;
    const asking = await Promise.allSettled([sandbox.catchUp(), sandbox.catchUp()]);
    expect(asking.map((one) => one.status === 'rejected' && one.reason)).toEqual([
      expect.any(StoreFailure),
      expect.any(StoreFailure),
    ]);
    isDown = false;
    await sandbox.catchUp();
    expect([await mark(sandbox, 'b'), await marks(sandbox)]).toEqual([1, ['b']]);
  });

  test.each([false, true])('runs those again that wrote nothing beside a write; shared: %s', async (isShared) => {
    const store = createChaosStore({ everyThird: false, isShared });
    const sandbox = await stageOver(store);
    const kept = mark(sandbox, 'a');
    const refusing = async () =>
      sandbox.write((state) => {
        if (state.table('spent_refresh_tokens').get('b')) throw new RangeError('taken');
      });
    const together = [mark(sandbox, 'b'), marks(sandbox), mark(sandbox, 'c'), refusing()];
    await kept;
    store.failNext(1);
    const behind = [mark(sandbox, 'd'), marks(sandbox)];
    const outcomes = await Promise.allSettled([...together, ...behind]);
    const failed = { status: 'rejected', reason: expect.any(StoreFailure) };
    const value = (seen: unknown) => ({ status: 'fulfilled', value: seen });
    expect(outcomes.slice(0, 4)).toEqual([failed, value(['a']), failed, value(undefined)]);
    // Where servers share the store, nobody waits for it twice.
    expect(outcomes.slice(4)).toEqual(isShared ? [failed, failed] : [value(2), value(['a', 'd'])]);
    expect([await mark(sandbox, 'e'), await marks(sandbox)]).toEqual(isShared ? [2, ['a', 'e']] : [3, ['a', 'd', 'e']]);
  });
});

test('a hundred conflicts in a row are a StoreFailure; nothing changed, and the next write succeeds', async () => {
  const store = calm();
  let appends = 0;
  let conflicts = 100;
  const append: Store['append'] = async (...asked) => {
    appends += 1;
    return asked[1] > 0 && conflicts-- > 0 ? false : store.append(...asked);
  };
  const sandbox = await stageOver({ ...store, append });
  const before = plain(sandbox);
  await expect(mark(sandbox, 'a')).rejects.toThrow('a write had 100 conflicts in a row');
  expect([plain(sandbox), appends]).toEqual([before, 101]);
  conflicts = 99;
  expect(await mark(sandbox, 'b')).toBe(1);
});

describe('a sandbox that another server has deleted', () => {
  test('is gone for who writes, and for all who wait', async () => {
    const store = calm();
    const [sandbox, other] = [await stageOver(store), await stageOver(store)];
    const told: number[] = [];
    sandbox.observe((version) => told.push(version));
    await store.remove(other.name);
    const asked = [mark(sandbox, 'a'), mark(sandbox, 'b'), marks(sandbox), sandbox.dryRun(() => 1)];
    for (const one of asked) await expect(one).rejects.toThrow(SandboxDeletedError);
    await expect(marks(sandbox)).rejects.toThrow('the sandbox stage was deleted');
    expect([sandbox.isGone, sandbox.version, told]).toEqual([true, 1, []]);
  });

  test('is gone for who asks what is new, where servers share the store', async () => {
    const store = createChaosStore({ everyThird: false, isShared: true });
    const sandbox = await stageOver(store);
    await store.remove(sandbox.name);
    await expect(sandbox.catchUp()).rejects.toThrow(SandboxDeletedError);
    expect(sandbox.isGone).toBe(true);
    const again = await stageOver(store);
    const asking = again.catchUp();
    again.end();
    await expect(asking).rejects.toThrow(SandboxDeletedError);
  });

  test('and that ends while a write is under way keeps nothing that is asked of it then, and tells nobody', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    const told: number[] = [];
    sandbox.observe((version) => told.push(version));
    const writing = mark(sandbox, 'a');
    sandbox.end();
    await expect(mark(sandbox, 'b')).rejects.toThrow(SandboxDeletedError);
    expect([await writing, (await store.load('stage', 0))?.commits.length, told]).toEqual([1, 1, []]);
  });
});
