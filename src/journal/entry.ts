// One call as the journal keeps it: references to what came and was answered. Secrets are redacted when somebody reads it.
import type { OperationId } from '../contract/operations.ts';
import { isRecord } from '../contract/schema.ts';
import { type Decided, type Decision, decisionOf, detailBytes, maxDetails } from './decision.ts';
import type { RequestFacts } from './match.ts';
import type { Header, Redactor } from './redaction.ts';
import { readJson } from './redaction.ts';

/** Names and values in turn, as Node gives them: in any case, in the order in which they came. */
export type RawHeaders = readonly string[];

/** A call on its arrival. */
export interface Received {
  readonly id: string;
  /** The sandbox's time in milliseconds. */
  readonly receivedAt: number;
  /** Real time in milliseconds, by the stopwatch. */
  readonly startedAt: number;
  /** Whether it came over a port, or in process. */
  readonly isOverPort: boolean;
  /** Whether the console sent it for its user: not a client's doing. */
  readonly isByConsole: boolean;
  readonly method: string;
  /** Without the base URL. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly query: string;
  readonly operation: OperationId | null;
  /** The journal puts the equal headers of an earlier call in their place. */
  headers: RawHeaders;
  /** The body as it came; null for none. */
  readonly body: string | null;
}

/** A call on its answer. */
export interface Answered {
  /** Null if a fault broke the connection before an answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  /** The username of the caller. */
  readonly caller: string | null;
  readonly decided: Decided;
}

/** What an entry takes in memory besides its texts, roughly. */
export const entryBytes = 1024;
/** A body beyond this is kept by its length only. */
const mostCharacters = 1_048_576;

export class Entry {
  /** As it came, with its secrets: for comparing calls in this process, and never to be shown. */
  readonly received: Received;
  /** Its place in the journal: each entry has the next number. */
  readonly sequence: number;
  /** Null while the call is under way. */
  answer: Answer | null = null;
  /** What it holds of the journal's room. */
  bytes: number;
  /** Whether the conduct report takes it into account by now. */
  isJudged = false;
  /** Undefined for an entry that another server has redacted. */
  readonly redactor: Redactor | undefined;

  constructor(received: Received, sequence: number, redactor: Redactor | undefined) {
    const { headers, path, query, body } = received;
    this.received = received;
    this.sequence = sequence;
    this.redactor = redactor;
    this.bytes = entryBytes + path.length + query.length + bytesOfText(body);
    for (const text of headers) this.bytes += headerBytes / 2 + text.length;
  }

  get id(): string {
    return this.received.id;
  }
  get receivedAt(): number {
    return this.received.receivedAt;
  }
  get startedAt(): number {
    return this.received.startedAt;
  }
  get isOverPort(): boolean {
    return this.received.isOverPort;
  }
  get isByConsole(): boolean {
    return this.received.isByConsole;
  }
  get method(): string {
    return this.received.method;
  }
  get operation(): OperationId | null {
    return this.received.operation;
  }
  get path(): string {
    return this.redactor?.text(this.received.path) ?? this.received.path;
  }
  get query(): string {
    return this.redactor?.query(this.received.query) ?? this.received.query;
  }
  get body(): string | null {
    return readableText(this.received.body, this.redactor);
  }

  /** In the order of the names, in lower case; the values of a repeated name are joined. */
  get headers(): readonly Header[] {
    const { headers: raw } = this.received;
    const values = new Map<string, string>();
    for (let at = 0; at < raw.length; at += 2) {
      const name = String(raw[at]).toLowerCase();
      const former = values.get(name);
      values.set(name, former === undefined ? String(raw[at + 1]) : `${former}, ${raw[at + 1]}`);
    }
    const sorted = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([name, value]) => [name, this.redactor?.header(name, value) ?? value]);
  }

  /** Without secrets, whoever writes it down. */
  toJSON(): object {
    const { id, receivedAt, method, path, query, operation, headers, body, answer } = this;
    return { id, receivedAt, method, path, query, operation, headers, body, answer };
  }

  /** Adds the answer. Gives the bytes that it takes. */
  complete(answered: Answered): number {
    const { body, headers, decided } = answered;
    const decision = decisionOf(decided, this);
    this.answer = new Answer(answered, decision, this);
    let bytes = bytesOfText(body) + Math.min(decision.reported, maxDetails) * detailBytes;
    for (const name in headers) bytes += headerBytes + name.length + (headers[name]?.length ?? 0);
    this.bytes += bytes;
    return bytes;
  }
}

