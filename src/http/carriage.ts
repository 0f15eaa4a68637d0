// What whoever carries an answer is told of it: that its connection breaks, or ends with it, and how large it is.
import type { Drop } from '../contract/admin/faults.ts';
import { limits } from '../contract/limits.ts';
import type { Sent } from './rendered.ts';

/** By the request: an answer to HEAD is made anew on its way. */
const broken = new WeakMap<object, Drop>();

/** Marks a call: the connection of its answer breaks where it says. */
export function breakConnection(request: object, at: Drop): void {
  broken.set(request, at);
}

/** Where the connection of the answer to this request breaks; undefined for one that arrives whole. */
export const breaksAt = (request: object): Drop | undefined => broken.get(request);

/** Requests whose bodies are not read to their end. */
const unread = new WeakSet<object>();

/** Marks a request of whose body no more is read: its connection closes behind the answer. */
export function giveUp(request: object): undefined {
  unread.add(request);
}

export const isGivenUp = (request: object): boolean => unread.has(request);

/** In characters or bytes, of answers that are worth counting. */
const sizes = new WeakMap<object, number>();

/** How large an answer is, where that matters: 0 for one that is not large. */
export const sizeOf = ({ body }: Pick<Sent, 'body'>): number =>
  body !== null && body.length > limits.smallBytes ? body.length : 0;

/** Notes how large the answer to a request is, for who is given a Response. */
export function noteSize(request: object, answer: Pick<Sent, 'body'>): void {
  const size = sizeOf(answer);
  if (size > 0) sizes.set(request, size);
}

export const notedSize = (request: Request): number => sizes.get(request) ?? 0;
