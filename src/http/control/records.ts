// Handlers of the sandbox's records, and of the operator's actions on orders and packages.
import type { DataOperationId, RecordsQuery } from '../../contract/control/data.ts';
import type { ControlInputOf } from '../../contract/control/operations.ts';
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
import type { RecordInput } from '../../sandbox/record-input.ts';
import {
  getRecord,
  getSingle,
  insertRecord,
  listRecords,
  patchRecord,
  patchSingle,
  removeRecord,
} from '../../sandbox/records.ts';
import { type ControlCall, type ControlHandlers, created, ok } from './call.ts';

type OperatorId = `orders.${OrderAction | 'ship'}` | `fulfillments.${FulfillmentAction}`;

/** The input of any of these operations. */
interface Input {
  readonly params: { readonly id: string };
  readonly query: RecordsQuery;
  readonly body: RecordInput;
}

const collectionHandlers = (name: CollectionName) => ({
  [`records.${name}.list`]: (call: ControlCall, { query }: Input) =>
    call.read((state) => {
      const { records, ...page } = listRecords(state, name, query);
      return ok({ [name]: records, ...page });
    }),
  [`records.${name}.create`]: (call: ControlCall, { body }: Input) =>
    call.change((state, writing) => created(insertRecord(state, name, body, writing))),
  [`records.${name}.get`]: (call: ControlCall, { params }: Input) =>
    call.read((state) => ok(getRecord(state, name, params.id))),
  [`records.${name}.update`]: (call: ControlCall, { params, body }: Input) =>
    call.change((state, writing) => ok(patchRecord(state, name, params.id, body, writing))),
  [`records.${name}.delete`]: (call: ControlCall, { params }: Input) =>
    call.remove((state, writing) => removeRecord(state, name, params.id, writing)),
});

const singleHandlers = (name: SingleName) => ({
  [`singles.${name}.get`]: (call: ControlCall) => call.read((state) => ok(getSingle(state, name))),
  [`singles.${name}.update`]: (call: ControlCall, { body }: Input) =>
    call.change((state) => ok(patchSingle(state, name, body))),
});

const orderHandler = (action: OrderAction) => ({
  [`orders.${action}`]: (call: ControlCall, { params }: Input) =>
    call.change((state, writing) => ok(actOnOrder(state, params.id, action, writing))),
});

const fulfillmentHandler = (action: FulfillmentAction) => ({
  [`fulfillments.${action}`]: (call: ControlCall, { params, body }: ControlInputOf<'fulfillments.deliver'>) =>
    call.change((state, writing) => ok(actOnPackage(state, params.id, { action, force: body.force }, writing))),
});

const shipHandler: ControlHandlers['orders.ship'] = (call, { params, body }) =>
  call.change((state, writing) => created(shipOrder(state, params.id, body, writing)));

/** Built from the names of collections and actions, like the operations: each handler has the type of its operation. */
export const recordHandlers = Object.assign(
  { 'orders.ship': shipHandler },
  ...collectionNames.map(collectionHandlers),
  ...singleNames.map(singleHandlers),
  ...orderActions.map(orderHandler),
  ...fulfillmentActions.map(fulfillmentHandler),
) as Pick<ControlHandlers, DataOperationId | OperatorId>;
