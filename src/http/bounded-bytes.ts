// The bytes of a request's body, no more than are taken.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { giveUp } from './carriage.ts';
import { collected } from './collected.ts';
import { type Incoming, isPlain, type WebIncoming } from './incoming.ts';

/** The whole body, undefined where it is longer than the bound. @throws Refusal max_memory */
export function boundedBytes(request: Incoming, maxBytes: number): Promise<Uint8Array | undefined> {
  if (isPlain(request)) return request.wholeBody().then((bytes) => withinBound(bytes, maxBytes));
  return bytesOf(request, maxBytes);
}

async function bytesOf(request: WebIncoming, maxBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) return giveUp(request);
  // Node holds the sender to a declared length. In one piece it is read fastest.
  if (declared !== null && Number(declared) <= limits.smallBytes)
    return withinBound(new Uint8Array(await request.arrayBuffer()), maxBytes);
  return request.body ? wholeOf(request, request.body, maxBytes) : new Uint8Array();
}

async function wholeOf(
  request: WebIncoming,
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  let whole: Uint8Array | undefined;
  try {
    whole = await collected(body, maxBytes);
    return whole;
  } finally {
    if (!whole) giveUp(request);
  }
}

const withinBound = (bytes: Uint8Array, maxBytes: number): Uint8Array | undefined =>
  bytes.length > maxBytes ? undefined : bytes;

/** For whom a body that did not come whole, or not as it should, is null. */
export function notWhole(error: unknown): null {
  if (error instanceof Refusal) throw error;
  return null;
}
