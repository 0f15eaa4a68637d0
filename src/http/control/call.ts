// One call of the control API: what a handler gets, and how it reads and changes the sandbox.
import { adminPath, ControlRefusal } from '../../contract/control/control-operation.ts';
import type { ControlId, ControlInputOf, ControlReplyOf } from '../../contract/control/operations.ts';
import { quoted } from '../../contract/file-errors.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { type IdempotencyKey, type Reply, runOnce } from '../../sandbox/idempotency.ts';
import type { WriteContext } from '../../sandbox/sandbox-world.ts';
import type { State } from '../../state/state.ts';
import type { Dependencies } from '../dependencies.ts';
import { urlParts } from '../urls.ts';

export interface ControlCall {
  readonly deps: Dependencies;
  readonly request: Request;
  /** Scheme, host and port for absolute URLs: the public URL's, or the request's own. */
  readonly origin: string;
  /** The machine's time when the call was read completely. */
  readonly machineTime: number;
  /** Identifies a call that is sent again; undefined without an Idempotency-Key header. */
  readonly idempotency: IdempotencyKey | undefined;
  /** The sandbox in the path. @throws Error if the path has no sandbox */
  readonly sandbox: HostedSandbox;
}

/** Operations that answer with JSON or without a body. The live events are a stream (`followEvents`). */
export type HandledId = Exclude<ControlId, 'events.follow'>;

export type ControlHandlersFor<Ids extends HandledId> = {
  readonly [Id in Ids]: (call: ControlCall, input: ControlInputOf<Id>) => Promise<ControlReplyOf<Id>>;
};

/** A call that is handled now. */
export const controlCall = (
  deps: Dependencies,
  request: Request,
  sandbox: HostedSandbox | undefined,
  idempotency?: IdempotencyKey,
): ControlCall => ({
  deps,
  request,
  idempotency,
  origin: deps.publicUrl ?? urlParts(request.url).origin,
  machineTime: deps.sandboxes.now(),
  get sandbox() {
    if (!sandbox) throw new Error('The path of this call has no sandbox.');
    return sandbox;
  },
});

/** The sandbox with this name; counts as a use of it. @throws ControlRefusal 404 */
export async function requireSandbox({ sandboxes }: Dependencies, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (!sandbox)
    throw new ControlRefusal(
      404,
      `There is no sandbox ${quoted(name)}; a login as user+tag makes one, or POST ${adminPath}/sandboxes`,
    );
  sandboxes.use(sandbox, sandboxes.now());
  return sandbox;
}

/** Reads the sandbox. `now` is the time of its clock. */
export const read = <T>({ sandbox, machineTime }: ControlCall, see: (state: State, now: number) => T): Promise<T> =>
  sandbox.readAt(machineTime, see);

/** Changes the sandbox in one transaction; a call that is sent again gets its first reply. */
export function change<R extends Reply>(
  call: ControlCall,
  run: (state: State, writing: WriteContext) => R,
): Promise<R> {
  const { sandbox, machineTime, idempotency, deps } = call;
  return sandbox.writeAt(machineTime, (state, now) => {
    const turn = () => run(state, { now, hashes: deps.hashes });
    return idempotency ? runOnce(state, idempotency, turn) : turn();
  });
}

/** Replaces the sandbox's state in one transaction, like `change`, but without running the steps that were due before. */
export function replaceState<R extends Reply>(
  { sandbox, idempotency }: ControlCall,
  run: (state: State) => R,
): Promise<R> {
  return sandbox.write(idempotency ? (state) => runOnce(state, idempotency, () => run(state)) : run);
}
