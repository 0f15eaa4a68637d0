// Reads recorded calls and finds the choices that their answers allow.
import type { AssumptionId } from '../contract/assumptions.ts';
import type { LearnedReport } from '../contract/observations.ts';
import type { TextRedactor } from '../journal/redaction.ts';
import type { RecordedCall } from './recorded-call.ts';

/**
 * Judges recorded calls one after the other, in the order in which they were made.
 * @example
 * const learner = new Learner(redactor);
 * for (const call of calls) learner.add(call, 'real.har');
 * const { observations, findings } = learner.report();
 */
export class Learner {
  /** @param redactor removes secrets from findings */
  constructor(_redactor: TextRedactor) {}

  /** @param source the file of the recording, or the URL of the service */
  add(_call: RecordedCall, _source: string): void {}

  /** The choices that no answer so far contradicts. */
  allowed(_id: AssumptionId): readonly string[] {
    return [];
  }

  /** The latest values that the answers had, by the name that a probe uses: `access_token`, `product`, `order`, … */
  readonly known: Map<string, string> = new Map<string, string>();

  report(): LearnedReport {
    return { calls: 0, skipped: {}, observations: [], findings: [], facts: {} };
  }
}
