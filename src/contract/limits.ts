// The contract's limits ("Limits"), and the bounds the sandbox sets itself. Units stand last in the names.

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
  /** Nested objects and arrays of a body. */
  bodyDepth: 64,
  /** Values of a body, nested ones included: so many faults can be told, a body of a million empty objects can not. */
  bodyValues: 50_000,
  /** Times of administration that a sandbox takes: a fault in each pouch of an order names all of them. */
  administrationTimes: 100,
  administrationTimeCharacters: 60,
} as const;
