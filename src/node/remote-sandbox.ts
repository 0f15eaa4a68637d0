// A sandbox of a running server: requests to its control API, its journal, and its live requests.
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { certificateFailure } from '../client/certificate-failure.ts';
import { bareUrl, filled } from '../contract/addresses.ts';
import type { ControlOperation } from '../contract/control/control-operation.ts';
import { eventOperations, type RequestsQuery, requestOperations, requestSchema } from '../contract/control/requests.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { callLine } from './call-line.ts';
import { printable } from './printable.ts';

/** A sandbox of a running server, and its key. */
export interface Remote {
  readonly url: string;
  readonly sandbox: string;
  readonly adminKey: string;
}

type Target = Pick<ControlOperation, 'method' | 'path'>;

/** The server did not answer, or the connection broke; a retry may help. */
class UnreachableError extends Error {}

/** Something answered that is not a Sachet of this version. */
export class UnexpectedResponseError extends Error {
  constructor(url: string) {
    super(`${url} does not answer like a Sachet server of this version; check --url`);
  }
}

/** Sends an operation on the sandbox. @throws UnreachableError; Error with one sentence for a refusal */
async function requestControl(remote: Remote, { method, path }: Target, { headers, ...init }: RequestInit) {
  const authorization = { authorization: `Bearer ${remote.adminKey}` };
  const address = filled(path, () => remote.sandbox);
  const response = await fetchFrom(remote.url, address, { ...init, method, headers: { ...headers, ...authorization } });
  if (!response.ok) throw new Error(await describeRefusal(remote, response));
  return response;
}

interface Sent {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The same, parsed with the schema. @throws UnexpectedResponseError, too */
export async function requestControlJson<T extends z.ZodType>(
  schema: T,
  remote: Remote,
  operation: Target,
  { body, signal }: Sent = {},
): Promise<z.output<T>> {
  const json = body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await requestControl(remote, operation, { signal: signal ?? null, ...json });
  return parsed(schema, await response.text().catch(() => ''), remote);
}

function parsed<T extends z.ZodType>(schema: T, json: string, { url }: Remote): z.output<T> {
  try {
    return schema.parse(JSON.parse(json));
  } catch {
    throw new UnexpectedResponseError(url);
  }
}

/** Any response of the server. @throws UnreachableError; the error of an aborted signal */
export async function fetchFrom(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    // No redirects: the key must not go to another server.
    return await fetch(bareUrl(url) + path, { ...init, redirect: 'manual' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const untrusted = certificateFailure(url, error);
    if (untrusted !== undefined) throw new Error(untrusted);
    throw new UnreachableError(
      `no server answers at ${url} (${fetchFailure(error)}); start one with \`npx --no -- sachet\`, or pass the ` +
        'URL of another one with --url',
    );
  }
}

/** fetch puts the reason into its cause; for a name with several addresses that has a code, but no message. */
function fetchFailure(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message ?? String(cause);
}

const errorBody = z.object({ message: z.string() });

async function describeRefusal(remote: Remote, response: Response): Promise<string> {
  const { status } = response;
  const message = errorBody.safeParse(await response.json().catch(() => undefined)).data?.message;
  if (status === 401) return wrongKey(remote);
  if (status === 404) return missingSandbox(remote);
  if (status >= 300 && status < 400)
    return (
      `${remote.url} redirects to ${printable(response.headers.get('location') ?? 'another address')}, maybe to a login ` +
      'page in front of the server; pass the URL that the server itself answers with --url'
    );
  return `${remote.url} answered ${status}${message ? `: ${printable(message)}` : ''}`;
}

/** The sentence for a 401 of the control API. */
export const wrongKey = ({ url, sandbox }: Remote): string =>
  `the admin key does not work for sandbox "${sandbox}" at ${url}; pass the key that the server printed when ` +
  'it started with --admin-key or SACHET_ADMIN_KEY';

/** The sentence for a 404 because of the sandbox's name. */
export const missingSandbox = ({ url, sandbox }: Pick<Remote, 'url' | 'sandbox'>): string =>
  `no sandbox "${sandbox}" at ${url}; create it with \`sachet sandbox create ${sandbox}\`, or pass the name of an ` +
  'existing one with --sandbox; --url takes the URL of the server itself';

/** The fields of a journal entry that the commands need; it has more. */
const journalEntry = z.looseObject({
  ...requestSchema.pick({ id: true, received_at: true, completed: true, method: true, path: true, rules: true }).shape,
  ...requestSchema.pick({ operation: true, status: true, duration_ms: true }).shape,
  decision: z.looseObject({ sentence: z.string(), reason: z.string().nullable() }).nullable(),
});
export type JournalEntry = z.output<typeof journalEntry>;

const journalList = z.looseObject({ requests: z.array(journalEntry), dropped: z.int() });

/** The journal as it is now, with the number of entries that it no longer has. @throws as `requestControlJson` */
export function readJournal(remote: Remote, query: RequestsQuery = {}) {
  const { method, path } = requestOperations['requests.list'];
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return requestControlJson(journalList, remote, { method, path: search.size > 0 ? `${path}?${search}` : path });
}

/** One line. It gives the reason of a refusal, of a missing response, and of a fault. */
export function entryLine(entry: DeepReadonly<JournalEntry>, isColored = false): string {
  const { received_at: time, duration_ms: milliseconds, decision, ...call } = entry;
  return callLine({ ...call, time, milliseconds, reason: decision?.reason }, isColored);
}

const firstRetryMilliseconds = 1000;

/**
 * Connects to the live events. Yields the requests until the signal is aborted, which may throw its reason, and goes on
 * after a broken connection.
 * @param notify is called with a sentence when the connection breaks or requests were missed
 * @throws as `requestControl`; the iteration throws if a later connection is refused
 */
export async function followRequests(remote: Remote, signal: AbortSignal, notify: (sentence: string) => void) {
  let lastEventId = '';
  let retryMilliseconds = firstRetryMilliseconds;

  const connect = (): Promise<Response> => {
    const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    const headers = { accept: 'text/event-stream', ...from };
    return requestControl(remote, eventOperations['events.follow'], { headers, signal });
  };

  /** Retries until there is a connection. */
  async function reconnect(): Promise<Response> {
    for (;;) {
      await pause(retryMilliseconds, undefined, { signal });
      try {
        return await connect();
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
      }
    }
  }

  async function* read({ body, headers }: Response): AsyncGenerator<JournalEntry> {
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw new UnexpectedResponseError(remote.url);
    const onRetry = (milliseconds: number) => {
      retryMilliseconds = milliseconds;
    };
    const parser = new EventSourceParserStream({ onRetry });
    for await (const { id, event, data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      if (event === 'request') yield parsed(journalEntry, data, remote);
      if (event === 'missed') notify('some requests are not shown because they came while the connection was down');
      lastEventId = id ?? lastEventId;
    }
  }

  async function* entries(first: Response): AsyncGenerator<JournalEntry> {
    for (let response = first; ; response = await reconnect()) {
      try {
        yield* read(response);
      } catch (error) {
        if (error instanceof UnexpectedResponseError) throw error;
      }
      if (signal.aborted) return;
      notify('lost the connection; reconnecting');
    }
  }

  return entries(await connect());
}
