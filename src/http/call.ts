// One call under way: what came, the sandbox it belongs to, and what the stages have found out so far.
import { sandboxBase } from '../contract/addresses.ts';
import { isOffered } from '../contract/operation.ts';
import type { RuleId } from '../contract/rules.ts';
import { Terms } from '../contract/terms.ts';
import type { Admission } from '../control/admission.ts';
import { timeOf } from '../control/clock.ts';
import type { HostedSandbox } from '../control/hosted-sandbox.ts';
import type { StageName } from '../control/journal/decision.ts';
import { LifeOverError } from '../control/keeping-up.ts';
import type { AdmittedCall } from '../control/lever-turn.ts';
import { OpenWorld } from '../control/open-world.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, Identity, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import type { Awaitable } from '../state/store.ts';
import { SandboxGone } from '../state/store-failure.ts';
import { type Arrival, isDecodable, localPath } from './arrival.ts';
import type { Body } from './body.ts';
import type { Edge } from './edge.ts';

/** The sandbox a call belongs to, and the username it is logged in with there. */
export interface Located {
  readonly sandbox: HostedSandbox;
  readonly username?: string;
}

/** An answer before it is a Response. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether this was thrown because a life is over: no bug, and nothing that the service could answer. */
export const isLifeOver = (error: unknown): boolean => error instanceof LifeOverError || error instanceof SandboxGone;

const none: readonly string[] = [];

export class Call {
  readonly edge: Edge;
  readonly arrival: Arrival;
  readonly sandbox: HostedSandbox;
  /** The username within the sandbox, for a login: without the tag. */
  readonly username: string | undefined;
  readonly body: Body | undefined;
  #machineTime: number;
  /** Whoever found the sandbox has caught up; after a wait that was long ago. */
  #isFresh = true;
  #life: number | undefined;
  #terms: Terms | undefined;
  #facts: AdmittedCall | undefined;
  #seenLast: { readonly root: Root; readonly draft: Draft; readonly now: number } | undefined;
  #world: { readonly of: Draft; readonly world: World } | undefined;
  /** The stage it is in, for the journal. */
  stage: StageName = 'admission';
  admission: Admission | undefined;
  /** Switches that bent what the call was judged by. */
  #bentBy: Set<string> | undefined;
  caller: Caller | undefined;
  /** The parsed parts of the request, filled in by the stages. */
  input: { params?: unknown; query?: unknown; body?: unknown } = {};
  reply: Reply | undefined;
  /** The next cursor of the page that it is answered with. */
  next: string | null | undefined;
  /** Whoever called has gone while it waited. */
  isAbandoned = false;

  /** Told once, when the call has seen the sandbox for the first time: it belongs to a life from there on. */
  onSeen: (() => void) | undefined;

