// A call's way through the server, as far as it has come: what the journal, the log and the answer's own headers are told.
import { Refusal } from '../contract/refusal.ts';
import type { Admission } from '../control/admission.ts';
import { stopwatch } from '../control/clock.ts';
import type { Decided } from '../control/journal/decision.ts';
import type { OpenEntry } from '../control/journal/entry.ts';
import { protectedHeaders } from './answer-headers.ts';
import { type Arrival, localPath } from './arrival.ts';
import type { Call } from './call.ts';
import { breakConnection } from './carriage.ts';
import { dateHeader, debugHeaders, ruleHeader } from './debug-headers.ts';
import type { Edge } from './edge.ts';
import { refusalReply } from './refuse.ts';
import type { Rendered } from './rendered.ts';
import { report } from './report.ts';
import { rendered, sent } from './response.ts';
import { carried } from './room.ts';

export class Passage {
  readonly edge: Edge;
  readonly arrival: Arrival;
  readonly id: string;
  readonly #started: number;
  call: Call | undefined;
  refusal: Refusal | undefined;
  #entry: OpenEntry | undefined;
  #isComplete = false;

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
    this.#complete(given.status, this.#headers(given), typeof given.body === 'string' ? given.body : null);
    this.edge.onFailure(error, this.id);
  }

  /** Sends an answer; none where the connection breaks before there is one. */
  answer(made: Rendered | undefined): Response {
    const { call } = this;
    const given = made && this.#fitting(made);
    report(this.edge, this.arrival, this.#started, given?.status ?? 0, call?.sandbox.name);
    if (!given) {
      this.#complete(null, {}, null);
      breakConnection(this.arrival.request, 'before_processing');
      return new Response(null, { status: 500 });
    }
    const { status, body } = given;
    const headers = this.#headers(given);
    this.#complete(status, headers, typeof body === 'string' ? body : null);
    const drop = call?.admission?.drop;
    if (drop) breakConnection(this.arrival.request, drop);
    return sent(this.arrival.request, status, headers, body);
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

  #headers(given: Rendered): Readonly<Record<string, string>> {
    const { call, edge } = this;
    const headers = protectedHeaders(edge, given.kind, given.headers);
    if (!call) return { ...headers, ...(this.refusal && ruleHeader(edge, this.refusal)) };
    const date = { Date: dateHeader(call.now) };
    return { ...headers, ...date, ...(edge.debugHeaders ? debugHeaders(this.id, call, this.refusal) : {}) };
  }

  #decided(call: Call): Decided {
    const { stage, terms, admission, metBy, arrival, body, input, next } = call;
    const { refusal } = this;
    const parts = {
      params: arrival.params,
      query: input.query,
      body: body && 'value' in body ? body.value : undefined,
    };
    const isLost = call.isAbandoned || admission?.drop !== undefined;
    return {
      stage,
      refusal,
      terms,
      faults: metBy,
      isInjected: isInjected(stage, refusal, admission),
      isLost,
      next,
      parts,
    };
  }

  #complete(status: number | null, headers: Readonly<Record<string, string>>, body: string | null): void {
    const { call } = this;
    const entry = this.#entry;
    if (!call || !entry || this.#isComplete) return;
    this.#isComplete = true;
    call.sandbox.journal.complete(entry, {
      status,
      headers,
      body,
      answeredAt: call.now,
      durationMilliseconds: Math.round((stopwatch() - this.#started) * 1000) / 1000,
      caller: call.caller?.user.username ?? null,
      decided: this.#decided(call),
    });
  }
}

/** Whether a lever gave the answer, not the service. */
const isInjected = (stage: Call['stage'], refusal: Refusal | undefined, admission: Admission | undefined): boolean =>
  refusal !== undefined && admission?.refusal !== undefined && (stage === 'admission' || stage === 'fault');
