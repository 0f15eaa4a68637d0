// The operator's actions on orders and packages that people name by the beginning of an id, or by a shipment number.
import type { FulfillmentAction, RecordOf } from '../contract/records.ts';
import type { SandboxControl } from './sandbox-control.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

const isNumber = (word: string): boolean => /^SO-/i.test(word);

/** The shipment of this number. @throws Error */
async function findShipment(sandbox: SandboxControl, number: string): Promise<Fulfillment> {
  const { fulfillments } = await sandbox.records.fulfillments.list();
  const found = fulfillments.find((one) => one.shipment_order_number.toLowerCase() === number.toLowerCase());
  if (found) return found;
  throw new Error(`no shipment has the number "${number}"; list the orders to see their shipments`);
}

/**
 * The order with this id, with the only id that begins so, or of the shipment with this number; `latest` is the newest.
 * @throws Error for a word that selects no order, or several
 * @example await findOrder(sandbox, 'SO-50001') // { id: 'bfce63cb-…' }
 */
export async function findOrder(sandbox: SandboxControl, word: string): Promise<Pick<Order, 'id'>> {
  if (/^[\da-f-]{36}$/i.test(word)) return { id: word.toLowerCase() };
  if (isNumber(word)) return { id: (await findShipment(sandbox, word)).order_id };
  const { orders } = await sandbox.records.orders.list();
  const found = word === 'latest' ? orders.slice(-1) : orders.filter(({ id }) => id.startsWith(word.toLowerCase()));
  const [order] = found;
  if (order && found.length === 1) return order;
  const problem = order ? `the ids of ${found.length} orders begin` : 'the id of no order begins';
  throw new Error(`${problem} with "${word}"; list the orders to see their ids`);
}

/** The actions that lead from a status to one that allows the delivery. */
const stepsToDelivery: Readonly<Record<string, readonly FulfillmentAction[]>> = {
  label_created: ['pick_up'],
  lost: ['depart'],
};

/**
 * Acts on the packages of an order, or on the one with the number. Those at their end need no delivery. A delivery
 * takes the steps before it.
 * @throws Error for an order without a package
 */
export async function movePackages(
  sandbox: SandboxControl,
  word: string,
  action: FulfillmentAction,
  settings: { readonly force?: boolean },
): Promise<readonly Fulfillment[]> {
  const packages = isNumber(word) ? [await findShipment(sandbox, word)] : await packagesOf(sandbox, word);
  const atEnd = packages.filter(({ status_id }) => ['delivered', 'returned'].includes(status_id));
  const isRest = action === 'deliver' && atEnd.length < packages.length;
  const moved: Fulfillment[] = [];
  for (const { id, status_id } of isRest ? packages.filter((one) => !atEnd.includes(one)) : packages) {
    const before = action === 'deliver' ? (stepsToDelivery[status_id] ?? []) : [];
    for (const step of before) await sandbox.fulfillments[step](id);
    moved.push(await sandbox.fulfillments[action](id, settings));
  }
  return moved;
}

/** @throws Error for an order that was not shipped */
async function packagesOf(sandbox: SandboxControl, word: string): Promise<readonly Fulfillment[]> {
  const order = await findOrder(sandbox, word);
  const { fulfillments } = await sandbox.records.fulfillments.list();
  const packages = fulfillments.filter(({ order_id }) => order_id === order.id);
  if (packages.length > 0) return packages;
  throw new Error(`the order ${order.id} has no package; ship it first`);
}
