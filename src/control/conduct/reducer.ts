// What a rule of the conduct report is made of.
import type { CompletedCall } from './completed-call.ts';
import type { Breach, Ruling } from './ruling.ts';
import type { Sessions } from './sessions.ts';

/** Follows the completed calls of a client, and tells its ruling what it finds. It keeps what it needs itself: the journal forgets. */
export interface Reducer {
  readonly see: (call: CompletedCall) => void;
  /** What a right client would still have to do: a breach, if nothing more comes. */
  readonly owed?: () => Breach | undefined;
}

export interface Rule {
  /** Whether a call has to do with the rule, where none before it had: nothing is followed and kept until then, of most clients ever. */
  readonly begins: (call: CompletedCall) => boolean;
  /** Begins with the first such call. The sessions are as they were before the call that is seen. */
  readonly follow: (ruling: Ruling, sessions: Sessions) => Reducer;
}
