// A call's way through the server, as far as it has come: what the journal, the log and the answer's own headers are told.
import { Refusal } from '../contract/refusal.ts';
import type { Admission } from '../control/admission.ts';
import { stopwatch } from '../control/clock.ts';
import type { Decided } from '../control/journal/decision.ts';
import type { Answered, OpenEntry } from '../control/journal/entry.ts';
import { type HeaderLines, linesOf } from '../control/journal/header-lines.ts';
import type { Pieces } from '../control/journal/pieces.ts';
import { type Awaitable, andThen } from '../state/store.ts';
import { protectedHeaders } from './answer-headers.ts';
import { type Arrival, localPath } from './arrival.ts';
import type { Call } from './call.ts';
import { breakConnection } from './carriage.ts';
import { dateHeader, debugHeaders, ruleHeader } from './debug-headers.ts';
import type { Edge } from './edge.ts';
import { refusalReply } from './refuse.ts';
import type { Body, Rendered, Sent } from './rendered.ts';
import { report } from './report.ts';
import { rendered } from './response.ts';
import { carried } from './room.ts';

const none: HeaderLines = [];

export class Passage {
  readonly edge: Edge;
  readonly arrival: Arrival;
  readonly id: string;
  readonly #started: number;
  call: Call | undefined;
  refusal: Refusal | undefined;
  #entry: OpenEntry | undefined;
  #isComplete = false;
  /** Once it is completed: until its journal has it. */
  #completing: Awaitable<void> = undefined;

  constructor(edge: Edge, arrival: Arrival, id: string, started: number) {
    this.edge = edge;
    this.arrival = arrival;
    this.id = id;
    this.#started = started;
  }

  /** The call's sandbox is known: the journal has it from its first look at the sandbox on. */
  begin(call: Call): Call {
    this.call = call;
    call.onSeen = () => this.#receive(call);
    return call;
  }

  #receive(call: Call): void {
    const { request, search, operation } = this.arrival;
    this.#entry = call.sandbox.journal.receive({
      id: this.id,
      receivedAt: call.now,
      startedAt: this.#started,
      isOverPort: this.arrival.isOverPort,
      isByConsole: this.arrival.isByConsole,
      method: request.method,
      path: localPath(this.arrival),
      query: search,
      operation: operation?.id ?? null,
      headers: request.headers,
      body: call.body?.text ?? null,
    });
  }

  /** Tells a bug or a failing store. In process that may throw, so the journal is told of the answer before. */
  fail(error: unknown, given: Rendered): void {
    if (this.call && !this.#entry) this.#receive(this.call);
    this.#complete(given.status, this.#headers(given), told(given.body));
    this.edge.onFailure(error, this.id);
  }

  /** Sends an answer; none where the connection breaks before there is one. */
  answer(made: Rendered | undefined): Awaitable<Sent> {
    const { call } = this;
    const given = made && this.#fitting(made);
    report(this.edge, this.arrival, this.#started, given?.status ?? 0, call?.sandbox.name);
    if (!given) {
      this.#complete(null, [], null);
      breakConnection(this.arrival.request, 'before_processing');
      return this.#told({ status: 500, headers: [], body: null });
    }
    const { status, body } = given;
    const headers = this.#headers(given);
    this.#complete(status, headers, told(body));
    const drop = call?.admission?.drop;
    if (drop) breakConnection(this.arrival.request, drop);
    return this.#told({ status, headers, body });
  }

  /** An answer goes out when the journal has it. */
  #told(given: Sent): Awaitable<Sent> {
    return andThen(this.#completing, () => given);
  }

  #fitting(made: Rendered): Rendered {
    try {
      return carried(this.edge, this.arrival.request, made);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refusal = error;
      return rendered(refusalReply(error));
    }
  }

  #headers(given: Rendered): HeaderLines {
    const { call, edge } = this;
    const lines = protectedHeaders(edge, given.kind, given.headers);
    if (!call && this.refusal) return lines.concat(linesOf(ruleHeader(edge, this.refusal)));
    if (!call) return lines;
    // The journal keeps them: put together by `concat`, since an array that grows takes room for many; of arrays alone, which is the fast way.
    const debug = edge.debugHeaders ? debugHeaders(this.id, call, this.refusal) : none;
    return lines.concat(['Date', dateHeader(call.now)], debug);
  }

  #decided(call: Call): Decided {
    const { stage, terms, admission, metBy, next } = call;
    const { refusal } = this;
    return {
      stage,
      refusal,
      terms,
      faults: metBy,
      isInjected: isInjected(stage, refusal, admission),
      isLost: call.isAbandoned || admission?.drop !== undefined,
      next,
      parts: refusal && partsOf(call),
    };
  }

  #complete(status: number | null, headers: HeaderLines, body: string | Pieces | null): void {
    const { call } = this;
    const entry = this.#entry;
    if (!call || !entry || this.#isComplete) return;
    // It may throw to whoever called, in process: it is completed all the same.
    this.#isComplete = true;
    const answered: Answered = {
      status,
      headers,
      body,
      answeredAt: call.now,
      durationMilliseconds: Math.round((stopwatch() - this.#started) * 1000) / 1000,
      caller: call.caller?.user.username ?? null,
      decided: this.#decided(call),
    };
    this.#completing = call.sandbox.journal.complete(entry, answered);
  }
}

/** What the fields of a refusal are looked up in. */
const partsOf = ({ arrival, input, body }: Call): Decided['parts'] => ({
  params: arrival.params,
  query: input.query,
  body: body && 'value' in body ? body.value : undefined,
});

/** What the journal is told of a body: bytes it leaves out. */
const told = (body: Body): string | Pieces | null => (body instanceof Uint8Array ? null : body);

/** Whether a lever gave the answer, not the service. */
const isInjected = (stage: Call['stage'], refusal: Refusal | undefined, admission: Admission | undefined): boolean =>
  refusal !== undefined && admission?.refusal !== undefined && (stage === 'admission' || stage === 'fault');
