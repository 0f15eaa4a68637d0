// FUL-3: following the cursor visits every fulfillment exactly once, whatever the limits, while new ones are being added.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assumptionRegister, type Choice } from '../../src/contract/assumptions.ts';
import {
  fulfillmentRow,
  insertFulfillments,
  orderWithout,
  otherBrand,
  visibleIds,
} from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';
import { type CursorPlace, readAll } from '../support/pages.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const combinations = assumptionRegister.list_order.choices.flatMap(([list_order]) =>
  assumptionRegister.next_cursor.choices.flatMap(([next_cursor]) =>
    [undefined, orderWithout].map((order) => ({
      list_order,
      next_cursor,
      order,
      filter: order ? 'the fulfillments of an order' : 'all fulfillments',
    })),
  ),
);
const limits = fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), { minLength: 1, maxLength: 6 });
/** How many come between two pages: of the order, of another order of the same client, of another client. */
const arrivals = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(2));

/** Rows by their counts, in turn, with numbers of their own. */
function rowsOf([own, elsewhere, foreign]: readonly [number, number, number], from: number) {
  const kinds = [
    ...Array.from({ length: own }, () => ({})),
    ...Array.from({ length: elsewhere }, () => ({ order_id: orderId(12) })),
    ...Array.from({ length: foreign }, () => ({ brand_id: otherBrand, order_id: orderId(15) })),
  ];
  return kinds.map((kind, index) => fulfillmentRow(from + index, kind));
}

/** Reads all while more arrive, and says what was there at the first and at the last page. */
async function readWhileArriving(
  sachet: TestSachet,
  { place, order, sizes }: { place: CursorPlace; order: string | undefined; sizes: readonly (number | undefined)[] },
  arriving: readonly [number, number, number],
) {
  const sandbox = await sachet.sandbox();
  const client = await sachet.login();
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
  return { read, atFirst, atLast: visibleIds(sandbox, order) };
}

/** The newest first: who reads on does not meet what came later. The oldest first: it all comes in the end. */
const expected: Readonly<
  Record<Choice<'list_order'>, (read: { atFirst: readonly string[]; atLast: readonly string[] }) => readonly string[]>
> = {
  newest_first: ({ atFirst }) => atFirst.toReversed(),
  oldest_first: ({ atLast }) => atLast,
};

describe('following the cursor visits every fulfillment exactly once (FUL-3)', () => {
  test.each(combinations)('$filter, $list_order, by next_cursor $next_cursor', async (combination) => {
    const { list_order, next_cursor, order } = combination;
    const property = fc.asyncProperty(limits, arrivals, async (sizes, arriving) => {
      const sachet = testSachet({ assumptions: { list_order, next_cursor } });
      const result = await readWhileArriving(sachet, { place: next_cursor, order, sizes }, arriving);
      expect(result.read).toEqual(expected[list_order](result));
    });
    await fc.assert(property, { numRuns: 6 });
  });
});

test('a list that ends with its page has no further page', async () => {
  const sachet = testSachet();
  await insertFulfillments(await sachet.sandbox(), rowsOf([4, 1, 1], 0));
  const client = await sachet.login();
  for (const limit of [4, 5]) {
    const { body } = await client.get(`/v2/fulfillments?order_id=${orderWithout}&limit=${limit}`);
    expect([body.fulfillments.length, body.next_cursor]).toEqual([4, null]);
  }
});

test('without a limit a page has 20 (FUL-3)', async () => {
  const { body } = await (await testSachet().login()).get('/v2/fulfillments');
  expect(body.fulfillments).toHaveLength(20);
});

test('an order that is unknown, of another client, or without fulfillments matches nothing (FUL-3)', async () => {
  const client = await testSachet().login();
  for (const order of ['99999999-9999-4999-8999-999999999999', orderId(3), orderWithout]) {
    const { status, body } = await client.get(`/v2/fulfillments?order_id=${order}`);
    expect([status, body]).toEqual([200, { fulfillments: [], next_cursor: null }]);
  }
});
