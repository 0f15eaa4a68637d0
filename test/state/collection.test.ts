// A collection behaves as a plain map of rows by sequence number, in every order of changes, and so does each of its clones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Collection } from '../../src/state/collection.ts';
import { brandOfDemo, type Fulfillment, fulfillmentRow, otherBrand } from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';

type Model = Map<number, Fulfillment>;
interface World {
  readonly collection: Collection<'fulfillments'>;
  readonly model: Model;
}

const brands = [brandOfDemo, otherBrand];
const orders = [orderId(1), orderId(2), orderId(3)];
const sequence = fc.nat(399);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    from: sequence,
    count: fc.nat(60),
    brand: fc.nat(1),
    order: fc.nat(2),
  }),
  fc.record({ kind: fc.constant('replace' as const), from: sequence, count: fc.nat(60), order: fc.nat(2) }),
  fc.record({ kind: fc.constant('remove' as const), from: sequence, count: fc.nat(150) }),
  fc.record({ kind: fc.constant('clone' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function put({ collection, model }: World, at: number, row: Fulfillment | undefined): void {
  collection.put(at, row);
  if (row) model.set(at, row);
  else model.delete(at);
}

/** Makes one change of one world, or a further world out of it. */
function apply(worlds: World[], world: World, drawn: Change, turn: number): void {
  if (drawn.kind === 'clone') {
    worlds.push({ collection: world.collection.clone(), model: new Map(world.model) });
    return;
  }
  for (let at = drawn.from; at < drawn.from + drawn.count; at += 1) {
    const former = world.model.get(at);
    if (drawn.kind === 'remove') put(world, at, undefined);
    else if (drawn.kind === 'replace' && former) put(world, at, { ...former, order_id: orders[drawn.order] ?? '' });
    else if (drawn.kind === 'put')
      put(
        world,
        at,
        fulfillmentRow(1000 * turn + at, { brand_id: brands[drawn.brand] ?? '', order_id: orders[drawn.order] ?? '' }),
      );
  }
}

const sorted = (model: Model): [number, Fulfillment][] => [...model].sort(([a], [b]) => a - b);

function expectSame({ collection, model }: World): void {
  const rows = sorted(model);
  expect([...collection.entries()]).toEqual(rows);
  expect(collection.size).toBe(rows.length);
  for (const [at, row] of rows) expect([collection.get(row.id), collection.sequenceOf(row.id)]).toEqual([row, at]);
  for (const id of brands)
    expectWalks(
      collection,
      'brand',
      id,
      rows.filter(([, row]) => row.brand_id === id),
    );
  for (const id of orders)
    expectWalks(
      collection,
      'order',
      id,
      rows.filter(([, row]) => row.order_id === id),
    );
}

/** Walks in both directions, from either end and from places within, whether a row stands there or not. */
function expectWalks(
  collection: Collection<'fulfillments'>,
  index: 'brand' | 'order',
  group: string,
  rows: [number, Fulfillment][],
): void {
  expect([...collection.walk(index, group)]).toEqual(rows);
  expect([...collection.walk(index, group, { newestFirst: true })]).toEqual(rows.toReversed());
  for (const after of [0, 1, 37, 200, 459, 1000]) {
    expect([...collection.walk(index, group, { after })]).toEqual(rows.filter(([at]) => at > after));
    const older = rows.filter(([at]) => at < after).reverse();
    expect([...collection.walk(index, group, { after, newestFirst: true })]).toEqual(older);
  }
}

function worldOf(count: number): World {
  const world: World = { collection: new Collection('fulfillments'), model: new Map() };
  for (let at = 0; at < count; at += 1) put(world, at, fulfillmentRow(at, { order_id: orders[at % 3] ?? '' }));
  return world;
}

test('a collection and all its clones hold what was put into each of them, and nothing else', () => {
  const turns = fc.array(fc.tuple(fc.nat(9), change), { maxLength: 25 });
  const property = fc.property(fc.constantFrom(0, 1, 200), turns, (count, drawn) => {
    const worlds = [worldOf(count)];
    for (const [turn, [which, change]] of drawn.entries()) {
      const world = worlds[which % worlds.length];
      if (world) apply(worlds, world, change, turn + 1);
    }
    for (const world of worlds) expectSame(world);
  });
  fc.assert(property, { numRuns: 60 });
});

test('so do clones that few rows are put into, taken out of and put back', () => {
  const at = fc.nat(11);
  const few = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), from: at, count: fc.nat(3), brand: fc.nat(1), order: fc.nat(2) }),
    fc.record({ kind: fc.constant('replace' as const), from: at, count: fc.nat(3), order: fc.nat(2) }),
    fc.record({ kind: fc.constant('remove' as const), from: at, count: fc.nat(3) }),
    fc.record({ kind: fc.constant('clone' as const) }),
  );
  const property = fc.property(fc.nat(6), fc.array(fc.tuple(fc.nat(9), few), { maxLength: 30 }), (count, drawn) => {
    const born = worldOf(count);
    const worlds = [born, { collection: born.collection.clone(), model: new Map(born.model) }];
    for (const [turn, [which, change]] of drawn.entries())
      apply(worlds, worlds[which % worlds.length] ?? born, change, turn + 1);
    for (const world of worlds) {
      expectSame(world);
      expect([...world.collection.newestFirst()]).toEqual(sorted(world.model).toReversed());
      expect(world.collection.first('order')).toEqual([...world.collection.inOrder('order')][0]);
    }
  });
  fc.assert(property, { numRuns: 300 });
});

