// What the answers of this process hold that wait for their readers. It lies outside the heap, whose limit bounds all else.

/** As much as all of them may hold; a single one may be larger. */
const maxBytes = 268_435_456;
let bytes = 0;

/** Whether an answer so large may wait with the others. */
export const mayWait = (more: number): boolean => more === 0 || bytes === 0 || bytes + more <= maxBytes;

/** Counts an answer; gives what ends that. */
export function waits(size: number): () => void {
  bytes += size;
  return () => {
    bytes -= size;
  };
}
