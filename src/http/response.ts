// Responses: what the app answers with, and the headers that protect and explain it.
import type { Drop } from '../contract/control/switches.ts';
import { limits } from '../contract/limits.ts';
import { debugHeaderNames } from '../contract/operation.ts';
import { answerTo, Refusal } from '../contract/refusal.ts';
import { Assumptions, resolveChoices } from '../contract/resolved-assumptions.ts';
import { utf8 } from '../domain/hashes.ts';

/**
 * What the caller of the app says about a request, and what the app reports back besides the response. Handlers see
 * it as Hono's `c.env`. One object per request, made by the listener of a port, or by `fetchInProcess`.
 */
export interface Bindings {
  /** Whether the request came over a port. Default: false, in process. */
  readonly isOverPort?: boolean;
  /** Whether the console sends it for its user. */
  readonly isByConsole?: boolean;
  /** Names and values in turn, as Node gives them; missing in process. */
  readonly rawHeaders?: readonly string[];
  /** Set if the body was not read to its end: the connection must close after the response. */
  closesConnection?: boolean;
  /** Set for a large response: its size in characters or bytes. */
  responseSize?: number;
  /** Set for a recorded call: to be called when the response reaches a caller in process. */
  onDelivered?: () => void;
}

/** The app, without Hono's types: the package's declarations do not need them. */
export interface RequestHandler {
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
}

/** The part of Hono's context that is needed to read a request and to send a response. */
export interface Exchange {
  readonly req: { readonly raw: Request };
  readonly env: Bindings;
}

/** Responses by what a browser may do with them: pages; data of pages and of the control API; the service's own. */
export type ResponseKind = 'page' | 'data' | 'service';

/** A response before it is a `Response`. Headers that protect it are added when it is sent. */
export interface ServiceResponse {
  readonly kind: ResponseKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or bytes, which the journal leaves out. */
  readonly body: string | Uint8Array | null;
}

type Headers = ServiceResponse['headers'];

/** What all responses of a server have in common. */
export interface ResponseSettings {
  /** The headers that protect responses, by kind. */
  readonly headers: Readonly<Record<ResponseKind, Headers>>;
  /** Whether responses carry the Sandbox-… headers. */
  readonly debugHeaders: boolean;
}

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/** A response of the service with a JSON body. */
export const jsonResponse = (status: number, body: unknown, headers?: Headers): ServiceResponse => ({
  kind: 'service',
  status,
  headers: headers ? Object.assign({}, jsonHeaders, headers) : jsonHeaders,
  body: JSON.stringify(body),
});

/** The response to a refusal (HTTP-3). Without a sandbox, under the default assumptions. */
export function refusalResponse(refusal: Refusal, assumptions?: Assumptions): ServiceResponse {
  const { status, body, headers } = answerTo(refusal, assumptions ?? new Assumptions(resolveChoices(), []));
  return jsonResponse(status, body, headers);
}

/** The service's own 500, without internals. */
export const failureResponse = (): ServiceResponse => refusalResponse(new Refusal('HTTP-3'));

/** The debug headers of a refusal. @param reason may hold any characters */
export function refusalHeaders(
  { debugHeaders }: Pick<ResponseSettings, 'debugHeaders'>,
  rules: string,
  reason: string | null,
): Headers {
  if (!debugHeaders) return {};
  return { [debugHeaderNames.rule]: rules, ...(reason === null ? {} : { [debugHeaderNames.reason]: ascii(reason) }) };
}

const maxReasonCharacters = 400;

/** A header's value: other characters become their codes, and its length is bounded. */
function ascii(text: string): string {
  const value = text.replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return value.length > maxReasonCharacters ? `${value.slice(0, maxReasonCharacters - 3)}...` : value;
}

let lastDate = { second: Number.NaN, text: '' };

/** The value of a `Date` header. Formatting takes 0.4 µs, so the last one is kept. */
export function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (lastDate.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

/** The Response, with the protecting headers. */
export const protectedResponse = (
  c: Exchange,
  deps: Pick<ResponseSettings, 'headers'>,
  response: ServiceResponse,
): Response => sendResponse(c, { ...response, headers: protectedHeaders(deps, response) });

/** The Response. The bindings report a large size. HEAD gets no body, but its length. */
export function sendResponse(c: Exchange, { status, headers, body }: ServiceResponse): Response {
  if (body !== null && body.length > limits.smallBytes) c.env.responseSize = body.length;
  if (c.req.raw.method !== 'HEAD' || body === null) return new Response(body as BodyInit | null, { status, headers });
  const length = typeof body === 'string' ? utf8(body).length : body.length;
  return new Response(null, { status, headers: { ...headers, 'Content-Length': String(length) } });
}

/**
 * Thrown if a fault breaks the connection: before there is a response, after it, or in the middle of its body. In
 * process it is what `fetch` throws for a broken connection; a server breaks its socket.
 */
export class BrokenConnection extends TypeError {
  readonly at: Drop;
  readonly response: ServiceResponse | undefined;

  constructor(at: Drop, response?: ServiceResponse) {
    super('fetch failed', { cause: connectionReset() });
    this.at = at;
    this.response = response;
  }
}

export const connectionReset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

// The headers that keep pages of other origins from using responses.

/** Browsers do not take a response for a script or a style by its content. */
const service = { 'x-content-type-options': 'nosniff' };
/** No other site loads it as an image, a script or a style. */
const data = { ...service, 'cross-origin-resource-policy': 'same-origin' };
/** No page of another origin gets a reference to its window, or frames it. */
const page = {
  ...data,
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
};

/** For all responses of a kind, also refusals and redirections. */
export const protectingHeaders: ResponseSettings['headers'] = { page, data, service };

const policy = 'content-security-policy';

/** The headers of a response with the protecting ones. Its own content security policy gets one directive more. */
export function protectedHeaders(
  { headers }: Pick<ResponseSettings, 'headers'>,
  { kind, headers: own }: Pick<ServiceResponse, 'kind' | 'headers'>,
): Record<string, string> {
  const protecting = headers[kind];
  // Not by spread: V8 takes 1 µs for an object that is spread and then gets a new property.
  const all: Record<string, string> = Object.assign({}, own, protecting);
  if (own[policy] !== undefined && protecting[policy] !== undefined)
    all[policy] = `${own[policy]}; ${protecting[policy]}`;
  return all;
}

/** Adds the protecting headers to a stream, which is a Response already. */
export function protectedStream(
  deps: Pick<ResponseSettings, 'headers'>,
  kind: ResponseKind,
  response: Response,
): Response {
  const headers = Object.fromEntries(response.headers);
  for (const [name, value] of Object.entries(protectedHeaders(deps, { kind, headers })))
    response.headers.set(name, value);
  return response;
}
