// The cases of the assumptions: one for each choice. A missing case does not compile.
import type { AssumptionId, Choice } from '../../../src/contract/assumptions.ts';
import { type AnswerStatus, answerStatusNames } from '../../../src/contract/operation.ts';
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
