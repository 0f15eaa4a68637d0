// The contract's limits ("Limits"), and the bounds the sandbox sets itself. Units stand last in the names.
import type { Choice } from './assumptions.ts';

export const limits = {
  accessTokenSeconds: 86_400,
  labelSeconds: 900,
  /** `Retry-After` of a 429 (LIM-1). */
  retryAfterSeconds: 60,
  phoneCharacters: 15,
  /** address1 and city are under these. */
  address1Characters: 100,
  cityCharacters: 50,
  defaultPageItems: 20,
  /** Of a request's body; hapi's default. */
  bodyBytes: 1_048_576,
  /** A body comes in pieces of so many bytes at least, on the average of the largest one: pieces cost more than what is in them. */
  bodyPieceBytes: 16,
  /** What all bodies that are coming hold together; and likewise all answers that wait for their readers. They lie outside the heap. */
  heldBytes: 268_435_456,
  /** Texts and bodies up to this are none of those that fill a memory. */
  smallBytes: 65_536,
  /** An answer that is longer may be more than there is room for: it stands for a while beside what it was made of. */
  largeAnswerCharacters: 1_048_576,
  /** Nested objects and arrays of a body. */
  bodyDepth: 64,
  /** Values of a body, nested ones included: so many faults can be told, a body of a million empty objects can not. */
  bodyValues: 50_000,
  /** Times of administration that a sandbox takes: a fault in each pouch of an order names all of them. */
  administrationTimes: 100,
  administrationTimeCharacters: 60,
} as const;

// The rate limit that a reading sets (`rate_limit`): calls of a sandbox in a window.

export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

export const rateLimits: Readonly<Record<Choice<'rate_limit'>, RateLimit | null>> = {
  off: null,
  '100/60s': { calls: 100, seconds: 60 },
};
