// Valid order requests for the brand of `demo` in the shipped fixtures, and the ids of their records.
import type { RecordOf } from '../../src/contract/records.ts';
import type { TransactionRunner } from '../../src/state/transaction-runner.ts';
import { fixtures } from './sachet.ts';

const numbered =
  (prefix: string) =>
  (n: number): string =>
    `${prefix}000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Ids of the shipped fixtures, by the number in their last digits. */
export const productId = numbered('20');
export const pagId = numbered('30');
export const consumerId = numbered('40');
export const orderId = numbered('50');
export const fulfillmentId = numbered('60');
/** A UUID that no record has. */
export const unknownId = '99999999-9999-4999-8999-999999999999';

/** Products that the brand of `demo` can or cannot order. */
export const products = {
  good: productId(1),
  inactive: productId(7),
  discontinued: productId(8),
  foreign: productId(9),
  ofNoPag: productId(13),
} as const;

export const someAddress = { address1: '1 Main Street', city: 'Springfield', country_name: 'United States' };

export const pouchOf = (id: string = products.good) => ({ contents: [{ client_product_id: id, serving_size: 1 }] });

/** An order line of these pouches, of one good pouch by default. */
export const orderLine = (...pouches: object[]) => ({
  duration: 30,
  pouches: pouches.length > 0 ? pouches : [pouchOf()],
});

/** A valid order with these changes. */
export const someOrder = (changes: object = {}) => ({
  consumer: { id: consumerId(1) },
  shipping_address: someAddress,
  order_lines: [orderLine()],
  ...changes,
});

/** A valid order of one line with these pouches. */
export const orderOf = (...pouches: object[]) => someOrder({ order_lines: [orderLine(...pouches)] });

export type Fulfillment = RecordOf<'fulfillments'>;

const template = fixtures.fulfillments[0] as Fulfillment;

export const brandOfDemo = template.brand_id;
export const otherBrand = '11000000-0000-4000-8000-000000000002';
/** An order of `demo` that has no fulfillment in the shipped fixtures. */
export const orderWithout = orderId(18);

/** The n-th additional fulfillment, by default of the brand of `demo`. */
export function fulfillmentRow(n: number, changes: Partial<Fulfillment> = {}): Fulfillment {
  return { ...template, id: numbered('f0')(n), order_id: orderWithout, order_lines: [], ...changes };
}

/** Their orders must exist: a list of an order's fulfillments looks for the order. */
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
