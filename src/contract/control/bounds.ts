// The bounds of the control API. Names end with the unit.

export const bounds = {
  /** Calls of a burst, of a window, of `times` and `after`. */
  calls: 1_000_000,
  /** Windows, lifetimes and `Retry-After`: ten years. */
  seconds: 315_360_000,
  /** S3 signs no URL for longer than a week. */
  labelSeconds: 604_800,
  /** A delay: one hour. */
  delayMilliseconds: 3_600_000,
  /** Switches and faults of a sandbox. Each call is matched against all of them. */
  overrides: 200,
  /** Scenarios applied to a sandbox at a time. Each change of an assumption goes through all of them. */
  scenarios: 200,
  /** Values in the body of a match, nested ones included. Each call may be compared with all of them. */
  matchValues: 1000,
  /** Named snapshots of a sandbox. */
  snapshots: 100,
  /** Counters, generations and sequence numbers of a state document. Ids repeat beyond it. */
  counted: 4_294_967_295,
  counters: 200,
  /** The JSON of a response that is stored for a repeated Idempotency-Key. */
  answerCharacters: 65_536,
  pageItems: 1000,
  /** The journal of a sandbox, and all journals of a server. */
  journalEntries: 1000,
  journalBytes: 8_388_608,
  allJournalsBytes: 268_435_456,
  /** Request ids of a rule of the conduct report. */
  conductEvidence: 20,
  /** Ten minutes. */
  waitMilliseconds: 600_000,
  /** Waits of a sandbox at a time. Each is checked at every response. */
  waits: 100,
  /** Calls of a sandbox that faults delay at a time, and the size of their bodies. */
  delayedCalls: 1000,
  delayedBytes: 67_108_864,
  /** Event streams of a sandbox at a time. Each gets every event. */
  listeners: 200,
  /** The weight and the charge of a package. */
  amount: 1_000_000_000,
  /** Demo data. It is written in one transaction. */
  demoOrders: 2000,
  demoDays: 365,
  /** Invites: the lifetime of a link, and the wrong tokens per sandbox and minute. */
  inviteSeconds: 2_592_000,
  /** The time to live of an invited sandbox by default: guests who lost interest must not fill the server. */
  guestSeconds: 1_209_600,
  wrongClaims: 10,
  /** Calls to an invited sandbox per minute, those of its host's key excluded. */
  guestCalls: 3000,
  /** Records per collection of an invited sandbox, if --max-records is not lower. */
  guestRecords: 10_000,
  /** A body with a whole state, fixtures or a recording. Other bodies have the service's limit. */
  stateBytes: 67_108_864,
  bodyValues: 5_000_000,
} as const;
