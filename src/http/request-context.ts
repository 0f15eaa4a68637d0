// One request to a sandbox: what came, the sandbox and the caller it belongs to, what the stages decided, and how it is answered.
import type { Context, Hono } from 'hono';
import { sandboxBase } from '../contract/addresses.ts';
import type { Drop } from '../contract/admin/faults.ts';
import { isOffered } from '../contract/operation.ts';
import type { ServiceOperation } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import type { RuleId } from '../contract/rules.ts';
import { Terms } from '../contract/terms.ts';
import type { Admission } from '../control/admission.ts';
import { stopwatch, timeOf } from '../control/clock.ts';
import type { HostedSandbox } from '../control/hosted-sandbox.ts';
import { requestId } from '../control/ids.ts';
import type { Decided, StageName } from '../control/journal/decision.ts';
import type { Entry } from '../control/journal/entry.ts';
import type { AdmittedCall } from '../control/levers.ts';
import { OpenWorld, type Visitor } from '../control/open-world.ts';
import { LifeOverError } from '../control/timeline.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, Identity, World } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import type { Awaitable } from '../state/store.ts';
import { SandboxGone } from '../state/store-failure.ts';
import type { Body } from './body.ts';
import type { Edge } from './edge.ts';
import type { Bindings, ServiceResponse } from './exchange.ts';
import { requireRoomForResponse } from './memory.ts';
import { BrokenConnection, refusalResponse, sendResponse, serviceHeaders } from './response.ts';
import { bearerToken } from './tokens.ts';
import { isDecodable, localPath, sandboxInPath, urlParts } from './urls.ts';

/** Hono's types for the app. */
export interface Env {
  Bindings: Bindings;
  Variables: { request: RequestContext };
}
export type AppContext = Context<Env>;
export type App = Hono<Env>;

/** What a sandbox serves besides the operations. It stands in the journal, and no fault affects it. */
export interface ExtraRoute {
  /** Its name in the journal. */
  readonly name: StageName;
  readonly answer: (request: RequestContext) => Promise<ServiceResponse>;
  readonly unknownSandbox: (request: RequestContext) => ServiceResponse;
  readonly failed: (request: RequestContext) => ServiceResponse;
}

/** The sandbox of a request, and the username within it for a login: without the tag. */
export interface Located {
  readonly sandbox: HostedSandbox;
  readonly username?: string;
}

/** True if the sandbox was reset or deleted during the request. */
export const isSandboxOver = (error: unknown): boolean =>
  error instanceof LifeOverError || error instanceof SandboxGone;

const none: readonly string[] = [];

export class RequestContext implements Visitor {
  readonly c: AppContext;
  readonly edge: Edge;
  /** Undefined for a path that is no operation. */
  readonly operation: ServiceOperation | undefined;
  readonly id = requestId();
  readonly method: string;
  /** Scheme and host of absolute URLs in responses: the public URL, or the request's own origin. */
  readonly origin: string;
  /** The path as it came, still encoded. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly search: string;
  /** The sandbox named in the path; undefined at the plain base URL. */
  readonly sandboxName: string | undefined;
  readonly #startedAt = stopwatch();

  body: Body | undefined;
  /** Undefined until `enter`. */
  #located: Located | undefined;
  #machineTime = 0;
  /** The sandbox has just been found, so it is up to date; after a delay it is not. */
  #isFresh = true;
  #life: number | undefined;
  #terms: Terms | undefined;
  #facts: AdmittedCall | undefined;
  #lastLook: { readonly root: Root; readonly draft: Draft; readonly now: number } | undefined;
  #world: { readonly of: Draft; readonly world: World } | undefined;

  /** The stage that the request is in, for the journal. */
  stage: StageName = 'admission';
  /** What the faults decided before the request is judged. */
  admission: Admission | undefined;
  caller: Caller | undefined;
  #bearer: string | null | undefined;
  /** The validated parts of the request, filled in by the stages. */
  input: { params?: unknown; query?: unknown; body?: unknown } = {};
  /** The answer of the operation. */
  answer: ServiceResponse | undefined;
  refusal: Refusal | undefined;
  /** The next cursor of the page that answers. */
  next: string | null | undefined;
  /** The caller went away during a delay. */
  isAbandoned = false;
  /** Names of the switches that shaped the answer inside. */
  #overrides: Set<string> | undefined;
  #entry: Entry | undefined;
  #response: Pick<ServiceResponse, 'headers' | 'body'> & { readonly status: number | null } = lost;

  constructor(c: AppContext, edge: Edge, operation: ServiceOperation | undefined) {
    const { origin, path, search } = urlParts(c.req.url);
    this.c = c;
    this.edge = edge;
    this.operation = operation;
    this.method = c.req.raw.method;
    this.origin = edge.publicUrl ?? origin;
    this.path = path;
    this.search = search;
    this.sandboxName = c.req.param('sandbox') ?? sandboxInPath(path);
  }

