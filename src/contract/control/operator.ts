// The operator's actions over the control API: on orders and their packages.
import { z } from 'zod';
import {
  collections,
  type FulfillmentAction,
  fulfillmentActions,
  type OrderAction,
  orderActions,
  type RecordOf,
} from '../records.ts';
import { bounds } from './bounds.ts';
import { sandboxOperation } from './control-operation.ts';

/** The id of an order line, alone or in an object as in a fulfillment. */
const lineId = z.union(
  [z.guid().toLowerCase(), z.object({ id: z.guid().toLowerCase() }).transform(({ id }) => id)],
  'the id of an order line',
);
const amount = z.number().min(0).max(bounds.amount);

/** What to ship and how. Missing values are drawn. */
const shipmentBody = z.strictObject({
  /** By default every line that is not shipped yet. */
  order_lines: z.array(lineId).min(1).optional(),
  /** The id of a carrier; null for no carrier yet. */
  carrier: z.string().nullable().optional(),
  /** One of the carrier's methods. */
  method: z.string().optional(),
  weight: amount.optional(),
  shipping_net_charge: amount.optional(),
});
export type ShipmentBody = z.output<typeof shipmentBody>;

/** `force` skips the check of the package's status, for events that arrive twice or too late. */
const fulfillmentActionBody = z.strictObject({ force: z.boolean().optional() });

const order = collections.orders as unknown as z.ZodType<RecordOf<'orders'>>;
const fulfillment = collections.fulfillments as unknown as z.ZodType<RecordOf<'fulfillments'>>;

const summaries = {
  accept: 'Accept an order',
  hold: 'Put an order on hold',
  release: 'Release an order that is on hold',
  start_production: 'Start the production of an order',
  cancel: 'Cancel an order',
  approve_packaging: 'Approve the packaging of an order',
  pick_up: 'Mark a package as picked up by the carrier',
  depart: 'Mark a package as in transit',
  delay: 'Mark a package as delayed',
  deliver: 'Mark a package as delivered',
  lose: 'Mark a package as lost',
  return: 'Mark a package as returned',
} as const satisfies Record<OrderAction | FulfillmentAction, string>;

const orderAction = <Action extends OrderAction>(action: Action) =>
  sandboxOperation('POST', `/orders/{id}/${action}`, summaries[action], {
    body: z.strictObject({}).default({}),
    examples: { sample: {} },
    responses: { 200: order },
  });

const packageAction = <Action extends FulfillmentAction>(action: Action) =>
  sandboxOperation('POST', `/fulfillments/{id}/${action}`, summaries[action], {
    body: fulfillmentActionBody.default({}),
    examples: { sample: {} },
    responses: { 200: fulfillment },
  });

type OrderActions = { readonly [A in OrderAction as `orders.${A}`]: ReturnType<typeof orderAction<A>> };
type PackageActions = { readonly [A in FulfillmentAction as `fulfillments.${A}`]: ReturnType<typeof packageAction<A>> };

export const operatorOperations = {
  ...(Object.fromEntries(
    orderActions.map((action) => [`orders.${action}`, orderAction(action)]),
  ) as unknown as OrderActions),
  'orders.ship': sandboxOperation(
    'POST',
    '/orders/{id}/fulfillments',
    'Ship an order, or some of its lines, as one package',
    {
      body: shipmentBody.default({}),
      examples: { sample: {} },
      responses: { 201: fulfillment },
    },
  ),
  ...(Object.fromEntries(
    fulfillmentActions.map((action) => [`fulfillments.${action}`, packageAction(action)]),
  ) as unknown as PackageActions),
} as const;
