// The body of a request: bounded, inflated, parsed as JSON. It is read before the stages, because a login names its
// sandbox in it; an error is kept until the body stage, which is its place in HTTP-4.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { requestBodies } from './memory.ts';
import type { Exchange } from './response.ts';

/** A body: its JSON value, or its error. */
export type Body = ({ readonly value: unknown } | { readonly refusal: Refusal }) & {
  /** Inflated. Null for an empty body, and for one that is too large. */
  readonly text: string | null;
  /** Size of the text. */
  readonly bytes: number;
};

/** Limits of a JSON body: its bytes, the depth of nesting, and the number of values at any depth. */
type BodyBounds = Readonly<Record<'bodyBytes' | 'bodyDepth' | 'bodyValues', number>>;

const noText = { text: null, bytes: 0 };

/** Reads the body. If its sender goes away, it is malformed. @throws Refusal max_memory */
export async function readBody(c: Exchange, bounds: BodyBounds = limits): Promise<Body> {
  const { headers } = c.req.raw;
  const encoding = headers.get('content-encoding');
  // hapi ignores an unknown encoding.
  const compression = encoding === 'gzip' || encoding === 'deflate' ? encoding : undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await (compression ? inflatedBytes(c, compression, bounds.bodyBytes) : boundedBytes(c, bounds.bodyBytes));
    if (!bytes) return { refusal: new Refusal('body_too_large', { value: bounds.bodyBytes }), ...noText };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { refusal: new Refusal(compression ? 'malformed_compression' : 'malformed_body'), ...noText };
  }
  if (bytes.length === 0) return { value: null, ...noText };
  const text = decoder.decode(bytes);
  const type = headers.get('content-type');
  // A body without a type is taken for JSON.
  const isJson = !type || jsonType.test(type);
  const json = isJson ? parseJson(text, bounds) : undefined;
  if (json) return { value: json.value, text, bytes: bytes.length };
  return { refusal: new Refusal(isJson ? 'malformed_body' : 'unsupported_media_type'), text, bytes: bytes.length };
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

// The decoder keeps a byte order mark, so that JSON.parse rejects it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The whole body; undefined if it is longer than the bound: then the connection closes after the response.
 * @throws Refusal max_memory
 */
export async function boundedBytes(c: Exchange, maxBytes: number): Promise<Uint8Array | undefined> {
  const { raw } = c.req;
  const declared = raw.headers.get('content-length');
  // Node holds the sender to a declared length, and reads a body fastest in one piece.
  if (declared !== null && Number(declared) <= limits.smallBytes) {
    const bytes = new Uint8Array(await raw.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const isTooLong = Number(declared) > maxBytes;
  let bytes: Uint8Array | undefined;
  try {
    if (!isTooLong) bytes = raw.body ? await readStream(raw.body, maxBytes) : new Uint8Array();
    return bytes;
  } finally {
    if (!bytes) c.env.closesConnection = true;
  }
}

/** The whole body, inflated; undefined if it is longer than the bound, before or after. @throws Refusal max_memory */
async function inflatedBytes(
  c: Exchange,
  format: 'gzip' | 'deflate',
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const compressed = await boundedBytes(c, maxBytes);
  if (!compressed || c.req.raw.body === null) return compressed;
  // The bytes stay until the end, and the blob holds a copy.
  const release = requestBodies.hold(2 * compressed.length);
  const inflating = new Blob([compressed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>);
  return readStream(inflating, maxBytes).finally(release);
}

/**
 * All of a stream; undefined, and the stream is canceled, if it is longer than the bound or comes in too many pieces.
 * A growing buffer keeps many small pieces from taking more memory than few large ones.
 * @throws Refusal max_memory if all bodies together hold as much as they may
 */
async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  let buffer = new Uint8Array();
  let [length, pieces] = [0, 0];
  let release = (): void => undefined;
  try {
    for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1;
      const end = length + piece.length;
      if (end > maxBytes || pieces * limits.bodyPieceBytes > maxBytes) return undefined;
      if (end > buffer.length) {
        const size = Math.max(end, Math.min(2 * buffer.length, maxBytes));
        // Also before a refusal, so that the next body may have room.
        release();
        if (size > limits.smallBytes && !requestBodies.hasMemory(size)) throw new Refusal('max_memory');
        release = requestBodies.hold(size);
        const larger = new Uint8Array(size);
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(piece, length);
      length = end;
    }
    return buffer.subarray(0, length);
  } finally {
    release();
  }
}

/** The value of a JSON text; undefined if it is malformed, exceeds the bounds or has a `__proto__` key. */
export function parseJson(
  text: string,
  { bodyDepth, bodyValues }: Omit<BodyBounds, 'bodyBytes'>,
): { readonly value: unknown } | undefined {
  // A long text may hold more values than memory has room for. A short one is checked faster by its value.
  if (text.length > limits.smallBytes && !isTextWithinBounds(text, bodyDepth, bodyValues)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isWithinBounds(value, bodyDepth, { values: bodyValues }) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse makes `__proto__` keys own properties. */
function isWithinBounds(value: unknown, depth: number, budget: { values: number }): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  if (Array.isArray(value)) {
    for (const part of value) if (!isWithinBounds(part, depth - 1, budget)) return false;
    return true;
  }
  for (const key in value)
    if (!isWithinBounds((value as Record<string, unknown>)[key], depth - 1, budget)) return false;
  return true;
}

const opens = (character: string | undefined): boolean => character === '[' || character === '{';
const closes = (character: string | undefined): boolean => character === ']' || character === '}';

/** Whether a JSON text is within the bounds: a comma adds a value, and an opening bracket unless it closes next. */
function isTextWithinBounds(text: string, depth: number, values: number): boolean {
  let [open, found] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ',') found += 1;
    else if (closes(character)) open -= 1;
    else if (opens(character)) {
      open += 1;
      found += isClosedAt(text, at + 1) ? 0 : 1;
    }
    if (open > depth || found > values) return false;
  }
  return true;
}

/** Where the string that begins here ends; the text's end if it does not. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

const visible = /[^ \t\n\r]/g;

/** Whether a bracket closes next. */
function isClosedAt(text: string, at: number): boolean {
  visible.lastIndex = at;
  return closes(visible.exec(text)?.[0]);
}
