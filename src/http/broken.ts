// Calls whose connection breaks: marked here, broken by whoever carries the answer. In process fetch rejects as a client's does.
import type { Drop } from '../contract/admin/faults.ts';

/** By the request: an answer to HEAD is made anew on its way. */
const broken = new WeakMap<Request, Drop>();

/** Marks a call: the connection of its answer breaks where it says. */
export function breakConnection(request: Request, at: Drop): void {
  broken.set(request, at);
}

/** Where the connection of the answer to this request breaks; undefined for one that arrives whole. */
export const breaksAt = (request: Request): Drop | undefined => broken.get(request);

const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** What fetch gives of an answer: itself, or what a broken connection leaves of it. */
export async function asFetched(request: Request, response: Response): Promise<Response> {
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
