// Two servers over one store: no write is lost or happens twice, and both end with the same state.
import { expect, test } from 'vitest';
import { count, createChaosStore, mark, marks, moved, plain, stageOver } from '../support/chaos-store.ts';

async function replicas(everyThird = false) {
  const store = createChaosStore({ everyThird, isShared: true });
  const [first, second] = [await stageOver(store), await stageOver(store)];
  const expectEqual = async () => {
    await first.catchUp();
    await second.catchUp();
    expect(plain(first)).toEqual(plain(second));
  };
  return { store, first, second, expectEqual };
}

test.each([false, true])(
  '100 concurrent writes through both happen once; needless conflicts: %s',
  async (everyThird) => {
    const { store, first, second, expectEqual } = await replicas(everyThird);
    const ids = Array.from({ length: 100 }, (_, n) => `m${n}`);
    await Promise.all(ids.map((id, n) => mark(n % 2 ? first : second, id, n)));
    await expectEqual();
    expect((await marks(first)).toSorted()).toEqual(ids.toSorted());
    expect(moved(first)).toBe((100 * 99) / 2);
    const versions = (await store.load('stage', 1))?.commits.map(({ version }) => version) ?? [];
    expect(versions).toEqual(versions.map((_, n) => n + 2));
  },
);

test('a write that meets the commit of another server gives no number twice, and keeps the order', async () => {
  const { first, second, expectEqual } = await replicas();
  const numbers = await Promise.all([count(second, 'a'), count(first, 'b'), count(first, 'b')]);
  expect(numbers).toEqual([0, expect.any(Number), expect.any(Number)]);
  expect([await count(first, 'a'), await count(first, 'b')]).toEqual([1, 2]);
  await Promise.all([mark(second, 'theirs'), count(first, 'a'), count(first, 'a')]);
  await mark(first, 'ours');
  await expectEqual();
  expect(await marks(first)).toEqual(['theirs', 'ours']);
});
