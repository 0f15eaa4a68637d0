// The interface of a conduct rule, and its verdict.
import { bounds } from '../contract/control/bounds.ts';
import type { ConductOutcome } from '../contract/control/conduct.ts';
import { type CallTiming, type CompletedCall, hadAnswer } from './completed-call.ts';
import { RecentMap, type Sessions } from './sessions.ts';

/** Starts to follow a client. The sessions are those before the call that the rule sees. */
export type Rule = (verdict: Verdict, sessions: Sessions) => RuleState;

/** Remembers the earlier calls that the rule needs: the journal may have evicted them. */
interface RuleState {
  /** Takes a completed call into account. Calls come in the order of their answers. */
  observe(call: CompletedCall): void;
  /** The calls that the client still has to make. A violation if no more calls come, unless it has no evidence. */
  outstanding?(): Violation | undefined;
}

export interface Violation {
  /** A sentence without the last period. */
  readonly finding: string;
  /** The ids of the requests that show it, in their order. */
  readonly evidence: readonly string[];
}

const maxEvidence = bounds.conductEvidence;

export class Verdict {
  readonly #passed = new Set<string>();
  readonly #failed = new Set<string>();
  #finding: string | undefined;

  /** True if it has all the evidence that a pass reports. */
  get isFull(): boolean {
    return this.#passed.size >= maxEvidence;
  }

  /** This request tested the rule and followed it. */
  pass(id: string): void {
    if (!this.isFull) this.#passed.add(id);
  }

  /** The rule was broken. The report has the first finding. */
  fail(finding: string, ...evidence: readonly string[]): void {
    this.#finding ??= finding;
    for (const id of evidence) if (this.#failed.size < maxEvidence) this.#failed.add(id);
  }

  result(outstanding?: Violation) {
    const missing = outstanding?.evidence ?? [];
    const finding = this.#finding ?? (missing.length > 0 ? outstanding?.finding : undefined);
    const evidence = finding ? new Set([...this.#failed, ...missing]) : this.#passed;
    const otherwise = this.#passed.size > 0 ? 'pass' : 'not_exercised';
    const outcome: ConductOutcome = finding ? 'fail' : otherwise;
    return { outcome, evidence: [...evidence].slice(0, maxEvidence), finding };
  }
}

/** No client sends more copies of one request in parallel. */
const maxParallelCopies = 20;

/** Calls that look like violations, but may have been sent before the earlier answer arrived. Later calls decide. */
export class PossibleViolations {
  readonly #verdict: Verdict;
  /** With the number of calls that repeated the same request. */
  readonly #byKey = new RecentMap<string, Violation & { readonly copies: number }>();

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  /** @param isCopy whether the call is the same request as the earlier one */
  add(key: string, finding: string, call: CompletedCall, earlier: CallTiming, isCopy: boolean): void {
    const evidence = [earlier.id, call.id];
    const copies = (this.#byKey.get(key)?.copies ?? 0) + (isCopy ? 1 : 0);
    // No client sends the same order twice in parallel.
    const isOrderAgain = isCopy && !call.isSafe;
    if (isOrderAgain || copies > maxParallelCopies || hadAnswer(call, earlier) === 'yes')
      this.#verdict.fail(finding, ...evidence);
    else this.#byKey.set(key, { finding, evidence, copies });
  }

  /** A later call shows that the client behaves correctly. */
  clear(key: string): void {
    this.#byKey.delete(key);
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  get first(): Violation | undefined {
    return [...this.#byKey.values()][0];
  }
}
