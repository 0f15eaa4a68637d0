// The operator's own work, by hand: orders accepted, held, produced, shipped; packages picked up, delivered, lost. What is impossible is
// refused with what is possible.
import type { ShipmentBody } from '../contract/admin/operator.ts';
import { cannot } from '../contract/admin/refusals.ts';
import type { FulfillmentAction, OrderAction } from '../contract/order-progress.ts';
import type { DeepReadonly, RecordOf } from '../contract/records.ts';
import { actionsFrom, firstStatus, statusOf } from '../domain/fulfillment-status.ts';
import { moveOrder } from '../domain/order-moves.ts';
import { mayShip, operatorActions } from '../domain/order-status.ts';
import { type OrderLine, packagesOf, unshippedLines } from '../domain/packages.ts';
import { ship } from '../domain/shipments.ts';
import { movePackage } from '../domain/tracking.ts';
import type { World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { backstage } from './backstage.ts';
import type { Writing } from './consequences.ts';
import { getRecord } from './records.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

/** @throws ControlRefusal 404, 422 where the order's status does not allow it. */
export function actOnOrder(draft: Draft, id: string, action: OrderAction, { now, hashes }: Writing): Order {
  const world = backstage(draft, hashes, now);
  const order = getRecord(draft, 'orders', id);
  const moved = moveOrder(world, order, action);
  if (moved) return moved;
  throw cannot('status', `${action} is impossible: the order is ${order.status}; ${possible(world, order)}`);
}

function possible(world: World, { status }: Order): string {
  const transitions = world.terms.get('order_transitions');
  const actions: string[] = [
    ...operatorActions(status, transitions),
    ...(mayShip(status, transitions) ? ['ship'] : []),
  ];
  return actions.length > 0 ? `the operator can: ${actions.join(', ')}` : 'the operator can do nothing more';
}

/** @throws ControlRefusal 404, 422 where the order or the shipment does not allow it. */
export function shipOrder(draft: Draft, id: string, body: DeepReadonly<ShipmentBody>, writing: Writing): Fulfillment {
  const world = backstage(draft, writing.hashes, writing.now);
  const order = getRecord(draft, 'orders', id);
  if (!mayShip(order.status, world.terms.get('order_transitions')))
    throw cannot('status', `ship is impossible: the order is ${order.status}; ${possible(world, order)}`);
  checkStatus(world, firstStatus);
  const carrier = body.carrier == null ? body.carrier : carrierWith(draft, body.carrier);
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
  const left = unshippedLines(order, packagesOf(world, order.id));
  if (left.length === 0) throw cannot('order_lines', 'Every line of the order is shipped already');
  if (!asked) return left;
  return asked.map((id, index) => {
    const line = left.find((one) => one.id === id);
    if (line && asked.indexOf(id) === index) return line;
    const found = line
      ? 'named twice'
      : order.order_lines.some((one) => one.id === id)
        ? 'shipped already'
        : 'no line of the order';
    throw cannot(
      `order_lines.${index}`,
      `${id} is ${found}; lines that are not shipped: ${left.map((one) => one.id).join(', ')}`,
    );
  });
}

function carrierWith(draft: Draft, id: string): RecordOf<'carriers'> {
  const carriers = draft.table('carriers');
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
  if (world.table('fulfillment_statuses').get(id)) return;
  throw cannot('status_id', `The sandbox has no fulfillment status ${id}; add it to fulfillment_statuses`);
}

/** @throws ControlRefusal 404, 422 where the package's status does not allow it and it is not forced. */
export function actOnPackage(
  draft: Draft,
  id: string,
  { action, force = false }: { readonly action: FulfillmentAction; readonly force?: boolean | undefined },
  { now, hashes }: Writing,
): Fulfillment {
  const world = backstage(draft, hashes, now);
  const fulfillment = getRecord(draft, 'fulfillments', id);
  const actions = actionsFrom(fulfillment.status_id);
  if (!force && !actions.includes(action)) {
    const can = actions.length > 0 ? `its next can be: ${actions.join(', ')}` : 'it has come to its end';
    throw cannot(
      'status_id',
      `${action} is impossible: the package is ${fulfillment.status_id}; ${can}. {"force": true} does it all the same`,
    );
  }
  checkStatus(world, statusOf[action]);
  return movePackage(world, fulfillment, action);
}
