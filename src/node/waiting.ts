// What the answers of this process hold that wait for their readers. It lies outside the heap, whose limit bounds all else.

import { limits } from '../contract/limits.ts';

let bytes = 0;

/** Whether an answer so large may wait with the others. A single one may be larger than all. */
export const mayWait = (more: number): boolean => more === 0 || bytes === 0 || bytes + more <= limits.heldBytes;

/** Counts an answer; gives what ends that. */
export function waits(size: number): () => void {
  bytes += size;
  return () => {
    bytes -= size;
  };
}
