// A trie of numbers behaves as a plain map with its numbers in order, in every order of changes, and so does each of its clones.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounds } from '../../src/contract/admin/bounds.ts';
import { NumberTrie } from '../../src/state/number-trie.ts';

interface World {
  readonly trie: NumberTrie<number>;
  readonly model: Map<number, number>;
}

/** Numbers that stand together, at the edges of its nodes, and as far apart as an import may bring them. */
const edges = [0, 31, 32, 33, 1023, 1024, 32_767, 32_768, 2 ** 30 - 1, 2 ** 30, 2 ** 31, bounds.counted, 2 ** 53 - 1];
const number = fc.oneof(fc.nat(200), fc.nat(5000), fc.constantFrom(...edges));
const change = fc.record({
  kind: fc.constantFrom('set', 'set', 'delete', 'clone'),
  number,
  /** So many in a row. */
  count: fc.oneof(fc.constant(1), fc.nat(100)),
});

function apply(
  worlds: World[],
  { trie, model }: World,
  { kind, number: first, count }: typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never,
): void {
  if (kind === 'clone') return void (worlds.length < 4 && worlds.push({ trie: trie.clone(), model: new Map(model) }));
  for (let at = first; at < first + count && at <= Number.MAX_SAFE_INTEGER; at += 1) {
    if (kind === 'delete') {
      trie.delete(at);
      model.delete(at);
    } else {
      trie.set(at, first);
      model.set(at, first);
    }
  }
}

function expectSame({ trie, model }: World, asked: readonly number[]): void {
  const entries = [...model].sort(([a], [b]) => a - b);
  expect(trie.size).toBe(model.size);
  expect(trie.last).toBeGreaterThanOrEqual(Math.max(-1, ...model.keys()));
  for (const one of [0, ...asked]) {
    expect(trie.get(one)).toBe(model.get(one));
    expect([...trie.from(one)]).toEqual(entries.filter(([number]) => number >= one));
    expect([...trie.before(one)]).toEqual(entries.filter(([number]) => number < one).toReversed());
  }
  expect([...trie.before(Number.POSITIVE_INFINITY)]).toEqual(entries.toReversed());
}

test('a trie and its clones are maps, each by itself', () => {
  const property = fc.property(
    fc.array(change, { maxLength: 40 }),
    fc.array(number, { maxLength: 5 }),
    (changes, asked) => {
      const worlds: World[] = [{ trie: new NumberTrie(), model: new Map() }];
      for (const [turn, drawn] of changes.entries()) apply(worlds, worlds[turn % worlds.length] as World, drawn);
      for (const world of worlds) expectSame(world, [...asked, ...edges]);
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('what is deleted leaves no way that must be gone', () => {
  const trie = new NumberTrie<true>();
  for (let at = 0; at < 100_000; at += 1) {
    trie.set(at, true);
    if (at >= 10) trie.delete(at - 10);
  }
  expect([...trie.from(0)]).toEqual(Array.from({ length: 10 }, (_, at) => [99_990 + at, true]));
  expect(trie.size).toBe(10);
});
