// Handlers of the operator's actions.
import {
  type FulfillmentAction,
  fulfillmentActions,
  type OrderAction,
  orderActions,
} from '../../contract/order-progress.ts';
import { actOnOrder, actOnPackage, shipOrder } from '../../control/operator.ts';
import { bend, type ControlCall, type ControlHandlersFor } from './control-call.ts';

type Ids = `orders.${OrderAction | 'ship'}` | `fulfillments.${FulfillmentAction}`;

interface Parts {
  readonly params: { readonly id: string };
  readonly body: { readonly force?: boolean | undefined };
}

const orderHandler = (action: OrderAction) => ({
  [`orders.${action}`]: (call: ControlCall, { params }: Parts) =>
    bend(call, (draft, now) => {
      const { hashes } = call.edge;
      return { status: 200, body: actOnOrder(draft, params.id, action, { now, hashes }) };
    }),
});

const packageHandler = (action: FulfillmentAction) => ({
  [`fulfillments.${action}`]: (call: ControlCall, { params, body: { force } }: Parts) =>
    bend(call, (draft, now) => {
      const { hashes } = call.edge;
      return { status: 200, body: actOnPackage(draft, params.id, { action, force }, { now, hashes }) };
    }),
});

const ship: Pick<ControlHandlersFor<Ids>, 'orders.ship'> = {
  'orders.ship': (call, { params, body }) =>
    bend(call, (draft, now) => {
      const { hashes } = call.edge;
      return { status: 201, body: shipOrder(draft, params.id, body, { now, hashes }) };
    }),
};

/** Made by action, as the operations are: each handler's type is that of its operation. */
export const operatorHandlers = Object.assign(
  {},
  ...orderActions.map(orderHandler),
  ship,
  ...fulfillmentActions.map(packageHandler),
) as ControlHandlersFor<Ids>;
