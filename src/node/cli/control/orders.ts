// `sachet order`: the operator's actions on orders, and the carrier's on their packages.
import { Argument } from 'commander';
import { findOrder, movePackages } from '../../../client/orders.ts';
import {
  type FulfillmentAction,
  fulfillmentActions,
  type OrderAction,
  orderActions,
  type RecordOf,
} from '../../../contract/records.ts';
import { nonEmpty } from '../flags.ts';
import { type ControlCommand, controlCommand, table } from './control-command.ts';
import { readSettings, settingsArgument } from './settings.ts';

type Order = RecordOf<'orders'>;
type Fulfillment = RecordOf<'fulfillments'>;

const orderArgument = (): Argument =>
  new Argument(
    '<order>',
    'id of an order or its beginning, the number of a shipment such as SO-50001, or "latest"',
  ).argParser(nonEmpty);

const orderExample = 'bfce63cb';
const wordOf = (action: string): string => action.replaceAll('_', '-');

const fulfillmentTable = (fulfillments: readonly Fulfillment[]): string =>
  table(
    fulfillments.map((one) => ({
      ...{ shipment: one.shipment_order_number, status: one.status_id, order: one.order_id, id: one.id },
      tracking_number: one.tracking_info?.tracking_number,
    })),
    ['shipment', 'status', 'order', 'id', 'tracking_number'],
  );

const orderActionTexts: Readonly<Record<OrderAction, string>> = {
  accept: 'accept a pending order',
  hold: 'put a pending order on hold',
  release: 'release an order that is on hold',
  approve_packaging: 'approve the packaging of an order that needs changes',
  start_production: 'start the production of an accepted order',
  cancel: 'cancel an order',
};

const packageActionTexts: Readonly<Record<FulfillmentAction, string>> = {
  pick_up: 'let the carrier pick up the packages of an order',
  depart: 'mark the packages of an order as in transit',
  delay: 'mark the packages of an order as delayed',
  deliver: 'deliver the packages of an order, with the steps before',
  lose: 'mark the packages of an order as lost',
  return: 'mark the packages of an order as returned',
};

export const orderCommands: readonly ControlCommand<unknown>[] = [
  controlCommand({
    name: 'list',
    description: 'list the orders with their shipments, oldest first',
    run: async ({ sandbox }) => {
      const { orders } = await sandbox.records.orders.list();
      const { fulfillments } = await sandbox.records.fulfillments.list();
      return { orders, fulfillments };
    },
    print: ({ orders, fulfillments }) =>
      table(
        orders.map((order) => ({ ...order, shipments: shipmentsOf(order, fulfillments) })),
        ['id', 'status', 'created_at', 'shipments'],
      ),
  }),
  ...orderActions.map((action) =>
    controlCommand({
      name: wordOf(action),
      description: orderActionTexts[action],
      examples: [orderExample],
      arguments: [orderArgument()],
      run: async ({ sandbox }, word) => sandbox.orders[action]((await findOrder(sandbox, word)).id),
      print: (order) => table([order], ['id', 'status']),
    }),
  ),
  controlCommand({
    name: 'ship',
    description: 'ship all lines of an order in production, as one package',
    examples: ['latest', `${orderExample} carrier=ups weight=250`],
    arguments: [orderArgument(), settingsArgument()],
    run: async ({ sandbox }, word, words) =>
      sandbox.orders.ship((await findOrder(sandbox, word)).id, readSettings(words)),
    print: (fulfillment) => fulfillmentTable([fulfillment]),
  }),
  ...fulfillmentActions.map((action) =>
    controlCommand({
      name: wordOf(action),
      description: packageActionTexts[action],
      examples: [orderExample, 'SO-50001 force=true'],
      arguments: [orderArgument(), settingsArgument()],
      run: async ({ sandbox }, word, words) => ({
        fulfillments: await movePackages(sandbox, word, action, readSettings(words)),
      }),
      print: ({ fulfillments }) => fulfillmentTable(fulfillments),
    }),
  ),
];

const shipmentsOf = ({ id }: Order, fulfillments: readonly Fulfillment[]): string =>
  fulfillments
    .filter(({ order_id }) => order_id === id)
    .map((one) => `${one.shipment_order_number} ${one.status_id}`)
    .join(', ') || '-';
