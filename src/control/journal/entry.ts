// One call as the journal keeps it: what came, and what was answered, without its secrets.
import type { OperationId } from '../../contract/operations.ts';
import type { RequestFacts } from '../match.ts';
import type { Decided, Decision } from './decision.ts';
import type { HeaderLines } from './header-lines.ts';
import { readJson } from './json-text.ts';
import { keptText } from './kept-text.ts';
import type { Pieces } from './pieces.ts';
import type { Header, Redactor } from './redaction.ts';
import { bytesOfHeader, bytesOfText } from './text-size.ts';

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
  readonly headers: HeaderLines;
  readonly body: string | Pieces | null;
  /** The sandbox's time in milliseconds. */
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  /** The username of the caller. */
  readonly caller: string | null;
  readonly decided: Decided;
}

/** What was answered. */
export interface Answer extends Omit<Answered, 'decided' | 'body' | 'headers'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly decision: Decision;
  /** From which sequence on calls of this process may come of it. */
  readonly seen: { readonly from: number };
}

export interface Entry extends Omit<Received, 'headers'> {
  readonly headers: readonly Header[];
  /** null while the call is under way. */
  readonly answer: Answer | null;
  /** Its place in the journal: each entry has the next. */
  readonly sequence: number;
}

/** The headers kept last: a client sends the same ones with every call, and what is the same is kept once. */
let lastHeaders: readonly Header[] = [];

function keptHeaders(came: Iterable<Header>, redactor: Redactor): readonly Header[] {
  const headers: Header[] = [];
  for (const header of came) headers.push(redactor.pair(header));
  const isSame = headers.length === lastHeaders.length && headers.every((header, at) => header === lastHeaders[at]);
  // A copy has no room for more.
  if (!isSame) lastHeaders = headers.slice();
  return lastHeaders;
}

/** An entry whose call is under way. */
export interface OpenEntry extends Entry {
  answer: Answer | null;
  /** What it holds of the journal's room. */
  bytes: number;
}

/** What an entry takes in memory besides its texts, roughly. */
export const entryBytes = 1024;

export function openEntry(received: Received, sequence: number, redactor: Redactor): OpenEntry {
  const { id, receivedAt, startedAt, isOverPort, isByConsole, method, operation } = received;
  const headers = keptHeaders(received.headers, redactor);
  let bytes = entryBytes;
  for (const [name, value] of headers) bytes += bytesOfHeader(name, value);
  const path = redactor.text(received.path);
  const query = redactor.query(received.query);
  const body = keptText(received.body, redactor);
  bytes += path.length + query.length + bytesOfText(body);
  const came = { id, receivedAt, startedAt, isOverPort, isByConsole, method, path, query, operation, headers, body };
  return { ...came, answer: null, sequence, bytes };
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
