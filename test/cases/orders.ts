// The cases of orders.
import { type CaseTable, invalid } from './case.ts';
import { singleCases } from './common.ts';
import { orderBusinessCases } from './order-business.ts';
import { orderShapeCases, patched } from './order-shape.ts';
import { known } from './requests.ts';

const missing = (field: string) => patched({ [field]: undefined }, invalid(field, `"${field}" is required`));

const single = (id: 'orders.get' | 'orders.update' | 'orders.cancel') =>
  singleCases(id, 'FUL-2', 'Order', known.foreignOrder);

export const orderCases = {
  'orders.create': {
    'ORD-1': missing('consumer'),
    'ORD-2': missing('shipping_address'),
    'ORD-3': missing('order_lines'),
    ...orderShapeCases,
    ...orderBusinessCases,
  },
  'orders.get': single('orders.get'),
  'orders.update': {
    ...single('orders.update'),
    ...orderShapeCases,
    ...orderBusinessCases,
    'ORD-22': {
      request: { path: `/v2/orders/${known.inProductionOrder}` },
      refused: { status: 422, message: 'Order cannot be modified' },
    },
  },
  'orders.cancel': {
    ...single('orders.cancel'),
    'ORD-23': {
      request: { path: `/v2/orders/${known.inProductionOrder}/cancel` },
      refused: { status: 422, message: 'Order cannot be canceled' },
    },
  },
} as const satisfies Partial<CaseTable>;
