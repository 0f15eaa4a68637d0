// FUL-3: following the cursor visits every fulfillment exactly once, whatever is added, moved or removed meanwhile.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assumptionRegister, type Choice } from '../../src/contract/assumptions.ts';
import { lineIds, linesOf, operatorStage } from '../support/operator.ts';
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
import { afterNoon, hour, testSachet } from '../support/sachet.ts';

const orders = ['newest_first', 'oldest_first'] as const satisfies Choice<'list_order'>[];
const limits = fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), { minLength: 1, maxLength: 6 });
/** How many are added between two pages: to the order, to another order of the client, to another client. */
const arrivals = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2));

/** Rows of an order, of another order of the client, and of another client: by these counts, numbered from `from`. */
function rowsOf(counts: readonly [number, number, number], from: number) {
  const kinds = [{}, { order_id: orderId(12) }, { brand_id: otherBrand, order_id: orderId(15) }];
  const rows = counts.flatMap((count, kind) => Array<object>(count).fill(kinds[kind] ?? {}));
  return rows.map((changes, index) => fulfillmentRow(from + index, changes));
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

test('an order that is unknown, foreign or empty matches nothing; a list that ends with its page has no next (FUL-3)', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const read = async (order: string, limit = 20) =>
    (await client.get(`/v2/fulfillments?order_id=${order}&limit=${limit}`)).body;
  for (const order of [unknownId, orderId(3), orderWithout])
    expect(await read(order)).toEqual({ fulfillments: [], next_cursor: null });
  await insertFulfillments(await sachet.sandbox(), rowsOf([4, 1, 1], 0));
  for (const limit of [4, 5]) {
    const { fulfillments, next_cursor } = await read(orderWithout, limit);
    expect([fulfillments.length, next_cursor]).toEqual([4, null]);
  }
});

test('a shipped package is the newest of all and of its order, keeps its place, and shows each move at once', async () => {
  const world = await operatorStage();
  const id = await world.inProduction(linesOf(2));
  const shipped: string[] = [];
  for (const line of await lineIds(world, id)) shipped.unshift((await world.ship(id, { order_lines: [line] })).body.id);
  const [newest, moved = ''] = shipped;
  for (const [status_id, action, hours] of [
    ['picked_up', 'pick_up', 1],
    ['in_transit', 'depart', 2],
  ] as const) {
    await world.setTo(hours * hour);
    await world.move(moved, action);
    const expected = { id: moved, status_id, updated_at: afterNoon(hours * hour) };
    expect((await world.client.get(`/v2/fulfillments/${moved}`)).body.fulfillment).toMatchObject(expected);
    const paths = [`/v2/fulfillments?order_id=${id}`, `/v2/orders/${id}/fulfillments`, '/v2/fulfillments?limit=2'];
    for (const path of paths)
      expect((await world.client.get(path)).body.fulfillments, path).toMatchObject([{ id: newest }, expected]);
  }
});

test('the filter finds an order by its id in capital letters, and no package of another order (FUL-3)', async () => {
  const world = await operatorStage();
  const id = await world.inProduction();
  const { body: shipped } = await world.ship(id);
  expect(id.toUpperCase()).not.toBe(id);
  const { body } = await world.client.get(`/v2/fulfillments?order_id=${id.toUpperCase()}`);
  expect(body.fulfillments).toMatchObject([{ id: shipped.id, order_id: id }]);
});
