// One request to a sandbox: the received data, its sandbox and caller, the decisions of the stages, and its response.
import type { Context, Hono } from 'hono';
import { sandboxBase } from '../contract/addresses.ts';
import type { Drop } from '../contract/control/switches.ts';
import { debugHeaderNames, isOffered } from '../contract/operation.ts';
import type { ServiceOperation } from '../contract/operations.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Caller, World } from '../domain/world.ts';
import { type CallOutcome, decisionOf, reasonOf, reportedRules, type StageName } from '../journal/decision.ts';
import type { AnswerParts, Entry } from '../journal/entry.ts';
import { alreadyRedacted } from '../journal/redaction.ts';
import {
  type CallToEvaluate,
  evaluateFaults,
  evaluateFaultsAfterSuccess,
  type FaultContext,
  type FaultOutcome,
  hasFaultsAfterSuccess,
  missingPermission,
} from '../sandbox/fault-evaluation.ts';
import { type HostedSandbox, SandboxResetError } from '../sandbox/hosted-sandbox.ts';
import { resolvedAssumptions, SandboxWorld, type WorldRequest } from '../sandbox/sandbox-world.ts';
import { timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import type { StoreFailure } from '../state/store.ts';
import { requestId } from '../system/random.ts';
import { stopwatch } from '../system/time.ts';
import type { Body } from './body.ts';
import type { Dependencies } from './dependencies.ts';
import { hasMemoryForResponse } from './memory.ts';
import {
  type Bindings,
  BrokenConnection,
  httpDate,
  protectedHeaders,
  refusalHeaders,
  refusalResponse,
  type ServiceResponse,
  sendResponse,
} from './response.ts';
import { bearerToken } from './tokens.ts';
import { isDecodable, localPath, urlParts } from './urls.ts';

/** Hono's types for the app. */
export interface Env {
  Bindings: Bindings;
}
export type AppContext = Context<Env>;
export type App = Hono<Env>;

/** A route of a sandbox besides the operations. The journal records it, and no fault affects it. */
export interface ExtraRoute {
  /** In the journal. */
  readonly name: StageName;
  readonly answer: (request: RequestContext) => Promise<ServiceResponse>;
  readonly unknownSandbox: (request: RequestContext) => ServiceResponse;
  readonly failed: (request: RequestContext) => ServiceResponse;
}

/** What the journal keeps of a body: the text, or the size of bytes. */
const loggedBody = (body: ServiceResponse['body']): Pick<AnswerParts, 'body' | 'bodyBytes'> =>
  body instanceof Uint8Array ? { body: null, bodyBytes: body.length } : { body };

const noFaults: readonly string[] = [];
/** The rules in a header at most: the size of headers is limited, the number of details is not. */
const maxRulesInHeader = 50;
const noResponse = { status: null, headers: {}, body: null } as const;

export class RequestContext implements WorldRequest {
  readonly c: AppContext;
  readonly deps: Dependencies;
  /** Undefined for a path without an operation. */
  readonly operation: ServiceOperation | undefined;
  readonly id = requestId();
  readonly method: string;
  /** Scheme and host of absolute URLs in responses: the public URL, or the request's own origin. */
  readonly origin: string;
  /** Still encoded. */
  readonly path: string;
  /** The query with its question mark, or an empty string. */
  readonly search: string;
  /** The sandbox named in the path; undefined at the plain base URL. */
  readonly sandboxName: string | undefined;
  /** The path without the base URL of its sandbox. */
  readonly localPath: string;
  /** The token of the Authorization header, not verified. */
  readonly bearer: string | undefined;
  readonly #startedAt = stopwatch();

  body: Body | undefined;
  /** Undefined until `enter`. */
  #sandbox: HostedSandbox | undefined;
  #machineTime = 0;
  /** Set if the store failed to keep the due steps of the timeline: reads then take the steps for themselves. */
  #notAdvanced: StoreFailure | undefined;
  /** Counts the resets, restores and imports of the sandbox: the request belongs to one epoch. */
  #epoch: number | undefined;
  #facts: CallToEvaluate | undefined;

  /** The stage that the request is in, for the journal. */
  stage: StageName = 'admission';
  /** What the faults decided before the request is judged. */
  faultOutcome: FaultOutcome | undefined;
  /** The assumptions for this request, with their trace. Undefined until `enter`. */
  assumptions: Assumptions | undefined;
  caller: Caller | undefined;
  /** The username of the caller, if a fault rejects the request before the token stage. */
  #rejectedUser: string | undefined;
  /** The validated parts of the request, filled in by the stages. */
  input: { params?: unknown; query?: unknown; body?: unknown } = {};
  refusal: Refusal | undefined;
  /** The next cursor of a list response. */
  next: string | null | undefined;
  /** Whether the caller went away during a delay. */
  isAbandoned = false;
  /** Names of the switches that changed the response inside the operation. */
  #overrides: Set<string> | undefined;
  #entry: Entry | undefined;
  /** The journal's copy of the response. Its status is null if the connection breaks before there is one. */
  #response: Pick<ServiceResponse, 'headers' | 'body'> & { readonly status: number | null } = noResponse;

  /** @param sandboxName the sandbox in the path */
  constructor(
    c: AppContext,
    deps: Dependencies,
    operation: ServiceOperation | undefined,
    sandboxName: string | undefined,
  ) {
    const { raw } = c.req;
    const { origin, path, search } = urlParts(raw.url);
    this.c = c;
    this.deps = deps;
    this.operation = operation;
    this.method = raw.method;
    this.origin = deps.publicUrl ?? origin;
    this.path = path;
    this.search = search;
    this.sandboxName = sandboxName;
    this.localPath = sandboxName === undefined ? path : localPath(path);
    this.bearer = bearerToken(raw);
  }

  /**
   * Binds the request to its sandbox, until that is reset, and opens the journal entry.
   * Takes the due steps of the timeline, which stay taken if the request is rejected.
   */
  async enter(sandbox: HostedSandbox): Promise<void> {
    this.#sandbox = sandbox;
    this.#machineTime = this.deps.sandboxes.now();
    this.deps.sandboxes.use(sandbox, this.#machineTime);
    this.#requireSameEpoch(sandbox.state);
    const { id, operation, method, localPath, search, c } = this;
    const { isOverPort = false, isByConsole = false, rawHeaders } = c.env;
    this.#entry = sandbox.journal.receive({
      id,
      receivedAt: this.now,
      startedAt: this.#startedAt,
      isOverPort,
      isByConsole,
      method,
      path: localPath,
      query: search,
      operation: operation?.id ?? null,
      headers: rawHeaders ?? [...c.req.raw.headers].flat(),
      body: this.body?.text ?? null,
    });
    this.#notAdvanced = await sandbox.advance(this.#machineTime);
  }

  get sandbox(): HostedSandbox {
    if (!this.#sandbox) throw new Error('the sandbox of this request is not known yet');
    return this.#sandbox;
  }

  /** The time of the request on the sandbox's clock, in milliseconds since 1970. */
  get now(): number {
    return timeOf(this.sandbox.state.value('clock'), this.#machineTime);
  }

  /** The local path without secrets. */
  get shownPath(): string {
    return this.#entry?.path ?? this.localPath;
  }

  /** The absolute base URL with the sandbox's name. */
  get baseUrl(): string {
    return this.origin + sandboxBase(this.sandbox.name);
  }

  /** The absolute URL of the request. */
  get url(): URL {
    return new URL(this.origin + this.path + this.search);
  }

  /** Runs a read-only function of the domain. */
  read<T>(run: (world: World) => T): Promise<T> {
    return this.readState((state, assumptions) => run(this.#world(state, assumptions)));
  }

  /** Reads the state itself, such as the faults. Over a store it sees only what the store has. */
  readState<T>(reader: (state: State, assumptions: Assumptions) => T): Promise<T> {
    const checked = (state: State): T => reader(state, this.#requireSameEpoch(state));
    return this.#notAdvanced ? this.sandbox.readAdvanced(this.#machineTime, checked) : this.sandbox.read(checked);
  }

  /** Runs a function of the domain as one transaction. If it throws, nothing is written (ORD-27). */
  write<T>(run: (world: World) => T): Promise<T> {
    return this.#writeState((state, assumptions) => run(this.#world(state, assumptions)));
  }

  #writeState<T>(run: (state: State, assumptions: Assumptions) => T): Promise<T> {
    if (this.#notAdvanced) throw this.#notAdvanced;
    return this.sandbox.write((state) => run(state, this.#requireSameEpoch(state)));
  }

  #world(state: State, assumptions: Assumptions): World {
    const now = timeOf(state.value('clock'), this.#machineTime);
    return new SandboxWorld(state, { now, hashes: this.deps.hashes }, this, assumptions);
  }

  /**
   * Evaluates the faults, in a transaction of its own: their counts stay even if the request is rejected later.
   * @param caller who sent it, according to its token. With a forged one the request counts for no fault
   */
  async evaluateFaults(caller: Pick<CallToEvaluate, 'user' | 'isForged'>): Promise<void> {
    const call = { ...this.facts, ...caller };
    const evaluate = (state: State, assumptions: Assumptions) =>
      evaluateFaults({ ...this.#faultContext(state, assumptions), call });
    this.faultOutcome = await (caller.isForged
      ? this.sandbox.dryRun((state) => evaluate(state, this.#requireSameEpoch(state)))
      : this.#writeState(evaluate));
  }

  /** For the journal: whom a fault rejects, according to the token. */
  async noteRejectedUser(id: string | undefined): Promise<void> {
    if (id !== undefined) this.#rejectedUser = await this.readState((state) => state.table('users').get(id)?.username);
  }

  #faultContext(state: State, assumptions: Assumptions): FaultContext {
    const now = timeOf(state.value('clock'), this.#machineTime);
    return { state, assumptions, hashes: this.deps.hashes, call: this.facts, now };
  }

  /** Whether the switch `missing_permission` takes the permission for this request away. If so, counts the request. */
  async lacksPermission(): Promise<boolean> {
    if (!(await this.readState((state) => missingPermission(state, this.facts)))) return false;
    return this.#writeState((state) => {
      const override = missingPermission(state, this.facts);
      if (!override) return false;
      state.table('levers').replace({ ...override, hits: override.hits + 1 });
      this.noteOverride(override.name);
      return true;
    });
  }

  /** Evaluates the faults with `after: "success"`, in a transaction of its own: the service has answered with a 2xx. */
  async evaluateFaultsAfterSuccess(): Promise<void> {
    const before = this.faultOutcome;
    // Without an outcome no switch or fault was on when the call came. A broken connection breaks only once.
    if (!before || before.drop || !hasFaultsAfterSuccess(this.sandbox.state)) return;
    const { affectedBy, drop } = await this.#writeState((state, assumptions) =>
      evaluateFaultsAfterSuccess(this.#faultContext(state, assumptions)),
    );
    this.faultOutcome = { ...before, affectedBy: [...before.affectedBy, ...affectedBy], drop };
  }

  /** Waits in real time. The request's time on the sandbox's clock is then the end of the wait. */
  async wait(milliseconds: number): Promise<void> {
    const { sandbox } = this;
    this.#requireSameEpoch(sandbox.state);
    const { signal } = this.c.req.raw;
    // Another server may reset the sandbox meanwhile.
    const endFollowing = sandbox.follow();
    try {
      await sandbox.delays.wait(milliseconds, signal, this.body?.bytes ?? 0);
    } finally {
      endFollowing();
    }
    this.isAbandoned = signal.aborted;
    await sandbox.catchUp();
    this.#requireSameEpoch(sandbox.state);
    this.#machineTime = this.deps.sandboxes.now();
    this.#notAdvanced = await sandbox.advance(this.#machineTime);
  }

  /** The names of the switches and faults that affected the request: at its admission, then inside the operation. */
  get faults(): readonly string[] {
    const met = this.faultOutcome?.affectedBy ?? noFaults;
    return this.#overrides ? [...met, ...this.#overrides] : met;
  }

  noteOverride(name: string): void {
    this.#overrides ??= new Set();
    this.#overrides.add(name);
  }

  /** The request for matches and faults. */
  get facts(): CallToEvaluate {
    this.#facts ??= {
      operation: this.operation?.id ?? null,
      method: this.method,
      path: this.localPath,
      body: this.body && 'value' in this.body ? this.body.value : undefined,
      permission: this.operation?.permission ?? null,
      isRouted: this.notRouted === undefined,
      isForged: false,
    };
    return this.#facts;
  }

  /** The rule that rejects the path; undefined if it leads to an operation. */
  get notRouted(): RuleId | undefined {
    const { operation, assumptions, path } = this;
    if (!operation) return 'HTTP-1';
    if (operation.offeredBy && assumptions && !isOffered(operation, assumptions)) return operation.offeredBy;
    return path.includes('%') && !isDecodable(path) ? 'malformed_path' : undefined;
  }

  /** Builds the response, and keeps the journal's copy. @throws BrokenConnection if a fault breaks the connection */
  respond(intended: ServiceResponse): Response {
    let response = intended;
    if (!hasMemoryForResponse(this.deps, this.method, intended)) {
      this.refusal = new Refusal('max_memory');
      response = refusalResponse(this.refusal);
    }
    const { kind, status, body } = response;
    const reason = this.#reasonOf(status);
    const sent = { kind, status, headers: this.#headersOf(response, reason), body };
    this.#log(status, reason);
    this.#response = sent;
    const drop = this.faultOutcome?.drop;
    if (drop) throw new BrokenConnection(drop, sent);
    return sendResponse(this.c, sent);
  }

  /** The headers of a response: its own, the protecting ones, `Date` on the sandbox's clock, and `Sandbox-…`. */
  #headersOf(response: ServiceResponse, reason: string | null): ServiceResponse['headers'] {
    const { deps, assumptions, faults } = this;
    const headers = protectedHeaders(deps, response);
    if (assumptions) headers.Date = httpDate(this.now);
    if (this.refusal) {
      const rules = this.#reportedRules.slice(0, maxRulesInHeader).join(', ');
      Object.assign(headers, refusalHeaders(deps, rules, reason));
    }
    if (!deps.debugHeaders || !assumptions) return headers;
    headers[debugHeaderNames.requestId] = this.id;
    const assumed = assumptions.asText();
    if (assumed) headers[debugHeaderNames.assumption] = assumed;
    if (faults.length > 0) headers[debugHeaderNames.fault] = faults.join(', ');
    return headers;
  }

  /** Reports a bug or a failing store. Keeps the journal's copy of the response first, because reporting may throw. */
  fail(error: unknown, response: ServiceResponse): void {
    this.#response = { ...response, headers: this.#headersOf(response, this.#reasonOf(response.status)) };
    this.deps.onFailure(error, this.id);
  }

  /** Breaks the connection before there is a response. */
  breakConnection(at: Drop): never {
    this.#log(0, this.#reasonOf(null));
    throw new BrokenConnection(at);
  }

  get #reportedRules(): RuleId[] {
    return this.refusal ? reportedRules(this.refusal, this.assumptions).map(({ rule }) => rule) : [];
  }

  #log(status: number, reason: string | null): void {
    const { method, path } = this;
    const milliseconds = stopwatch() - this.#startedAt;
    const why = reason === null ? {} : { rules: [...new Set(this.#reportedRules)], reason };
    this.deps.log({ method, path, status, milliseconds, sandbox: this.#sandbox?.name, ...why });
  }

  /** Why the call is answered like this, without secrets; null if nothing rejected or affected it. */
  #reasonOf(status: number | null): string | null {
    const { refusal, faults, operation, body } = this;
    if (!refusal && faults.length === 0) return null;
    // Like the journal, which knows the text of the body: an empty one has no value.
    const bodyValue = () => (body && 'value' in body && body.text !== null ? body.value : undefined);
    const decision = decisionOf(this.#outcomeWith(status), bodyValue, this.#entry?.redactor ?? alreadyRedacted);
    return reasonOf(decision, status, operation?.id ?? null);
  }

  #outcomeWith(status: number | null): CallOutcome {
    const { stage, refusal, faultOutcome } = this;
    const isByFault = faultOutcome?.refusal !== undefined && (stage === 'admission' || stage === 'fault');
    return {
      stage,
      refusal,
      assumptions: this.assumptions,
      faults: this.faults,
      isInjected: refusal !== undefined && isByFault,
      isLost: this.isAbandoned || faultOutcome?.drop !== undefined,
      cutBy: faultOutcome?.drop && status !== null ? faultOutcome.affectedBy.at(-1) : undefined,
      next: this.next,
      params: refusal && stage === 'path' ? this.c.req.param() : undefined,
    };
  }

  /** Completes the journal entry. The response is sent when the journal has it. */
  async record(): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    const { sandbox } = this;
    const { journal } = sandbox;
    const { status, headers, body } = this.#response;
    const completed = journal.complete(entry, {
      status,
      headers,
      ...(this.method === 'HEAD' ? { body: null } : loggedBody(body)),
      answeredAt: this.now,
      durationMilliseconds: Math.round((stopwatch() - this.#startedAt) * 1000) / 1000,
      caller: this.caller?.user.username ?? this.#rejectedUser ?? null,
      outcome: this.#outcomeWith(status),
    });
    if (entry.answer) this.deps.onCompleted?.(entry, sandbox.name);
    if (!this.c.env.isOverPort) this.c.env.onDelivered = () => journal.delivered(entry);
    await completed;
  }

  /**
   * The assumptions in this state. Their trace covers the whole request, unless they change during it.
   * @throws SandboxResetError if the sandbox was reset or deleted during the request
   */
  #requireSameEpoch(state: State): Assumptions {
    const { lives: epoch } = state.value('history');
    const known = this.assumptions;
    const assumptions = known?.choices === state.value('readings') ? known : resolvedAssumptions(state);
    this.assumptions = assumptions;
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch || this.sandbox.isGone)
      throw new SandboxResetError('the sandbox was reset or deleted during the request');
    return assumptions;
  }
}
