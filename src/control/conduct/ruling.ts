// What is found about one rule: the calls that put it to the test, and those that broke it.
import { bounds } from '../../contract/admin/bounds.ts';
import type { ConductOutcome } from '../../contract/admin/report.ts';

/** How a rule was broken. */
export interface Breach {
  /** What was found, as the beginning of a sentence. */
  readonly finding: string;
  /** The ids of the requests that show it, in their order. */
  readonly evidence: readonly string[];
}

/** What is told about a rule. */
export interface Ruled {
  readonly outcome: ConductOutcome;
  readonly evidence: readonly string[];
  readonly finding?: string;
}

const mostEvidence = bounds.conductEvidence;

export class Ruling {
  /** Ids, each once; new arrays each time: one that grows takes room for many. */
  #tests: readonly string[] = [];
  #proofs: readonly string[] = [];
  #finding: string | undefined;

  /** Whether it has all the evidence of a pass that is told. */
  get isTested(): boolean {
    return this.#tests.length >= mostEvidence;
  }

  /** The rule was put to the test by this request, and kept. */
  test(id: string): void {
    if (!this.isTested) this.#tests = withId(this.#tests, id);
  }

  /** The rule was broken; of the findings the first is told. */
  fail(finding: string, ...evidence: readonly string[]): void {
    this.#finding ??= finding;
    for (const id of evidence) if (this.#proofs.length < mostEvidence) this.#proofs = withId(this.#proofs, id);
  }

  /** @param owed what a right client had still to do */
  told(owed?: Breach): Ruled {
    const finding = this.#finding ?? owed?.finding;
    const proofs = [...this.#proofs, ...(owed?.evidence ?? [])];
    if (finding) return { outcome: 'fail', evidence: [...new Set(proofs)].slice(0, mostEvidence), finding };
    return { outcome: this.#tests.length > 0 ? 'pass' : 'not_exercised', evidence: [...this.#tests] };
  }
}

const withId = (ids: readonly string[], id: string): readonly string[] => (ids.includes(id) ? ids : ids.concat(id));
