// The operator's actions: orders are accepted, held, produced and shipped, packages picked up, delivered or lost.
// The refusal of an impossible action lists the possible ones.
import { type ControlRefusal, cannot } from '../contract/control/control-operation.ts';
import type { ShipmentBody } from '../contract/control/operator.ts';
import type { DeepReadonly, FulfillmentAction, OrderAction, RecordOf } from '../contract/records.ts';
import {
  actionsFrom,
  firstStatus,
  hasStatus,
  isServiceStatus,
  type OrderLine,
  packagesOf,
  shippableLines,
  statusOf,
  unshippedLines,
} from '../domain/fulfillments.ts';
import { mayShip, moveOrder, operatorActions } from '../domain/orders.ts';
import { movePackage, ship } from '../domain/shipments.ts';
import type { World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { getRecord } from './records.ts';
import { operatorWorld, type WriteContext } from './sandbox-world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;
type Carrier = RecordOf<'carriers'>;

/** The actions that the operator can take on an order in its status. @throws ControlRefusal 404 */
export const possibleActions = (state: State, id: string, context: WriteContext) =>
  possibleFor(operatorWorld(state, context), getRecord(state, 'orders', id));

/** The next action comes first. A shipment that names no lines takes those in `unshipped`, which were never shipped. */
function possibleFor(world: World, order: Order) {
  const transitions = world.assumptions.get('order_transitions');
  const packages = packagesOf(world, order.id);
  const isShippable = mayShip(order.status, transitions);
  return {
    actions: operatorActions(order.status, transitions),
    shippable: isShippable ? shippableLines(order, packages) : [],
    unshipped: isShippable ? unshippedLines(order, packages) : [],
  };
}

/** @throws ControlRefusal 404, 422 if the order's status does not allow the action */
export function actOnOrder(state: State, id: string, action: OrderAction, context: WriteContext): Order {
  const world = operatorWorld(state, context);
  const order = getRecord(state, 'orders', id);
  const moved = moveOrder(world, order, action);
  if (!moved) throw impossible(world, order, action);
  return moved;
}

function impossible(world: World, order: Order, action: OrderAction | 'ship'): ControlRefusal {
  const { actions, shippable } = possibleFor(world, order);
  const can = [...(shippable.length > 0 ? ['ship (POST …/fulfillments)'] : []), ...actions].join(', ');
  const rest = can ? `the operator can: ${can}` : 'the operator can do nothing more';
  const isAllowedByAny = action === 'ship' || operatorActions(order.status, 'any').includes(action);
  const any = isAllowedByAny ? ' (the choice order_transitions=any allows it)' : '';
  return cannot('status', `${action} is impossible: the order is ${order.status}; ${rest}${any}`);
}

/** @throws ControlRefusal 404, 422 if the order does not allow it, or the shipment is not possible */
export function shipOrder(
  state: State,
  id: string,
  body: DeepReadonly<ShipmentBody>,
  context: WriteContext,
): Fulfillment {
  const world = operatorWorld(state, context);
  const order = getRecord(state, 'orders', id);
  if (!mayShip(order.status, world.assumptions.get('order_transitions'))) throw impossible(world, order, 'ship');
  requireStatus(world, firstStatus);
  const carrier = body.carrier == null ? body.carrier : carrierWith(state, body.carrier);
  if (body.method !== undefined) requireMethod(body.method, carrier);
  return ship(world, order, {
    lines: linesToShip(world, order, body.order_lines),
    carrier,
    method: body.method,
    weight: body.weight,
    shippingNetCharge: body.shipping_net_charge,
  });
}

/** The named lines; by default all that were never shipped. Lost or returned lines are shipped again only by name. */
function linesToShip(world: World, order: Order, named: readonly string[] | undefined): OrderLine[] {
  const packages = packagesOf(world, order.id);
  const shippable = shippableLines(order, packages);
  const ids = shippable.map((line) => line.id).join(', ');
  if (!named) {
    const lines = unshippedLines(order, packages);
    if (lines.length > 0) return lines;
    const hint = ids ? `; to ship lost or returned lines again, name them: ${ids}` : '';
    throw cannot('order_lines', `Every line of the order is already shipped${hint}`);
  }
  return named.map((id, index) => {
    const line = shippable.find((one) => one.id === id);
    if (line && named.indexOf(id) === index) return line;
    const missing = order.order_lines.some((one) => one.id === id) ? 'already shipped' : 'not a line of the order';
    const problem = line ? 'named twice' : missing;
    throw cannot(`order_lines[${index}]`, `${id} is ${problem}; lines that can be shipped: ${ids || 'none'}`);
  });
}

function carrierWith(state: State, id: string): Carrier {
  const carriers = state.table('carriers');
  const carrier = carriers.get(id);
  if (carrier) return carrier;
  const ids = Array.from(carriers.entries(), ([, one]) => one.id);
  throw cannot('carrier', `There is no carrier ${JSON.stringify(id.slice(0, 80))}; available: ${ids.join(', ')}`);
}

function requireMethod(method: string, carrier: Carrier | null | undefined): void {
  if (!carrier) throw cannot('method', 'method needs a carrier; set carrier, too');
  if (carrier.methods.includes(method)) return;
  const found = JSON.stringify(method.slice(0, 80));
  throw cannot('method', `${carrier.name} has no method ${found}; available: ${carrier.methods.join(', ')}`);
}

/** The records of the sandbox may lack a status that the service uses. */
function requireStatus(world: World, id: string): void {
  if (hasStatus(world, id)) return;
  throw cannot('status_id', `The sandbox has no fulfillment status ${id}; add it to fulfillment_statuses`);
}

/** @throws ControlRefusal 404, 422 if the package's status does not allow the action and it is not forced */
export function actOnPackage(
  state: State,
  id: string,
  { action, force = false }: { readonly action: FulfillmentAction; readonly force?: boolean | undefined },
  context: WriteContext,
): Fulfillment {
  const world = operatorWorld(state, context);
  const fulfillment = getRecord(state, 'fulfillments', id);
  const actions = actionsFrom(fulfillment.status_id);
  if (!force && !actions.includes(action)) {
    const end = isServiceStatus(fulfillment.status_id)
      ? 'this is its final status'
      : 'this status comes from the fixtures and allows no action';
    const can = actions.length > 0 ? `possible actions: ${actions.join(', ')}` : end;
    throw cannot(
      'status_id',
      `${action} is impossible: the package is ${fulfillment.status_id}; ${can}. Set {"force": true} to do it anyway`,
    );
  }
  requireStatus(world, statusOf[action]);
  return movePackage(world, fulfillment, action);
}
