// The cases of fulfillments.
import type { CaseTable } from './case.ts';
import { singleCases } from './common.ts';
import { known } from './requests.ts';

export const fulfillmentCases = {
  'fulfillments.get': singleCases('fulfillments.get', 'FUL-1', 'Fulfillment', known.foreignFulfillment),
  'orders.fulfillments': singleCases('orders.fulfillments', 'FUL-2', 'Order', known.foreignOrder),
} as const satisfies Partial<CaseTable>;
