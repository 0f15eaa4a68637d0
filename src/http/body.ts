// The bytes of a request's body: bounded, then JSON. It is read before anything is judged, since a login names its sandbox in
// it; a fault is kept until the body stage, where HTTP-4 has it.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';

/** A body that was read: its JSON value, or what is wrong with it. */
export type Body = { readonly value: unknown } | { readonly refusal: Refusal };

const malformed: Body = { refusal: new Refusal('malformed_body') };
const tooLarge: Body = { refusal: new Refusal('body_too_large', { value: limits.bodyBytes }) };
const notJson: Body = { refusal: new Refusal('unsupported_media_type') };
const absent: Body = { value: null };

/** A body whose sender went away in the middle is malformed; nobody is left to read the answer. */
export async function readBody(request: Request): Promise<Body> {
  const bytes = await boundedBytes(request).catch(() => null);
  if (bytes === null) return malformed;
  if (!bytes) return tooLarge;
  if (bytes.length === 0) return absent;
  if (!isJson(request.headers.get('content-type'))) return notJson;
  return parse(bytes);
}

/** No type counts as JSON. */
function isJson(contentType: string | null): boolean {
  if (!contentType) return true;
  const [type = ''] = contentType.toLowerCase().split(';');
  return /^application\/(?:json|[^/]+\+json)$/.test(type.trim());
}

/**
 * The whole body, undefined where it is longer than the bound. A declared length is what Node holds the sender to; without one, no
 * more than the bound is held.
 */
async function boundedBytes(request: Request): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null)
    return Number(declared) > limits.bodyBytes ? undefined : withinBound(new Uint8Array(await request.arrayBuffer()));
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limits.bodyBytes) return undefined;
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

const withinBound = (bytes: Uint8Array): Uint8Array | undefined =>
  bytes.length > limits.bodyBytes ? undefined : bytes;

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

// A byte order mark is kept by the decoder, so that JSON.parse refuses it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function parse(bytes: Uint8Array): Body {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isSound(value, limits.bodyDepth) ? { value } : malformed;
  } catch {
    return malformed;
  }
}

/** Not nested deeper than the bound, of no more values than the bound, and without `__proto__` keys, which JSON.parse makes own properties. */
function isSound(value: unknown, depth: number, budget = { values: limits.bodyValues as number }): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  for (const part of Object.values(value)) if (!isSound(part, depth - 1, budget)) return false;
  return true;
}
