// The store's answers may overtake each other: what a sandbox has seen once it does not forget again.
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/state/memory.ts';
import type { Store } from '../../src/state/store.ts';
import { mark, marks, moved, stageOver } from '../support/harsh-sandboxes.ts';
import { createHarshStore } from '../support/harsh-store.ts';

/** Holds the first answer that passes it until it is opened. */
function gate() {
  let open = (): void => undefined;
  let isFirst = true;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = async <T>(answer: T): Promise<T> => {
    const isHeld = isFirst;
    isFirst = false;
    if (isHeld) await opened;
    return answer;
  };
  return { open, pass };
}

test('an older answer to a read does not take back what a newer one told', async () => {
  const store = createHarshStore({ everyThird: false });
  const { open, pass } = gate();
  const since: Store['since'] = async (...asked) => pass(await store.since(...asked));
  const [sandbox, other] = [await stageOver({ ...store, since }), await stageOver(store)];
  await mark(other, 'a');
  const held = Promise.resolve(sandbox.read((draft) => draft.value('clock').now));
  expect(await marks(sandbox)).toEqual(['a']);
  await mark(other, 'b');
  expect(await marks(sandbox)).toEqual(['a', 'b']);
  open();
  await held;
  expect([sandbox.root.version, moved(sandbox)]).toEqual([3, 2]);
});

test('a late acknowledgement does not take back what others wrote since', async () => {
  const store = createHarshStore({ everyThird: false });
  const { open, pass } = gate();
  const append: Store['append'] = async (name, base, ...rest) => {
    const answer = await store.append(name, base, ...rest);
    return base > 0 ? pass(answer) : answer;
  };
  const [sandbox, other] = [await stageOver({ ...store, append }), await stageOver(store)];
  const writing = mark(sandbox, 'a');
  while ((await marks(other)).length === 0);
  await mark(other, 'b');
  expect(await marks(sandbox)).toEqual(['a', 'b']);
  open();
  expect(await writing).toBe(1);
  expect([sandbox.root.version, moved(sandbox), await marks(sandbox)]).toEqual([3, 2, ['a', 'b']]);
});

test('over a store that is at hand a write is answered here and now, and seen', async () => {
  const sandbox = await stageOver(createMemoryStore());
  const write = (id: string) => sandbox.write((draft) => draft.table('spent_refresh_tokens').insert({ id }));
  expect([write('a'), sandbox.root.version]).toEqual([undefined, 2]);
  expect(() => write('a')).toThrow('spent_refresh_tokens has a record a already');
  expect(sandbox.read((draft) => draft.table('spent_refresh_tokens').get('a'))).toEqual({ id: 'a' });
  expect(await Promise.all(['b', 'c'].map((id) => mark(sandbox, id)))).toEqual([1, 2]);
  expect(await marks(sandbox)).toEqual(['a', 'b', 'c']);
});
