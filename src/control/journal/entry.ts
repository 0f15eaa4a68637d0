// One call as the journal keeps it: what came, and what was answered, without its secrets.
import { isDebugHeader } from '../../contract/debug-headers.ts';
import type { OperationId } from '../../contract/operations.ts';
import type { RequestFacts } from '../match.ts';
import { type Decided, type Decision, decisionOf } from './decision.ts';
import { readJson } from './json-text.ts';
import type { Header, Redactor } from './redaction.ts';

/** A call on its arrival. */
export interface Received {
  readonly id: string;
  /** The sandbox's time in milliseconds. */
  readonly receivedAt: number;
  /** Real time in milliseconds, from some moment on. */
  readonly startedAt: number;
  /** Whether it came over a port, or in process. */
  readonly isOverPort: boolean;
  /** Whether the console sent it, for whoever looks through it: no client's doing. */
  readonly isByConsole: boolean;
  readonly method: string;
  /** Without the base URL. */
  readonly path: string;
  /** The query with its question mark, or nothing. */
  readonly query: string;
  readonly operation: OperationId | null;
  readonly headers: Iterable<Header>;
  /** The body as it came; null where there was none. */
  readonly body: string | null;
}

/** A call on its answer. */
export interface Answered {
  /** null where a fault broke the connection before an answer. */
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

/** What was answered. */
export interface Answer extends Omit<Answered, 'decided'> {
  readonly decision: Decision;
  /** From which sequence on calls of this process may come of it. */
  readonly seen: { from: number };
}

export interface Entry extends Omit<Received, 'headers'> {
  readonly headers: readonly Header[];
  /** null while the call is under way. */
  readonly answer: Answer | null;
  /** Its place in the journal: each entry has the next. */
  readonly sequence: number;
}

/** An entry whose call is under way. */
export interface OpenEntry extends Entry {
  answer: Answer | null;
  /** What it holds of the journal's room. */
  bytes: number;
}

// What an entry takes in memory besides its texts, roughly.
const entryBytes = 1024;
const headerBytes = 64;

/** A body beyond this is told by its length only. */
const maxBodyCharacters = 1_048_576;

export function openEntry(received: Received, sequence: number, redactor: Redactor): OpenEntry {
  const { id, receivedAt, startedAt, isOverPort, isByConsole, method, operation } = received;
  const headers: Header[] = [];
  let bytes = entryBytes;
  for (const header of received.headers) {
    const kept = redactedHeader(header, redactor);
    headers.push(kept);
    bytes += bytesOfHeader(kept);
  }
  const path = redactor.text(received.path);
  const query = redactor.query(received.query);
  const body = keptBody(received.body, redactor);
  bytes += path.length + query.length + bytesOfText(body);
  const came = { id, receivedAt, startedAt, isOverPort, isByConsole, method, path, query, operation, headers, body };
  return { ...came, answer: null, sequence, bytes };
}

function redactedHeader(header: Header, redactor: Redactor): Header {
  const [name, value] = header;
  const kept = redactor.header(name, value);
  return kept === value ? header : [name, kept];
}

export function answerOf(answered: Answered, redactor: Redactor): Answer {
  const { status, answeredAt, durationMilliseconds, caller, decided } = answered;
  return {
    status,
    headers: redactedHeaders(answered.headers, redactor),
    body: keptBody(answered.body, redactor),
    answeredAt,
    durationMilliseconds,
    caller,
    decision: decisionOf(decided, redactor),
    seen: { from: Number.POSITIVE_INFINITY },
  };
}

/** The same object where there is nothing to redact. */
function redactedHeaders(headers: Answered['headers'], redactor: Redactor): Answered['headers'] {
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!isDebugHeader(name) && redactor.header(name, value) !== value)
      return Object.fromEntries(Object.entries(headers).map((header) => redactedHeader(header, redactor)));
  }
  return headers;
}

function keptBody(body: string | null, redactor: Redactor): string | null {
  if (!body) return body;
  return body.length > maxBodyCharacters ? `[not kept: ${body.length} characters]` : redactor.body(body);
}

export function bytesOfAnswer({ headers, body, decision }: Answer): number {
  let bytes = bytesOfText(body);
  for (const name in headers) bytes += bytesOfHeader([name, headers[name] ?? '']);
  for (const { field, came, sentence } of decision.details)
    bytes += headerBytes + bytesOfText(field) + bytesOfText(came) + bytesOfText(sentence);
  return bytes;
}

const bytesOfHeader = ([name, value]: Header): number => headerBytes + name.length + value.length;

const wide = /[\u0100-\uffff]/;
/** Told in JSON as `\u0001` or the like; what else is escaped is no more than twice as long. */
const escaped = /[^\n\r\t -\uffff]/;

/** What the text takes in memory: two bytes a character as soon as one of them needs two; but what it takes when it is told, where that is much more. */
function bytesOfText(text: string | null): number {
  if (!text) return 0;
  if (escaped.test(text)) return 6 * text.length;
  return wide.test(text) ? 2 * text.length : text.length;
}

/** An entry as a match sees it. */
export function factsOf(
  entry: Entry,
): RequestFacts & { readonly status: number | null; readonly rules: readonly string[] } {
  const { operation, method, path, answer } = entry;
  return {
    operation,
    method,
    path,
    status: answer?.status ?? null,
    rules: answer?.decision.rules ?? [],
    get body() {
      return entry.body === null ? undefined : readJson(entry.body)?.value;
    },
  };
}
