// A request to the console: what it comes with, and for requests about a sandbox, the control API to see that sandbox through.
import type { ControlReplyOf } from '../contract/control/operations.ts';
import { type OperationInput, runOperation } from '../http/control/app.ts';
import { ControlCall, type HandledId } from '../http/control/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { fetchInProcess } from '../http/in-process.ts';
import type { AppContext } from '../http/request-context.ts';
import type { HostedSandbox } from '../sandbox/hosted-sandbox.ts';

/** What the console needs of the server. */
export interface ConsoleDependencies {
  readonly deps: Dependencies;
  /** Sends a call as a client would. */
  readonly fetch: ReturnType<typeof fetchInProcess>;
}

export interface ConsoleRequest extends ConsoleDependencies {
  readonly context: AppContext;
  readonly request: Request;
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** A request about a sandbox, with the right key. */
export interface Visit extends ConsoleRequest {
  readonly sandbox: HostedSandbox;
  readonly call: ControlCall;
  readonly query: URLSearchParams;
  /** Runs an operation of the control API and returns its response body. @throws ControlRefusal */
  readonly control: <Id extends HandledId>(id: Id, input?: OperationInput) => Promise<ControlReplyOf<Id>['body']>;
}

export function visitOf(consoleRequest: ConsoleRequest, sandbox: HostedSandbox): Visit {
  const { deps, request } = consoleRequest;
  const call = new ControlCall(deps, request, sandbox);
  return {
    ...consoleRequest,
    sandbox,
    call,
    query: new URL(request.url).searchParams,
    control: (id, input) => runOperation(call, id, input),
  };
}
