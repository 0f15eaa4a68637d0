// A typed client of the control API, built from its table of operations: over HTTP or in process.
import { bareUrl, filled } from '../contract/addresses.ts';
import {
  adminPath,
  type ControlOperation,
  idempotencyKey,
  requireKey,
  takesIdempotencyKey,
} from '../contract/control/control-operation.ts';
import { type ControlId, controlOperations } from '../contract/control/operations.ts';
import { requestId } from '../system/random.ts';
import { pause } from '../system/time.ts';
import { connectionError, fetchDirectly } from './connection-errors.ts';
import type { Method, SandboxControl } from './sandbox-control.ts';

/**
 * The control API refused a call, or another server answered. The message says what failed and what to do; `body` is
 * the response body, usually `{ statusCode, error, message, details? }`.
 * @example await expect(sandbox.orders.ship(id)).rejects.toMatchObject({ name: 'ControlError', status: 422 });
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The response body: parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;

  constructor(operation: string, status: number, body: unknown) {
    const { message = JSON.stringify(body) } = (body ?? {}) as { readonly message?: string };
    super(`${operation} failed with ${status}: ${message}`);
    this.status = status;
    this.body = body;
  }
}

export interface ControlClient {
  /** All sandboxes of the server. */
  readonly list: Method<'sandboxes.list'>;
  readonly create: Method<'sandboxes.create'>;
  /** A sandbox by its name. Sends no request: if it is missing, the first call to it throws ControlError 404. */
  sandbox(name: string): SandboxControl;
}

/**
 * The global fetch, or a function with its signature.
 * @example const fetch: Fetch = sandbox.fetch; await fetch('/v2/products', { headers: { authorization } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

/**
 * The URL of a server, and the key of its control API.
 * @example const options: ConnectOptions = { url: 'http://localhost:4010', adminKey: 'local-key-1' };
 */
export interface ConnectOptions {
  /** The URL of the server, such as `http://localhost:4010`. */
  readonly url: string;
  /** The admin key, or a sandbox's own key to control that sandbox alone. */
  readonly adminKey: string;
  /** Default: the global fetch. For a Sachet in process, its `fetch`. */
  readonly fetch?: Fetch;
}

/**
 * Creates a client of a server's control API. With the global fetch it retries calls whose response was lost, safely:
 * each has an idempotency key.
 * @throws TypeError for an invalid URL or key
 * @example
 * const control = controlClient({ url: 'http://localhost:4010', adminKey });
 * await control.sandbox('w7').reset();
 */
