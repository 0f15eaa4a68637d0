// The cases of the assumptions: one for each choice. A missing case does not compile.
import type { AssumptionId, Choice } from '../../../src/contract/assumptions.ts';
import { type AnswerStatus, answerStatusNames } from '../../../src/contract/operation.ts';
import { consumerId, fulfillmentId, orderId, productId } from '../../support/order-requests.ts';
import type { TestSachet } from '../../support/sachet.ts';

/** Checks one choice in a Sachet that has it, with the default choices of all other assumptions. */
export type Case = (sachet: TestSachet) => Promise<void>;

/** A case for each choice of each assumption. */
export type Cases = { readonly [Id in AssumptionId]: { readonly [R in Choice<Id>]: Case } };

/** One check for several choices, which it gets. */
export const each = <const C extends string>(
  check: (sachet: TestSachet, choice: C) => Promise<void>,
  ...choices: C[]
) =>
  Object.fromEntries(choices.map((choice) => [choice, (sachet: TestSachet) => check(sachet, choice)])) as Record<
    C,
    Case
  >;

/** The paths with an id: the name of the id, an id of another client, and what the record is called. */
export const singlePaths: readonly (readonly [path: string, name: string, foreignId: string, what: string])[] = [
  ['/v2/products/$', 'id', productId(9), 'Product'],
  ['/v2/consumers/$', 'id', consumerId(5), 'Consumer'],
  ['/v2/orders/$', 'orderId', orderId(3), 'Order'],
  ['/v2/orders/$/fulfillments', 'orderId', orderId(3), 'Order'],
  ['/v2/fulfillments/$', 'fulfillmentId', fulfillmentId(6), 'Fulfillment'],
];

type Detail = readonly [field: string, message: string];

/** The error body (HTTP-3) with the default choices. */
export function errorOf(status: AnswerStatus, message: string, details: readonly Detail[] = []) {
  const base = { statusCode: status, error: answerStatusNames[status], message };
  return details.length === 0
    ? base
    : { ...base, details: details.map(([field, words]) => ({ field, message: words })) };
}

/** The error body with one detail, whose message is also that of the body. */
export const faultOf = (status: AnswerStatus, field: string, message: string) =>
  errorOf(status, message, [[field, message]]);
