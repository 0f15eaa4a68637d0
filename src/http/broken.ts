// Calls whose connection breaks, or ends with their answer: marked here, done by whoever carries the answer.
import type { Drop } from '../contract/admin/faults.ts';

/** By the request: an answer to HEAD is made anew on its way. */
const broken = new WeakMap<Request, Drop>();

/** Marks a call: the connection of its answer breaks where it says. */
export function breakConnection(request: Request, at: Drop): void {
  broken.set(request, at);
}

/** Where the connection of the answer to this request breaks; undefined for one that arrives whole. */
export const breaksAt = (request: Request): Drop | undefined => broken.get(request);

/** Requests whose bodies are not read to their end. */
const unread = new WeakSet<Request>();

/** Marks a request of whose body no more is read: its connection closes behind the answer. */
export function giveUp(request: Request): undefined {
  unread.add(request);
}

export const isGivenUp = (request: Request): boolean => unread.has(request);
