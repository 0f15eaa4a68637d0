// What a test of every reading is: one case per reading of each assumption. One that is missing does not compile.
import type { AssumptionId, Choice } from '../../src/contract/assumptions.ts';
import { type AnswerStatus, answerStatusNames } from '../../src/contract/operation.ts';
import type { TestSachet } from './sachet.ts';

/** Shows one reading; the Sachet it is given reads the assumption so, and all others by default. */
export type Case = (sachet: TestSachet) => Promise<void>;

/** A case for each reading of these assumptions. */
export type Cases<Ids extends AssumptionId = AssumptionId> = {
  readonly [Id in Ids]: { readonly [R in Choice<Id>]: Case };
};

type Detail = readonly [field: string, message: string];

/** The error body of HTTP-3, by the default readings: the message of the first detail, and all details. */
export function errorOf(status: AnswerStatus, message: string, details: readonly Detail[] = []) {
  const base = { statusCode: status, error: answerStatusNames[status], message };
  return details.length === 0
    ? base
    : { ...base, details: details.map(([field, words]) => ({ field, message: words })) };
}

/** As errorOf, where the message is that of the one detail. */
export const faultOf = (status: AnswerStatus, field: string, message: string) =>
  errorOf(status, message, [[field, message]]);
