// The body of a request: bounded, inflated, parsed as JSON. It is read before anything is judged, since a login names
// its sandbox in it; a fault is kept until the body stage, where HTTP-4 has it.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { bodies } from './memory.ts';
import type { Exchange } from './response.ts';

type Parsed = { readonly value: unknown } | { readonly refusal: Refusal };

/** A body that was read: its text, inflated, and its JSON value, or what is wrong with it. */
export type Body = Parsed & {
  /** Null for no body, and for one that is too large. */
  readonly text: string | null;
  /** How many bytes the text has. */
  readonly bytes: number;
};

/** How large a body may be. */
export interface BodyBounds extends JsonBounds {
  readonly bodyBytes: number;
}

const nothingHeld = { text: null, bytes: 0 };

/** A body whose sender goes away in the middle is malformed. @throws Refusal max_memory */
export async function readBody(c: Exchange, bounds: BodyBounds = limits): Promise<Body> {
  const { headers } = c.req.raw;
  const encoding = headers.get('content-encoding');
  // As in hapi, an unknown encoding is read as if there were none.
  const compression = encoding === 'gzip' || encoding === 'deflate' ? encoding : undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await (compression ? inflatedBytes(c, compression, bounds.bodyBytes) : boundedBytes(c, bounds.bodyBytes));
    if (!bytes) return { refusal: new Refusal('body_too_large', { value: bounds.bodyBytes }), ...nothingHeld };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { refusal: new Refusal(compression ? 'malformed_compression' : 'malformed_body'), ...nothingHeld };
  }
  if (bytes.length === 0) return { value: null, ...nothingHeld };
  const text = decoder.decode(bytes);
  const type = headers.get('content-type');
  // No type counts as JSON.
  const isJson = !type || jsonType.test(type);
  const json = isJson ? jsonIn(text, bounds) : undefined;
  if (json) return { value: json.value, text, bytes: bytes.length };
  return { refusal: new Refusal(isJson ? 'malformed_body' : 'unsupported_media_type'), text, bytes: bytes.length };
}

const jsonType = /^application\/(?:[^/ \t;]+\+)?json(?:[ \t;]|$)/i;

// The decoder keeps a byte order mark, so that JSON.parse rejects it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The whole body; undefined if it is longer than the bound: then the connection closes behind the response.
 * @throws Refusal max_memory
 */
export async function boundedBytes(c: Exchange, maxBytes: number): Promise<Uint8Array | undefined> {
  const { raw } = c.req;
  const declared = raw.headers.get('content-length');
  // Node holds the sender to a declared length. In one piece a body is read fastest.
  if (declared !== null && Number(declared) <= limits.smallBytes) {
    const bytes = new Uint8Array(await raw.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const isTooLong = Number(declared) > maxBytes;
  let bytes: Uint8Array | undefined;
  try {
    if (!isTooLong) bytes = raw.body ? await collected(raw.body, maxBytes) : new Uint8Array();
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
  // They stay until the end, and the blob has them once more.
  const release = bodies.hold(2 * compressed.length);
  const inflating = new Blob([compressed as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>);
  return collected(inflating, maxBytes).finally(release);
}

/**
 * All of a stream; undefined, and the stream is canceled, if it is longer than the bound or comes in too many pieces.
 * @throws Refusal max_memory if all bodies together hold as much as they may
 */
async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const buffer = new GrowingBuffer(maxBytes);
  let pieces = 0;
  try {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1;
      if (buffer.length + chunk.length > maxBytes || pieces * limits.bodyPieceBytes > maxBytes) return undefined;
      buffer.add(chunk);
    }
    return buffer.bytes;
  } finally {
    buffer.release();
  }
}

/** Puts bytes together while they come: many small pieces take no more room than few large ones. */
class GrowingBuffer {
  readonly #maxBytes: number;
  #room = new Uint8Array();
  #release = () => {};
  length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws Refusal max_memory */
  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#room.length) this.#grow(Math.max(length, Math.min(2 * this.#room.length, this.#maxBytes)));
    this.#room.set(chunk, this.length);
    this.length = length;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  release(): void {
    this.#release();
  }

  #grow(length: number): void {
    // Releases all before it refuses: then the next in turn may have room.
    this.release();
    if (!bodies.hasMemory(length) && length > limits.smallBytes) throw new Refusal('max_memory');
    this.#release = bodies.hold(length);
    const room = new Uint8Array(length);
    room.set(this.bytes);
    this.#room = room;
  }
}

// The JSON of a body, as large and as deep as is taken.

/** How much JSON a body may hold. */
export interface JsonBounds {
  /** Nested objects and arrays. */
  readonly bodyDepth: number;
  /** Nested ones included. */
  readonly bodyValues: number;
}

/** The value of a text that is JSON within the bounds, and without `__proto__` keys; undefined for any other. */
export function jsonIn(text: string, { bodyDepth, bodyValues }: JsonBounds): { readonly value: unknown } | undefined {
  // A long text may hold more values than memory has room for. A short text is checked faster by its value.
  if (text.length > limits.smallBytes && !isWithin(text, bodyDepth, bodyValues)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isSound(value, bodyDepth, { values: bodyValues }) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse makes `__proto__` keys own properties. */
function isSound(value: unknown, depth: number, budget: { values: number }): boolean {
  budget.values -= 1;
  if (budget.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  if (Array.isArray(value)) {
    for (const part of value) if (!isSound(part, depth - 1, budget)) return false;
    return true;
  }
  for (const key in value) if (!isSound((value as Record<string, unknown>)[key], depth - 1, budget)) return false;
  return true;
}

const opens = (character: string | undefined): boolean => character === '[' || character === '{';
const closes = (character: string | undefined): boolean => character === ']' || character === '}';

/** Whether a JSON text stays within the bounds: each comma outside strings brings a value, an opening bracket may. */
function isWithin(text: string, depth: number, values: number): boolean {
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

/** Where the string that begins here ends; the text's end where it does not. */
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
