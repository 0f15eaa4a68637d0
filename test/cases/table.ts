// The case table: every rule by which every operation may refuse. It is whole, or it does not compile.
import type { OperationId } from '../../src/contract/operations.ts';
import { authenticationCases } from './authentication.ts';
import type { Case, CaseTable } from './case.ts';
import { catalogCases } from './catalog.ts';
import { consumerCases } from './consumers.ts';
import { fulfillmentCases } from './fulfillments.ts';
import { orderCases } from './orders.ts';

const table: CaseTable = {
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

export const rows: readonly Row[] = (Object.keys(table) as OperationId[]).flatMap((id) =>
  Object.entries(table[id]).map(([rule, given]: [string, Case]) => ({ id, rule, given })),
);
