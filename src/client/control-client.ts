// A typed client of the control API, made from its contract: a method per operation, over HTTP or in process.

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
import { after } from '../system/time.ts';
import type { Method, SandboxControl } from './sandbox-control.ts';

/**
 * The control API refused. The message says what failed and what to do; `body` is the whole answer.
 * @example await expect(sandbox.orders.ship(id)).rejects.toMatchObject({ name: 'ControlError', status: 422 });
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly body: unknown;

  constructor(operation: string, status: number, body: unknown) {
    const { message = JSON.stringify(body) } = (body ?? {}) as { readonly message?: string };
    super(`${operation} was refused with ${status}: ${message}`);
    this.status = status;
    this.body = body;
  }
}

/** A stream is no answer to wait for: read it with an EventSource or a fetch of your own. */
const stream = 'events.follow';

export interface ControlClient {
  /** All sandboxes of the server. */
  readonly list: Method<'sandboxes.list'>;
  readonly create: Method<'sandboxes.create'>;
  /** A sandbox by its name; whether there is one shows when it is asked for something. */
  sandbox(name: string): SandboxControl;
}

/**
 * The global fetch, or its like.
 * @example const fetch: Fetch = sandbox.fetch; await fetch('/v2/products', { headers: { authorization } });
 */
export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

export interface ControlClientOptions {
  /** Where the server is, such as `http://localhost:4010`. */
  readonly url: string;
  /** The admin key, or the key of the one sandbox that is controlled. */
  readonly adminKey: string;
  /** Default: the global fetch; in process the fetch of a Sachet. */
  readonly fetch?: Fetch;
}

/**
 * Connects to the control API of a server.
 * @example
 * const control = controlClient({ url: 'http://localhost:4010', adminKey });
 * await control.sandbox('w7').reset();
 */
export function controlClient({ url, adminKey, fetch = globalThis.fetch }: ControlClientOptions): ControlClient {
  const base = bareUrl(url);
  requireKey(adminKey);
  const headers = { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' };
  const ask = askingOver(fetch);
  async function call(operation: ControlOperation, sandbox: string | undefined, sent: readonly unknown[]) {
    const { path, init } = requestOf(operation, sandbox, sent);
    const answer = await ask(operation, base + path, { ...init, headers }).catch((cause: unknown) => {
      if (!isUnreached(cause, fetch)) throw cause;
      throw new Error(
        `${operation.id}: nothing answers at ${url}; is the server started, and the URL the one that it told?`,
        { cause },
      );
    });
    const { status, text } = answer;
    const body = text ? jsonOf(text) : undefined;
    if (isDone(operation, answer)) return status === 404 ? undefined : body;
    throw new ControlError(operation.id, status, body);
  }
  const method =
    (id: ControlId, sandbox?: string) =>
    (...sent: unknown[]) =>
      call(controlOperations[id], sandbox, sent);
  return {
    list: method('sandboxes.list') as Method<'sandboxes.list'>,
    create: method('sandboxes.create') as Method<'sandboxes.create'>,
    sandbox: (name) => handle((id) => method(id, name)),
  };
}

type Asking = (
  operation: ControlOperation,
  url: string,
  init: RequestInit & { readonly headers: Readonly<Record<string, string>> },
) => Promise<Heard>;

/** Over the global fetch a call that may be lost on its way is sent again, with a key by which the server knows it. In process none is lost. */
function askingOver(fetch: Fetch): Asking {
  if (fetch !== globalThis.fetch) return (_, url, init) => heard(fetch, url, init);
  const ask = patient(fetch);
  return (operation, url, { headers, ...init }) => {
    const key = takesIdempotencyKey(operation) ? { [idempotencyKey.header]: requestId() } : {};
    return ask(url, { ...init, headers: { ...headers, ...key } });
  };
}

/** A sandbox that is gone when its deletion is sent again is deleted. */
const isDone = ({ id }: ControlOperation, { status, isResent }: Heard): boolean =>
  (status >= 200 && status < 300) || (isResent && status === 404 && id === 'sandboxes.delete');

/** In process a bug of the server rejects, too, and is no connection that failed; Node's own words for one are these. */
const isUnreached = (cause: unknown, fetch: Fetch): boolean =>
  cause instanceof TypeError && (fetch === globalThis.fetch || cause.message === 'fetch failed');

/** What answers may be no Sachet: its text stands in the error then. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A method per operation of a sandbox, at the place its id says. */
function handle(method: (id: ControlId) => unknown): SandboxControl {
  const root: Place = {};
  for (const id of Object.keys(controlOperations) as ControlId[]) {
    if (id === stream || !controlOperations[id].path.startsWith(`${adminPath}/sandboxes/{sandbox}`)) continue;
    const keys = id.replace(/^sandboxes\./, '').split('.');
    placeOf(root, keys.slice(0, -1))[keys.at(-1) ?? ''] = method(id);
  }
  return root as unknown as SandboxControl;
}

type Place = Record<string, unknown>;

/** The object at the end of these keys, made on the way. */
const placeOf = (root: Place, keys: readonly string[]): Place =>
  keys.reduce<Place>((place, key) => {
    place[key] ??= {};
    return place[key] as Place;
  }, root);

/** Where an operation is asked, and with what. */
function requestOf(operation: ControlOperation, sandbox: string | undefined, sent: readonly unknown[]) {
  const rest = [...sent];
  const path = filled(operation.path, (name) => segment(name, String(name === 'sandbox' ? sandbox : rest.shift())));
  const [part] = rest;
  const query = operation.query && part ? `?${new URLSearchParams(textsOf(part))}` : '';
  const body = operation.body ? { body: JSON.stringify(part) } : {};
  return { path: path + query, init: { method: operation.method, ...body } };
}

/** A name as a segment of a path. URLs fold dots away, also encoded ones: the call would be another. */
function segment(what: string, name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new TypeError(`"${name}" is no name of a ${what}`);
  return encodeURIComponent(name);
}

const textsOf = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query as object)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, String(value)]),
  );

