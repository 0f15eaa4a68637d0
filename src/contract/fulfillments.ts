// The endpoints of fulfillments (FUL-1 to FUL-5).
import { z } from 'zod';
import { limits } from './limits.ts';
import { operation, pathIdRefusals } from './operation.ts';
import { listParts, queryText } from './paging.ts';
import { fulfillmentStatuses } from './records.ts';
import { type Assumptions, perAssumptions } from './resolved-assumptions.ts';
import { optionalValue, pathId } from './schema.ts';

const trackingInfo = perAssumptions(() =>
  z
    .strictObject({
      shipping_carrier: z.string().meta({ description: 'The name of the carrier.' }),
      shipping_method: z.string().meta({ description: 'The service level.' }),
      tracking_number: z.string(),
      tracking_url: z.url().meta({ description: "A direct link to the carrier's tracking page." }),
    })
    .meta({ id: 'TrackingInfo' }),
);

const shippedLine = perAssumptions(() =>
  z
    .strictObject({
      id: z.string(),
      name: z.string().meta({ description: 'The contents of the pouches of the line.' }),
    })
    .meta({ id: 'ShippedLine' }),
);

/** In documents. */
const labelFetching = (assumptions: Assumptions): string =>
  assumptions.get('storage_auth') === 'reject'
    ? ' Get it without an `Authorization` header: the storage rejects two authentication mechanisms.'
    : '';

const statusIds = (assumptions: Assumptions): string =>
  assumptions.get('status_id') === 'uuid' ? 'a UUID' : `such as \`${fulfillmentStatuses.join('`, `')}\``;

/** The 15 documented fields. */
const fulfillmentBody = perAssumptions((assumptions) =>
  z
    .strictObject({
      id: z.guid(),
      order_id: z.guid(),
      consumer_id: z.guid(),
      status_id: z.string().meta({ description: `The identifier of a fulfillment status: ${statusIds(assumptions)}.` }),
      delivery_date: optionalValue(assumptions, z.iso.datetime()).meta({
        description: 'When the package was delivered.',
      }),
      pickup_date: optionalValue(assumptions, z.iso.datetime()).meta({
        description: 'When the carrier picked the package up.',
      }),
      tracking_info: optionalValue(assumptions, trackingInfo(assumptions)),
      shipment_order_id: z.string(),
      shipment_order_number: z.string(),
      label_url: z.url().meta({
        description:
          'A pre-signed URL that downloads the shipping label. It expires ' +
          `${limits.labelSeconds / 60} minutes after this response.${labelFetching(assumptions)}`,
      }),
      shipping_net_charge: z
        .number()
        .meta({ description: 'The shipping charge. Its unit and currency are not published.' }),
      weight: z.number().meta({ description: 'The weight of the package. Its unit is not published.' }),
      created_at: z.iso.datetime(),
      updated_at: z.iso.datetime(),
      order_lines: z
        .array(shippedLine(assumptions))
        .meta({ description: 'The lines of the order that are in the package.' }),
    })
    .meta({ id: 'Fulfillment' }),
);

const orderFilter = () =>
  queryText()
    .check(z.guid('malformed_parameter'), z.toLowerCase())
    .optional()
    .meta({ description: 'The id of an order: lists only its fulfillments.' });

export const fulfillmentOperations = {
  'fulfillments.list': operation({
    operationId: 'listFulfillments',
    method: 'GET',
    path: '/v2/fulfillments',
    summary: 'List fulfillments',
    description: 'The pages have every fulfillment exactly once, even if new ones are added meanwhile.',
    permission: 'fulfillments:read',
    ...listParts('fulfillments', fulfillmentBody, () => ({ order_id: orderFilter() })),
    shapedBy: ['list_order', 'fulfillment_timeline'],
  }),
  'fulfillments.get': operation({
    operationId: 'getFulfillment',
    method: 'GET',
    path: '/v2/fulfillments/{fulfillmentId}',
    summary: 'Get a fulfillment',
    description: 'Every response has a fresh `label_url`. After one has expired, get the fulfillment again.',
    permission: 'fulfillments:read',
    params: perAssumptions((assumptions) => z.object({ fulfillmentId: pathId(assumptions, 'a fulfillment') })),
    responses: { 200: perAssumptions((assumptions) => z.strictObject({ fulfillment: fulfillmentBody(assumptions) })) },
    refusals: [...pathIdRefusals, 'FUL-1', 'foreign_resource'],
    shapedBy: ['fulfillment_timeline'],
  }),
  'orders.fulfillments': operation({
    operationId: 'listOrderFulfillments',
    method: 'GET',
    path: '/v2/orders/{orderId}/fulfillments',
    summary: 'List the fulfillments of an order',
    description: 'The shipments of an order. Every response has fresh label URLs.',
    permission: 'fulfillments:read',
    params: perAssumptions((assumptions) => z.object({ orderId: pathId(assumptions, 'an order') })),
    responses: {
      200: perAssumptions((assumptions) => z.strictObject({ fulfillments: z.array(fulfillmentBody(assumptions)) })),
    },
    refusals: [...pathIdRefusals, 'FUL-2', 'foreign_resource'],
    shapedBy: ['list_order', 'fulfillment_timeline'],
  }),
} as const;
