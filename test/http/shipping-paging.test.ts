// A partner reads the fulfillments page by page while the operator ships and moves packages: each once, and as it is by then (FUL-3).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterNoon, hour, lineIds, linesOf, type Operated, operated, packageActions } from '../support/operator.ts';
import { readAll } from '../support/pages.ts';

type Order = 'newest_first' | 'oldest_first';

interface Shipping {
  readonly world: Operated;
  readonly id: string;
  /** Ships the next line of the order. */
  next(): Promise<void>;
  /** The order's packages, oldest first. */
  readonly shipped: string[];
}

/** An order of so many lines, of which the first are shipped already. */
async function shipping(list_order: Order, lines: number, first: number): Promise<Shipping> {
  const world = await operated({ assumptions: { list_order } });
  const id = await world.inProduction(linesOf(lines));
  const left = await lineIds(world, id);
  const shipped: string[] = [];
  const next = async () => {
    const line = left.shift();
    if (line) shipped.push((await world.ship(id, { order_lines: [line] })).body.id);
  };
  for (let n = 0; n < first; n += 1) await next();
  return { world, id, next, shipped };
}

const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
/** How many packages are shipped, and which are moved by which action, between two pages. */
const turns = fc.array(
  fc.record({
    shipped: fc.nat(2),
    moved: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...packageActions)), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);

interface Turn {
  readonly shipped: number;
  readonly moved: readonly (readonly [pick: number, action: string])[];
}

/** What the operator does between two pages. */
async function takeTurn({ world, next, shipped }: Shipping, turn: Turn | undefined): Promise<void> {
  for (let n = 0; n < (turn?.shipped ?? 0); n += 1) await next();
  for (const [pick, action] of turn?.moved ?? []) {
    const { status } = await world.move(shipped[pick % shipped.length] ?? '', action, { force: pick % 2 === 0 });
    expect([200, 422]).toContain(status);
  }
}

describe.each<Order>(['newest_first', 'oldest_first'])('%s', (list_order) => {
  const isNewestFirst = list_order === 'newest_first';
  const listed = (oldestFirst: readonly string[]) => (isNewestFirst ? oldestFirst.toReversed() : oldestFirst);

  test.each(['of the order', 'of all'])('each fulfillment %s is met exactly once', async (which) => {
    const property = fc.asyncProperty(limits, turns, async (sizes, between) => {
      const all = await shipping(list_order, 14, 6);
      const order = which === 'of the order' ? all.id : undefined;
      const atFirst = listed(await readAll(all.world.client, { order, limit: () => 100 }));
      expect(atFirst.slice(-6)).toEqual(all.shipped);
      const read = await readAll(all.world.client, {
        order,
        limit: (page) => sizes[page % sizes.length],
        between: (page) => takeTurn(all, between[page % between.length]),
      });
      const atLast = [...atFirst, ...all.shipped.slice(6)];
      expect(read).toEqual(listed(isNewestFirst ? atFirst : atLast));
    });
    await fc.assert(property, { numRuns: 6 });
  });

  test.each([1, 2, 3, 4, 5, 6])('a limit of %d meets all six, whatever becomes of them', async (limit) => {
    const { world, id, shipped } = await shipping(list_order, 6, 6);
    const read = await readAll(world.client, {
      order: id,
      limit: () => limit,
      between: async () => {
        for (const one of shipped) await world.move(one, 'pick_up', { force: true });
      },
    });
    expect(read).toEqual(listed(shipped));
  });

  test('a package keeps its place when it is moved', async () => {
    const { world, id, shipped } = await shipping(list_order, 4, 4);
    const [first = ''] = shipped;
    for (const action of ['pick_up', 'depart', 'deliver']) {
      await world.move(first, action);
      expect(await readAll(world.client, { order: id })).toEqual(listed(shipped));
    }
    const { fulfillments } = (await world.client.get(`/v2/orders/${id}/fulfillments`)).body;
    expect(fulfillments.map((one: { id: string }) => one.id)).toEqual(listed(shipped));
  });
});

test('a move is seen at once, alone and in each list, with its time', async () => {
  const { world, id, shipped } = await shipping('newest_first', 1, 1);
  const [fulfillment = ''] = shipped;
  const paths = [`/v2/fulfillments?order_id=${id}`, `/v2/orders/${id}/fulfillments`, '/v2/fulfillments?limit=1'];
  for (const [n, [action, status_id]] of Object.entries([
    ['pick_up', 'picked_up'],
    ['depart', 'in_transit'],
    ['deliver', 'delivered'],
  ] as const)) {
    const updated_at = afterNoon((Number(n) + 1) * hour);
    await world.setTo((Number(n) + 1) * hour);
    await world.move(fulfillment, action);
    const single = (await world.client.get(`/v2/fulfillments/${fulfillment}`)).body.fulfillment;
    expect(single).toMatchObject({ id: fulfillment, status_id, updated_at });
    for (const path of paths)
      expect((await world.client.get(path)).body.fulfillments).toEqual([
        expect.objectContaining({ id: fulfillment, status_id, updated_at }),
      ]);
  }
});

test('a package that is shipped is the newest, in the list of all and of its order alone', async () => {
  const { world, id, next, shipped } = await shipping('newest_first', 3, 1);
  await next();
  const listed = async (path: string) =>
    (await world.client.get(path)).body.fulfillments.map((one: { id: string }) => one.id);
  expect(await listed('/v2/fulfillments?limit=2')).toEqual(shipped.toReversed());
  expect(await listed(`/v2/fulfillments?order_id=${id}`)).toEqual(shipped.toReversed());
  const other = await world.inProduction();
  expect(await listed(`/v2/fulfillments?order_id=${other}`)).toEqual([]);
});

test('who asks while the operator ships sees the package as soon as the operator has its answer', async () => {
  const { world, id, next, shipped } = await shipping('newest_first', 10, 0);
  for (let n = 1; n <= 10; n += 1) {
    await next();
    const { fulfillments } = (await world.client.get(`/v2/orders/${id}/fulfillments`)).body;
    expect(fulfillments).toHaveLength(n);
    expect(fulfillments[0].id).toBe(shipped.at(-1));
  }
});
