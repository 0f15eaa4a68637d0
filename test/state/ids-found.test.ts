// Ids whose characters come to the same 31 bits are found each by itself, in every order of changes, and in each clone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Collection } from '../../src/state/collection.ts';
import { bitsOf } from '../../src/state/text-trie.ts';
import { fulfillmentRow } from '../support/fulfillment-rows.ts';

/** Pairs that agree in their bits, and others. */
const ids = ['row-87045', 'row-656210', 'row-87044', 'row-656211', 'row-87047', 'row-656212', 'row-1', 'row-2'];
/** So many that the table has trees of its own, not a few rows beside another's. */
const others = Array.from({ length: 40 }, (_, at) => fulfillmentRow(100 + at));

type World = { readonly collection: Collection<'fulfillments'>; readonly places: Map<number, string> };

/** Whether the id stands at another place, where this test does not put it again. */
const isElsewhere = ({ places }: World, at: number, id: string): boolean =>
  [...places].some(([place, known]) => known === id && place !== at);

function put(world: World, at: number, id: string | undefined): void {
  if (id !== undefined && isElsewhere(world, at, id)) return;
  world.collection.put(at, id === undefined ? undefined : { ...fulfillmentRow(1), id });
  if (id === undefined) world.places.delete(at);
  else world.places.set(at, id);
}

function expectFound({ collection, places }: World): void {
  const placeOf = new Map([...places].map(([at, id]) => [id, at]));
  for (const id of ids) {
    expect(collection.sequenceOf(id)).toBe(placeOf.get(id));
    expect(collection.get(id)?.id).toBe(placeOf.has(id) ? id : undefined);
  }
}

function born(): World {
  const collection = new Collection('fulfillments');
  others.forEach((row, at) => {
    collection.put(100 + at, row);
  });
  return { collection, places: new Map() };
}

const change = fc.record({
  at: fc.nat(7),
  id: fc.option(fc.constantFrom(...ids), { nil: undefined }),
  clones: fc.boolean(),
});

test('what shares its bits with others is found', () => {
  const property = fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
    const worlds = [born()];
    for (const [turn, { at, id, clones }] of changes.entries()) {
      const world = worlds[turn % worlds.length] as World;
      put(world, at, id);
      if (clones && worlds.length < 4)
        worlds.push({ collection: world.collection.clone(), places: new Map(world.places) });
      for (const each of worlds) expectFound(each);
    }
  });
  fc.assert(property, { numRuns: 100 });
});

test('these ids do share their bits', () => {
  const pairs = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6)];
  for (const [one = '', other = ''] of pairs) expect(bitsOf(one)).toBe(bitsOf(other));
});
