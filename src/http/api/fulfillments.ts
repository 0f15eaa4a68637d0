// Handlers of the fulfillment reads (FUL-1 to FUL-3).

import { Pieces } from '../../control/journal/pieces.ts';
import { fulfillmentsOfOrder, getFulfillment, listFulfillments } from '../../domain/fulfillments.ts';
import { keptListOf } from './fragments.ts';
import { fulfillmentFragments, wrappedFragments } from './fulfillment-fragments.ts';
import type { HandlersFor } from './handlers-for.ts';
import { listed } from './listed.ts';

export const fulfillmentHandlers: HandlersFor<'fulfillments.list' | 'fulfillments.get' | 'orders.fulfillments'> = {
  'fulfillments.list': (call, { query }) =>
    call.read((world) =>
      listed(call, world, 'fulfillments', listFulfillments(world, query), fulfillmentFragments(world), keptListOf),
    ),
  'fulfillments.get': (call, { params }) =>
    call.read((world) => {
      const found = getFulfillment(world, params.fulfillmentId);
      return { status: 200, body: new Pieces([wrappedFragments(world)(found)]) };
    }),
  'orders.fulfillments': (call, { params }) =>
    call.read((world) => {
      const found = fulfillmentsOfOrder(world, params.orderId);
      return { status: 200, body: keptListOf('fulfillments', found.map(fulfillmentFragments(world)), {}, found[0]) };
    }),
};
