// The handler of each operation, by id. A missing one does not compile. `operate` runs an operation within the process, for the console.
import type { ControlOperation } from '../../contract/control/control-operation.ts';
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { type ControlReplyOf, controlOperations } from '../../contract/control/operations.ts';
import { requireMemoryFor } from '../memory.ts';
import type { ControlCall, ControlHandlersFor, HandledId } from './call.ts';
import { journalHandlers } from './journal.ts';
import { overrideHandlers } from './overrides.ts';
import { operatorHandlers, recordHandlers } from './records.ts';
import { sandboxHandlers } from './sandboxes.ts';
import { parsed } from './validation.ts';

const controlHandlers: ControlHandlersFor<HandledId> = {
  ...sandboxHandlers,
  ...overrideHandlers,
  ...journalHandlers,
  ...recordHandlers,
  ...operatorHandlers,
};

type AnyHandler = (call: ControlCall, input: unknown) => Promise<{ status: number; body: unknown }>;

/** Runs the handler of an operation. `input` is what its schemas output. */
export const handled = (id: HandledId, call: ControlCall, input: unknown): ReturnType<AnyHandler> =>
  (controlHandlers[id] as unknown as AnyHandler)(call, input);

/** The parts of a request before validation. */
export interface OperationInput {
  /** The path parameters, without the sandbox. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Validates the input by the schemas of the HTTP operation, and runs its handler.
 * @throws ControlRefusal as the control API answers it
 * @example await operate(call, 'orders.accept', { params: { id } }); // the order
 */
export async function operate<Id extends HandledId>(
  call: ControlCall,
  id: Id,
  { params = {}, query = {}, body = {} }: OperationInput = {},
): Promise<ControlReplyOf<Id>['body']> {
  const operation: ControlOperation = controlOperations[id];
  requireMemoryFor(operation, call.deps);
  requireParams(operation, params);
  const input = {
    params,
    query: operation.query && parsed(operation.query, query, 'query'),
    body: operation.body && parsed(operation.body, body, 'json'),
  };
  const reply = await handled(id, call, input);
  return reply.body as ControlReplyOf<Id>['body'];
}

/** A router would not find a path with an empty parameter. */
function requireParams({ id, path }: ControlOperation, params: NonNullable<OperationInput['params']>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g))
    if (name !== 'sandbox' && !params[name]) throw new ControlRefusal(404, `${id} needs to be told the ${name}`);
}
