// The readings of how a list is cut into pages and ordered.
import { expect } from 'vitest';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type Cases, faultOf } from '../assumption-cases.ts';
import { fulfillmentRow, insertFulfillments, visibleIds } from '../fulfillment-rows.ts';
import { orderId } from '../order-requests.ts';
import { type CursorPlace, cursorIn, linkOf, readAll } from '../pages.ts';
import { type Answer, type TestSachet, testSachet } from '../sachet.ts';

/** The first and the last page of the 27 fulfillments of `demo`. */
async function twoPages(sachet: TestSachet, place: CursorPlace): Promise<[first: Answer, last: Answer]> {
  const client = await sachet.login();
  const first = await client.get('/v2/fulfillments');
  const last = await client.get(`/v2/fulfillments?cursor=${cursorIn[place](first)}`);
  expect([first.body.fulfillments.length, last.body.fulfillments.length]).toEqual([20, 7]);
  return [first, last];
}

const keysOf = ({ body }: Answer): string[] => Object.keys(body);
const nextHeaders = ({ headers }: Answer): string[] => [...headers.keys()].filter((name) => /link|cursor/.test(name));

async function expectPageSizes(sachet: TestSachet, max: number): Promise<void> {
  await insertFulfillments(
    await sachet.sandbox(),
    Array.from({ length: 120 }, (_, n) => fulfillmentRow(n)),
  );
  const client = await sachet.login();
  for (const limit of [max - 1, max, max + 1, 1000]) {
    const { body } = await client.get(`/v2/fulfillments?limit=${limit}`);
    expect(body.fulfillments).toHaveLength(Math.min(limit, max));
  }
}

/** The ids of each list of `demo` that has an order. */
async function orderedLists(list_order: Choices['list_order']): Promise<string[][]> {
  const client = await testSachet({ assumptions: { list_order, consumer_endpoints: 'assumed' } }).login();
  const orders = (await client.get('/v2/orders?limit=100')).body.orders;
  const consumers = (await client.get('/v2/consumers')).body.consumers;
  const { fulfillments } = (await client.get(`/v2/orders/${orderId(7)}/fulfillments`)).body;
  const lists = [orders, consumers, fulfillments].map((list) => list.map(({ id }: { id: string }) => id));
  const all = [...lists, await readAll(client)];
  expect(all.map(({ length }) => length)).toEqual([15, 4, 5, 27]);
  return all;
}

/** The last two digits of the fixtures' ids, by which they count from the oldest on. */
const numbersOf = (ids: readonly string[]): number[] => ids.map((id) => Number(id.slice(-2)));
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

export const listCases: Cases<'next_cursor' | 'max_limit' | 'over_max_limit' | 'list_order'> = {
  next_cursor: {
    body: async (sachet) => {
      const [first, last] = await twoPages(sachet, 'body');
      expect([first.body.next_cursor, last.body.next_cursor]).toEqual([expect.any(String), null]);
      expect([keysOf(first), nextHeaders(first)]).toEqual([['fulfillments', 'next_cursor'], []]);
    },
    meta: async (sachet) => {
      const [first, last] = await twoPages(sachet, 'meta');
      expect([first.body.meta, last.body.meta]).toEqual([{ next_cursor: expect.any(String) }, { next_cursor: null }]);
      expect([keysOf(first), nextHeaders(first)]).toEqual([['fulfillments', 'meta'], []]);
    },
    link_header: async (sachet) => {
      const [first, last] = await twoPages(sachet, 'link_header');
      const link = linkOf(first) ?? '';
      expect(link).toMatch(/^http:\/\/localhost:4010\/v2\/fulfillments\?cursor=[^&]+$/);
      const followed = await (await sachet.login()).get(link);
      expect(followed.body.fulfillments.length).toBe(last.body.fulfillments.length);
      expect([keysOf(first), nextHeaders(first)]).toEqual([['fulfillments'], ['link']]);
      expect([keysOf(last), nextHeaders(last)]).toEqual([['fulfillments'], []]);
    },
    header: async (sachet) => {
      const [first, last] = await twoPages(sachet, 'header');
      expect([keysOf(first), nextHeaders(first)]).toEqual([['fulfillments'], ['x-next-cursor']]);
      expect([keysOf(last), nextHeaders(last)]).toEqual([['fulfillments'], []]);
    },
  },
  max_limit: {
    100: (sachet) => expectPageSizes(sachet, 100),
    50: (sachet) => expectPageSizes(sachet, 50),
  },
  over_max_limit: {
    clamp: (sachet) => expectPageSizes(sachet, 100),
    reject: async (sachet) => {
      const client = await sachet.login();
      expect((await client.get('/v2/fulfillments?limit=100')).status).toBe(200);
      const words = '"limit" must be less than or equal to 100';
      for (const path of ['/v2/fulfillments?limit=101', '/v2/orders?limit=1000'])
        expect((await client.get(path)).body).toEqual(faultOf(400, 'limit', words));
    },
  },
  list_order: {
    newest_first: async () => {
      for (const ids of await orderedLists('newest_first'))
        expect(numbersOf(ids)).toEqual(ascending(numbersOf(ids)).reverse());
    },
    oldest_first: async () => {
      const lists = await orderedLists('oldest_first');
      for (const ids of lists) expect(numbersOf(ids)).toEqual(ascending(numbersOf(ids)));
      const sandbox = await testSachet().sandbox();
      expect(lists.at(-1)).toEqual(visibleIds(sandbox));
    },
  },
};
