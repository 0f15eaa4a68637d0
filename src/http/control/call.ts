// One call of the control API: the context of its handler, with methods that read and change the sandbox.
import { adminPath, ControlRefusal } from '../../contract/control/control-operation.ts';
import type { ControlId, ControlInputOf, ControlReplyOf } from '../../contract/control/operations.ts';
import { quoted } from '../../contract/file-errors.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import { type IdempotencyKey, type Reply, runOnce } from '../../sandbox/idempotency.ts';
import type { WriteContext } from '../../sandbox/sandbox-world.ts';
import type { State } from '../../state/state.ts';
import type { Dependencies } from '../dependencies.ts';
import { urlParts } from '../urls.ts';

/** Operations that answer with JSON or without a body. The live events are a stream (`followEvents`). */
export type HandledId = Exclude<ControlId, 'events.follow'>;

export type ControlHandlers = {
  readonly [Id in HandledId]: (call: ControlCall, input: ControlInputOf<Id>) => Promise<ControlReplyOf<Id>>;
};

export class ControlCall {
  readonly deps: Dependencies;
  readonly request: Request;
  /** Identifies a call that is sent again; undefined without an Idempotency-Key header. */
  readonly idempotency: IdempotencyKey | undefined;
  /** Scheme, host and port for absolute URLs: the public URL's, or the request's own. */
  readonly origin: string;
  /** The machine's time when the call was read completely. */
  readonly machineTime: number;
  readonly #sandbox: HostedSandbox | undefined;

  constructor(deps: Dependencies, request: Request, sandbox: HostedSandbox | undefined, idempotency?: IdempotencyKey) {
    this.deps = deps;
    this.request = request;
    this.idempotency = idempotency;
    this.origin = deps.publicUrl ?? urlParts(request.url).origin;
    this.machineTime = deps.sandboxes.now();
    this.#sandbox = sandbox;
  }

  /** The sandbox in the path. @throws Error if the path has no sandbox */
  get sandbox(): HostedSandbox {
    if (!this.#sandbox) throw new Error('the path of this call has no sandbox');
    return this.#sandbox;
  }

  /** Reads the sandbox. `now` is the time of its clock. */
  read<T>(reader: (state: State, now: number) => T): Promise<T> {
    return this.sandbox.readAt(this.machineTime, reader);
  }

  /** Changes the sandbox in one transaction; a call that is sent again gets its first reply. */
  change<R extends Reply>(run: (state: State, writing: WriteContext) => R): Promise<R> {
    return this.sandbox.writeAt(this.machineTime, (state, now) =>
      this.#once(state, () => run(state, { now, hashes: this.deps.hashes })),
    );
  }

  /** Like `change`, for a removal: the reply has no body. */
  remove(run: (state: State, writing: WriteContext) => void): Promise<typeof noContent> {
    return this.change((state, writing) => {
      run(state, writing);
      return noContent;
    });
  }

  /** Replaces the sandbox's state in one transaction. Unlike `change`, it does not take the due steps first. */
  replaceState<R extends Reply>(run: (state: State) => R): Promise<R> {
    return this.sandbox.write((state) => this.#once(state, () => run(state)));
  }

  #once<R extends Reply>(state: State, run: () => R): R {
    return this.idempotency ? runOnce(state, this.idempotency, run) : run();
  }
}

export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;
export const created = <Body>(body: Body) => ({ status: 201, body }) as const;
export const noContent = { status: 204, body: undefined } as const;

/** The sandbox with this name; counts as a use of it. @throws ControlRefusal 404 */
export async function requireSandbox({ sandboxes }: Dependencies, name: string): Promise<HostedSandbox> {
  const sandbox = await sandboxes.get(name);
  if (!sandbox)
    throw new ControlRefusal(
      404,
      `There is no sandbox ${quoted(name)}; create it with POST ${adminPath}/sandboxes, or with a login as user+tag`,
    );
  sandboxes.use(sandbox, sandboxes.now());
  return sandbox;
}
