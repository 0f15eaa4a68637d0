// One look at a sandbox by the console: what was asked for, and the control API to see it by.
import type { ControlId, ControlReplyOf } from '../contract/admin.ts';
import type { HostedSandbox } from '../control/hosted-sandbox.ts';
import { type ControlCall, controlCall } from '../http/admin/control-call.ts';
import { type Asked, operate } from '../http/admin/operate.ts';
import type { Knock } from './knock.ts';

export interface Visit extends Knock {
  readonly sandbox: HostedSandbox;
  readonly call: ControlCall;
  readonly query: URLSearchParams;
  /** Has an operation of the control API done, and gives its answer. @throws ControlRefusal */
  readonly control: <Id extends ControlId>(id: Id, asked?: Asked) => Promise<ControlReplyOf<Id>['body']>;
}

export function visitOf(knock: Knock, sandbox: HostedSandbox): Visit {
  const { edge, request } = knock;
  const call = controlCall(edge, request, sandbox);
  return {
    ...knock,
    sandbox,
    call,
    query: new URL(request.url).searchParams,
    control: (id, asked) => operate(call, id, asked),
  };
}