  /** The request belongs to this sandbox from here on. */
  enter(located: Located): void {
    this.#located = located;
    this.#machineTime = this.edge.sandboxes.now();
    this.edge.sandboxes.use(located.sandbox, this.#machineTime);
  }

  get hasSandbox(): boolean {
    return this.#located !== undefined;
  }

  get sandbox(): HostedSandbox {
    if (!this.#located) throw new Error('the sandbox of this request is not known yet');
    return this.#located.sandbox;
  }

  get username(): string | undefined {
    return this.#located?.username;
  }

  get identity(): Identity {
    return this.sandbox.root.values.identity;
  }

  get hashes(): Hashes {
    return this.edge.hashes;
  }

  /** The sandbox's time of this request, in milliseconds since 1970. */
  get now(): number {
    return timeOf(this.sandbox.root.values.clock, this.#machineTime);
  }

  /** The assumptions that the request is judged by, with their trace; known from the admission on. */
  get terms(): Terms | undefined {
    return this.#terms;
  }

  /** The absolute {base_url} under which this sandbox is reached by its name. */
  get baseUrl(): string {
    return this.origin + sandboxBase(this.sandbox.name);
  }

  /** The token of the Authorization header, good or not. */
  get bearer(): string | undefined {
    if (this.#bearer === undefined) this.#bearer = bearerToken(this.c.req.raw) ?? null;
    return this.#bearer ?? undefined;
  }

  /** The URL of this request as the caller knows it. */
  get url(): URL {
    return new URL(this.origin + this.path + this.search);
  }

  /** Runs a function of the domain that only reads. */
  read<T>(run: (world: World) => T): Awaitable<T> {
    return this.look((draft, now) => run(this.#open(draft, now)));
  }

  /** Runs a function of the domain as one transaction; what it throws discards it (ORD-27). */
  write<T>(run: (world: World) => T): Awaitable<T> {
    return this.sandbox.writeAt(this.#machineTime, (draft, now) => run(this.#open(draft, now)), this.#isFresh);
  }

  /** Reads the state behind the world: switches, faults, clock. Looks once, as long as the state is the same. */
  look<T>(run: (draft: Draft, now: number) => T): Awaitable<T> {
    const { sandbox } = this;
    const last = this.#lastLook;
    if (last?.root === sandbox.root && !sandbox.isGone) return run(last.draft, last.now);
    const see = (draft: Draft, now: number): T => {
      this.#requireSameLife(draft);
      // Timeline steps that a read took only for itself are taken again by the next look.
      if (!draft.isWritten) this.#lastLook = { root: sandbox.root, draft, now };
      return run(draft, now);
    };
    return sandbox.readAt(this.#machineTime, see, this.#isFresh);
  }

  /** Writes the state behind the world: what a fault counts. */
  count<T>(run: (draft: Draft, now: number) => T): Awaitable<T> {
    const counted = (draft: Draft, now: number): T => run(this.#requireSameLife(draft), now);
    return this.sandbox.writeAt(this.#machineTime, counted, this.#isFresh);
  }

  /** Waits in real time; the request's own time is read again after it. */
  async wait(milliseconds: number): Promise<void> {
    const { sandbox } = this;
    this.#requireLife(sandbox.root.values.history.lives);
    const { signal } = this.c.req.raw;
    // Another server may reset the sandbox meanwhile.
    const endFollowing = sandbox.follow();
    try {
      await sandbox.delays.wait(milliseconds, { signal, bytes: this.body?.bytes ?? 0 });
    } finally {
      endFollowing();
    }
    this.isAbandoned = signal.aborted;
    this.#requireLife(sandbox.root.values.history.lives);
    this.#machineTime = this.edge.sandboxes.now();
    this.#isFresh = false;
    this.#lastLook = undefined;
  }

  /** The names of the switches and faults that affected the request: at its admission, then inside. */
  get faults(): readonly string[] {
    const met = this.admission?.met ?? none;
    return this.#overrides ? [...met, ...this.#overrides] : met;
  }

  noteBent(name: string): void {
    this.#overrides ??= new Set();
    this.#overrides.add(name);
  }

  /** The request as matches and faults see it. */
  get facts(): AdmittedCall {
    this.#facts ??= {
      operation: this.operation?.id ?? null,
      method: this.method,
      path: localPath(this),
      body: this.body && 'value' in this.body ? this.body.value : undefined,
      permission: this.operation?.permission ?? null,
      isRouted: this.notRouted === undefined,
      isForged: false,
    };
    return this.#facts;
  }

  /** The rule that rejects the path; undefined if it leads to an operation. */
  get notRouted(): RuleId | undefined {
    const { operation } = this;
    if (!operation) return 'HTTP-1';
    if (operation.offeredBy && this.#terms && !isOffered(operation, this.#terms)) return operation.offeredBy;
    return isDecodable(this.path) ? undefined : 'malformed_path';
  }

  /** Builds the response, and keeps what the journal records of it. @throws BrokenConnection if a fault breaks it */
  respond(given: ServiceResponse): Response {
    const response = this.#withinMemory(given);
    const headers = serviceHeaders(this, response);
    this.log(response.status);
    this.#response = { status: response.status, headers, body: response.body };
    const drop = this.admission?.drop;
    if (drop) throw new BrokenConnection(drop, { ...response, headers });
    return sendResponse(this.c, { ...response, headers });
  }

  /** Reports a bug or a failing store. In process that may throw, so the journal's copy of the response is kept before. */
  fail(error: unknown, response: ServiceResponse): void {
    this.receive();
    this.#response = { ...response, headers: serviceHeaders(this, response) };
    this.edge.onFailure(error, this.id);
  }

  /** Breaks the connection before there is a response. */
  breakConnection(at: Drop): never {
    this.log(0);
    throw new BrokenConnection(at);
  }

  log(status: number): void {
    const { method, path } = this;
    const milliseconds = stopwatch() - this.#startedAt;
    this.edge.log({ method, path, status, milliseconds, sandbox: this.#located?.sandbox.name });
  }

  /** Opens the journal entry, once. The first look at the sandbox does it: a request belongs to that life of the sandbox. */
  receive(): void {
    if (this.#entry || !this.#located) return;
    const { operation, method, search, c } = this;
    const { isOverPort = false, isByConsole = false, rawHeaders } = c.env;
    const { journal } = this.sandbox;
    this.#entry = journal.receive({
      id: this.id,
      receivedAt: this.now,
      startedAt: this.#startedAt,
      isOverPort,
      isByConsole,
      method,
      path: localPath(this),
      query: search,
      operation: operation?.id ?? null,
      headers: journal.shared(method, rawHeaders ?? [...c.req.raw.headers].flat()),
      body: this.body?.text ?? null,
    });
  }

  /** Completes the journal entry. A response goes out when the journal has it. */
  record(): Awaitable<void> {
    const entry = this.#entry;
    if (!entry) return;
    const { journal } = this.sandbox;
    const { status, headers = {}, body } = this.#response;
    const completed = journal.complete(entry, {
      status,
      headers,
      body: body instanceof Uint8Array ? null : body,
      answeredAt: this.now,
      durationMilliseconds: Math.round((stopwatch() - this.#startedAt) * 1000) / 1000,
      caller: this.caller?.user.username ?? null,
      decided: this.#decide(),
    });
    if (!entry.isOverPort) this.c.env.onHandedOver = () => journal.handOver(entry);
    return completed;
  }

  #decide(): Decided {
    const { stage, refusal, admission, next } = this;
    return {
      stage,
      refusal,
      terms: this.#terms,
      faults: this.faults,
      isInjected: isInjected(stage, refusal, admission),
      isLost: this.isAbandoned || admission?.drop !== undefined,
      next,
      params: refusal && stage === 'path' ? this.c.req.param() : undefined,
    };
  }

  /** A response that memory has no room for becomes the service's 500. */
  #withinMemory(given: ServiceResponse): ServiceResponse {
    try {
      requireRoomForResponse(this.edge, this.method, given);
      return given;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusal = error;
      return refusalResponse(error);
    }
  }

  #open(draft: Draft, now: number): World {
    if (this.#world?.of === draft) return this.#world.world;
    this.#requireSameLife(draft);
    const world = new OpenWorld(draft, this, now, this.#termsOf(draft));
    this.#world = { of: draft, world };
    return world;
  }

  #requireSameLife(draft: Draft): Draft {
    this.#requireLife(draft.value('history').lives);
    this.#termsOf(draft);
    return draft;
  }

  #requireLife(lives: number): void {
    if (this.#life === undefined) {
      this.#life = lives;
      this.receive();
    }
    if (lives !== this.#life || this.sandbox.isGone) throw new LifeOverError('the sandbox began anew, or is gone');
  }

  /** One trace goes on through the whole request, unless the assumptions were changed under it. */
  #termsOf(draft: Draft): Terms {
    const readings = draft.value('readings');
    if (this.#terms?.readings !== readings)
      this.#terms = new Terms(readings, draft.value('administration_times').values);
    return this.#terms;
  }
}

/** The response of a request whose connection breaks before there is one. */
const lost = { status: null, headers: {}, body: null } as const;

/** Whether a fault gave the answer, not the service. */
const isInjected = (stage: StageName, refusal: Refusal | undefined, admission: Admission | undefined): boolean =>
  refusal !== undefined && admission?.refusal !== undefined && (stage === 'admission' || stage === 'fault');
