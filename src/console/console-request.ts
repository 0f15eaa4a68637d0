// A request to the console about one sandbox, with the right key. Pages read the sandbox through it.
import type { ControlReplyOf } from '../contract/control/operations.ts';
import { type OperationInput, runControlOperation } from '../http/control/app.ts';
import { ControlCall, type HandledId } from '../http/control/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { fetchInProcess } from '../http/in-process.ts';
import type { AppContext } from '../http/request-context.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';
import type { WriteContext } from '../sandbox/sandbox-world.ts';
import type { State } from '../state/state.ts';

/** What the console needs from the server. */
export interface ConsoleDependencies {
  readonly deps: Dependencies;
  /** Sends a call to the service, as a client would. */
  readonly fetch: ReturnType<typeof fetchInProcess>;
}

export interface ConsoleRequest extends ConsoleDependencies {
  readonly context: AppContext;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly sandbox: HostedSandbox;
  /** Scheme, host and port for absolute URLs. */
  readonly origin: string;
  /** Runs an operation of the control API and returns its response body. @throws ControlRefusal */
  readonly control: <Id extends HandledId>(id: Id, input?: OperationInput) => Promise<ControlReplyOf<Id>['body']>;
  /** Reads the sandbox's state. `writing.now` is the time of its clock. */
  readonly read: <T>(reader: (state: State, writing: WriteContext) => T) => Promise<T>;
}

export function consoleRequest(
  dependencies: ConsoleDependencies,
  context: AppContext,
  sandbox: HostedSandbox,
): ConsoleRequest {
  const request = context.req.raw;
  const { hashes } = dependencies.deps;
  const call = new ControlCall(dependencies.deps, request, sandbox);
  return {
    ...dependencies,
    context,
    request,
    query: new URL(request.url).searchParams,
    sandbox,
    origin: call.origin,
    control: (id, input) => runControlOperation(call, id, input),
    read: (reader) => sandbox.readAt(call.machineTime, (state, now) => reader(state, { now, hashes })),
  };
}
