// Handlers of the data: five for every collection, two for what a sandbox has one of.
import type { DataOperationId } from '../../contract/admin/data.ts';
import type { Given } from '../../contract/admin/given-record.ts';
import type { RecordsQuery } from '../../contract/admin/record-page.ts';
import { type CollectionName, collectionNames, type SingleName, singleNames } from '../../contract/records.ts';
import { getRecord, insertRecord, listRecords, patchRecord, removeRecord } from '../../control/records.ts';
import { getSingle, patchSingle } from '../../control/singles.ts';
import { bend, type ControlCall, type ControlHandlersFor, look } from './control-call.ts';

/** The parts of a request that some operation of the data takes. */
interface Parts {
  readonly params: { readonly id: string };
  readonly query: RecordsQuery;
  readonly body: Given;
}

const recordHandlers = (name: CollectionName) => ({
  [`records.${name}.list`]: (call: ControlCall, { query }: Parts) =>
    look(call, (draft) => {
      const { records, ...page } = listRecords(draft, name, query);
      return { status: 200, body: { [name]: records, ...page } };
    }),
  [`records.${name}.create`]: (call: ControlCall, { body }: Parts) =>
    bend(call, (draft, now) => {
      const { hashes } = call.edge;
      return { status: 201, body: insertRecord(draft, name, body, { now, hashes }) };
    }),
  [`records.${name}.get`]: (call: ControlCall, { params }: Parts) =>
    look(call, (draft) => ({ status: 200, body: getRecord(draft, name, params.id) })),
  [`records.${name}.update`]: (call: ControlCall, { params, body }: Parts) =>
    bend(call, (draft, now) => {
      const { hashes } = call.edge;
      return { status: 200, body: patchRecord(draft, name, params.id, body, { now, hashes }) };
    }),
  [`records.${name}.delete`]: (call: ControlCall, { params }: Parts) =>
    bend(call, (draft, now) => {
      removeRecord(draft, name, params.id, { now, hashes: call.edge.hashes });
      return { status: 204, body: undefined };
    }),
});

const singleHandlers = (name: SingleName) => ({
  [`singles.${name}.get`]: (call: ControlCall) =>
    look(call, (draft) => ({ status: 200, body: getSingle(draft, name) })),
  [`singles.${name}.update`]: (call: ControlCall, { body }: Parts) =>
    bend(call, (draft) => ({ status: 200, body: patchSingle(draft, name, body) })),
});

/** Made by name, as the operations are: each handler's type is that of its operation. */
export const dataHandlers = Object.assign(
  {},
  ...collectionNames.map(recordHandlers),
  ...singleNames.map(singleHandlers),
) as ControlHandlersFor<DataOperationId>;
