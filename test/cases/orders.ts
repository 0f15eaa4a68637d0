// The cases of orders.
import { casesOf, invalid } from './case.ts';
import { commonCases } from './common.ts';
import { orderBusinessCases } from './order-business.ts';
import { orderShapeCases, patched } from './order-shape.ts';
import { listCases, singleCases } from './reads.ts';
import { known } from './requests.ts';

const common = commonCases();
const absent = { assumptions: { order_endpoints: 'absent' }, refused: { status: 404, message: 'Not Found' } } as const;

/** The cases of an operation on one order, by what follows its id in the path. */
function singleOrderCases(rest: string) {
  const at = (id: string) => `/v2/orders/${id}${rest}`;
  const { notFound, ...single } = singleCases(at, 'orderId', known.foreignOrder, 'Order');
  return { ...common, ...single, order_endpoints: absent, 'FUL-2': notFound };
}

const missing = (field: string) => patched({ [field]: undefined }, invalid(field, `"${field}" is required`));

export const orderCases = {
  'orders.create': casesOf('orders.create', {
    ...common,
    'ORD-1': missing('consumer'),
    'ORD-2': missing('shipping_address'),
    'ORD-3': missing('order_lines'),
    ...orderShapeCases,
    ...orderBusinessCases,
  }),
  'orders.list': casesOf('orders.list', { ...common, ...listCases('/v2/orders'), order_endpoints: absent }),
  'orders.get': casesOf('orders.get', singleOrderCases('')),
  'orders.update': casesOf('orders.update', {
    ...singleOrderCases(''),
    ...orderShapeCases,
    ...orderBusinessCases,
    'ORD-22': {
      request: { path: `/v2/orders/${known.inProductionOrder}` },
      refused: { status: 422, message: 'Order cannot be modified' },
    },
  }),
  'orders.cancel': casesOf('orders.cancel', {
    ...singleOrderCases('/cancel'),
    'ORD-23': {
      request: { path: `/v2/orders/${known.inProductionOrder}/cancel` },
      refused: { status: 422, message: 'Order cannot be canceled' },
    },
  }),
} as const;
