// The operator's own work, by hand: orders accepted, held, produced, shipped; packages picked up, delivered, lost. What is impossible is
// refused with what is possible.

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
import { operatorWorld, type Writing } from './sandbox-world.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** @throws ControlRefusal 404, 422 where the order's status does not allow it. */
export function actOnOrder(state: State, id: string, action: OrderAction, writing: Writing): Order {
  const world = operatorWorld(state, writing);
  const order = getRecord(state, 'orders', id);
  const moved = moveOrder(world, order, action);
  if (moved) return moved;
  throw impossible(world, order, action);
}

/** What the operator can do to an order in its status, the next step first. */
export interface OrderPossible {
  readonly actions: readonly OrderAction[];
  /** The lines that can be shipped now. */
  readonly shippable: readonly OrderLine[];
  /** Those of them that were never shipped: what is shipped where no line is named. */
  readonly unshipped: readonly OrderLine[];
}

/** @throws ControlRefusal 404 */
export function possibleActions(state: State, id: string, writing: Writing): OrderPossible {
  const world = operatorWorld(state, writing);
  return possibleFor(world, getRecord(state, 'orders', id));
}

function possibleFor(world: World, order: Order): OrderPossible {
  const transitions = world.assumptions.get('order_transitions');
  const actions = operatorActions(order.status, transitions);
  if (!mayShip(order.status, transitions)) return { actions, shippable: [], unshipped: [] };
  const packages = packagesOf(world, order.id);
  return { actions, shippable: shippableLines(order, packages), unshipped: unshippedLines(order, packages) };
}

/** What is possible instead, the next on its way first. */
function impossible(world: World, order: Order, action: OrderAction | 'ship'): ControlRefusal {
  const { actions, shippable } = possibleFor(world, order);
  const can = [...(shippable.length > 0 ? ['ship (POST …/fulfillments)'] : []), ...actions].join(', ');
  const rest = can ? `the operator can: ${can}` : 'the operator can do nothing more';
  const isAny = world.assumptions.get('order_transitions') === 'any';
  const any = isAny ? '' : ' (or anything, by the reading order_transitions=any)';
  return cannot('status', `${action} is impossible: the order is ${order.status}; ${rest}${any}`);
}

/** @throws ControlRefusal 404, 422 where the order or the shipment does not allow it. */
export function shipOrder(state: State, id: string, body: DeepReadonly<ShipmentBody>, writing: Writing): Fulfillment {
  const world = operatorWorld(state, writing);
  const order = getRecord(state, 'orders', id);
  if (!mayShip(order.status, world.assumptions.get('order_transitions'))) throw impossible(world, order, 'ship');
  checkStatus(world, firstStatus);
  const carrier = body.carrier == null ? body.carrier : carrierWith(state, body.carrier);
  const method = body.method === undefined ? undefined : methodOf(body.method, carrier);
  return ship(world, order, {
    lines: linesToShip(world, order, body.order_lines),
    carrier,
    method,
    weight: body.weight,
    shippingNetCharge: body.shipping_net_charge,
  });
}

function linesToShip(world: World, order: Order, asked: readonly string[] | undefined): OrderLine[] {
  const packages = packagesOf(world, order.id);
  const left = shippableLines(order, packages);
  if (!asked) return allLeft(order, packages);
  return asked.map((id, index) => {
    const line = left.find((one) => one.id === id);
    if (line && asked.indexOf(id) === index) return line;
    const missing = order.order_lines.some((one) => one.id === id) ? 'shipped already' : 'no line of the order';
    const ids = left.map((one) => one.id).join(', ') || 'none';
    throw cannot(
      `order_lines[${index}]`,
      `${id} is ${line ? 'named twice' : missing}; lines that can be shipped: ${ids}`,
    );
  });
}

/** What was lost or came back is shipped again only where it is named. */
function allLeft(order: Order, packages: readonly Fulfillment[]): OrderLine[] {
  const left = unshippedLines(order, packages);
  if (left.length > 0) return left;
  const again = shippableLines(order, packages).map(({ id }) => id);
  const hint = again.length > 0 ? `; lost or returned, and to be shipped again by name: ${again.join(', ')}` : '';
  throw cannot('order_lines', `Every line of the order is shipped already${hint}`);
}

function carrierWith(state: State, id: string): RecordOf<'carriers'> {
  const carriers = state.table('carriers');
  const carrier = carriers.get(id);
  if (carrier) return carrier;
  const ids = Array.from(carriers.entries(), ([, one]) => one.id);
  throw cannot('carrier', `There is no carrier ${JSON.stringify(id.slice(0, 80))}; there are: ${ids.join(', ')}`);
}

function methodOf(method: string, carrier: RecordOf<'carriers'> | null | undefined): string {
  if (!carrier) throw cannot('method', 'A method is one of a carrier: name the carrier, too');
  if (carrier.methods.includes(method)) return method;
  const found = JSON.stringify(method.slice(0, 80));
  throw cannot('method', `${carrier.name} has no method ${found}; it has: ${carrier.methods.join(', ')}`);
}

/** The service's own statuses must be among the fixtures' own. */
function checkStatus(world: World, id: string): void {
  if (hasStatus(world, id)) return;
  throw cannot('status_id', `The sandbox has no fulfillment status ${id}; add it to fulfillment_statuses`);
}

/** What can become of a package as it stands, without force. */
export const possiblePackageActions = ({ status_id }: Fulfillment): readonly FulfillmentAction[] =>
  actionsFrom(status_id);

/** @throws ControlRefusal 404, 422 where the package's status does not allow it and it is not forced. */
export function actOnPackage(
  state: State,
  id: string,
  { action, force = false }: { readonly action: FulfillmentAction; readonly force?: boolean | undefined },
  writing: Writing,
): Fulfillment {
  const world = operatorWorld(state, writing);
  const fulfillment = getRecord(state, 'fulfillments', id);
  const actions = possiblePackageActions(fulfillment);
  if (!force && !actions.includes(action)) {
    const end = isServiceStatus(fulfillment.status_id) ? 'it has come to its end' : 'a status of the fixtures alone';
    const can = actions.length > 0 ? `its next can be: ${actions.join(', ')}` : end;
    throw cannot(
      'status_id',
      `${action} is impossible: the package is ${fulfillment.status_id}; ${can}. {"force": true} does it all the same`,
    );
  }
  checkStatus(world, statusOf[action]);
  return movePackage(world, fulfillment, action);
}