/** What was answered. */
export class Answer {
  readonly status: number | null;
  /** As they went out, with their secrets: as `received`. */
  readonly sentHeaders: Answered['headers'];
  readonly sentBody: string | null;
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  readonly caller: string | null;
  readonly decision: Decision;
  /** Of a call in process: when its caller had the answer. */
  readonly handedOver: HandedOver;
  readonly #redactor: Redactor | undefined;

  constructor(
    answered: Omit<Answered, 'decided'>,
    decision: Decision,
    { redactor, received }: { readonly redactor: Redactor | undefined; readonly received: { isOverPort: boolean } },
  ) {
    this.status = answered.status;
    this.sentHeaders = answered.headers;
    this.sentBody = answered.body;
    this.answeredAt = answered.answeredAt;
    this.durationMilliseconds = answered.durationMilliseconds;
    this.caller = answered.caller;
    this.decision = decision;
    this.handedOver = received.isOverPort ? unknownHandOver : { ...unknownHandOver };
    this.#redactor = redactor;
  }

  get headers(): Answered['headers'] {
    const redactor = this.#redactor;
    if (!redactor) return this.sentHeaders;
    return Object.fromEntries(
      Object.entries(this.sentHeaders).map(([name, value]) => [name, redactor.answerHeader(name, value)]),
    );
  }

  get body(): string | null {
    return readableText(this.sentBody, this.#redactor);
  }

  toJSON(): object {
    const { status, headers, body, answeredAt, durationMilliseconds, caller, decision } = this;
    return { status, headers, body, answeredAt, durationMilliseconds, caller, decision };
  }
}

/** When an answer reached its caller in process. */
export interface HandedOver {
  /** From which sequence on calls of this process may follow from the answer. */
  from: number;
  /** Real time in milliseconds by which the answer had passed the layers of its client. */
  settledAt: number;
}

/** Over a port it is not known. */
const unknownHandOver: HandedOver = Object.freeze({
  from: Number.POSITIVE_INFINITY,
  settledAt: Number.POSITIVE_INFINITY,
});

function readableText(text: string | null, redactor: Redactor | undefined): string | null {
  if (!text || !redactor) return text;
  return text.length > mostCharacters ? `[not kept: ${text.length} characters]` : redactor.body(text);
}

/** Neither written in JSON as `\u0001` or the like, nor taking two bytes. */
const plain = /^[\n\r\t -\u00ff]*$/;
const wide = /[\u0100-\uffff]/;
/** Written in JSON as `\u0001` or the like; what else is escaped is no more than twice as long. */
const escaped = /[^\n\r\t -\uffff]/;

/** Two bytes a character as soon as one of them needs two; but what the text takes in JSON, if that is much more. */
function bytesOfText(text: string | null): number {
  if (!text || plain.test(text)) return text?.length ?? 0;
  if (escaped.test(text)) return 6 * text.length;
  return wide.test(text) ? 2 * text.length : text.length;
}

/** What a header takes besides its texts. */
const headerBytes = 64;

/** An entry as a match sees it. */
export function factsOf(
  entry: Entry,
): RequestFacts & { readonly status: number | null; readonly rules: readonly string[] } {
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
      const { body } = entry;
      return body === null ? undefined : readJson(body)?.value;
    },
  };
}

// The JSON of a call as the journal keeps it, where the caller got a 200.

type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

/** The answer of a call that was accepted and whose answer arrived; undefined for any other. */
export function arrived({ answer }: Entry): Answer | undefined {
  return answer?.status === 200 && !answer.decision.isLost ? answer : undefined;
}

/** The fields of a body; none where it is not kept, or is no object. */
export function fieldsOf(body: string | null): Fields {
  const json = body === null ? undefined : readJson(body);
  return isRecord(json?.value) ? json.value : nothing;
}
