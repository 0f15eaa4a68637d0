import { fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../../domain/fulfillments.ts';
import { presentFulfillment, presentPage } from '../../domain/present.ts';
import { requestUrl } from '../call.ts';
import type { HandlersFor } from './handlers-for.ts';

export const fulfillmentHandlers: HandlersFor<'fulfillments.list' | 'fulfillments.get' | 'orders.fulfillments'> = {
  'fulfillments.list': (call, { query }) =>
    call.read((world) => {
      const page = listFulfillments(world, query);
      return {
        status: 200,
        ...presentPage(world, 'fulfillments', page, (row) => presentFulfillment(world, row), requestUrl(call)),
      };
    }),
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
