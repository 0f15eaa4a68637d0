// A completed call as the conduct rules see it, and whether its client had an earlier answer by then.
import { operations } from '../contract/operations.ts';
import { isRecord } from '../contract/schema.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import type { Decision } from '../journal/decision.ts';
import { type Answer, type Entry, fieldsOf, type Received } from '../journal/entry.ts';
import { jsonValueOf } from '../journal/redaction.ts';

/** When a call came, was answered, and could be read. Rules keep this instead of the call, whose bodies are large. */
export interface CallTiming {
  /** The id of the request. */
  readonly id: string;
  /** Its place in the journal. */
  readonly sequence: number;
  readonly isOverPort: boolean;
  /** Real time in milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
  /** In process: when the caller had the answer. */
  readonly delivery: Answer['delivery'];
}

type Timed = Pick<CompletedCall, 'timing'>;

/** True if the call came after the earlier one was answered; in process, after that answer could be read. */
export const startedAfter = ({ timing: { startedAt, isOverPort, sequence } }: Timed, earlier: CallTiming): boolean =>
  startedAt >= earlier.endedAt && (isOverPort || sequence >= earlier.delivery.before);

/** Over a port: how long a call may wait for its connection and until it is read. */
const connectionMilliseconds = 1000;

/**
 * Whether the client had the answer of the earlier call when it sent this one. A call that comes soon after the answer
 * may have been sent in parallel and have waited for its connection: `perhaps` (docs/decisions/0009).
 */
export function hadAnswer(call: Timed, earlier: CallTiming): 'yes' | 'no' | 'perhaps' {
  if (!startedAfter(call, earlier)) return 'no';
  const { isOverPort, endedAt, delivery } = earlier;
  const settledAt = isOverPort ? endedAt + connectionMilliseconds : delivery.settledAt;
  return call.timing.startedAt > settledAt ? 'yes' : 'perhaps';
}

type Fields = Readonly<Record<string, unknown>>;

/** Refusals of the token and of the rate limit: the same call may succeed later. */
const temporaryRefusals = [401, 429];
/** Longer requests are compared by hash. Most orders are shorter: hashing is slow in plain JavaScript. */
const maxKeyCharacters = 1000;
const maxNameCharacters = 200;

/** Calls are compared with their secrets; the report names only fields and paths, redacted. */
export class CompletedCall {
  readonly entry: Entry;
  readonly answer: Answer;
  readonly #hashes: Hashes;
  #key: string | undefined;
  #requestFields: Fields | undefined;
  #responseFields: Fields | undefined;
  readonly id: string;
  /** The access token, if the operation needs one and the call has it. */
  readonly bearer: string | undefined;
  readonly method: string;
  readonly operation: Entry['operation'];
  /** Not redacted: it may hold a secret. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** When it came, in milliseconds of the sandbox's time. */
  readonly at: number;
  /** The status that the client received; null if the answer was lost, whatever the service answered. */
  readonly status: number | null;
  readonly decision: Decision;
  readonly timing: CallTiming;

  constructor(entry: Entry, answer: Answer, hashes: Hashes) {
    const { id, startedAt, isOverPort, method, operation, path, query, receivedAt } = entry.received;
    this.entry = entry;
    this.answer = answer;
    this.#hashes = hashes;
    this.id = id;
    this.bearer = bearerOf(entry.received);
    this.method = method;
    this.operation = operation;
    this.path = path;
    this.query = query;
    this.at = receivedAt;
    this.status = answer.decision.isLost ? null : answer.status;
    this.decision = answer.decision;
    const { answeredAt, delivery, durationMilliseconds } = answer;
    const endedAt = startedAt + durationMilliseconds;
    this.timing = { id, sequence: entry.sequence, isOverPort, startedAt, endedAt, answeredAt, delivery };
  }

  /** True if it only reads: a client may send identical reads in parallel. */
  get isSafe(): boolean {
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /** The cursor in the query, or null. */
  get cursor(): string | null {
    return this.query.includes('cursor') ? new URLSearchParams(this.query).get('cursor') : null;
  }

  /** True if it was refused for good. */
  get isFinal(): boolean {
    return this.status !== null && this.status >= 400 && this.status < 500 && !temporaryRefusals.includes(this.status);
  }

  /** True for a 500 of the service, and for a 502, 503 or 504 of a gateway: the call may have had its effect. */
  get isServerError(): boolean {
    return this.status !== null && this.status >= 500;
  }

  /** The operation's id, else method and path. */
  get name(): string {
    return this.operation ?? `${this.method} ${this.entry.path}`.slice(0, maxNameCharacters);
  }

  /** Equal for two calls with the same method, path, query and body: a JSON body by its value, not by its text. */
  get key(): string {
    this.#key ??= requestKey(this.entry.received, this.#hashes);
    return this.#key;
  }

  /** The fields of the request body; empty if it is not a JSON object. */
  get requestFields(): Fields {
    this.#requestFields ??= fieldsOf(this.entry.received.body);
    return this.#requestFields;
  }

  /** The fields of the answer. */
  get responseFields(): Fields {
    this.#responseFields ??= fieldsOf(this.answer.sentBody);
    return this.#responseFields;
  }
}

const scheme = /^\s*bearer\s+/i;

function bearerOf({ operation, headers }: Received): string | undefined {
  if (!operation || operations[operation].permission === null) return undefined;
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const value = at < 0 ? undefined : headers[at + 1];
  return value !== undefined && scheme.test(value) ? value.replace(scheme, '') : undefined;
}

function requestKey({ method, path, query, body }: Received, hashes: Hashes): string {
  const value = jsonValueOf(body);
  const text = `${method} ${path}${query}\n${value === undefined ? (body ?? '') : canonicalJson(value)}`;
  return text.length > maxKeyCharacters ? hex(hashes.sha256(text)) : text;
}

/** Equal for equal JSON values, whatever the order of their keys. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
