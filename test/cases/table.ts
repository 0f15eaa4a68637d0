// The case table: every rule by which every operation may refuse. It is whole, or it does not compile.
import { type OperationId, operationList } from '../../src/contract/operations.ts';
import { authenticationCases } from './authentication.ts';
import type { Case, CaseTable } from './case.ts';
import { sharedCases } from './common.ts';
import { consumerCases } from './consumers.ts';
import { fulfillmentCases } from './fulfillments.ts';
import { orderCases } from './orders.ts';
import { catalogCases } from './products.ts';

/** The cases that do not follow from the declaration of an operation. */
const ownCases: CaseTable = {
  ...authenticationCases,
  ...catalogCases,
  ...consumerCases,
  ...orderCases,
  ...fulfillmentCases,
};

export interface Row {
  readonly id: OperationId;
  readonly rule: string;
  readonly given: Case;
}

export const rows: readonly Row[] = operationList.flatMap((operation) => {
  const own: Partial<Record<OperationId, Readonly<Record<string, Case>>>> = ownCases;
  const cases = { ...sharedCases(operation), ...own[operation.id] };
  return Object.entries(cases).map(([rule, given]) => ({ id: operation.id, rule, given }));
});
