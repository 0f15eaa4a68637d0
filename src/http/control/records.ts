// Handlers of the sandbox's records, and of the operator's actions on orders and packages.

import type { DataOperationId, RecordsQuery } from '../../contract/control/data.ts';
import {
  type CollectionName,
  collectionNames,
  type FulfillmentAction,
  fulfillmentActions,
  type OrderAction,
  orderActions,
  type SingleName,
  singleNames,
} from '../../contract/records.ts';
import { actOnOrder, actOnPackage, shipOrder } from '../../sandbox/operator.ts';
import type { RecordInput } from '../../sandbox/record-writes.ts';
import { getSingle, patchSingle } from '../../sandbox/record-writes.ts';
import { getRecord, insertRecord, listRecords, patchRecord, removeRecord } from '../../sandbox/records.ts';
import type { ControlCall, ControlHandlers } from './call.ts';

/** The parts of a request that some operation on records takes. */
interface Arguments {
  readonly params: { readonly id: string };
  readonly query: RecordsQuery;
  readonly body: RecordInput;
}

const collectionHandlers = (name: CollectionName) => ({
  [`records.${name}.list`]: (call: ControlCall, { query }: Arguments) =>
    call.read((state) => {
      const { records, ...page } = listRecords(state, name, query);
      return { status: 200, body: { [name]: records, ...page } };
    }),
  [`records.${name}.create`]: (call: ControlCall, { body }: Arguments) =>
    call.change((state, writing) => ({ status: 201, body: insertRecord(state, name, body, writing) })),
  [`records.${name}.get`]: (call: ControlCall, { params }: Arguments) =>
    call.read((state) => ({ status: 200, body: getRecord(state, name, params.id) })),
  [`records.${name}.update`]: (call: ControlCall, { params, body }: Arguments) =>
    call.change((state, writing) => ({ status: 200, body: patchRecord(state, name, params.id, body, writing) })),
  [`records.${name}.delete`]: (call: ControlCall, { params }: Arguments) =>
    call.change((state, writing) => {
      removeRecord(state, name, params.id, writing);
      return { status: 204, body: undefined };
    }),
});

const singleHandlers = (name: SingleName) => ({
  [`singles.${name}.get`]: (call: ControlCall) => call.read((state) => ({ status: 200, body: getSingle(state, name) })),
  [`singles.${name}.update`]: (call: ControlCall, { body }: Arguments) =>
    call.change((state) => ({ status: 200, body: patchSingle(state, name, body) })),
});

/** Made from the names of the collections, as the operations are: each handler has the type of its operation. */
export const recordHandlers = Object.assign(
  {},
  ...collectionNames.map(collectionHandlers),
  ...singleNames.map(singleHandlers),
) as Pick<ControlHandlers, DataOperationId>;

type OperatorId = `orders.${OrderAction | 'ship'}` | `fulfillments.${FulfillmentAction}`;

interface ActionInput {
  readonly params: { readonly id: string };
  readonly body: { readonly force?: boolean | undefined };
}

const orderHandler = (action: OrderAction) => ({
  [`orders.${action}`]: (call: ControlCall, { params }: ActionInput) =>
    call.change((state, writing) => ({ status: 200, body: actOnOrder(state, params.id, action, writing) })),
});

const packageHandler = (action: FulfillmentAction) => ({
  [`fulfillments.${action}`]: (call: ControlCall, { params, body: { force } }: ActionInput) =>
    call.change((state, writing) => ({
      status: 200,
      body: actOnPackage(state, params.id, { action, force }, writing),
    })),
});

const ship: Pick<ControlHandlers, 'orders.ship'> = {
  'orders.ship': (call, { params, body }) =>
    call.change((state, writing) => ({ status: 201, body: shipOrder(state, params.id, body, writing) })),
};

/** Made from the names of the actions, as the operations are. */
export const operatorHandlers = Object.assign(
  {},
  ...orderActions.map(orderHandler),
  ship,
  ...fulfillmentActions.map(packageHandler),
) as Pick<ControlHandlers, OperatorId>;
