// The app's `fetch` for callers in process. It takes what the global `fetch` takes, with an absolute URL, and fails
// as that fails.
import {
  type Bindings,
  BrokenConnection,
  connectionReset,
  type RequestHandler,
  type ServiceResponse,
} from './response.ts';

export const fetchInProcess =
  (app: RequestHandler, defaults: Bindings = {}) =>
  async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const isAbortable = input instanceof Request || init?.signal;
    if (isAbortable) request.signal.throwIfAborted();
    const bindings = { ...defaults };
    try {
      const responding = respond(app, request, bindings);
      const response = await (isAbortable ? untilAborted(request, responding) : responding);
      return Object.defineProperty(response, 'url', { value: request.url });
    } finally {
      bindings.onDelivered?.();
    }
  };

async function respond(app: RequestHandler, request: Request, bindings: Bindings): Promise<Response> {
  try {
    return await app.fetch(request, bindings);
  } catch (error) {
    if (error instanceof BrokenConnection && error.at === 'mid_body' && error.response)
      return brokenResponse(error.response);
    throw error;
  }
}

/** Rejects as soon as the request is aborted, even while a fault delays the response. Later, the body's reader rejects. */
async function untilAborted({ signal }: Request, responding: Promise<Response>): Promise<Response> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', abort);
  try {
    const response = await Promise.race([responding, aborted]);
    if (!response.body) return response;
    return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The length of the whole body, its first half, then an error. */
function brokenResponse({ status, headers, body }: ServiceResponse): Response {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  let isSent = false;
  const half = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause: connectionReset() }));
      else controller.enqueue(bytes.slice(0, Math.ceil(bytes.byteLength / 2)));
      isSent = true;
    },
  });
  return new Response(half, { status, headers: { ...headers, 'content-length': String(bytes.byteLength) } });
}
