// The contract's limits, and the sandbox's own bounds. Names end with the unit.
import type { Choice } from './assumptions.ts';

export const limits = {
  accessTokenSeconds: 86_400,
  labelSeconds: 900,
  /** `Retry-After` of a 429 (LIM-1). */
  retryAfterSeconds: 60,
  phoneCharacters: 15,
  /** address1 and city must be shorter. */
  address1Characters: 100,
  cityCharacters: 50,
  defaultPageItems: 20,
  /** Of a request body; hapi's default. */
  bodyBytes: 1_048_576,
  /** The least average size of the chunks of a body: a chunk costs more memory than a few bytes in it. */
  bodyPieceBytes: 16,
  /** All bodies being received together, and all responses waiting to be sent. They are outside the heap. */
  heldBytes: 268_435_456,
  /** Texts and bodies up to this size cannot fill the memory. */
  smallBytes: 65_536,
  /** Longer responses are checked against the free memory: they take memory in addition to the records. */
  largeAnswerCharacters: 1_048_576,
  /** Nesting of objects and arrays in a body. */
  bodyDepth: 64,
  /** Values of a body, nested ones included. Each can be a fault in the response. */
  bodyValues: 50_000,
  /** Times of administration of a sandbox. A fault names all of them. */
  administrationTimes: 100,
  administrationTimeCharacters: 60,
} as const;

/** The rate limits of `rate_limit`: calls in a window (`rate_limit_scope`). */
export const rateLimits: Readonly<Record<Choice<'rate_limit'>, { calls: number; seconds: number } | null>> = {
  off: null,
  '100/60s': { calls: 100, seconds: 60 },
};
