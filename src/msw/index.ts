// Request handlers for msw that answer the calls of a client from a Sachet, without a change of the client's base URL.
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw';
import type { Sachet } from '../client/sachet.ts';
import { bareUrl, escapeRegExp, inProcessHost } from '../contract/addresses.ts';

/** A Sachet, or one of its sandboxes: in process, or on a server. */
type Target = Pick<Sachet, 'baseUrl' | 'fetch'>;

/** Headers about the client's own connection. `fetch` refuses some of them, and a server checks the host. */
const connectionHeaders = ['connection', 'expect', 'host', 'keep-alive', 'transfer-encoding', 'upgrade'];

/**
 * Returns handlers for msw that answer all requests to `baseUrl` and below it from a Sachet or a sandbox. They also
 * take the requests to the Sachet's own address, such as a `label_url`: in process they answer them, and let them pass
 * to a server. A broken connection is a network error.
 * @param target of `createSachet`, `serve` or `connect`, or a sandbox of its `createSandbox`
 * @param baseUrl the base URL of the client, such as `https://api.example.com`
 * @throws TypeError if `baseUrl` is not an absolute http or https URL
 * @example
 * const sandbox = await createSachet().createSandbox();
 * server.use(...handlers(sandbox, 'https://api.example.com'));
 * await fetch('https://api.example.com/v2/products'); // 401, from the sandbox
 */
export function handlers(target: Target, baseUrl: string | URL): HttpHandler[] {
  const { baseUrl: ownUrl, fetch } = target;
  const base = new URL(bareUrl(baseUrl)).href.replace(/\/$/, '');
  const own = new URL(ownUrl);
  const isInProcess = own.hostname === inProcessHost;
  return [
    http.all(below(own.origin), ({ request }) => (isInProcess ? answer(fetch, request.url, request) : passthrough())),
    http.all(below(base), ({ request }) => answer(fetch, ownUrl + request.url.slice(base.length), request)),
  ];
}

/** Unlike a path of msw, it does not decode: the Sachet must see a malformed path, too. */
const below = (url: string): RegExp => new RegExp(`^${escapeRegExp(url)}(?:/|$)`);

async function answer(fetch: Sachet['fetch'], url: string, request: Request): Promise<Response> {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  for (const name of connectionHeaders) headers.delete(name);
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength > 0 ? bytes : null;
  try {
    return await withLength(await fetch(url, { method, headers, body, signal, redirect: 'manual' }));
  } catch (error) {
    if (signal.aborted || isBrokenConnection(error)) return HttpResponse.error();
    throw error;
  }
}

/** A bug of a Sachet in process is a TypeError, too; msw reports it as a 500 with its stack. */
const isBrokenConnection = (error: unknown): boolean => error instanceof TypeError && error.message === 'fetch failed';

/**
 * As over a port. A client of Node's http that keeps its connection would wait forever for the end of a body without
 * it.
 */
async function withLength(response: Response): Promise<Response> {
  const { status, body } = response;
  const headers = new Headers(response.headers);
  const isEndless = headers.get('content-type')?.startsWith('text/event-stream');
  if (body === null || isEndless || headers.has('content-length')) return response;
  const bytes = await response.arrayBuffer();
  headers.set('content-length', String(bytes.byteLength));
  return new HttpResponse(bytes, { status, headers });
}
