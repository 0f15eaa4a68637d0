// Fulfillments for tests of lists: rows like the shipped ones, put into a sandbox behind the API's back.
import type { RecordOf } from '../../src/contract/records.ts';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { orderId } from './order-requests.ts';
import { fixtures } from './sachet.ts';

export type Fulfillment = RecordOf<'fulfillments'>;

const [shipped] = fixtures.fulfillments;
if (!shipped) throw new Error('the shipped fixtures have a fulfillment');
const template = shipped;

export const brandOfDemo = template.brand_id;
export const otherBrand = '11000000-0000-4000-8000-000000000002';
/** An order of `demo` that has no fulfillment in the shipped fixtures. */
export const orderWithout = orderId(18);

/** The n-th made-up fulfillment, of `demo`'s brand unless said. */
export function fulfillmentRow(n: number, changes: Partial<Fulfillment> = {}): Fulfillment {
  const id = `f0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return { ...template, id, order_id: orderWithout, order_lines: [], ...changes };
}

export async function insertFulfillments(sandbox: TransactionRunner, rows: readonly Fulfillment[]): Promise<void> {
  await sandbox.write((draft) => {
    for (const row of rows) draft.table('fulfillments').insert(row);
  });
}

/** The ids of the fulfillments that `demo` may see, oldest first; of one order only, where it is named. */
export function visibleIds(sandbox: TransactionRunner, order?: string): string[] {
  return Array.from(sandbox.state.table('fulfillments').entries(), ([, row]) => row)
    .filter(({ brand_id, order_id }) => brand_id === brandOfDemo && (order === undefined || order_id === order))
    .map(({ id }) => id);
}
