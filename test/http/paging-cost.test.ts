// A page of a long list costs no more than a page of a short one, counted in records that the server walks over.
import { afterEach, expect, test, vi } from 'vitest';
import { Table } from '../../src/state/table.ts';
import { fulfillmentRow, orderWithout } from '../support/order-requests.ts';
import { type Client, fixtures, testSachet } from '../support/sachet.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function costOfPage(client: Client, query: string) {
  let rows = 0;
  const { walk } = Table.prototype;
  vi.spyOn(Table.prototype, 'walk').mockImplementation(function* (this: typeof Table.prototype, ...from) {
    for (const entry of walk.apply(this, from)) {
      rows += 1;
      yield entry;
    }
  });
  const { body } = await client.get(`/v2/fulfillments?${query}`);
  vi.restoreAllMocks();
  return { rows, ids: body.fulfillments.map(({ id }: { id: string }) => id), next: body.next_cursor };
}

test('a page of 20 walks over few more records than it shows, and over as many in a list of any length', async () => {
  const costs: number[][] = [];
  for (const length of [50, 5000]) {
    const fulfillments = Array.from({ length }, (_, n) => fulfillmentRow(n));
    const client = await testSachet({ fixtures: { ...fixtures, fulfillments } }).login();
    const newest = fulfillments.slice(-40).reverse();
    const cost: number[] = [];
    for (const query of ['limit=20', `limit=20&order_id=${orderWithout}`]) {
      const first = await costOfPage(client, query);
      const second = await costOfPage(client, `${query}&cursor=${first.next}`);
      expect([...first.ids, ...second.ids]).toEqual(newest.map(({ id }) => id));
      cost.push(first.rows, second.rows);
    }
    costs.push(cost);
  }
  const [short = [], long] = costs;
  expect(short.filter((rows) => rows < 20 || rows > 25)).toEqual([]);
  expect(long).toEqual(short);
});
