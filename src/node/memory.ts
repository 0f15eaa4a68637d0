// Whether this process can hold more, by its heap: one that is full ends the process, for everybody.
import { getHeapStatistics } from 'node:v8';

/** What V8 keeps of the limit for what is young; the rest is what can be held. */
const youngBytes = 50_331_648;
/**
 * The part of the rest that may be in use. V8 collects at the latest halfway between what it found alive and the limit, so where more is in use,
 * more than two thirds of it are alive.
 */
const mostInUse = 0.85;

/**
 * Gives whether there is room. Asking costs a quarter of a microsecond.
 * @param tell is told once, the first time that there is none
 * @param limitBytes of the heap, without what is young
 */
export function roomOf(
  tell: (words: string) => void,
  limitBytes: number = getHeapStatistics().heap_size_limit - youngBytes,
): () => boolean {
  let isTold = false;
  return () => {
    const { used_heap_size } = getHeapStatistics();
    if (used_heap_size < mostInUse * limitBytes) return true;
    if (!isTold) tell(`the heap is full (${used_heap_size} bytes): what adds to it is refused with 500 while it is`);
    isTold = true;
    return false;
  };
}
