// The record that a cursor stands at may be gone, or another one, when the next page is asked for.
import { describe, expect, test } from 'vitest';
import { assumptions } from '../../src/contract/assumptions.ts';
import type { Sandbox } from '../../src/state/sandbox.ts';
import { fulfillmentRow, insertFulfillments, orderWithout, otherBrand } from '../support/fulfillment-rows.ts';
import { createHarshStore } from '../support/harsh-store.ts';
import { orderId } from '../support/order-requests.ts';
import { readAll } from '../support/pages.ts';
import { testSachet } from '../support/sachet.ts';

const rows = Array.from({ length: 9 }, (_, n) => fulfillmentRow(n));
const ids = rows.map(({ id }) => id);
const [, , third = '', , , , seventh = ''] = ids;

/** What becomes of the record; removing goes through the store, as another server of the same store would do it. */
const changes = {
  removed: async (sandbox: Sandbox, store: ReturnType<typeof createHarshStore>, id: string) => {
    const { tables, version } = sandbox.root;
    const sequence = tables.fulfillments.sequenceOf(id) ?? -1;
    const removal = { table: 'fulfillments', sequence, row: null } as const;
    expect(await store.append(sandbox.name, version, [removal], { to: sandbox.root })).toBe('committed');
  },
  'given to another client': (sandbox: Sandbox, _: unknown, id: string) =>
    replace(sandbox, id, { brand_id: otherBrand, order_id: orderId(15) }),
  'replaced by another state of it': (sandbox: Sandbox, _: unknown, id: string) =>
    replace(sandbox, id, { status_id: 'lost' }),
} as const;

async function replace(sandbox: Sandbox, id: string, to: object): Promise<void> {
  await sandbox.write((draft) => {
    const table = draft.table('fulfillments');
    const row = table.get(id);
    if (row) table.replace({ ...row, ...to });
  });
}

const combinations = assumptions.list_order.readings.flatMap(([list_order]) =>
  (['removed', 'given to another client', 'replaced by another state of it'] as const).map((change) => ({
    list_order,
    change,
  })),
);

describe('the record at the cursor, between two pages', () => {
  test.each(combinations)('$change, $list_order', async ({ list_order, change }) => {
    const store = createHarshStore({ everyThird: false });
    const sachet = testSachet({ store, assumptions: { list_order } });
    const client = await sachet.login();
    const sandbox = await sachet.sandbox();
    await insertFulfillments(sandbox, rows);
    const last = list_order === 'newest_first' ? seventh : third;
    const read = await readAll(client, {
      order: orderWithout,
      limit: () => 3,
      between: async (page) => {
        if (page === 0) await changes[change](sandbox, store, last);
      },
    });
    expect(read).toEqual(list_order === 'newest_first' ? ids.toReversed() : ids);
  });
});

test('a record removed ahead of the cursor is not visited', async () => {
  const store = createHarshStore({ everyThird: false });
  const sachet = testSachet({ store });
  const client = await sachet.login();
  const sandbox = await sachet.sandbox();
  await insertFulfillments(sandbox, rows);
  const read = await readAll(client, {
    order: orderWithout,
    limit: () => 3,
    between: async (page) => {
      if (page === 0) await changes.removed(sandbox, store, third);
    },
  });
  expect(read).toEqual(ids.toReversed().filter((id) => id !== third));
});
