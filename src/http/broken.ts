// Calls whose connection breaks: marked here, broken by whoever carries the answer.
import type { Drop } from '../contract/admin/faults.ts';

/** By the request: an answer to HEAD is made anew on its way. */
const broken = new WeakMap<Request, Drop>();

/** Marks a call: the connection of its answer breaks where it says. */
export function breakConnection(request: Request, at: Drop): void {
  broken.set(request, at);
}

/** Where the connection of the answer to this request breaks; undefined for one that arrives whole. */
export const breaksAt = (request: Request): Drop | undefined => broken.get(request);
