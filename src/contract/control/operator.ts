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

/** The operation of each action: its operationId, its summary and its description. */
const actionTexts = {
  accept: ['acceptOrder', 'Accept an order', 'Pending → Accepted.'],
  hold: ['holdOrder', 'Put an order on hold', 'Pending → On Hold. The client can still modify or cancel the order.'],
  release: ['releaseOrder', 'Release an order that is on hold', 'On Hold → Pending.'],
  start_production: [
    'startOrderProduction',
    'Start the production of an order',
    'Accepted → In Production. The client can no longer cancel the order.',
  ],
  cancel: [
    'cancelOrder',
    'Cancel an order',
    'Every status but Canceled → Canceled. The operator can also cancel an order that is in production.',
  ],
  approve_packaging: ['approveOrderPackaging', 'Approve the packaging of an order', 'Needs Changes → Pending.'],
  pick_up: [
    'pickUpPackage',
    'Mark a package as picked up by the carrier',
    '`label_created` → `picked_up`. Sets `pickup_date`.',
  ],
  depart: ['departPackage', 'Mark a package as in transit', '→ `in_transit`, from `picked_up`, `delayed` or `lost`.'],
  delay: ['delayPackage', 'Mark a package as delayed', '→ `delayed`, from `picked_up` or `in_transit`.'],
  deliver: [
    'deliverPackage',
    'Mark a package as delivered',
    '→ `delivered`, from `picked_up`, `in_transit` or `delayed`. Sets `delivery_date`.',
  ],
  lose: ['losePackage', 'Mark a package as lost', '→ `lost`, from `picked_up`, `in_transit` or `delayed`.'],
  return: [
    'returnPackage',
    'Mark a package as returned',
    '→ `returned`, from every status but `label_created` and `returned`.',
  ],
} as const satisfies Record<OrderAction | FulfillmentAction, readonly [string, string, string]>;

const fromAnyStatus = 'With `order_transitions=any`, from every other status.';

const orderAction = <Action extends OrderAction>(action: Action) => {
  const [operationId, summary, description] = actionTexts[action];
  return sandboxOperation('POST', `/orders/{id}/${action}`, summary, {
    operationId,
    description: action === 'cancel' ? description : `${description} ${fromAnyStatus}`,
    body: z.strictObject({}).default({}),
    examples: { sample: {} },
    responses: { 200: order },
  });
};

const packageAction = <Action extends FulfillmentAction>(action: Action) => {
  const [operationId, summary, description] = actionTexts[action];
  return sandboxOperation('POST', `/fulfillments/{id}/${action}`, summary, {
    operationId,
    description: `${description} \`force\` skips the check of the status.`,
    body: fulfillmentActionBody.default({}),
    examples: { sample: {} },
    responses: { 200: fulfillment },
  });
};

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
      operationId: 'shipOrder',
      description:
        'Creates a fulfillment with the given lines, by default all that are not shipped yet. The carrier, the ' +
        'method, the weight and the charge are drawn if they are missing.',
      body: shipmentBody.default({}),
      examples: { sample: {} },
      responses: { 201: fulfillment },
    },
  ),
  ...(Object.fromEntries(
    fulfillmentActions.map((action) => [`fulfillments.${action}`, packageAction(action)]),
  ) as unknown as PackageActions),
} as const;
