// Bounds of the memory that calls may take. A process whose memory is full would end, for everybody: what adds to it is refused while it is.
// What reads takes little, and what removes gives some back.
import type { ControlOperation } from '../contract/control/control-operation.ts';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Dependencies } from './dependencies.ts';
import type { ServiceResponse } from './exchange.ts';

/** Bytes outside the heap, counted against what all of a kind may hold together. */
export class MemoryBudget {
  #bytes = 0;

  get isNothing(): boolean {
    return this.#bytes === 0;
  }

  /** Whether there is room for so many more. */
  hasMemory(more = 0): boolean {
    return this.#bytes + more <= limits.heldBytes;
  }

  /** Whether there is room for one that may be larger alone than the bound of all together. */
  takes(bytes: number): boolean {
    return this.isNothing || this.hasMemory(bytes);
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
export const bodies = new MemoryBudget();
/** Its answers that wait for their readers. */
export const answers = new MemoryBudget();

type Heap = Pick<Dependencies, 'hasMemory'>;

/** For what a call of the control API has done. @throws Refusal max_memory */
export function requireMemoryFor({ method, freesMemory = false }: ControlOperation, { hasMemory }: Heap): void {
  if (!freesMemory && method !== 'GET' && method !== 'DELETE' && !hasMemory()) throw new Refusal('max_memory');
}

/** Only a GET is refused: what another request has done must be told. @throws Refusal max_memory */
export function requireMemoryForResponse(
  { hasMemory }: Heap,
  method: string,
  { body }: Pick<ServiceResponse, 'body'>,
): void {
  const size = body?.length ?? 0;
  if (method !== 'GET' || size <= limits.smallBytes) return;
  if (!answers.takes(size) || (size >= limits.largeAnswerCharacters && !hasMemory())) throw new Refusal('max_memory');
}
