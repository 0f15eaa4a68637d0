// The bytes of a request's body: bounded, inflated, then JSON. It is read before anything is judged, since a login names its sandbox in
// it; a fault is kept until the body stage, where HTTP-4 has it.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { boundedBytes, notWhole } from './bounded-bytes.ts';
import { type Incoming, isPlain } from './incoming.ts';
import { formatOf, inflatedBytes } from './inflate.ts';
import { type JsonBounds, jsonIn } from './json-body.ts';

type Parsed = { readonly value: unknown } | { readonly refusal: Refusal };

/** A body that was read: its text, inflated, and its JSON value, or what is wrong with it. */
export type Body = Parsed & {
  /** null where there is none, or more than is taken. */
  readonly text: string | null;
  /** How many bytes the text has; 0 for none. */
  readonly bytes: number;
};

const notHeld = { text: null, bytes: 0 };

/** How large a body may be. */
export interface BodyBounds extends JsonBounds {
  readonly bodyBytes: number;
}

/** A body whose sender went away in the middle is malformed; nobody is left to read the answer. @throws Refusal max_memory */
export function readBody(request: Incoming, bounds: BodyBounds = limits): Promise<Body> {
  const encoding = request.headers.get('content-encoding');
  const format = encoding === null ? undefined : formatOf(encoding);
  const reading =
    format === undefined || isPlain(request)
      ? boundedBytes(request, bounds.bodyBytes)
      : inflatedBytes(request, format, bounds.bodyBytes);
  return reading.then(
    (bytes) => bodyOf(request, bytes, bounds),
    (error: unknown) => {
      notWhole(error);
      return { refusal: new Refusal(format ? 'malformed_compression' : 'malformed_body'), ...notHeld };
    },
  );
}

function bodyOf(request: Incoming, bytes: Uint8Array | undefined, bounds: BodyBounds): Body {
  if (!bytes) return { refusal: new Refusal('body_too_large', { value: bounds.bodyBytes }), ...notHeld };
  if (bytes.length === 0) return { value: null, ...notHeld };
  const text = decoder.decode(bytes);
  const isTaken = isJson(request.headers.get('content-type'));
  const refusal = isTaken ? 'malformed_body' : 'unsupported_media_type';
  const json = isTaken ? jsonIn(text, bounds) : undefined;
  return json
    ? { value: json.value, text, bytes: bytes.length }
    : { refusal: new Refusal(refusal), text, bytes: bytes.length };
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

/** No type counts as JSON. */
const isJson = (contentType: string | null): boolean => !contentType || jsonType.test(contentType);

// A byte order mark is kept by the decoder, so that JSON.parse refuses it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
