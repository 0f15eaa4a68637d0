// What whoever carries an answer is told of it: that its connection breaks, or ends with it, and how large it is.
import type { Drop } from '../contract/admin/faults.ts';
import { limits } from '../contract/limits.ts';

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

/** In characters or bytes, of answers that are worth counting. */
const sizes = new WeakMap<object, number>();

/** Notes how large the answer to a request is, where that matters. */
export function noteSize(request: object, size: number): void {
  if (size > limits.smallBytes) sizes.set(request, size);
}

/** 0 for one that is not large. */
export const sizeOf = (request: Request): number => sizes.get(request) ?? 0;
