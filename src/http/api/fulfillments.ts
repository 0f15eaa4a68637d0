// Handlers of the fulfillment reads (FUL-1 to FUL-3).
import { fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../../domain/fulfillments.ts';
import { presentFulfillment } from '../../domain/present.ts';
import type { HandlersFor } from './handlers-for.ts';
import { listed } from './listed.ts';

export const fulfillmentHandlers: HandlersFor<'fulfillments.list' | 'fulfillments.get' | 'orders.fulfillments'> = {
  'fulfillments.list': (call, { query }) =>
    call.read((world) => listed(call, world, 'fulfillments', listFulfillments(world, query), presentFulfillment)),
  'fulfillments.get': (call, { params }) =>
    call.read((world) => ({
      status: 200,
      body: { fulfillment: presentFulfillment(world, getFulfillment(world, params.fulfillmentId)) },
    })),
  'orders.fulfillments': (call, { params }) =>
    call.read((world) => {
      const found = fulfillmentsOfOrder(world, params.orderId);
      return { status: 200, body: { fulfillments: found.map((row) => presentFulfillment(world, row)) } };
    }),
};
