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
import type { At, HostedSandbox } from '../control/hosted-sandbox.ts';
import { requestId } from '../control/ids.ts';
import type { Decided, StageName } from '../control/journal/decision.ts';
import type { Entry } from '../control/journal/entry.ts';
import type { AdmittedCall } from '../control/levers.ts';
import { OpenWorld, type Visitor } from '../control/open-world.ts';
import { LifeOverError } from '../control/timeline.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Caller, Identity, World } from '../domain/world.ts';
import type { State } from '../state/state.ts';
import { SandboxGone, type StoreFailure } from '../state/store.ts';
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
  /** Why steps of the timeline that were due by then are not kept; reads take them for themselves. */
  #notAdvanced: StoreFailure | undefined;
  #life: number | undefined;
  #terms: Terms | undefined;
  #facts: AdmittedCall | undefined;

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

  /** The request belongs to this sandbox, in its present life, from here on. Steps of the timeline that are due are taken before. */
  async enter(located: Located): Promise<void> {
    const { sandbox } = located;
    this.#located = located;
    this.#machineTime = this.edge.sandboxes.now();
    this.edge.sandboxes.use(sandbox, this.#machineTime);
    this.#requireLife(sandbox.state);
    this.#notAdvanced = await sandbox.advance(this.#machineTime);
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
    return this.sandbox.identity;
  }

  get hashes(): Hashes {
    return this.edge.hashes;
  }

  /** The sandbox's time of this request, in milliseconds since 1970. */
  get now(): number {
    return timeOf(this.sandbox.state.value('clock'), this.#machineTime);
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
  read<T>(run: (world: World) => T): Promise<T> {
    return this.look((state, now) => run(this.#open(state, now)));
  }

  /** Runs a function of the domain as one transaction; what it throws discards it (ORD-27). */
  write<T>(run: (world: World) => T): Promise<T> {
    return this.count((state, now) => run(this.#open(state, now)));
  }

  /** Reads the state behind the world: switches, faults, clock. */
  look<T>(see: At<T>): Promise<T> {
    return this.sandbox.see(this.#machineTime, this.#notAdvanced, (state, now) => see(this.#requireLife(state), now));
  }

  /** Writes the state behind the world: what a fault counts. */
  async count<T>(work: At<T>): Promise<T> {
    if (this.#notAdvanced) throw this.#notAdvanced;
    return this.sandbox.write((state) => this.#at(state, work));
  }

  /** As `count`, but keeps nothing. */
  rehearse<T>(work: At<T>): Promise<T> {
    return this.sandbox.rehearse((state) => this.#at(state, work));
  }

  #at<T>(state: State, work: At<T>): T {
    return work(this.#requireLife(state), timeOf(state.value('clock'), this.#machineTime));
  }

  /** Waits in real time; the request's own time is read again after it. */
  async wait(milliseconds: number): Promise<void> {
    const { sandbox } = this;
    this.#requireLife(sandbox.state);
    const { signal } = this.c.req.raw;
    // Another server may reset the sandbox meanwhile.
    const endFollowing = sandbox.follow();
    try {
      await sandbox.delays.wait(milliseconds, { signal, bytes: this.body?.bytes ?? 0 });
    } finally {
      endFollowing();
    }
    this.isAbandoned = signal.aborted;
    await sandbox.catchUp();
    this.#requireLife(sandbox.state);
    this.#machineTime = this.edge.sandboxes.now();
    this.#notAdvanced = await sandbox.advance(this.#machineTime);
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
  async record(): Promise<void> {
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
    await completed;
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

  #open(state: State, now: number): World {
    return new OpenWorld(state, this, now, this.#termsOf(state));
  }

  #requireLife(state: State): State {
    const { lives } = state.value('history');
    this.#termsOf(state);
    if (this.#life === undefined) {
      this.#life = lives;
      this.receive();
    }
    if (lives !== this.#life || this.sandbox.isGone) throw new LifeOverError('the sandbox began anew, or is gone');
    return state;
  }

  /** One trace goes on through the whole request, unless the assumptions were changed under it. */
  #termsOf(state: State): Terms {
    const readings = state.value('readings');
    if (this.#terms?.readings !== readings)
      this.#terms = new Terms(readings, state.value('administration_times').values);
    return this.#terms;
  }
}

/** The response of a request whose connection breaks before there is one. */
const lost = { status: null, headers: {}, body: null } as const;

/** Whether a fault gave the answer, not the service. */
const isInjected = (stage: StageName, refusal: Refusal | undefined, admission: Admission | undefined): boolean =>
  refusal !== undefined && admission?.refusal !== undefined && (stage === 'admission' || stage === 'fault');
