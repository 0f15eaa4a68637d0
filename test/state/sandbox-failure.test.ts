// One sandbox over a store that fails: what was not kept is refused, what was kept happened once, and it goes on.
import { describe, expect, test } from 'vitest';
import { type Store, StoreFailure } from '../../src/state/store.ts';
import { count, mark, marks, moved, plain, stageOver } from '../support/harsh-sandboxes.ts';
import { createHarshStore } from '../support/harsh-store.ts';

const calm = () => createHarshStore({ everyThird: false });

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

  test('at several writes in a row keeps those that it answered, and no other', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(2);
    const ids = ['a', 'b', 'c'];
    const outcomes = await Promise.allSettled(ids.map((id) => mark(sandbox, id)));
    expect(outcomes[0]?.status).toBe('rejected');
    expect(await marks(sandbox)).toEqual(ids.filter((_, n) => outcomes[n]?.status === 'fulfilled'));
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
    const store = createHarshStore({ everyThird: false, isShared: true });
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
});
