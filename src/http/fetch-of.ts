// An engine's answers as fetch gives them: what is aborted, or loses its connection, rejects as it does over a port.
import { type Awaitable, isPromise } from '../state/store.ts';
import { breaksAt } from './carriage.ts';
import type { Incoming } from './incoming.ts';
import { plainCall } from './plain-call.ts';

/** What answers calls in process. */
interface Answering {
  /** Answers what needs no Request; undefined for what does. Default: all does. */
  readonly direct?: (request: Incoming) => Awaitable<Response> | undefined;
  readonly whole: (request: Request) => Awaitable<Response>;
}

/** The fetch of what answers requests; takes what the global one takes, with an absolute URL. */
export const fetchOf =
  ({ direct = () => undefined, whole }: Answering) =>
  async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const plain = plainCall(input, init);
    const answer = plain && direct(plain);
    if (plain && answer) return told(plain, await arrived(plain, await answer));
    const request = input instanceof Request && !init ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const given = (plain ? undefined : direct(request)) ?? whole(request);
    return told(request, await arrived(request, await unlessAborted(request, given)));
  };

const told = ({ url }: Pick<Request, 'url'>, response: Response): Response =>
  Object.defineProperty(response, 'url', { value: url });

/** An answer that takes its time is not waited for once the call is aborted. */
function unlessAborted({ signal }: Request, answered: Awaitable<Response>): Awaitable<Response> {
  if (!isPromise(answered)) return answered;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([answered, aborted]);
}

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** What arrives of an answer: itself, or what a broken connection leaves of it. */
async function arrived(request: object, response: Response): Promise<Response> {
  const at = breaksAt(request);
  if (at === undefined) return response;
  if (at !== 'mid_body') throw new TypeError('fetch failed', { cause: reset() });
  const { status, headers } = response;
  return new Response(half(await response.arrayBuffer(), headers), { status, headers });
}

/** The first half of a body under the length of the whole, then the break. */
function half(body: ArrayBuffer, headers: Headers): ReadableStream<Uint8Array> {
  headers.set('content-length', String(body.byteLength));
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause: reset() }));
      else controller.enqueue(new Uint8Array(body.slice(0, Math.ceil(body.byteLength / 2))));
      isSent = true;
    },
  });
}
