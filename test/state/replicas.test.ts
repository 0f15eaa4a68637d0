// Two servers over one store: whatever they write at the same time, no write is lost, none happens twice, and both end equal.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { count, mark, marks, moved, plain, stageOver } from '../support/chaos-sandboxes.ts';
import { createChaosStore } from '../support/chaos-store.ts';

/** Whether the store also conflicts for nothing. */
const kinds = [
  { conflicts: 'real conflicts only', everyThird: false },
  { conflicts: 'conflicts for nothing, too', everyThird: true },
] as const;

async function replicas({ everyThird }: { everyThird: boolean }) {
  const store = createChaosStore({ everyThird, isShared: true });
  return { store, first: await stageOver(store), second: await stageOver(store) };
}

async function expectEqual(first: TransactionRunner, second: TransactionRunner): Promise<void> {
  await first.catchUp();
  await second.catchUp();
  expect(plain(first)).toEqual(plain(second));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const write = fc.record({
  id: fc.uuid(),
  through: fc.nat(1),
  /** A mark, or a count. */
  marks: fc.boolean(),
  milliseconds: fc.integer({ min: 1, max: 1000 }),
  /** Whether the next write waits for the answer to this one. */
  waits: fc.boolean(),
});
type Write = typeof write extends fc.Arbitrary<infer Drawn> ? Drawn : never;

async function runAll(
  writes: readonly Write[],
  [first, second]: readonly [TransactionRunner, TransactionRunner],
): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (const { id, through, marks, milliseconds, waits } of writes) {
    const sandbox = through ? first : second;
    const wrote = marks ? mark(sandbox, id, milliseconds) : count(sandbox, 'a', milliseconds);
    running.push(wrote);
    if (waits) await wrote;
  }
  await Promise.all(running);
}

describe.each(kinds)('two replicas of a store with $conflicts', ({ everyThird }) => {
  test('keep 200 writes that come in turn through both, each once', async () => {
    const { store, first, second } = await replicas({ everyThird });
    const ids = Array.from({ length: 200 }, (_, n) => `m${n}`);
    await Promise.all(ids.map((id, n) => mark(n % 2 ? first : second, id, n)));
    await expectEqual(first, second);
    expect((await marks(first)).toSorted()).toEqual(ids.toSorted());
    expect(moved(first)).toBe(sum(ids.map((_, n) => n)));
    const versions = (await store.load('stage', 1))?.commits.map(({ version }) => version) ?? [];
    expect(versions).toEqual(versions.map((_, n) => n + 2));
  });

  test('keep writes of several kinds in any order, under way together or one after another', async () => {
    const property = fc.asyncProperty(fc.array(write, { maxLength: 25 }), async (writes) => {
      const { first, second } = await replicas({ everyThird });
      await runAll(writes, [first, second]);
      await expectEqual(first, second);
      const [marking, counting] = [writes.filter(({ marks }) => marks), writes.filter(({ marks }) => !marks)];
      expect((await marks(first)).toSorted()).toEqual(marking.map(({ id }) => id).toSorted());
      expect(first.state.counters.a ?? 0).toBe(counting.length);
      expect(moved(first)).toBe(sum(writes.map(({ milliseconds }) => milliseconds)));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('a write under way while another replica was faster', () => {
  test('does not give a number twice', async () => {
    const { first, second } = await replicas({ everyThird: false });
    const numbers = [count(second, 'a'), count(first, 'b'), count(first, 'b')];
    expect(await Promise.all(numbers)).toEqual([0, expect.any(Number), expect.any(Number)]);
    expect([await count(first, 'a'), await count(first, 'b')]).toEqual([1, 2]);
  });

  test('leaves every record in its place', async () => {
    const { first, second } = await replicas({ everyThird: false });
    await Promise.all([mark(second, 'theirs'), count(first, 'a'), count(first, 'a')]);
    await mark(first, 'ours');
    await expectEqual(first, second);
    expect(await marks(first)).toEqual(['theirs', 'ours']);
  });
});

test('a replica sees what the other one wrote once it has caught up', async () => {
  const { first, second } = await replicas({ everyThird: false });
  await mark(first, 'a');
  await second.catchUp();
  expect(await second.read((state) => state.table('spent_refresh_tokens').get('a'))).toEqual({ id: 'a' });
  expect(await mark(second, 'b')).toBe(2);
});
