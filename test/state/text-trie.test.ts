// A trie of texts behaves as a plain map, in every order of changes, and so does each of its clones; also of texts that share the bits of their hash.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitsOf, TextTrie } from '../../src/state/text-trie.ts';

interface World {
  readonly trie: TextTrie<number>;
  readonly model: Map<string, number>;
}

/** Pairs that agree in their bits. */
const alike = ['row-87045', 'row-656210', 'row-87044', 'row-656211', 'row-87047', 'row-656212'];
const others = Array.from({ length: 400 }, (_, at) => `row-${at}`);
/** So many that agree in their first bits that a bucket of them is divided again and again. */
const crowd = Array.from({ length: 60_000 }, (_, at) => `text ${at}`).filter((text) => bitsOf(text) >>> 21 === 5);
const texts = [...alike, ...others, ...crowd];

const change = fc.record({
  kind: fc.constantFrom('set', 'set', 'delete', 'clone'),
  from: fc.nat(texts.length - 1),
  /** So many in a row. */
  count: fc.oneof(fc.constant(1), fc.nat(150)),
});
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function apply(worlds: World[], { trie, model }: World, { kind, from, count }: Change, turn: number): void {
  if (kind === 'clone') return void (worlds.length < 4 && worlds.push({ trie: trie.clone(), model: new Map(model) }));
  for (const text of texts.slice(from, from + count)) {
    if (kind === 'delete') {
      trie.delete(text);
      model.delete(text);
    } else {
      trie.set(text, turn);
      model.set(text, turn);
    }
  }
}

test('a trie and its clones are maps, each by itself', () => {
  const property = fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
    const worlds: World[] = [{ trie: new TextTrie(), model: new Map() }];
    for (const [turn, drawn] of changes.entries()) apply(worlds, worlds[turn % worlds.length] as World, drawn, turn);
    for (const { trie, model } of worlds)
      expect(texts.map((text) => trie.get(text))).toEqual(texts.map((text) => model.get(text)));
  });
  fc.assert(property, { numRuns: 200 });
});

test('the texts are what they are chosen for', () => {
  const bits = alike.map(bitsOf);
  expect([bits[0], bits[2], bits[4]]).toEqual([bits[1], bits[3], bits[5]]);
  expect(crowd.length).toBeGreaterThan(40);
});
