// How a certified client comes to call: both ways of it look like this to the walk.

import type { Expectation } from '../../contract/admin/count.ts';
import type { ConductRuleId } from '../../contract/conduct.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import type { Calls } from './calls.ts';

/** A scenario as the server tells it. */
export interface ToldScenario {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly expect: readonly DeepReadonly<Expectation>[];
  readonly conduct: readonly ConductRuleId[];
}

/** Both steps give what kept the client from its calls, for the report. */
export interface Caller {
  /** Before the scenario is applied: whatever the client must have done by then. */
  readonly before: (scenario: ToldScenario) => Promise<string | undefined>;
  /** While it is applied; ends when the calls can be judged. */
  readonly during: (scenario: ToldScenario, calls: Calls) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}
