// One sandbox over a store that answers late and conflicts: what is answered was kept, what was refused never happened.
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/state/sandbox.ts';
import { type Store, StoreFailure } from '../../src/state/store.ts';
import { count, mark, marks, moved, plain, stageOver } from '../support/harsh-sandboxes.ts';
import { createHarshStore } from '../support/harsh-store.ts';

const calm = () => createHarshStore({ everyThird: false });
const thirty = Array.from({ length: 30 }, (_, n) => `m${n}`);

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

  test('that fails is told to no reader', async () => {
    const store = calm();
    const sandbox = await stageOver(store);
    store.failNext(1);
    const writing = mark(sandbox, 'a');
    const reading = marks(sandbox);
    const refused = sandbox.write((state) => {
      if (state.table('spent_refresh_tokens').get('a')) throw new RangeError('taken');
      return 'free';
    });
    await expect(writing).rejects.toThrow(StoreFailure);
    expect([await reading, await refused]).toEqual([[], 'free']);
  });

  test('sees all writes that were asked for before it', async () => {
    const sandbox = await stageOver(calm());
    expect(await Promise.all(thirty.map((id) => mark(sandbox, id)))).toEqual(thirty.map((_, n) => n + 1));
    expect(await marks(sandbox)).toEqual(thirty);
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
  await expect(writing).rejects.toThrow('in a transaction only');
  expect(plain(sandbox)).toEqual(before);
});

test('what is rehearsed is seen by nobody else', async () => {
  const sandbox = await stageOver(calm());
  const before = plain(sandbox);
  const seen = await sandbox.rehearse((state) => {
    state.table('spent_refresh_tokens').insert({ id: 'a' });
    return state.table('spent_refresh_tokens').size;
  });
  expect([seen, plain(sandbox)]).toEqual([1, before]);
});

describe('a conflict', () => {
  test('runs a write again, to one effect', async () => {
    const store = createHarshStore();
    const sandbox = await stageOver(store);
    for (const [n, id] of thirty.entries()) expect(await mark(sandbox, id)).toBe(n + 1);
    expect(store.conflicts).toBeGreaterThanOrEqual(10);
    expect([await marks(sandbox), sandbox.version]).toEqual([thirty, 31]);
  });

  test('keeps the order of writes that are under way together', async () => {
    const sandbox = await stageOver(createHarshStore());
    expect(await Promise.all(thirty.map((id) => mark(sandbox, id)))).toEqual(thirty.map((_, n) => n + 1));
    expect([await marks(sandbox), moved(sandbox)]).toEqual([thirty, 30]);
  });

  test('lets a write judge anew, that refused on what never was', async () => {
    const store = calm();
    const [sandbox, other] = [await stageOver(store), await stageOver(store)];
    const claim = async (by: Sandbox) =>
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
    const sandbox = await stageOver(createHarshStore());
    const outcomes = await Promise.allSettled(Array.from({ length: many }, (_, n) => count(sandbox, 'a', n)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(0);
    expect(sandbox.state.counters.a).toBe(many);
  });
});
