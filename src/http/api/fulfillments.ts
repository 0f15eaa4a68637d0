// Handlers of the fulfillment reads (FUL-1 to FUL-3).

import { Pieces } from '../../control/journal/pieces.ts';
import { fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../../domain/fulfillments.ts';
import { listOf } from './fragments.ts';
import { fulfillmentFragments, wrappedFragments } from './fulfillment-fragments.ts';
import type { HandlersFor } from './handlers-for.ts';
import { listed } from './listed.ts';

export const fulfillmentHandlers: HandlersFor<'fulfillments.list' | 'fulfillments.get' | 'orders.fulfillments'> = {
  'fulfillments.list': (call, { query }) =>
    call.read((world) => {
      const page = listFulfillments(world, query);
      const items = page.rows.map(fulfillmentFragments(world));
      return listed(call, world, page, (beside) => listOf('fulfillments', items, page.rows[0], beside));
    }),
  'fulfillments.get': (call, { params }) =>
    call.read((world) => {
      const found = getFulfillment(world, params.fulfillmentId);
      return { status: 200, body: new Pieces([wrappedFragments(world)(found)]) };
    }),
  'orders.fulfillments': (call, { params }) =>
    call.read((world) => {
      const found = fulfillmentsOfOrder(world, params.orderId);
      return { status: 200, body: listOf('fulfillments', found.map(fulfillmentFragments(world)), found[0]) };
    }),
};
