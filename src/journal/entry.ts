// One call in the journal: references to the request and its answer. Secrets are redacted when somebody reads it.
import { isDebugHeader } from '../contract/operation.ts';
import type { OperationId } from '../contract/operations.ts';
import { isRecord } from '../contract/schema.ts';
import { utf8 } from '../domain/hashes.ts';
import { askedChoices, type CallOutcome, type Decision, decisionOf, detailBytes, maxDetails } from './decision.ts';
import type { CallFacts } from './match.ts';
import { type Header, jsonValueOf, type TextRedactor } from './redaction.ts';

/** Names and values in turn, as Node gives them: names in any case, in the order in which they came. */
export type RawHeaders = readonly string[];

/** A request on arrival. */
export interface Received {
  readonly id: string;
  /** The sandbox's time in milliseconds. */
  readonly receivedAt: number;
  /** Real time in milliseconds, by the stopwatch. */
  readonly startedAt: number;
  /** False for a call in process. */
  readonly isOverPort: boolean;
  /** True if the console sent it for its user: no client is judged by it. */
  readonly isByConsole: boolean;
  readonly method: string;
  /** Without the base URL. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly query: string;
  readonly operation: OperationId | null;
  /** The journal replaces them by the equal headers of an earlier call. */
  headers: RawHeaders;
  /** Not redacted; null without a body. */
  readonly body: string | null;
}

/** The answer to a request. */
export interface AnswerParts {
  /** Null if a fault broke the connection before there was an answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a body, for bytes, and for HEAD. */
  readonly body: string | null;
  /** The size of a body of bytes. */
  readonly bodyBytes?: number | undefined;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  /** The username of the caller. */
  readonly caller: string | null;
  readonly outcome: CallOutcome;
}

export const xmlType = 'application/xml';
/** The approximate memory of an entry besides its texts. */
export const entryBytes = 1024;
/** The approximate memory of a header besides its texts. */
const headerBytes = 64;
/** Readers of a longer body see only its length. */
const maxBodyCharacters = 1_048_576;

export class Entry {
  /** With its secrets: only to compare calls in this process, never to be shown. */
  readonly received: Received;
  /** Its place in the journal: entries are numbered in turn. */
  readonly sequence: number;
  /** Null until the call is answered. */
  answer: Answer | null = null;
  /** Its share of the journal's memory. */
  bytes: number;
  /** True if the conduct report takes it into account. */
  isJudged = false;
  readonly redactor: TextRedactor;

  constructor(received: Received, sequence: number, redactor: TextRedactor) {
    const { headers, path, query, body } = received;
    this.received = received;
    this.sequence = sequence;
    this.redactor = redactor;
    this.bytes = entryBytes + path.length + query.length + textBytes(body);
    for (const text of headers) this.bytes += headerBytes / 2 + text.length;
  }

  get id(): string {
    return this.received.id;
  }
  get receivedAt(): number {
    return this.received.receivedAt;
  }
  get method(): string {
    return this.received.method;
  }
  get operation(): OperationId | null {
    return this.received.operation;
  }
  get path(): string {
    return this.redactor.text(this.received.path);
  }
  get query(): string {
    return this.redactor.query(this.received.query);
  }
  get body(): string | null {
    return readableBody(this.received.body, this.redactor);
  }

  /** Sorted by name, in lower case; the values of a repeated name are joined. */
  get headers(): readonly Header[] {
    const { headers: raw } = this.received;
    const values = new Map<string, string>();
    for (let at = 0; at < raw.length; at += 2) {
      const name = String(raw[at]).toLowerCase();
      const former = values.get(name);
      values.set(name, former === undefined ? String(raw[at + 1]) : `${former}, ${raw[at + 1]}`);
    }
    const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([name, value]) => [name, this.redactor.header(name, value)]);
  }

  /** For servers that share a store. Without secrets, and without `startedAt`: each process has its own stopwatch. */
  toJSON(): object {
    const { id, receivedAt, method, path, query, operation, headers, body, answer } = this;
    const { isOverPort, isByConsole } = this.received;
    return { id, receivedAt, isOverPort, isByConsole, method, path, query, operation, headers, body, answer };
  }

  /** Adds the answer. Returns the bytes that the entry grew by. */
  complete(answered: AnswerParts): number {
    const { body, headers, outcome } = answered;
    const decision = decisionOf(outcome, () => jsonValueOf(this.received.body), this.redactor);
    this.answer = new Answer(answered, decision, this.redactor);
    let bytes = textBytes(body) + Math.min(decision.reported, maxDetails) * detailBytes;
    for (const name in headers) bytes += headerBytes + name.length + (headers[name]?.length ?? 0);
    this.bytes += bytes;
    return bytes;
  }
}

