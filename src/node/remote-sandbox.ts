// A sandbox of a running server: requests to its control API, its journal, and its live requests.
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { connectionError, fetchDirectly, UnreachableError } from '../client/connection-errors.ts';
import { ControlError, controlClient, type Fetch, parseJson } from '../client/control-client.ts';
import { printable } from '../client/printable.ts';
import type { SandboxControl } from '../client/sandbox-control.ts';
import { bareUrl } from '../contract/addresses.ts';
import { sandboxPath } from '../contract/control/control-operation.ts';
import { type RequestsQuery, requestSchema } from '../contract/control/requests.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { callLine } from './call-line.ts';

/** A sandbox of a running server, and its key. */
export interface Remote {
  readonly url: string;
  readonly sandbox: string;
  readonly adminKey: string;
}

/** Something answered that is not a Sachet of this version. */
export class UnexpectedResponseError extends Error {
  constructor(url: string) {
    super(`${url} does not answer like a Sachet server of this version; check --url`);
  }
}

/** The control of the sandbox. Calls with a signal are not retried. */
export function controlOf({ url, adminKey, sandbox }: Remote, signal?: AbortSignal): SandboxControl {
  const fetchWith: Fetch = (input, init) => fetch(input, { ...init, signal: signal ?? null });
  return controlClient({ url, adminKey, ...(signal && { fetch: fetchWith }) }).sandbox(sandbox);
}

/** The result of a call, validated. @throws UnexpectedResponseError; Error with one sentence for a refusal */
export async function resultOf<T extends z.ZodType>(
  remote: Remote,
  schema: T,
  call: Promise<unknown>,
): Promise<z.output<T>> {
  const result = await call.catch((error: unknown) => {
    throw commandError(error, remote);
  });
  return parsed(schema, result, remote);
}

function parsed<T extends z.ZodType>(schema: T, json: unknown, { url }: Remote): z.output<T> {
  const { success, data } = schema.safeParse(json);
  if (!success) throw new UnexpectedResponseError(url);
  return data;
}

/** Any response of the server. @throws UnreachableError; the error of an aborted signal */
export async function fetchFrom(url: string, path: string, init: RequestInit): Promise<Response> {
  return fetchDirectly(fetch, bareUrl(url) + path, init).catch((error: unknown) => {
    throw error instanceof TypeError ? connectionError(url, error) : error;
  });
}

const refusal = z.object({
  message: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
});

/**
 * The error of a command for a refused call: what to do with its flags. Other errors stay unchanged.
 * @param group of the command, such as `fault`
 */
export function commandError(error: unknown, remote: Remote, group?: string): unknown {
  if (!(error instanceof ControlError)) return error;
  const body = refusal.safeParse(error.body).data;
  if (!body) return new UnexpectedResponseError(remote.url);
  if (error.status === 401)
    return new Error(
      `the admin key does not work for sandbox "${remote.sandbox}" at ${remote.url}; pass the key that the server ` +
        "printed when it started with --admin-key or SACHET_ADMIN_KEY; a sandbox's own key needs its --sandbox",
    );
  const [, missing] = /^There is no sandbox "([^"]+)"/.exec(body.message) ?? [];
  if (missing !== undefined) return missingSandbox(remote.url, missing);
  // The message lists what exists, unless nothing does or it is too much.
  if (error.status === 404 && group && !error.message.includes('; available: '))
    return new Error(`${printable(error.message)}; \`sachet ${group} list\` shows the ${group}s`);
  // The message has the first detail already.
  const lines = body.details.slice(1).map(({ field, message }) => `  ${field}: ${message}`);
  return new Error([error.message, ...lines].map(printable).join('\n'));
}

/** The error for a sandbox that does not exist. */
export const missingSandbox = (url: string, sandbox: string): Error =>
  new Error(
    `no sandbox "${printable(sandbox)}" at ${url}; create it with \`sachet sandbox create ${printable(sandbox)}\`, or ` +
      'pass the name of an existing one with --sandbox; --url takes the URL of the server itself',
  );

/** The fields of a journal entry that the commands need; it has more. */
const journalEntry = z.looseObject({
  ...requestSchema.pick({ id: true, received_at: true, completed: true, method: true, path: true, rules: true }).shape,
  ...requestSchema.pick({ operation: true, status: true, duration_ms: true }).shape,
  decision: z.looseObject({ sentence: z.string(), reason: z.string().nullable() }).nullable(),
});
export type JournalEntry = z.output<typeof journalEntry>;

const journalList = z.looseObject({ requests: z.array(journalEntry), dropped: z.int() });

/** The journal as it is now, with the number of entries that it no longer has. @throws as `resultOf` */
export const readJournal = (remote: Remote, query: RequestsQuery = {}) =>
  resultOf(remote, journalList, controlOf(remote).requests.list(query));

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
 * @throws as `resultOf`; the iteration throws if a later connection is refused
 */
export async function followRequests(remote: Remote, signal: AbortSignal, notify: (sentence: string) => void) {
  let lastEventId = '';
  let retryMilliseconds = firstRetryMilliseconds;

  async function connect(): Promise<Response> {
    const authorization = `Bearer ${remote.adminKey}`;
    const headers = {
      accept: 'text/event-stream',
      authorization,
      ...(lastEventId && { 'last-event-id': lastEventId }),
    };
    const path = `${sandboxPath(remote.sandbox)}/events`;
    const response = await fetchFrom(remote.url, path, { headers, signal });
    if (response.ok) return response;
    const body = await response.json().catch(() => undefined);
    throw commandError(new ControlError('events.follow', response.status, body), remote);
  }

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
      if (event === 'request') yield parsed(journalEntry, parseJson(data), remote);
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
