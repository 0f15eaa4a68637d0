// What a page costs is what it holds, however long the list is: counted in records, not in time.
import { afterEach, expect, test, vi } from 'vitest';
import { BTree } from '../../src/state/btree.ts';
import { Collection } from '../../src/state/collection.ts';
import { type Fulfillment, fulfillmentRow, orderWithout } from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';
import { type Client, fixtures, testSachet } from '../support/sachet.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

interface Counts {
  /** Records that walks hand out. */
  rows: number;
  /** Look-ups in all trees. */
  lookUps: number;
  /** Steps from one place of a tree to the next. */
  steps: number;
}

function counting(): Counts {
  const counts = { rows: 0, lookUps: 0, steps: 0 };
  const { walk } = Collection.prototype;
  vi.spyOn(Collection.prototype, 'walk').mockImplementation(function* (this: typeof Collection.prototype, ...from) {
    for (const entry of walk.apply(this, from)) {
      counts.rows += 1;
      yield entry;
    }
  });
  const { get } = BTree.prototype;
  vi.spyOn(BTree.prototype, 'get').mockImplementation(function (this: typeof BTree.prototype, ...key) {
    counts.lookUps += 1;
    return get.apply(this, key);
  });
  countSteps(counts, 'entries');
  countSteps(counts, 'entriesReversed');
  return counts;
}

function countSteps(counts: Counts, direction: 'entries' | 'entriesReversed'): void {
  const original = BTree.prototype[direction];
  vi.spyOn(BTree.prototype, direction).mockImplementation(function (this: typeof BTree.prototype, ...from: unknown[]) {
    const places = original.apply(this, from as []);
    const next = places.next.bind(places);
    return Object.assign(places, {
      next: () => {
        counts.steps += 1;
        return next();
      },
    });
  });
}

/** A client of a sandbox that holds these fulfillments and no others. */
async function clientOf(fulfillments: Fulfillment[]): Promise<Client> {
  return testSachet({ fixtures: { ...fixtures, fulfillments } }).login();
}

async function costOfPage(client: Client, query: string) {
  const counts = counting();
  const { body } = await client.get(`/v2/fulfillments?${query}`);
  vi.restoreAllMocks();
  const ids = body.fulfillments.map(({ id }: { id: string }) => id);
  return { counts, ids, next: body.next_cursor };
}

/** What the first two pages of a list of this length cost, each. */
async function costOf(length: number, query: string): Promise<Counts[]> {
  const client = await clientOf(Array.from({ length }, (_, n) => fulfillmentRow(n)));
  const first = await costOfPage(client, query);
  const second = await costOfPage(client, `${query}&cursor=${first.next}`);
  const newest = Array.from({ length: 40 }, (_, n) => fulfillmentRow(length - 1 - n).id);
  expect([...first.ids, ...second.ids]).toEqual(newest);
  return [first.counts, second.counts];
}

test.each(['limit=20', `limit=20&order_id=${orderWithout}`])(
  'a page of 20 touches 21 records at most: %s',
  async (query) => {
    const small = await costOf(50, query);
    const large = await costOf(20_000, query);
    for (const { rows, lookUps, steps } of small) {
      expect(rows).toBeGreaterThanOrEqual(20);
      expect(rows).toBeLessThanOrEqual(21);
      expect(lookUps).toBeLessThan(60);
      expect(steps).toBeLessThan(60);
    }
    expect(large).toEqual(small);
  },
);

test.each([50, 20_000])('a list of 3 beside one of %i costs what it holds', async (length) => {
  const long = Array.from({ length }, (_, n) => fulfillmentRow(n, { order_id: orderId(1) }));
  const short = [0, 1, 2].map((n) => fulfillmentRow(length + n));
  const page = await costOfPage(await clientOf([...long, ...short]), `order_id=${orderWithout}`);
  expect([page.ids.length, page.counts.rows]).toEqual([3, 3]);
  expect(page.counts.steps).toBeLessThan(20);
});
