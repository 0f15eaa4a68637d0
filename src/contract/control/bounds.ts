// The bounds of what a tester may bend. Units stand last in the names.

export const bounds = {
  /** Calls of a burst, of a window, of `times` and `after`. */
  calls: 1_000_000,
  /** Windows, lifetimes and `Retry-After`: ten years. */
  seconds: 315_360_000,
  /** S3 signs no URL for longer than a week. */
  labelSeconds: 604_800,
  /** A delay: one hour. */
  delayMilliseconds: 3_600_000,
  /** Faults and switches of a sandbox; each matching call looks at all of them. */
  overrides: 200,
  /** Scenarios applied to a sandbox at a time; each turn of a reading goes through all of them. */
  scenarios: 200,
  /** Of the body of a match, nested ones included; each of a sandbox's levers and waits may look at all of them at each call. */
  matchValues: 1000,
  /** Named snapshots of a sandbox. */
  snapshots: 100,
  /** Counters, generations and sequence numbers that a state document may bring: ids repeat beyond it. */
  counted: 4_294_967_295,
  counters: 200,
  /** Of the JSON of an answer that is kept for a call that comes again with its key. */
  answerCharacters: 65_536,
  /** Of a page of the control API. */
  pageItems: 1000,
  /** The journal of a sandbox, and all journals of a server together. */
  journalEntries: 1000,
  journalBytes: 8_388_608,
  allJournalsBytes: 268_435_456,
  /** Ids of requests that a rule of the conduct report tells. */
  conductEvidence: 20,
  /** What a verify may wait: ten minutes. */
  waitMilliseconds: 600_000,
  /** Waits of a sandbox at a time; each looks at every answer. */
  waits: 100,
  /** Calls of a sandbox that a fault delays at a time, and what they hold of bodies. */
  delayedCalls: 1000,
  delayedBytes: 67_108_864,
  /** Those who listen to what happens in a sandbox, at a time; each is told of every call. */
  listeners: 200,
  /** The weight and the charge of a package. */
  amount: 1_000_000_000,
  /** A body with a whole state, or with the fixtures of one; others are no larger than a body of the service. */
  stateBytes: 67_108_864,
  bodyValues: 5_000_000,
} as const;