export function controlClient({ url, adminKey, fetch = globalThis.fetch }: ConnectOptions): ControlClient {
  const base = bareUrl(url);
  requireKey(adminKey);
  const headers = { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' };
  // A call in process cannot be lost, and the caller's own fetch may retry by itself.
  const isGlobalFetch = fetch === globalThis.fetch;
  const send: Send = isGlobalFetch ? retryingFetch(fetch) : (at, init) => readResponse(fetch, at, init);
  async function call(operation: ControlOperation, sandbox: string | undefined, args: readonly unknown[]) {
    const { path, body } = requestOf(operation, sandbox, args);
    const key = isGlobalFetch && takesIdempotencyKey(operation) ? { [idempotencyKey.header]: requestId() } : {};
    const init = { method: operation.method, headers: { ...headers, ...key }, ...(body !== undefined && { body }) };
    const { status, text, isRepeated } = await send(base + path, init).catch((cause: unknown) => {
      throw isConnectionFailure(cause, fetch) ? connectionError(url, cause) : cause;
    });
    // The first try has deleted the sandbox.
    if (isRepeated && status === 404 && operation.id === 'sandboxes.delete') return undefined;
    const json = parseJson(text);
    const answer = json === undefined ? text || undefined : json;
    // A text is the page of another server.
    if (status >= 200 && status < 300 && typeof answer !== 'string') return answer;
    throw new ControlError(operation.id, status, answer);
  }
  const method =
    (id: ControlId, sandbox?: string) =>
    (...args: unknown[]) =>
      call(controlOperations[id], sandbox, args);
  return {
    list: method('sandboxes.list') as Method<'sandboxes.list'>,
    create: method('sandboxes.create') as Method<'sandboxes.create'>,
    sandbox: (name) => sandboxControl((id) => method(id, name)),
  };
}

/** A bug of a server in process rejects with a TypeError, too; only Node's message identifies a failed connection. */
const isConnectionFailure = (cause: unknown, fetch: Fetch): boolean =>
  cause instanceof TypeError && (fetch === globalThis.fetch || cause.message === 'fetch failed');

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Place = Record<string, unknown>;

/**
 * A method for each operation of a sandbox, by its id: `clock.get` is `.clock.get()`, `sandboxes.reset` is `.reset()`.
 */
function sandboxControl(method: (id: ControlId) => unknown): SandboxControl {
  const root: Place = {};
  for (const id of Object.keys(controlOperations) as ControlId[]) {
    // A stream has no result to wait for: use an EventSource or fetch.
    const isStream = id === 'events.follow';
    if (isStream || !controlOperations[id].path.startsWith(`${adminPath}/sandboxes/{sandbox}`)) continue;
    const keys = id.replace(/^sandboxes\./, '').split('.');
    const place = keys.slice(0, -1).reduce<Place>((outer, key) => {
      outer[key] ??= {};
      return outer[key] as Place;
    }, root);
    place[keys.at(-1) ?? ''] = method(id);
  }
  return root as unknown as SandboxControl;
}

/** @param args the path's names in their order, then the body and the query, if the operation has them */
function requestOf(operation: ControlOperation, sandbox: string | undefined, args: readonly unknown[]) {
  const rest = [...args];
  const path = filled(operation.path, (name) => segment(name, String(name === 'sandbox' ? sandbox : rest.shift())));
  const body = operation.body && JSON.stringify(rest.shift());
  const [fields] = rest;
  const query = String(new URLSearchParams(operation.query && fields ? queryFields(fields) : []));
  return { path: query ? `${path}?${query}` : path, body };
}

/** @throws TypeError for `.`, `..` and an empty name: URLs drop those, even encoded, and lead to another route */
function segment(what: string, name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new TypeError(`"${name}" is not a valid ${what}`);
  return encodeURIComponent(name);
}

const queryFields = (query: object): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

async function readResponse(fetch: Fetch, url: string, init: RequestInit) {
  const response = await fetchDirectly(fetch, url, init);
  return { status: response.status, text: await response.text(), isRepeated: false };
}

/** Milliseconds before each further try. */
const pauses = [100, 300, 900, 2700, 5000];
/** If the server never answered, or the connection is refused, there may be no server: fail soon. */
const fewPauses = pauses.slice(0, 3);

type Send = (url: string, init: RequestInit) => ReturnType<typeof readResponse>;
type Outcome = Awaited<ReturnType<Send>> | { readonly error: unknown };

/** A fetch that retries a call whose response was lost. The call must change nothing, or have an idempotency key. */
export function retryingFetch(fetch: Fetch): Send {
  let hasAnswered = false;
  return async (url, init) => {
    for (let tries = 0; ; tries += 1) {
      const outcome: Outcome = await readResponse(fetch, url, init).catch((error: unknown) => ({ error }));
      hasAnswered ||= 'status' in outcome;
      const wait = (hasAnswered && !isConnectionRefused(outcome) ? pauses : fewPauses)[tries];
      if (wait !== undefined && isRetryable(outcome)) await pause(wait);
      else if ('error' in outcome) throw outcome.error;
      else return { ...outcome, isRepeated: tries > 0 };
    }
  };
}

const isConnectionRefused = (outcome: Outcome): boolean =>
  'error' in outcome &&
  (outcome.error as { readonly cause?: { readonly code?: unknown } }).cause?.code === 'ECONNREFUSED';

/** Fetch failed, or a proxy answered: Sachet itself answers JSON. */
const isRetryable = (outcome: Outcome): boolean =>
  'error' in outcome
    ? outcome.error instanceof TypeError
    : [502, 503, 504].includes(outcome.status) && parseJson(outcome.text) === undefined;