  constructor(edge: Edge, arrival: Arrival, { sandbox, username }: Located, body: Body | undefined) {
    this.edge = edge;
    this.arrival = arrival;
    this.sandbox = sandbox;
    this.username = username;
    this.body = body;
    this.#machineTime = edge.sandboxes.now();
    edge.sandboxes.use(sandbox, this.#machineTime);
  }

  /** The readings this call is judged by, with their trace; known from the admission on. */
  get terms(): Terms | undefined {
    return this.#terms;
  }

  get identity(): Identity {
    return this.sandbox.root.values.identity;
  }

  /** The sandbox's time of this call, as far as the sandbox is known now. */
  get now(): number {
    return timeOf(this.sandbox.root.values.clock, this.#machineTime);
  }

  read<T>(run: (world: World) => T): Awaitable<T> {
    return this.look((draft, now) => run(this.#open(draft, now)));
  }

  write<T>(run: (world: World) => T): Awaitable<T> {
    return this.sandbox.writeAt(this.#machineTime, (draft, now) => run(this.#open(draft, now)), this.#isFresh);
  }

  /** Looks at the state behind the world, for what meets the call before it is judged. While that is the same, a call looks once. */
  look<T>(run: (draft: Draft, now: number) => T): Awaitable<T> {
    const { sandbox } = this;
    const seen = this.#seenLast;
    if (seen?.root === sandbox.root && !sandbox.isGone) return run(seen.draft, seen.now);
    const see = (draft: Draft, now: number): T => {
      this.#enter(draft);
      // Steps that it had to take for itself, for want of the store, are kept by the next look.
      if (!draft.isWritten) this.#seenLast = { root: sandbox.root, draft, now };
      return run(draft, now);
    };
    return sandbox.readAt(this.#machineTime, see, this.#isFresh);
  }

  /** Counts in the state behind the world. */
  count<T>(run: (draft: Draft, now: number) => T): Awaitable<T> {
    return this.sandbox.writeAt(this.#machineTime, (draft, now) => run(this.#enter(draft), now), this.#isFresh);
  }

  /** Waits in real time; the call's own time is read anew after it. */
  async wait(milliseconds: number): Promise<void> {
    // A life that ended just before has ended its waits already; one that ended meanwhile leaves nothing to say.
    this.#live(this.sandbox.root.values.history.lives);
    const { signal } = this.arrival.request;
    // The life may end on another server.
    const endFollowing = this.sandbox.follow();
    try {
      await this.sandbox.delays.wait(milliseconds, { signal, bytes: this.body?.bytes ?? 0 });
    } finally {
      endFollowing();
    }
    this.isAbandoned = signal.aborted;
    this.#live(this.sandbox.root.values.history.lives);
    this.#machineTime = this.edge.sandboxes.now();
    this.#isFresh = false;
    this.#seenLast = undefined;
  }

  get hashes(): Hashes {
    return this.edge.hashes;
  }

  /** The absolute {base_url} under which this sandbox is reached by its name. */
  get baseUrl(): string {
    return this.arrival.origin + sandboxBase(this.sandbox.name);
  }

  /** The names of the switches and faults that met the call: at its admission, then inside. */
  get metBy(): readonly string[] {
    const met = this.admission?.met ?? none;
    return this.#bentBy ? [...met, ...this.#bentBy] : met;
  }

  noteBent(name: string): void {
    this.#bentBy ??= new Set();
    this.#bentBy.add(name);
  }

  /** The call as matches and levers see it. */
  get facts(): AdmittedCall {
    this.#facts ??= this.#look();
    return this.#facts;
  }

  #look(): AdmittedCall {
    const { operation, request } = this.arrival;
    return {
      operation: operation?.id ?? null,
      method: request.method,
      path: localPath(this.arrival),
      body: this.body && 'value' in this.body ? this.body.value : undefined,
      permission: operation?.permission ?? null,
      isRouted: this.notRouted === undefined,
      isForged: false,
    };
  }

  /** The rule by which it has no route; none where it has one. */
  get notRouted(): RuleId | undefined {
    const { operation, path } = this.arrival;
    if (!operation) return 'HTTP-1';
    if (operation.offeredBy && this.#terms && !isOffered(operation, this.#terms)) return operation.offeredBy;
    return isDecodable(path) ? undefined : 'malformed_path';
  }

  #open(draft: Draft, now: number): World {
    if (this.#world?.of === draft) return this.#world.world;
    this.#enter(draft);
    const world = new OpenWorld(draft, this, now, this.#termsOf(draft));
    this.#world = { of: draft, world };
    return world;
  }

  /** A call lives in the life of the sandbox that it began in. */
  #enter(draft: Draft): Draft {
    this.#live(draft.value('history').lives);
    this.#termsOf(draft);
    return draft;
  }

  #live(lives: number): void {
    if (this.#life === undefined) this.#seen(lives);
    if (lives !== this.#life || this.sandbox.isGone) throw new LifeOverError('the sandbox began anew, or is gone');
  }

  #seen(lives: number): void {
    this.#life = lives;
    this.onSeen?.();
  }

  /** One trace goes on through the whole call, unless the readings were changed under it. */
  #termsOf(draft: Draft): Terms {
    const readings = draft.value('readings');
    if (this.#terms?.readings !== readings)
      this.#terms = new Terms(readings, draft.value('administration_times').values);
    return this.#terms;
  }
}

/** The URL of this request as the caller knows it. */
export function requestUrl({ arrival: { origin, path, search } }: Call): URL {
  return new URL(origin + path + search);
}
