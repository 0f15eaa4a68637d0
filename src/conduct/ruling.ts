// What is found about one rule: the calls that put it to the test, and those that broke it.
import { bounds } from '../contract/control/bounds.ts';
import type { ConductOutcome } from '../contract/control/report.ts';
import type { OperationId } from '../contract/operations.ts';
import type { CompletedCall } from './completed-call.ts';
import { Recent } from './recent.ts';
import type { Sessions } from './sessions.ts';

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

// What a rule of the conduct report is made of.

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

// Calls that look like a breach, and may have been under way beside the answer that they should have heeded: judged by what follows.

/** No client makes more calls side by side that ask for the very same. */
const mostAlike = 20;

interface Doubt extends Breach {
  /** How many such calls came that asked for the same. */
  readonly alike: number;
}

export class Doubts {
  readonly #ruling: Ruling;
  readonly #doubts = new Recent<string, Doubt>();

  constructor(ruling: Ruling) {
    this.#ruling = ruling;
  }

  /** A call came that looks like this breach. */
  came(
    key: string,
    breach: Breach,
    { isSure, isAlike }: { readonly isSure: boolean; readonly isAlike: boolean },
  ): void {
    const alike = (this.#doubts.get(key)?.alike ?? 0) + (isAlike ? 1 : 0);
    if (isSure || alike > mostAlike) this.#ruling.fail(breach.finding, ...breach.evidence);
    else this.#doubts.set(key, { ...breach, alike });
  }

  /** What came since speaks for the client. */
  clear(key: string): void {
    this.#doubts.delete(key);
  }

  has(key: string): boolean {
    return this.#doubts.has(key);
  }

  /** What nothing has spoken for yet. */
  get first(): Breach | undefined {
    return [...this.#doubts.values()][0];
  }
}

// Whether a client looks what orders there are: what it does before it sends one again.

const looks: readonly OperationId[] = ['orders.list', 'orders.get'];

export const isLook = ({ operation }: CompletedCall): boolean => operation !== null && looks.includes(operation);
