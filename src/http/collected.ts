// A stream's bytes in one piece, as long as there are no more than may be held.
import { Refusal } from '../contract/refusal.ts';

/** What all streams that are collected may hold together. It lies outside the heap, whose limit bounds all else. */
const maxHeld = 268_435_456;
/** What has brought no more than this is none of those that fill it. */
export const fewBytes = 65_536;
let held = 0;

/**
 * All of a stream; undefined, and the stream is cancelled, as soon as it is longer than the bound.
 * @throws Refusal max_memory where all that are collected hold as much as they may
 */
export async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const release = () => {
    held -= length;
    length = 0;
  };
  try {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      held += chunk.length;
      if (length > maxBytes) return undefined;
      if (held > maxHeld && length > fewBytes) {
        release(); // at once: the next in turn may have room by it
        throw new Refusal('max_memory');
      }
      chunks.push(chunk);
    }
    return joined(chunks, length);
  } finally {
    release();
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
