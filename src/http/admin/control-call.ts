// One call of the control API under way, and the type of the tables that handle it.

import { adminPath } from '../../contract/admin/control-operation.ts';
import { ControlRefusal } from '../../contract/admin/refusals.ts';
import type { ControlId, ControlInputOf, ControlReplyOf } from '../../contract/admin.ts';
import { quoted } from '../../contract/file-faults.ts';
import { type Once, onceIn, type Reply } from '../../control/answered.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import type { Draft } from '../../state/draft.ts';
import type { Awaitable } from '../../state/store.ts';
import type { Edge } from '../edge.ts';
import { urlParts } from '../urls.ts';

export interface ControlCall {
  readonly edge: Edge;
  readonly request: Request;
  /** What stands before the path in absolute URLs: the public URL, or the request's own origin. */
  readonly origin: string;
  /** The machine's time when the call came. */
  readonly machineTime: number;
  /** By what it is known when it comes again. */
  readonly once: Once | undefined;
  /** The sandbox its path names. @throws where it names none. */
  readonly sandbox: HostedSandbox;
}

/** A handler answers with what its operation declares, or with a stream of its own. */
export type ControlHandlersFor<Ids extends ControlId> = {
  readonly [Id in Ids]: (call: ControlCall, input: ControlInputOf<Id>) => Awaitable<ControlReplyOf<Id> | Response>;
};

/** A call that comes now. */
export const controlCall = (
  edge: Edge,
  request: Request,
  sandbox: HostedSandbox | undefined,
  once?: Once,
): ControlCall => ({
  edge,
  request,
  once,
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

/** Bends the sandbox, as one transaction, once; `now` is its time. */
export function bend<R extends Reply>(call: ControlCall, turn: (draft: Draft, now: number) => R): Awaitable<R> {
  const { sandbox, machineTime, once } = call;
  const turned = once ? (draft: Draft, now: number) => onceIn(draft, once, () => turn(draft, now)) : turn;
  return sandbox.writeAt(machineTime, turned, true);
}

/** Has the sandbox begin anew, as one transaction, once; what was due before is not waited for. */
export function beginAnew<R extends Reply>({ sandbox, once }: ControlCall, turn: (draft: Draft) => R): Awaitable<R> {
  return sandbox.write(once ? (draft) => onceIn(draft, once, () => turn(draft)) : turn);
}
