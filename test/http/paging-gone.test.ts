// The record that a cursor stands at may be gone, or another one, when the next page is asked for.
import { describe, expect, test } from 'vitest';
import { assumptionRegister } from '../../src/contract/assumptions.ts';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { fulfillmentRow, insertFulfillments, orderWithout, otherBrand } from '../support/fulfillment-rows.ts';
import { orderId } from '../support/order-requests.ts';
import { readAll } from '../support/pages.ts';
import { testSachet } from '../support/sachet.ts';

const rows = Array.from({ length: 9 }, (_, n) => fulfillmentRow(n));
const ids = rows.map(({ id }) => id);
const [, , third = '', , , , seventh = ''] = ids;

/** What becomes of the record. */
const changes = {
  removed: (sandbox: TransactionRunner, id: string) => sandbox.write((state) => state.table('fulfillments').remove(id)),
  'given to another client': (sandbox: TransactionRunner, id: string) =>
    replace(sandbox, id, { brand_id: otherBrand, order_id: orderId(15) }),
  'replaced by another state of it': (sandbox: TransactionRunner, id: string) =>
    replace(sandbox, id, { status_id: 'lost' }),
} as const;

async function replace(sandbox: TransactionRunner, id: string, to: object): Promise<void> {
  await sandbox.write((draft) => {
    const table = draft.table('fulfillments');
    const row = table.get(id);
    if (row) table.replace({ ...row, ...to });
  });
}

const combinations = assumptionRegister.list_order.choices.flatMap(([list_order]) =>
  (['removed', 'given to another client', 'replaced by another state of it'] as const).map((change) => ({
    list_order,
    change,
  })),
);

describe('the record at the cursor, between two pages', () => {
  test.each(combinations)('$change, $list_order', async ({ list_order, change }) => {
    const sachet = testSachet({ assumptions: { list_order } });
    const client = await sachet.login();
    const sandbox = await sachet.sandbox();
    await insertFulfillments(sandbox, rows);
    const last = list_order === 'newest_first' ? seventh : third;
    const read = await readAll(client, {
      order: orderWithout,
      limit: () => 3,
      between: async (page) => {
        if (page === 0) await changes[change](sandbox, last);
      },
    });
    expect(read).toEqual(list_order === 'newest_first' ? ids.toReversed() : ids);
  });
});

test('a record removed ahead of the cursor is not visited', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const sandbox = await sachet.sandbox();
  await insertFulfillments(sandbox, rows);
  const read = await readAll(client, {
    order: orderWithout,
    limit: () => 3,
    between: async (page) => {
      if (page === 0) await changes.removed(sandbox, third);
    },
  });
  expect(read).toEqual(ids.toReversed().filter((id) => id !== third));
});
