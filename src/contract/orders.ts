// POST /v2/orders, and the assumed endpoints that read, list, modify and cancel orders (ORD-1 to ORD-27).
import { z } from 'zod';
import { bodyRefusals, operation, pathIdRefusals } from './operation.ts';
import { orderRequest, orderUpdate } from './order-request.ts';
import { listParts, listRefusals } from './paging.ts';
import { collections, orderStatuses } from './records.ts';
import { perAssumptions } from './resolved-assumptions.ts';
import { optionalValue, pathId } from './schema.ts';

/** The order in every response. `order_fields` decides whether it has more fields than the contract shows. */
const orderBody = perAssumptions((assumptions) => {
  const documented = {
    id: z.guid(),
    status: z.enum(orderStatuses).meta({
      description: 'A new order is Pending, or Needs Changes if the operator must approve its packaging first.',
    }),
    consumer: z
      .strictObject({
        id: z.guid(),
        first_name: optionalValue(assumptions, z.string()),
        last_name: optionalValue(assumptions, z.string()),
      })
      .meta({ id: 'OrderConsumer' }),
  };
  // As wide as a stored order: what one choice accepted, every other choice can read.
  const { shipping_address, order_lines } = collections.orders.shape;
  const echoed = { shipping_address, order_lines, created_at: z.iso.datetime(), updated_at: z.iso.datetime() };
  const echo = assumptions.get('order_fields') === 'echo';
  return z
    .strictObject({ ...documented, ...(echo ? echoed : {}) } as typeof documented & Partial<typeof echoed>)
    .meta({ id: 'Order' });
});

const single = perAssumptions((assumptions) => z.strictObject({ order: orderBody(assumptions) }));
const params = perAssumptions((assumptions) => z.object({ orderId: pathId(assumptions, 'an order') }));

const businessRules = ['ORD-11', 'ORD-17', 'ORD-18', 'ORD-19', 'ORD-20', 'ORD-21', 'pack_id'] as const;
const shapeRules = [
  ...bodyRefusals,
  'ORD-4',
  'ORD-5',
  'ORD-6',
  'ORD-7',
  'ORD-8',
  'ORD-9',
  'ORD-10',
  'ORD-12',
  'ORD-13',
  'ORD-14',
  'ORD-15',
  'ORD-16',
  'ORD-26',
  'OPEN-1',
  'OPEN-2',
  'OPEN-3',
  'OPEN-4',
  'OPEN-5',
  'OPEN-6',
  'new_consumer_contact',
  'phone_format',
  'unknown_fields',
  'empty_arrays',
  'empty_contents',
  'time_of_administration',
] as const;

export const orderOperations = {
  'orders.create': operation({
    operationId: 'createOrder',
    method: 'POST',
    path: '/v2/orders',
    summary: 'Create an order',
    description:
      'A valid order is `Pending`. If the packaging (PAG) of a line is not Active, the order is still created, as ' +
      '`Needs Changes`. This is a success: do not send the order again; the operator approves the packaging. A ' +
      'rejected order changes nothing.',
    permission: 'orders:write',
    body: orderRequest,
    responses: { 201: single, 200: single },
    answersWith: (assumptions) => (assumptions.get('order_created_status') === '201' ? 201 : 200),
    refusals: ['ORD-1', 'ORD-2', 'ORD-3', ...shapeRules, ...businessRules],
    shapedBy: ['new_consumer_match', 'pack_id', 'pag_lookup', 'fulfillment_timeline'],
  }),
  'orders.list': operation({
    operationId: 'listOrders',
    method: 'GET',
    path: '/v2/orders',
    summary: 'List orders',
    permission: 'orders:read',
    offeredBy: 'order_endpoints',
    ...listParts('orders', orderBody),
    shapedBy: ['list_order', 'fulfillment_timeline'],
    refusals: ['order_endpoints', ...listRefusals],
  }),
  'orders.get': operation({
    operationId: 'getOrder',
    method: 'GET',
    path: '/v2/orders/{orderId}',
    summary: 'Get an order',
    permission: 'orders:read',
    offeredBy: 'order_endpoints',
    params,
    responses: { 200: single },
    refusals: ['order_endpoints', ...pathIdRefusals, 'FUL-2', 'foreign_resource'],
    shapedBy: ['fulfillment_timeline'],
  }),
  'orders.update': operation({
    operationId: 'updateOrder',
    method: 'PATCH',
    path: '/v2/orders/{orderId}',
    summary: 'Modify an order',
    description:
      'Replaces any of the three fields while the order is `Pending` or `On Hold`. The packaging is checked again.',
    permission: 'orders:write',
    offeredBy: 'order_endpoints',
    params,
    body: orderUpdate,
    responses: { 200: single },
    refusals: [
      'order_endpoints',
      ...pathIdRefusals,
      'FUL-2',
      'foreign_resource',
      ...shapeRules,
      'ORD-22',
      ...businessRules,
    ],
    shapedBy: ['new_consumer_match', 'pack_id', 'pag_lookup', 'fulfillment_timeline'],
  }),
  'orders.cancel': operation({
    operationId: 'cancelOrder',
    method: 'POST',
    path: '/v2/orders/{orderId}/cancel',
    summary: 'Cancel an order',
    description:
      'Works until the order is in production. After that, contact the operator. The request needs no body. If it ' +
      'has one, this must be JSON; its content is ignored.',
    permission: 'orders:write',
    offeredBy: 'order_endpoints',
    params,
    responses: { 200: single },
    refusals: ['order_endpoints', ...bodyRefusals, ...pathIdRefusals, 'FUL-2', 'foreign_resource', 'ORD-23'],
    shapedBy: ['fulfillment_timeline'],
  }),
} as const;
