// What a page costs is what it holds, however long the list is: counted in records, not in time.
import { afterEach, expect, test, vi } from 'vitest';
import { Table } from '../../src/state/table.ts';
import { type Fulfillment, fulfillmentRow, orderWithout } from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';
import { type Client, fixtures, testSachet } from '../support/sachet.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Records that walks hand out. */
function counting(): { rows: number } {
  const counts = { rows: 0 };
  const { walk } = Table.prototype;
  vi.spyOn(Table.prototype, 'walk').mockImplementation(function* (this: typeof Table.prototype, ...from) {
    for (const entry of walk.apply(this, from)) {
      counts.rows += 1;
      yield entry;
    }
  });
  return counts;
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
async function costOf(length: number, query: string): Promise<{ rows: number }[]> {
  const client = await clientOf(Array.from({ length }, (_, n) => fulfillmentRow(n)));
  const first = await costOfPage(client, query);
  const second = await costOfPage(client, `${query}&cursor=${first.next}`);
  const newest = Array.from({ length: 40 }, (_, n) => fulfillmentRow(length - 1 - n).id);
  expect([...first.ids, ...second.ids]).toEqual(newest);
  return [first.counts, second.counts];
}

test.each(['limit=20', `limit=20&order_id=${orderWithout}`])(
  'a page of 20 touches few more records than it shows: %s',
  async (query) => {
    const small = await costOf(50, query);
    const large = await costOf(20_000, query);
    for (const { rows } of small) {
      expect(rows).toBeGreaterThanOrEqual(20);
      expect(rows).toBeLessThanOrEqual(25);
    }
    expect(large).toEqual(small);
  },
);

test.each([50, 20_000])('a list of 3 beside one of %i costs what it holds', async (length) => {
  const long = Array.from({ length }, (_, n) => fulfillmentRow(n, { order_id: orderId(1) }));
  const short = [0, 1, 2].map((n) => fulfillmentRow(length + n));
  const page = await costOfPage(await clientOf([...long, ...short]), `order_id=${orderWithout}`);
  expect(page.ids).toHaveLength(3);
  expect(page.counts.rows).toBeLessThan(10);
});
