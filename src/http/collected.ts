// A stream's bytes in one piece, as long as there are no more than may be held.
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import { bodies } from './held.ts';

/**
 * All of a stream; undefined, and the stream is cancelled, as soon as it is longer than the bound, or comes in too many pieces.
 * @throws Refusal max_memory where all that are collected hold as much as they may
 */
export async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const collecting = new Collecting(maxBytes);
  let pieces = 0;
  try {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1;
      if (collecting.length + chunk.length > maxBytes || pieces * limits.bodyPieceBytes > maxBytes) return undefined;
      collecting.add(chunk);
    }
    return collecting.bytes;
  } finally {
    collecting.release();
  }
}

/** Bytes that are put together while they come: a stream of many small pieces shall take no more room than one of few large ones. */
class Collecting {
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

  #grow(length: number): void {
    this.#hold(length);
    const room = new Uint8Array(length);
    room.set(this.bytes);
    this.#room = room;
  }

  /** Lets go of all before it refuses: the next in turn may have room by it. */
  #hold(length: number): void {
    this.release();
    if (!bodies.hasRoom(length) && length > limits.smallBytes) throw new Refusal('max_memory');
    this.#release = bodies.hold(length);
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  release(): void {
    this.#release();
  }
}
