// One call of the control API under way, and the type of the tables that handle it.

import { adminPath } from '../../contract/admin/control-operation.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import type { ControlId, ControlInputOf, ControlReplyOf } from '../../contract/admin.ts';
import { quoted } from '../../contract/file-faults.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import type { Draft } from '../../state/draft.ts';
import type { Awaitable } from '../../state/store.ts';
import { urlParts } from '../arrival.ts';
import type { Edge } from '../edge.ts';

export interface ControlCall {
  readonly edge: Edge;
  readonly request: Request;
  /** What stands before the path in absolute URLs: the public URL, or the request's own origin. */
  readonly origin: string;
  /** The machine's time when the call came. */
  readonly machineTime: number;
  /** The sandbox its path names. @throws where it names none. */
  readonly sandbox: HostedSandbox;
}

/** A handler answers with what its operation declares, or with a stream of its own. */
export type ControlHandlersFor<Ids extends ControlId> = {
  readonly [Id in Ids]: (call: ControlCall, input: ControlInputOf<Id>) => Awaitable<ControlReplyOf<Id> | Response>;
};

/** A call that comes now. */
export const controlCall = (edge: Edge, request: Request, sandbox: HostedSandbox | undefined): ControlCall => ({
  edge,
  request,
  origin: edge.publicUrl ?? urlParts(request.url).origin,
  machineTime: edge.sandboxes.now(),
  get sandbox() {
    if (!sandbox) throw new Error('this call names no sandbox');
    return sandbox;
  },
});

/** The sandbox of this name, which is used now. @throws ControlRefusal 404 */
export async function present({ sandboxes }: Edge, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (!sandbox)
    throw new ControlRefusal(
      404,
      `There is no sandbox ${quoted(name)}; a login as user+tag makes one, or POST ${adminPath}/sandboxes`,
    );
  sandboxes.use(sandbox, sandboxes.now());
  return sandbox;
}

/** Looks at the sandbox; `now` is its time. */
export const look = <T>({ sandbox, machineTime }: ControlCall, see: (draft: Draft, now: number) => T): Awaitable<T> =>
  sandbox.readAt(machineTime, see, true);

/** Bends the sandbox, as one transaction; `now` is its time. */
export const bend = <T>({ sandbox, machineTime }: ControlCall, turn: (draft: Draft, now: number) => T): Awaitable<T> =>
  sandbox.writeAt(machineTime, turn, true);
