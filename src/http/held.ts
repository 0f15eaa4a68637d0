// Bytes that are held outside the heap, whose limit bounds all else: counted against what all of a kind may hold together.
import { limits } from '../contract/limits.ts';

export class Held {
  #bytes = 0;

  get isNothing(): boolean {
    return this.#bytes === 0;
  }

  /** Whether there is room for so many more. */
  hasRoom(more = 0): boolean {
    return this.#bytes + more <= limits.heldBytes;
  }

  /** Counts so many more. Gives what lets go of them, once. */
  hold(bytes: number): () => void {
    let left = bytes;
    this.#bytes += bytes;
    return () => {
      this.#bytes -= left;
      left = 0;
    };
  }
}

/** The bodies of this process that are coming, or are being inflated. */
export const bodies = new Held();
/** Its answers that wait for their readers. */
export const answers = new Held();
