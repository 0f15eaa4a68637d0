// A call in process as most are: a URL, and at most a method, headers and a short text. It is read as it was given, without a Request, which
// takes longer to make than the call to judge; every other one is made a Request, which also says what is wrong with it.
import { limits } from '../contract/limits.ts';
import { utf8 } from '../domain/hashes.ts';
import type { PlainIncoming } from './incoming.ts';

/** What a Request would write in capitals, or refuse, is left to it. */
const plainMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const bodyless = ['GET', 'HEAD'];
const plainKeys = ['method', 'headers', 'body'];
/** By these a body is read in another way. */
const readingHeaders = ['content-encoding', 'content-length'];

/** The call; undefined for one that is not plain. @throws TypeError as Headers does */
export function plainCall(input: Request | URL | string, given?: RequestInit | null): PlainIncoming | undefined {
  const init = given ?? {};
  if (input instanceof Request || !isReadTwice(init.headers)) return undefined;
  // A Request may be given as the init of another: what it has is inherited.
  for (const key in init) if (!plainKeys.includes(key)) return undefined;
  const { method = 'GET', body = null } = init;
  if (!plainMethods.includes(method) || !isPlainBody(method, body)) return undefined;
  const url = plainUrl(String(input));
  const headers = new Headers(init.headers);
  if (url === undefined || readingHeaders.some((name) => headers.has(name))) return undefined;
  return new PlainCall(method, url, headers, body);
}

/** Headers that iterate only once are left to who reads them for good. */
function isReadTwice(headers: RequestInit['headers']): boolean {
  if (headers instanceof Headers) return true;
  return Array.isArray(headers) ? headers.every(Array.isArray) : !headers || !(Symbol.iterator in headers);
}

const isPlainBody = (method: string, body: unknown): body is string | null =>
  body === null || (typeof body === 'string' && body.length <= limits.smallBytes / 3 && !bodyless.includes(method));

function plainUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' ? href : undefined;
}

class PlainCall implements PlainIncoming {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly #text: string;

  constructor(method: string, url: string, headers: Headers, text: string | null) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#text = text ?? '';
    if (text !== null && !headers.has('content-type')) headers.set('content-type', 'text/plain;charset=UTF-8');
  }

  /** Of a call that nobody can abort. */
  get signal(): AbortSignal {
    return new AbortController().signal;
  }

  async wholeBody(): Promise<Uint8Array> {
    return utf8(this.#text);
  }
}
