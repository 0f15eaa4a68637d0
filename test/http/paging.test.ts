// FUL-3: following the cursor visits every fulfillment exactly once, whatever is added, moved or removed meanwhile.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assumptionRegister, type Choice } from '../../src/contract/assumptions.ts';
import { afterNoon, hour, lineIds, linesOf, operatorStage } from '../support/operator.ts';
import {
  fulfillmentRow,
  insertFulfillments,
  orderId,
  orderWithout,
  otherBrand,
  unknownId,
  visibleIds,
} from '../support/order-requests.ts';
import { readAll } from '../support/pages.ts';
import { testSachet } from '../support/sachet.ts';

const orders = ['newest_first', 'oldest_first'] as const satisfies Choice<'list_order'>[];
const limits = fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), { minLength: 1, maxLength: 6 });
/** How many are added between two pages: to the order, to another order of the client, to another client. */
const arrivals = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2));

/** Rows by these counts, in turn, numbered from `from`. */
function rowsOf([own, elsewhere, foreign]: readonly [number, number, number], from: number) {
  const kinds = [
    ...Array.from({ length: own }, () => ({})),
    ...Array.from({ length: elsewhere }, () => ({ order_id: orderId(12) })),
    ...Array.from({ length: foreign }, () => ({ brand_id: otherBrand, order_id: orderId(15) })),
  ];
  return kinds.map((kind, index) => fulfillmentRow(from + index, kind));
}

describe.each(orders)('%s', (list_order) => {
  const isNewestFirst = list_order === 'newest_first';
  const listed = (oldestFirst: readonly string[]) => (isNewestFirst ? oldestFirst.toReversed() : oldestFirst);

  test('while fulfillments are added: those of the first page’s time, or the new ones, too (FUL-3)', async () => {
    const places = fc.constantFrom(...assumptionRegister.next_cursor.choices.map(([choice]) => choice));
    const filters = fc.constantFrom(undefined, orderWithout);
    const property = fc.asyncProperty(places, filters, limits, arrivals, async (place, order, sizes, arriving) => {
      const sachet = testSachet({ assumptions: { list_order, next_cursor: place } });
      const [sandbox, client] = [await sachet.sandbox(), await sachet.login()];
      await insertFulfillments(sandbox, rowsOf([17, 2, 2], 0));
      const atFirst = visibleIds(sandbox, order);
      const read = await readAll(client, {
        place,
        order,
        limit: (page) => sizes[page % sizes.length],
        between: async (page) => {
          if (page < 4) await insertFulfillments(sandbox, rowsOf(arriving, 1000 * (page + 1)));
        },
      });
      expect(read).toEqual(listed(isNewestFirst ? atFirst : visibleIds(sandbox, order)));
    });
    await fc.assert(property, { numRuns: 20 });
  });

  test('when the record at the cursor is removed, replaced, or given to another client', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => fulfillmentRow(n));
    const ids = rows.map(({ id }) => id);
    const last = listed(ids)[2] ?? '';
    for (const change of [undefined, { status_id: 'lost' }, { brand_id: otherBrand, order_id: orderId(15) }]) {
      const sachet = testSachet({ assumptions: { list_order } });
      const [sandbox, client] = [await sachet.sandbox(), await sachet.login()];
      await insertFulfillments(sandbox, rows);
      const read = await readAll(client, {
        order: orderWithout,
        limit: () => 3,
        between: async (page) => {
          if (page > 0) return;
          await sandbox.write((draft) => {
            const table = draft.table('fulfillments');
            const row = table.get(last);
            if (row && change) table.replace({ ...row, ...change });
            else table.remove(last);
          });
        },
      });
      expect(read, JSON.stringify(change)).toEqual(listed(ids));
    }
  });
});

test('a list that ends with its page has no next page', async () => {
  const sachet = testSachet();
  await insertFulfillments(await sachet.sandbox(), rowsOf([4, 1, 1], 0));
  const client = await sachet.login();
  for (const limit of [4, 5]) {
    const { body } = await client.get(`/v2/fulfillments?order_id=${orderWithout}&limit=${limit}`);
    expect([body.fulfillments.length, body.next_cursor]).toEqual([4, null]);
  }
});

test('an order that is unknown, of another client, or without fulfillments matches nothing (FUL-3)', async () => {
  const client = await testSachet().login();
  for (const order of [unknownId, orderId(3), orderWithout]) {
    const { status, body } = await client.get(`/v2/fulfillments?order_id=${order}`);
    expect([status, body]).toEqual([200, { fulfillments: [], next_cursor: null }]);
  }
});

test('a shipped package is the newest of all and of its order, keeps its place, and shows each move at once', async () => {
  const world = await operatorStage();
  const other = await world.inProduction();
  const id = await world.inProduction(linesOf(2));
  const shipped: string[] = [];
  for (const line of await lineIds(world, id)) shipped.unshift((await world.ship(id, { order_lines: [line] })).body.id);
  const [newest, moved = ''] = shipped;
  const moves = [
    ['pick_up', 'picked_up'],
    ['depart', 'in_transit'],
  ] as const;
  for (const [n, [action, status_id]] of moves.entries()) {
    await world.setTo((n + 1) * hour);
    await world.move(moved, action);
    const expected = { id: moved, status_id, updated_at: afterNoon((n + 1) * hour) };
    expect((await world.client.get(`/v2/fulfillments/${moved}`)).body.fulfillment).toMatchObject(expected);
    const paths = [`/v2/fulfillments?order_id=${id}`, `/v2/orders/${id}/fulfillments`, '/v2/fulfillments?limit=2'];
    for (const path of paths)
      expect((await world.client.get(path)).body.fulfillments, path).toMatchObject([{ id: newest }, expected]);
  }
  expect((await world.client.get(`/v2/fulfillments?order_id=${other}`)).body.fulfillments).toEqual([]);
});
