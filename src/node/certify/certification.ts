// What a certification says: the JSON report as it is written.
import type { Count } from '../../contract/admin/count.ts';
import type { Match } from '../../contract/admin/match.ts';
import type { ConductReport } from '../../contract/admin/report.ts';
import type { DeepReadonly } from '../../contract/records.ts';

/** Calls that a scenario expects, and how many came. */
interface ExpectationResult {
  readonly match: DeepReadonly<Match>;
  readonly count: DeepReadonly<Count>;
  /** null where the journal no longer has all that would tell. */
  readonly came: number | null;
  readonly satisfied: boolean;
}

/** A rule of the conduct report that a scenario is about. */
type RuleResult = DeepReadonly<ConductReport['rules'][number]>;

/** A call that an expectation or a broken rule names. */
export interface EvidenceRow {
  readonly id: string;
  /** By the sandbox's clock. */
  readonly received_at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly rules: readonly string[];
  readonly sentence: string | null;
}

export interface ScenarioResult {
  readonly name: string;
  readonly intent: string;
  readonly right_client: string;
  readonly outcome: 'pass' | 'fail';
  /** Why it failed, where that is no expectation's and no rule's. */
  readonly note: string | null;
  readonly duration_ms: number;
  readonly expect: readonly ExpectationResult[];
  readonly conduct: readonly RuleResult[];
  /** At most 50. */
  readonly evidence: readonly EvidenceRow[];
}

/** The whole report. Times are real. */
export interface Certification {
  readonly version: string;
  readonly server_version: string;
  /** null for a server elsewhere, whose seed nobody tells. */
  readonly seed: string | null;
  readonly sandbox: string;
  /** The readings that differ from the default. */
  readonly assumptions: Readonly<Record<string, string>>;
  readonly started_at: string;
  readonly finished_at: string;
  /** The command; null for a client that calls by itself. */
  readonly client: readonly string[] | null;
  readonly certified: boolean;
  /** Scenarios of the server that were not walked. */
  readonly left_out: readonly string[];
  readonly scenarios: readonly ScenarioResult[];
}
