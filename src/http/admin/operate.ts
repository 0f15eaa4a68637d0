// An operation of the control API, for whoever is in this process: the same schemas, the same handler, its answer as it is.

import type { ControlOperation } from '../../contract/admin/control-operation.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import type { ControlId, ControlReplyOf } from '../../contract/admin.ts';
import { controlOperations } from '../../contract/admin.ts';
import { requireRoomFor } from '../room.ts';
import type { ControlCall } from './control-call.ts';
import { handled } from './handlers.ts';
import { parsed } from './parts.ts';

/** The parts of a request as they come: judged by the operation's own schemas. */
export interface Asked {
  /** The names in the path, but for the sandbox's. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Has it done.
 * @throws ControlRefusal as the control API refuses it
 * @example await operate(call, 'orders.accept', { params: { id } }); // the order
 */
export async function operate<Id extends ControlId>(
  call: ControlCall,
  id: Id,
  { params = {}, query = {}, body = {} }: Asked = {},
): Promise<ControlReplyOf<Id>['body']> {
  const operation: ControlOperation = controlOperations[id];
  requireRoomFor(operation, call.edge);
  requireNames(operation, params);
  const input = {
    params,
    query: operation.query && parsed(operation.query, query, 'query'),
    body: operation.body && parsed(operation.body, body, 'body'),
  };
  const reply = await handled(id, call, input);
  if (reply instanceof Response) throw new Error(`${id} answers with a stream`);
  return reply.body as ControlReplyOf<Id>['body'];
}

/** A path that is asked for has all its names. */
function requireNames({ id, path }: ControlOperation, params: NonNullable<Asked['params']>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (name !== 'sandbox' && !params[name]) throw new ControlRefusal(404, `${id} needs to be told the ${name}`);
}
