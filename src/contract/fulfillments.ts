// The three reads of fulfillments (FUL-1 to FUL-5).
import { z } from 'zod';
import { operation } from './operation.ts';
import { maybe, pageOf, pageQuery, pathId, queryText } from './paging.ts';
import { perTerms } from './terms.ts';

/** A fulfillment with the 15 documented fields. Units of weight and charge are not published. */
const fulfillmentBody = perTerms((terms) =>
  z.strictObject({
    id: z.guid(),
    order_id: z.guid(),
    consumer_id: z.guid(),
    status_id: z.string(),
    delivery_date: maybe(terms, z.iso.datetime()),
    pickup_date: maybe(terms, z.iso.datetime()),
    tracking_info: maybe(
      terms,
      z.strictObject({
        shipping_carrier: z.string(),
        shipping_method: z.string(),
        tracking_number: z.string(),
        tracking_url: z.url(),
      }),
    ),
    shipment_order_id: z.string(),
    shipment_order_number: z.string(),
    label_url: z.url(),
    shipping_net_charge: z.number(),
    weight: z.number(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    order_lines: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  }),
);

export const fulfillmentOperations = {
  'fulfillments.list': operation({
    id: 'fulfillments.list',
    method: 'GET',
    path: '/v2/fulfillments',
    summary: 'List fulfillments',
    permission: 'fulfillments:read',
    query: perTerms((terms) =>
      pageQuery(terms, { order_id: queryText().check(z.guid('malformed_parameter'), z.toLowerCase()).optional() }),
    ),
    responses: { 200: perTerms((terms) => pageOf(terms, 'fulfillments', fulfillmentBody(terms))) },
    refusals: ['malformed_parameter', 'over_max_limit', 'unknown_fields'],
  }),
  'fulfillments.get': operation({
    id: 'fulfillments.get',
    method: 'GET',
    path: '/v2/fulfillments/{fulfillmentId}',
    summary: 'Get a fulfillment',
    permission: 'fulfillments:read',
    params: perTerms((terms) => z.object({ fulfillmentId: pathId(terms) })),
    responses: { 200: perTerms((terms) => z.strictObject({ fulfillment: fulfillmentBody(terms) })) },
    refusals: ['malformed_path_id', 'FUL-1', 'foreign_resource'],
  }),
  'orders.fulfillments': operation({
    id: 'orders.fulfillments',
    method: 'GET',
    path: '/v2/orders/{orderId}/fulfillments',
    summary: 'List the fulfillments of an order',
    permission: 'fulfillments:read',
    params: perTerms((terms) => z.object({ orderId: pathId(terms) })),
    responses: { 200: perTerms((terms) => z.strictObject({ fulfillments: z.array(fulfillmentBody(terms)) })) },
    refusals: ['malformed_path_id', 'FUL-2', 'foreign_resource'],
  }),
} as const;