/** What came back, and whether the call was sent more than once. */
interface Heard {
  readonly status: number;
  readonly text: string;
  readonly isResent: boolean;
}

type Ask = (url: string, init: RequestInit) => Promise<Response>;
type Outcome = Heard | { readonly error: unknown };

/** Milliseconds before each further try. */
const pauses = [100, 300, 900, 2700, 5000];
/** Where nothing ever answered, or nothing listens any more, there may be no server: that is to be told soon. */
const fewPauses = pauses.slice(0, 3);

/** Asks, and hears the answer to its end. */
async function heard(ask: Ask, url: string, init: RequestInit): Promise<Heard> {
  const response = await ask(url, init);
  return { status: response.status, text: await response.text(), isResent: false };
}

/** Asks again, and again, where that may help; what is asked must bear it, by a key or by changing nothing. A body that is a stream is sent once. */
export function patient(ask: Ask): (url: string, init: RequestInit) => Promise<Heard> {
  let wasHeard = false;
  return async (url, init) => {
    for (let tries = 0; ; tries += 1) {
      const outcome: Outcome = await heard(ask, url, init).catch((error: unknown) => ({ error }));
      wasHeard ||= 'status' in outcome;
      const pause = (wasHeard && !isRefused(outcome) ? pauses : fewPauses)[tries];
      if (pause === undefined || !mayHelp(outcome, init)) return settled(outcome, tries > 0);
      await passing(pause, init.signal);
    }
  };
}

/** Nothing listens there, as Node tells it. */
const isRefused = (outcome: Outcome): boolean =>
  'error' in outcome &&
  (outcome.error as { readonly cause?: { readonly code?: unknown } }).cause?.code === 'ECONNREFUSED';

function mayHelp(outcome: Outcome, { body, signal }: RequestInit): boolean {
  if (body instanceof ReadableStream || signal?.aborted) return false;
  if ('error' in outcome) return outcome.error instanceof TypeError;
  return [502, 503, 504].includes(outcome.status) && !isJson(outcome.text);
}

/** What a Sachet answers is JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function settled(outcome: Outcome, isResent: boolean): Heard {
  if ('error' in outcome) throw outcome.error;
  return { ...outcome, isResent };
}

/** So many milliseconds, unless what ends the call comes first. */
function passing(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      callOff();
      reject(signal?.reason);
    };
    const callOff = after(milliseconds, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    signal?.addEventListener('abort', end);
  });
}
