// The cases of fulfillments.
import { casesOf } from './case.ts';
import { commonCases } from './common.ts';
import { listCases, singleCases } from './reads.ts';
import { known } from './requests.ts';

const common = commonCases();
const ofOrder = singleCases((id) => `/v2/orders/${id}/fulfillments`, 'orderId', known.foreignOrder, 'Order');
const single = singleCases((id) => `/v2/fulfillments/${id}`, 'fulfillmentId', known.foreignFulfillment, 'Fulfillment');
const { notFound: noOrder, ...ofOrderRest } = ofOrder;
const { notFound: noFulfillment, ...singleRest } = single;

export const fulfillmentCases = {
  'fulfillments.list': casesOf('fulfillments.list', { ...common, ...listCases('/v2/fulfillments') }),
  'fulfillments.get': casesOf('fulfillments.get', { ...common, ...singleRest, 'FUL-1': noFulfillment }),
  'orders.fulfillments': casesOf('orders.fulfillments', { ...common, ...ofOrderRest, 'FUL-2': noOrder }),
} as const;
