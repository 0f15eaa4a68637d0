// The bytes of a request's body: bounded, inflated, then JSON. It is read before anything is judged, since a login names its sandbox in
// it; a fault is kept until the body stage, where HTTP-4 has it.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { collected, givenUp } from './collected.ts';
import { formatOf, inflatedBytes } from './inflate.ts';

/** A body that was read: its text, inflated, and its JSON value, or what is wrong with it. */
export type Body = ({ readonly value: unknown } | { readonly refusal: Refusal }) & {
  /** null where there is none, or more than is taken. */
  readonly text: string | null;
};

const refused = (refusal: Refusal, text: string | null): Body => ({ refusal, text });
const absent: Body = { value: null, text: null };

/** How large a body may be. */
export interface BodyBounds {
  readonly bodyBytes: number;
  readonly bodyDepth: number;
  readonly bodyValues: number;
}

/** A body whose sender went away in the middle is malformed; nobody is left to read the answer. */
export async function readBody(request: Request, bounds: BodyBounds = limits): Promise<Body> {
  const encoding = request.headers.get('content-encoding');
  const format = encoding === null ? undefined : formatOf(encoding);
  const reading = format ? inflatedBytes(request, format, bounds.bodyBytes) : boundedBytes(request, bounds.bodyBytes);
  const bytes = await reading.catch(() => null);
  if (bytes === null) return refused(new Refusal(format ? 'malformed_compression' : 'malformed_body'), null);
  if (!bytes) return refused(new Refusal('body_too_large', { value: bounds.bodyBytes }), null);
  if (bytes.length === 0) return absent;
  const text = decoder.decode(bytes);
  return isJson(request.headers.get('content-type'))
    ? parse(text, bounds)
    : refused(new Refusal('unsupported_media_type'), text);
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

/** No type counts as JSON. */
const isJson = (contentType: string | null): boolean => !contentType || jsonType.test(contentType);

/**
 * The whole body, undefined where it is longer than the bound. A declared length is what Node holds the sender to; without one, no
 * more than the bound is held.
 */
export async function boundedBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null)
    return Number(declared) > maxBytes
      ? givenUp(request)
      : withinBound(new Uint8Array(await request.arrayBuffer()), maxBytes);
  if (!request.body) return new Uint8Array();
  return (await collected(request.body, maxBytes)) ?? givenUp(request);
}

const withinBound = (bytes: Uint8Array, maxBytes: number): Uint8Array | undefined =>
  bytes.length > maxBytes ? undefined : bytes;

// A byte order mark is kept by the decoder, so that JSON.parse refuses it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function parse(text: string, { bodyDepth, bodyValues }: BodyBounds): Body {
  try {
    const value: unknown = JSON.parse(text);
    if (isSound(value, bodyDepth, { values: bodyValues })) return { value, text };
  } catch {
    // said below
  }
  return refused(new Refusal('malformed_body'), text);
}

/** Not nested deeper than the bound, of no more values than the bound, and without `__proto__` keys, which JSON.parse makes own properties. */
function isSound(value: unknown, depth: number, budget: { values: number }): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  for (const part of Object.values(value)) if (!isSound(part, depth - 1, budget)) return false;
  return true;
}