describe('one collection', () => {
  test('a row that takes the place of another leaves no trace of it', () => {
    const { collection } = worldOf(3);
    const [old, fresh] = [fulfillmentRow(1), fulfillmentRow(7, { order_id: orders[0] ?? '' })];
    collection.put(1, fresh);
    expect([collection.get(old.id), collection.sequenceOf(old.id)]).toEqual([undefined, undefined]);
    expect([...collection.walk('order', orders[1] ?? '')]).toEqual([]);
    expect([...collection.walk('order', orders[0] ?? '')].map(([at]) => at)).toEqual([0, 1]);
  });

  test('removing what is not there changes nothing', () => {
    const { collection, model } = worldOf(3);
    collection.put(7, undefined);
    expectSame({ collection, model });
  });

  test('walking by an index that the table does not have is an error that names both', () => {
    const { collection } = worldOf(1);
    const walk = () => [...collection.walk('colour' as 'brand', 'red')];
    expect(walk).toThrow('fulfillments has no index colour');
  });
});

describe('all of a collection', () => {
  /** Rows at 0, 2, 4 … 98 of three orders, from which a clone has gone on, to show that it is none of theirs. */
  function withGaps(): World {
    const world: World = { collection: new Collection('fulfillments'), model: new Map() };
    for (let at = 0; at < 100; at += 2) put(world, at, fulfillmentRow(at, { order_id: orders[(at / 2) % 3] ?? '' }));
    world.collection.clone().put(1, fulfillmentRow(1));
    return world;
  }

  test('stands newest first, from the end or before any place, whether a row is there or not', () => {
    const { collection, model } = withGaps();
    const rows = sorted(model).toReversed();
    expect([...collection.newestFirst()]).toEqual(rows);
    for (const before of [0, 1, 2, 51, 52, 98, 99, 1000])
      expect([...collection.newestFirst(before)]).toEqual(rows.filter(([at]) => at < before));
  });

  test('stands oldest first behind any place', () => {
    const { collection, model } = withGaps();
    for (const after of [0, 1, 2, 51, 98, 1000])
      expect([...collection.entries(after)]).toEqual(sorted(model).filter(([at]) => at > after));
  });

  test('stands group by group in the order of their names, each group oldest first', () => {
    const { collection, model } = withGaps();
    put({ collection, model }, 4, fulfillmentRow(4, { order_id: orderId(9) }));
    put({ collection, model }, 6, undefined);
    const groups = [...orders, orderId(9)].map((id) => sorted(model).filter(([, row]) => row.order_id === id));
    expect(groups.map((group) => group.length)).toEqual([16, 17, 15, 1]);
    expect([...collection.inOrder('order')]).toEqual(groups.flat().map(([, row]) => row));
  });

  test('is nothing where it is empty', () => {
    const { collection } = worldOf(0);
    expect([[...collection.newestFirst()], [...collection.inOrder('order')]]).toEqual([[], []]);
  });

  test('in the order of an index that the table does not have is an error that names both', () => {
    const { collection } = worldOf(1);
    expect(() => [...collection.inOrder('colour' as 'brand')]).toThrow('fulfillments has no index colour');
  });
});