export class Answer {
  readonly status: number | null;
  /** As sent, with secrets. */
  readonly sentHeaders: AnswerParts['headers'];
  /** As sent, with secrets. */
  readonly sentBody: string | null;
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  readonly caller: string | null;
  readonly decision: Decision;
  readonly delivery: Delivery = { before: Number.POSITIVE_INFINITY, settledAt: Number.POSITIVE_INFINITY };
  readonly #redactor: TextRedactor;
  readonly #bodyBytes: number | undefined;

  constructor(answered: Omit<AnswerParts, 'outcome'>, decision: Decision, redactor: TextRedactor) {
    this.status = answered.status;
    this.sentHeaders = answered.headers;
    this.sentBody = answered.body;
    this.#bodyBytes = answered.bodyBytes;
    this.answeredAt = answered.answeredAt;
    this.durationMilliseconds = answered.durationMilliseconds;
    this.caller = answered.caller;
    this.decision = decision;
    this.#redactor = redactor;
  }

  get headers(): AnswerParts['headers'] {
    const headers = { ...this.sentHeaders };
    // The sandbox's own headers hold no secret.
    for (const name in headers)
      if (!isDebugHeader(name)) headers[name] = this.#redactor.header(name, String(headers[name]));
    return headers;
  }

  get body(): string | null {
    // Only the storage answers with XML, in documents of its own.
    const isXml = this.sentHeaders['content-type'] === xmlType && this.sentBody !== null;
    return isXml ? this.#redactor.xml(this.sentBody) : readableBody(this.sentBody, this.#redactor);
  }

  /** The size of the body as it was sent: readers may see a redacted one. */
  get bodyBytes(): number {
    return this.#bodyBytes ?? utf8(this.sentBody ?? '').length;
  }

  toJSON(): object {
    const { status, headers, body, bodyBytes, answeredAt, durationMilliseconds, caller } = this;
    const { assumptions, ...decision } = this.decision;
    const asked = assumptions && askedChoices(this.decision);
    const times = { answeredAt, durationMilliseconds };
    return { status, headers, body, bodyBytes, ...times, caller, decision: { ...decision, asked } };
  }
}

/** When an in-process caller had the answer; unknown over a port. Conduct keeps it without the answer. */
export interface Delivery {
  /** Calls of this process from this sequence on may follow from the answer. */
  before: number;
  /** Real time in milliseconds when the answer had passed all layers of its client. */
  settledAt: number;
}

function readableBody(text: string | null, redactor: TextRedactor): string | null {
  if (!text) return text;
  return text.length > maxBodyCharacters ? `[not kept: ${text.length} characters]` : redactor.body(text);
}

/** Takes two bytes in memory. */
const wideCharacter = /[^\0-\u00ff]/;

/** The memory of a text. */
const textBytes = (text: string | null): number => (text?.length ?? 0) * (text && wideCharacter.test(text) ? 2 : 1);

/** An entry as a match sees it. */
export function factsOf(entry: Entry): CallFacts {
  const { operation, method, answer } = entry;
  return {
    operation,
    method,
    status: answer?.status ?? null,
    rules: answer?.decision.rules ?? [],
    get path() {
      return entry.path;
    },
    get body() {
      return jsonValueOf(entry.body);
    },
  };
}

/** The answer of a call with a 200 that reached its client; else undefined. */
export function acceptedAnswer({ answer }: Entry): Answer | undefined {
  return answer?.status === 200 && !answer.decision.isLost ? answer : undefined;
}

const noFields: Readonly<Record<string, unknown>> = {};

/** The fields of a JSON body; empty if it is not an object. */
export function fieldsOf(body: string | null): Readonly<Record<string, unknown>> {
  const value = jsonValueOf(body);
  return isRecord(value) ? value : noFields;
}

/** A field's text; empty for another value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
