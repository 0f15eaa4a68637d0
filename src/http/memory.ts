// Bounds of the memory that calls may take: a process that runs out of memory ends for all its sandboxes. Calls that
// add to memory are refused while it is full; reads take little, and removals make room.
import type { ControlOperation } from '../contract/control/control-operation.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Dependencies } from './dependencies.ts';
import type { ServiceResponse } from './response.ts';

/** Counts bytes outside the heap against `limits.heldBytes`. */
export class MemoryBudget {
  #bytes = 0;

  hasMemory(more = 0): boolean {
    return this.#bytes + more <= limits.heldBytes;
  }

  /** Like `hasMemory`, but a single one may exceed the budget. */
  hasMemoryForOne(bytes: number): boolean {
    return this.#bytes === 0 || this.hasMemory(bytes);
  }

  /** Returns the function that releases the bytes; it has no effect when called again. */
  hold(bytes: number): () => void {
    let left = bytes;
    this.#bytes += bytes;
    return () => {
      this.#bytes -= left;
      left = 0;
    };
  }
}

/** Request bodies that are being received or inflated. */
export const requestBodies = new MemoryBudget();
/** Responses that wait for their readers. */
export const responses = new MemoryBudget();

type Heap = Pick<Dependencies, 'hasMemory'>;

/** Before a call of the control API that adds to memory. @throws Refusal max_memory */
export function requireMemoryFor({ method, freesMemory = false }: ControlOperation, { hasMemory }: Heap): void {
  if (!freesMemory && method !== 'GET' && method !== 'DELETE' && !hasMemory()) throw new Refusal('max_memory');
}

/** False only for a GET: any other request has had its effect by now. */
export function hasMemoryForResponse({ hasMemory }: Heap, method: string, { body }: ServiceResponse): boolean {
  const size = body?.length ?? 0;
  if (method !== 'GET' || size <= limits.smallBytes) return true;
  return responses.hasMemoryForOne(size) && (size < limits.largeAnswerCharacters || hasMemory());
}
